/** Faults of the bytes of files: jobs of their threads, holds, comparisons, and the deletion of what nothing refers to. */
import type { BlobJob } from '../../../src/storage/blobs/blob-files.ts';
import type { UploadParts } from '../../../src/storage/blobs/blob-upload.ts';
import { type Fault, seam } from '../seam.ts';

const uploads = seam<typeof import('../../../src/storage/blobs/blob-upload.ts')>(
  'jobs of uploads',
  'src/storage/blobs/blob-upload',
);
const jobs = seam<typeof import('../../../src/storage/blobs/blob-files.ts')>('jobs of blobs', 'src/storage/blobs/blob-files');
const cache = seam<typeof import('../../../src/storage/blobs/blob-cache.ts')>('origin of blobs', 'src/storage/blobs/blob-cache');
const holds = seam<typeof import('../../../src/storage/blobs/blob-holds.ts')>('holds of blobs', 'src/storage/blobs/blob-holds');
const reading = seam<typeof import('../../../src/storage/blobs/verified-blobs.ts')>(
  'files of blobs',
  'src/storage/blobs/verified-blobs',
);
const store = seam<typeof import('../../../src/storage/blobs/blob-store.ts')>('files of blobs', 'src/storage/blobs/blob-store');
const collector = seam<typeof import('../../../src/engine/files/blob-collector.ts')>(
  'collector of blobs',
  'src/engine/files/blob-collector',
);
const kept = seam<typeof import('../../../src/engine/files/unreferenced-list.ts')>(
  'collector of blobs',
  'src/engine/files/unreferenced-list',
);
const accountUploads = seam<typeof import('../../../src/engine/files/account-uploads.ts')>(
  'uploads of accounts',
  'src/engine/files/account-uploads',
);

/** A fault of what an upload asks of others. */
const onUploads = (change: (parts: UploadParts) => Partial<UploadParts>): Fault =>
  uploads.withParts('UploadInThread', (parts) => [{ ...parts, ...change(parts) }]);

type VerifiedParts = ConstructorParameters<typeof import('../../../src/storage/blobs/verified-blobs.ts').VerifiedBlobs>[0];

/** A fault of what the comparison of blobs asks of others. */
const onReading = (change: (parts: VerifiedParts) => Partial<VerifiedParts>): Fault =>
  reading.withParts('VerifiedBlobs', (parts) => [{ ...parts, ...change(parts) }]);

export const blobFaults = {
  'a file is named after the answer': onUploads(({ run }) => ({
    run: async (job) => {
      if (job.kind !== 'name') return await run(job);
      void run(job);
      return { path: '', isNew: false } as Awaited<ReturnType<typeof run<typeof job.kind>>>;
    },
  })),
  'every named file is a new one': onUploads(({ run }) => ({
    run: async (job) => {
      const answer = await run(job);
      return job.kind === 'name' ? ({ ...(answer as object), isNew: true } as typeof answer) : answer;
    },
  })),
  'the expected digest is the answer, whatever the bytes are': onUploads(({ run, digest }) => ({
    run: async (job) => {
      const answer = await run(job);
      return job.kind === 'seal' && digest !== undefined ? (digest as typeof answer) : answer;
    },
  })),
  'the wait for a deletion ends at the start': onUploads(() => ({ settled: async () => undefined })),
  'the hold of an upload ends when its bytes are stored': uploads.withMethods('UploadInThread', ({ finish }) => ({
    async finish() {
      const stored = await finish.call(this);
      stored.hold.release();
      return stored;
    },
  })),
  'the last piece of an upload is lost': onUploads(({ run, pieceBytes }) => ({
    run: async (job) => {
      const isLast = job.kind === 'write' && (job as BlobJob<'write'>).bytes.byteLength < pieceBytes;
      return isLast ? (undefined as never) : await run(job);
    },
  })),
  'no failed sync is final': jobs.withMethods('BlobFiles', ({ perform }) => ({
    perform(job) {
      try {
        return perform.call(this, job as never) as never;
      } catch (error) {
        throw Object.assign(error as Error, { code: undefined });
      }
    },
  })),
  'every verified blob is right': jobs.withMethods('BlobFiles', ({ perform }) => ({
    perform(job) {
      return (job.kind === 'verify' ? '' : perform.call(this, job as never)) as never;
    },
  })),

  'it answers before it has the bytes': cache.withParts('BlobCache', (origin, parts) => [
    {
      get: (digest) => origin.get(digest),
      has: (blob) => origin.has(blob),
      list: (prefix) => origin.list(prefix),
      delete: (digests) => origin.delete(digests),
      describe: (digest) => origin.describe(digest),
      put: async (...put) => void origin.put(...put).catch(() => undefined),
    },
    parts,
  ]),

  'a hold ends when it begins': holds.withMethods('BlobHolds', ({ hold }) => ({
    hold(digest) {
      const held = hold.call(this, digest);
      held.release();
      return held;
    },
  })),
  'what is held may be deleted': holds.withMethods('BlobHolds', () => ({ waiting: (digests) => new Set(digests) })),
  'a later hold does not reach a deletion that waits': holds.withMethods('BlobHolds', ({ waiting }) => ({
    waiting(digests) {
      const those = waiting.call(this, digests);
      this.ended(those);
      return those;
    },
  })),

  'a file keeps its first stamp': onReading(({ open }) => {
    const stamps = new Map<string, string>();
    return {
      open: async (blob) => {
        const { handle, stamp } = await open(blob);
        if (!stamps.has(blob.digest)) stamps.set(blob.digest, stamp);
        return { handle, stamp: stamps.get(blob.digest) ?? stamp };
      },
    };
  }),
  'a damaged file cannot be repaired': onReading(() => ({
    repair: async (_, error) => {
      throw error;
    },
  })),
  'every file is there': store({
    BlobStore: ({ BlobStore }) => {
      BlobStore.prototype.checkPresence = async () => undefined;
      return BlobStore;
    },
  }),

  'the collector keeps nothing for a day': collector.withParts('BlobCollector', (files, blobs, options) => [
    files,
    blobs,
    { ...options, keptMs: 0 },
  ]),
  'the snapshots have passed every record': collector.withMethods('BlobCollector', ({ collect }) => ({
    collect() {
      return collect.call(this, Number.MAX_SAFE_INTEGER);
    },
  })),
  'the collector notes no damage': collector.withMethods('BlobCollector', () => ({ noteDamage: () => undefined })),
  'no blob is known to be damaged': collector.withMethods('BlobCollector', () => ({ isDamaged: () => false })),
  'the collector gets no list of the last process': collector.withMethods('BlobCollector', () => ({ resume: () => undefined })),
  'the list of the collector has no times': kept.withResult(
    'unreferencedIn',
    (found) => new Map([...found].map(([digest, former]) => [digest, { ...former, since: undefined }])),
  ),

  'running uploads reserve nothing': accountUploads.withMethods('AccountUploads', () => ({ reserve: () => undefined })),
  'bytes of uploads stay whether a record refers to them or not': accountUploads.withMethods('AccountUploads', () => ({
    settle: (_, reservation) => reservation.release(),
  })),
  'reservations end before the bytes are deleted': accountUploads.withMethods('AccountUploads', ({ settle }) => ({
    settle(digest, reservation) {
      reservation.release();
      settle.call(this, digest, reservation);
    },
  })),
} as const satisfies Readonly<Record<string, Fault>>;
