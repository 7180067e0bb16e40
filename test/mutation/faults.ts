/**
 * Faults at interfaces. A seed that has one leaves the sources of `src` alone: the module of an interface is replaced by one that
 * exports the same, wrapped. The seed survives any change behind the interface.
 */
import type { Lease } from '../../src/cluster/protocol/lease.ts';
import type { Instant, WriteAnswer, WriteError } from '../../src/cluster/protocol/terms.ts';
import type { Files } from '../../src/lib/files/files.ts';
import type { UploadParts } from '../../src/storage/blobs/blob-upload.ts';
import { type Call, loseCalls } from './lossy-files.ts';

/** The modules that are wrapped, below the project. The compiler checks what they export. */
interface Modules {
  readonly 'test/disk/simulated-disk': typeof import('../disk/simulated-disk.ts');
  readonly 'src/lib/files/files': typeof import('../../src/lib/files/files.ts');
  readonly 'src/storage/blobs/blob-upload': typeof import('../../src/storage/blobs/blob-upload.ts');
  readonly 'src/cluster/protocol/lease': typeof import('../../src/cluster/protocol/lease.ts');
  readonly 'src/storage/wal/write/wal': typeof import('../../src/storage/wal/write/wal.ts');
  readonly 'src/storage/wal/journal': typeof import('../../src/storage/wal/journal.ts');
  readonly 'src/storage/blobs/blob-cache': typeof import('../../src/storage/blobs/blob-cache.ts');
  readonly 'src/web/console/document/project-api': typeof import('../../src/web/console/document/project-api.ts');
  readonly 'src/cluster/protocol/terms': typeof import('../../src/cluster/protocol/terms.ts');
  readonly 'src/cluster/protocol/append': typeof import('../../src/cluster/protocol/append.ts');
  readonly 'src/cluster/protocol/owner': typeof import('../../src/cluster/protocol/owner.ts');
  readonly 'src/cluster/protocol/claim': typeof import('../../src/cluster/protocol/claim.ts');
  readonly 'src/store/operations/accounts/put-key': typeof import('../../src/store/operations/accounts/put-key.ts');
  readonly 'src/store/operations/put-name': typeof import('../../src/store/operations/put-name.ts');
  readonly 'src/store/operations/delete-publication': typeof import('../../src/store/operations/delete-publication.ts');
  readonly 'src/storage/snapshot/format/account-rows': typeof import('../../src/storage/snapshot/format/account-rows.ts');
}

/** The interface that each of them is, in the table of README.md. */
const interfaces = {
  'test/disk/simulated-disk': 'file system',
  'src/lib/files/files': 'file system',
  'src/storage/blobs/blob-upload': 'jobs of uploads',
  'src/cluster/protocol/lease': 'messages and clocks of the cluster',
  'src/storage/wal/write/wal': 'journal',
  'src/storage/wal/journal': 'journal',
  'src/storage/blobs/blob-cache': 'origin of blobs',
  'src/web/console/document/project-api': 'requests of the console',
  'src/cluster/protocol/terms': 'messages and clocks of the cluster',
  'src/cluster/protocol/append': 'messages and clocks of the cluster',
  'src/cluster/protocol/owner': 'messages and clocks of the cluster',
  'src/cluster/protocol/claim': 'messages and clocks of the cluster',
  'src/store/operations/accounts/put-key': 'operations of the store',
  'src/store/operations/put-name': 'operations of the store',
  'src/store/operations/delete-publication': 'operations of the store',
  'src/storage/snapshot/format/account-rows': 'rows of a snapshot',
} as const satisfies Readonly<Record<keyof Modules, string>>;

export interface Fault {
  readonly module: keyof Modules;
  readonly at: (typeof interfaces)[keyof Modules];
  /** Makes what the module exports instead, by name. */
  readonly exports: Readonly<Record<string, (sound: never) => unknown>>;
}

const wrap = <M extends keyof Modules>(
  module: M,
  exports: { readonly [K in keyof Modules[M]]?: (sound: Modules[M]) => Modules[M][K] },
): Fault => ({ module, at: interfaces[module], exports: exports as Fault['exports'] });

/** A fault of the simulated disk. */
const onDisk = (isLost: (call: Call) => boolean): Fault =>
  wrap('test/disk/simulated-disk', {
    SimulatedDisk: ({ SimulatedDisk }) => {
      loseCalls(SimulatedDisk.prototype, isLost);
      return SimulatedDisk;
    },
  });

/** The file system of Node with other methods. */
const onNode = (of: Partial<Files>): Fault =>
  wrap('src/lib/files/files', {
    nodeFiles: ({ nodeFiles }) => ({ ...nodeFiles, ...of }),
  });

/** A fault of what an upload asks of others. */
const onUploads = (change: (parts: UploadParts) => Partial<UploadParts>): Fault =>
  wrap('src/storage/blobs/blob-upload', {
    UploadInThread: ({ UploadInThread }) =>
      class extends UploadInThread {
        constructor(parts: UploadParts) {
          super({ ...parts, ...change(parts) });
        }
      },
  });

const isSegment = (name: string): boolean => name.endsWith('.segment');
const isSnapshot = (name: string): boolean => name.endsWith('.snapshot');
const isLarge = (name: string): boolean => name.endsWith('/large');
const isJournal = ({ path }: Call): boolean => path.endsWith('/journal');
const isFolderOfBlobs = ({ path }: Call): boolean => /\/[0-9a-f]{2}$/.test(path);

const movedInto = ({ entries }: Call, matches: (name: string) => boolean): boolean =>
  [...entries].some(([name, entry]) => entry === 'moved' && matches(name));

const losesSync = (holds: (call: Call) => boolean) => onDisk((call) => call.kind === 'sync' && holds(call));
const losesFolderSync = (holds: (call: Call) => boolean) => onDisk((call) => call.kind === 'syncFolder' && holds(call));

/** An answer that changed a row arrives as one that is committed and replicated in this timeline. */
const made = <A extends WriteAnswer | WriteError>(answer: A, timeline: string): A =>
  'code' in answer || answer.rows === 0 ? answer : { ...answer, warned: false, replicates: true, timeline };

/** A fault of the moments by which a lease is judged. */
const onLease = (change: (lease: Lease, asked: Instant, now: Instant) => readonly [asked: Instant, now: Instant]): Fault =>
  wrap('src/cluster/protocol/lease', {
    leaseHolds: (sound) => (lease, leaseMs, now) => sound.leaseHolds(lease, leaseMs, change(lease, now, now)[1]),
    leaseProves: (sound) => (lease, leaseMs, asked, now) => sound.leaseProves(lease, leaseMs, ...change(lease, asked, now)),
  });

/** Faults by what they do. */
export const faults = {
  'syncs of the segment that is being written are lost': losesSync(
    ({ path, formerNames, isRunning }) => isRunning && isSegment(path) && !formerNames.some(isLarge),
  ),
  'syncs of the segment of a large record are lost': losesSync(
    ({ path, formerNames }) => isSegment(path) && formerNames.some(isLarge),
  ),
  'syncs of the segment of a large record are lost before it has its name': losesSync(({ path }) =>
    /\/large(\.tmp)?$/.test(path),
  ),
  'the sync of the header of a new segment is lost': losesSync(
    ({ path, bytes }) => path.endsWith('/spare.tmp') && bytes.some((byte) => byte !== 0),
  ),
  'syncs of segments are lost in recovery': losesSync(({ path, isRunning }) => !isRunning && isSegment(path)),
  'writes of bytes that a segment has already are lost in recovery': onDisk(
    ({ kind, path, isRunning, isSame }) => kind === 'write' && !isRunning && isSegment(path) && isSame(),
  ),
  'the sync of the folder of the log is lost after a segment got its name': losesFolderSync(
    (call) => isJournal(call) && call.isRunning && movedInto(call, isSegment),
  ),
  'the sync of the folder of the log is lost after the first segment got its name': losesFolderSync(
    (call) => isJournal(call) && !call.isRunning && movedInto(call, isSegment),
  ),
  'the sync of the folder of the log is lost in recovery': losesFolderSync(
    (call) => isJournal(call) && !call.isRunning && [...call.entries.keys()].every((name) => name.includes('.torn')),
  ),
  'the sync of the data folder is lost after the folder of the log was made': losesFolderSync(({ entries }) =>
    entries.has('journal'),
  ),
  'the sync of the data folder is lost after the folder of snapshots was made': losesFolderSync(
    ({ entries }) => entries.has('snapshots') && !entries.has('journal'),
  ),
  'syncs of snapshots are lost': losesSync(({ path }) => path.includes('/snapshots/')),
  'the sync of the folder is lost after a snapshot got its name': losesFolderSync((call) => movedInto(call, isSnapshot)),
  'syncs of the folder are lost after a snapshot got its name, and after deletions': losesFolderSync(
    (call) =>
      movedInto(call, isSnapshot) || (call.entries.size > 0 && [...call.entries.values()].every((entry) => entry === 'deleted')),
  ),
  'syncs of uploads are lost': losesSync(({ path }) => path.includes('/tmp/')),
  'the sync of the folder is lost after a blob got its name': losesFolderSync(
    (call) => isFolderOfBlobs(call) && movedInto(call, () => true),
  ),
  'the sync of the folder is lost in which the folders of blobs are made': losesFolderSync(({ entries }) => entries.has('tmp')),
  'syncs of the folders of restored blobs are lost': losesFolderSync(isFolderOfBlobs),
  'every lock is free': onNode({ lock: () => true }),
  'every open file is at its path': onNode({ isAt: () => true }),

  'it answers before the record is durable': wrap('src/storage/wal/write/wal', {
    openWal: (sound) => async (tail, options) => Object.assign(await sound.openWal(tail, options), { durable: () => undefined }),
  }),
  'a wait without a limit ends before the record is durable': wrap('src/storage/wal/journal', {
    durableAtLast: () => async () => undefined,
  }),
  'a wait without a limit ends when the disk takes too long': wrap('src/storage/wal/journal', {
    durableAtLast: () => async (journal, lsn) => await journal.durable(lsn),
  }),

  'a file is named after the answer': onUploads(({ run }) => ({
    run: async (job) => {
      if (job.kind !== 'name') return await run(job);
      void run(job);
      return { path: '', isNew: false } as Awaited<ReturnType<typeof run<typeof job.kind>>>;
    },
  })),
  'the expected digest is the answer, whatever the bytes are': onUploads(({ run, digest }) => ({
    run: async (job) => {
      const answer = await run(job);
      return job.kind === 'seal' && digest !== undefined ? (digest as typeof answer) : answer;
    },
  })),
  'the wait for a deletion ends at the start': onUploads(() => ({ settled: async () => undefined })),

  'it answers before it has the bytes': wrap('src/storage/blobs/blob-cache', {
    BlobCache: ({ BlobCache }) =>
      class extends BlobCache {
        constructor(...[origin, parts]: ConstructorParameters<typeof BlobCache>) {
          super(
            {
              get: (digest) => origin.get(digest),
              has: (blob) => origin.has(blob),
              list: (prefix) => origin.list(prefix),
              delete: (digests) => origin.delete(digests),
              describe: (digest) => origin.describe(digest),
              put: async (...put) => void origin.put(...put).catch(() => undefined),
            },
            parts,
          );
        }
      },
  }),

  'a batch that is sent again has another key': wrap('src/web/console/document/project-api', {
    ProjectApi: ({ ProjectApi, newRequestKey }) =>
      class extends ProjectApi {
        override send(...[batch]: Parameters<InstanceType<typeof ProjectApi>['send']>) {
          return super.send(batch, newRequestKey());
        }
      },
  }),

  'answers arrive without their WARNING': wrap('src/cluster/protocol/terms', {
    outcomeOf: (sound) => (answer, timeline) =>
      sound.outcomeOf('code' in answer ? answer : { ...answer, warned: false }, timeline),
  }),
  'answers say that standbys are configured': wrap('src/cluster/protocol/terms', {
    outcomeOf: (sound) => (answer, timeline) =>
      sound.outcomeOf('code' in answer ? answer : { ...answer, replicates: true }, timeline),
  }),
  'the answer to an append says that it is replicated': wrap('src/cluster/protocol/append', {
    answered: (sound) => (appender, answer) =>
      sound.answered(appender, answer.to === 'append' ? { ...answer, answer: made(answer.answer, appender.timeline) } : answer),
  }),
  'the answer to a look has the batch that was not acknowledged': wrap('src/cluster/protocol/append', {
    answered: (sound) => (appender, answer) =>
      sound.answered(
        appender,
        answer.to === 'look' && answer.newest.lsn === appender.acknowledged.lsn
          ? { ...answer, newest: appender.batch?.end ?? answer.newest }
          : answer,
      ),
  }),
  'the answer to a settle says that it is replicated': wrap('src/cluster/protocol/append', {
    answered: (sound) => (appender, answer) =>
      sound.answered(
        appender,
        answer.to === 'settle' ? { ...answer, answer: made(answer.answer, appender.foundTimeline) } : answer,
      ),
  }),
  'the answer to a renewal says that it is replicated': wrap('src/cluster/protocol/owner', {
    leaseAnswered: (sound) => (owner, answer) =>
      sound.leaseAnswered(
        owner,
        answer.to === 'renew' ? { ...answer, answer: made(answer.answer, owner.appender.timeline) } : answer,
      ),
  }),
  'an observation has the timeline of the one before it': wrap('src/cluster/protocol/claim', {
    claimAnswered: (sound) => (claim, answer, leaseMs, now) =>
      sound.claimAnswered(
        claim,
        answer.to === 'observe' ? { ...answer, timeline: claim.sighting?.timeline ?? answer.timeline } : answer,
        leaseMs,
        now,
      ),
  }),

  'the monotonic clock of a claimer is 2.5 times as fast': wrap('src/cluster/protocol/claim', {
    claimAnswered: (sound) => (claim, answer, leaseMs, now) =>
      sound.claimAnswered(claim, answer, leaseMs, { ...now, monotonicMs: 2.5 * now.monotonicMs }),
  }),
  'the wall clock stands still from each renewal on': onLease((lease, asked, now) => [
    asked,
    { ...now, wallMs: lease.renewedAt?.wallMs ?? now.wallMs },
  ]),
  'the monotonic clock stands still from each renewal on': onLease((lease, asked, now) => [
    asked,
    { ...now, monotonicMs: lease.renewedAt?.monotonicMs ?? now.monotonicMs },
  ]),
  'the time of a question is 8 ms too early': onLease((_, asked, now) => [{ ...asked, monotonicMs: asked.monotonicMs - 8 }, now]),

  'put-key leaves a key that exists as it is': wrap('src/store/operations/accounts/put-key', {
    putKey: ({ putKey }) => ({
      ...putKey,
      apply: (state, lsn, change) => {
        const present = state.keys.get(change.key.id);
        putKey.apply(state, lsn, present === undefined ? change : { ...change, key: present });
      },
    }),
  }),
  'put-name leaves the version of publications as it is': wrap('src/store/operations/put-name', {
    putName: ({ putName }) => ({
      ...putName,
      apply: (state, lsn, change) => {
        const { publicationsVersion } = state;
        putName.apply(state, lsn, change);
        state.publicationsVersion = publicationsVersion;
      },
    }),
  }),
  'delete-publication leaves the address': wrap('src/store/operations/delete-publication', {
    deletePublication: ({ deletePublication }) => ({
      ...deletePublication,
      apply: (state, lsn, change) => {
        const project = state.accounts.get(change.accountId)?.projects.get(change.projectId);
        const slug = project?.publication?.slug;
        deletePublication.apply(state, lsn, change);
        if (project !== undefined && slug !== undefined) state.publications.set(slug, project);
      },
    }),
  }),
  'delete-publication leaves the visits': wrap('src/store/operations/delete-publication', {
    deletePublication: ({ deletePublication }) => ({
      ...deletePublication,
      apply: (state, lsn, change) => {
        const project = state.accounts.get(change.accountId)?.projects.get(change.projectId);
        const visits = project?.visits;
        deletePublication.apply(state, lsn, change);
        if (project !== undefined) project.visits = visits;
      },
    }),
  }),

  'an account has no names of maps': wrap('src/storage/snapshot/format/account-rows', {
    accountToRow: (sound) => (account, state) => sound.accountToRow(account, state).map((item, at) => (at === 6 ? [] : item)),
  }),
  'an account has no version of its publications': wrap('src/storage/snapshot/format/account-rows', {
    accountOf: (sound) => (row, lsn) => {
      const read = sound.accountOf(row, lsn);
      read.account.publicationsVersion = 0;
      return read;
    },
  }),
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;
