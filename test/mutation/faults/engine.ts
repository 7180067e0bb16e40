/** Faults of the engine and the state: operations of records, lookups, commands, decisions, turns, and the feed. */
import type { Change } from '../../../src/store/operations/operations.ts';
import { type Fault, seam } from '../seam.ts';

const putKey = seam<typeof import('../../../src/store/operations/accounts/put-key.ts')>(
  'operations of the store',
  'src/store/operations/accounts/put-key',
);
const putName = seam<typeof import('../../../src/store/operations/put-name.ts')>(
  'operations of the store',
  'src/store/operations/put-name',
);
const deletePublication = seam<typeof import('../../../src/store/operations/delete-publication.ts')>(
  'operations of the store',
  'src/store/operations/delete-publication',
);
const find = seam<typeof import('../../../src/store/find.ts')>('queries of the store', 'src/store/find');
const collections = seam<typeof import('../../../src/store/collection.ts')>('collections of the store', 'src/store/collection');
const blobsOf = seam<typeof import('../../../src/store/blobs-of.ts')>('references to blobs', 'src/store/blobs-of');
const references = seam<typeof import('../../../src/store/blob-references.ts')>(
  'references to blobs',
  'src/store/blob-references',
);
const putAccount = seam<typeof import('../../../src/store/operations/accounts/put-account.ts')>(
  'operations of the store',
  'src/store/operations/accounts/put-account',
);
const weights = seam<typeof import('../../../src/model/memory-estimate.ts')>('estimates of memory', 'src/model/memory-estimate');
const members = seam<typeof import('../../../src/model/resources/object.ts')>(
  'members of resources',
  'src/model/resources/object',
);
const decide = seam<typeof import('../../../src/engine/write/decide.ts')>('commands', 'src/engine/write/decide');
const mapNames = seam<typeof import('../../../src/engine/write/map-names.ts')>('names of maps', 'src/engine/write/map-names');
const closing = seam<typeof import('../../../src/lib/async/dispose-stack.ts')>(
  'closing of what was opened',
  'src/lib/async/dispose-stack',
);
const addresses = seam<typeof import('../../../src/model/references/file-references.ts')>(
  'addresses of files',
  'src/model/references/file-references',
);
const writes = seam<typeof import('../../../src/engine/write/write.ts')>('writer', 'src/engine/write/write');
const reads = seam<typeof import('../../../src/engine/read.ts')>('reader', 'src/engine/read');
const restores = seam<typeof import('../../../src/engine/versions/restore-version.ts')>(
  'restores of versions',
  'src/engine/versions/restore-version',
);
const restoring = seam<typeof import('../../../src/engine/versions/restoring.ts')>(
  'restores of versions',
  'src/engine/versions/restoring',
);
const captures = seam<typeof import('../../../src/engine/versions/versions.ts')>(
  'captured states',
  'src/engine/versions/versions',
);
const deletions = seam<typeof import('../../../src/engine/versions/delete-versions.ts')>(
  'commands',
  'src/engine/versions/delete-versions',
);
const copies = seam<typeof import('../../../src/engine/projects/duplicate-project.ts')>(
  'commands',
  'src/engine/projects/duplicate-project',
);
const room = seam<typeof import('../../../src/engine/versions/make-room.ts')>(
  'quota of versions',
  'src/engine/versions/make-room',
);
const versionTurns = seam<typeof import('../../../src/engine/version-turns.ts')>(
  'memory of versions',
  'src/engine/version-turns',
);
const idMap = seam<typeof import('../../../src/engine/projects/id-remap.ts')>(
  'identifiers of copies',
  'src/engine/projects/id-remap',
);
const visits = seam<typeof import('../../../src/engine/visits/visit-counts.ts')>(
  'counts of visits',
  'src/engine/visits/visit-counts',
);
const turns = seam<typeof import('../../../src/lib/async/turns.ts')>('turns of accounts', 'src/lib/async/turns');
const slices = seam<typeof import('../../../src/lib/async/cooperative.ts')>('event loop', 'src/lib/async/cooperative');
const feed = seam<typeof import('../../../src/engine/feed/feed.ts')>('records for the feed', 'src/engine/feed/feed');
const subscribers = seam<typeof import('../../../src/engine/feed/subscriber.ts')>('subscriptions', 'src/engine/feed/subscriber');

/** A restore makes other changes. */
const onRestore = (change: (changes: readonly Change[]) => Change[]): Fault =>
  restoring({
    changesTo: ({ changesTo }) =>
      function* others(content, project) {
        return change(yield* changesTo(content, project));
      },
  });

const isDeletion = ({ op }: Change): boolean => op === 'delete';

/** Records reach the feed without some of their changes. */
const onFeed = (...ops: readonly Change['op'][]): Fault =>
  feed.withMethods('Feed', ({ committed }) => ({
    committed(lsn, changes, bytes) {
      const others = changes.filter(({ op }) => !ops.includes(op));
      committed.call(this, lsn, others, bytes);
    },
  }));

const noLimit = Number.POSITIVE_INFINITY;
const yearMs = 365 * 24 * 3_600_000;

export const engineFaults = {
  'put-key leaves a key that exists as it is': putKey({
    putKey: ({ putKey }) => ({
      ...putKey,
      apply: (state, lsn, change) => {
        const present = state.keys.get(change.key.id);
        putKey.apply(state, lsn, present === undefined ? change : { ...change, key: present });
      },
    }),
  }),
  'put-name leaves the version of publications as it is': putName({
    putName: ({ putName }) => ({
      ...putName,
      apply: (state, lsn, change) => {
        const { publicationsVersion } = state;
        putName.apply(state, lsn, change);
        state.publicationsVersion = publicationsVersion;
      },
    }),
  }),
  'delete-publication leaves the address': deletePublication({
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
  'delete-publication leaves the visits': deletePublication({
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
  'a project does not depend on its files': find({ findProjectWithFiles: ({ findProject }) => findProject }),
  'a copy of a collection is the collection': collections.withMethods('Collection', () => ({
    fork() {
      return this;
    },
  })),
  'a publication refers to no blobs': blobsOf({ blobsOfMaps: () => () => [] }),
  'a publication does not refer to the blobs of its files': blobsOf.withArguments('blobsOfMaps', (publication) => [
    { versions: (publication?.versions ?? []).map((version) => ({ ...version, files: [] })) },
  ]),
  'a version does not refer to the blobs of its files': blobsOf.withResult('blobsOf', ([own]) =>
    own === undefined ? [] : [own],
  ),
  'a second reference to a blob does not count': references.withMethods('BlobReferences', ({ add }) => ({
    add(blob) {
      if (!this.has(blob.digest)) add.call(this, blob);
    },
  })),

  'put-account leaves the index by name as it is': putAccount({
    putAccount: ({ putAccount }) => ({
      ...putAccount,
      apply: (state, lsn, change) => {
        Object.assign(state.accounts, { rename: () => undefined });
        putAccount.apply(state, lsn, change);
      },
    }),
  }),
  'keys of objects take no memory': weights({ weighKey: () => () => 0 }),
  'objects have no private members': members({ privateObjectMembers: () => [] }),

  'a deletion of versions has no precondition': deletions.withArguments('deleteVersions', (engine, deletion) => [
    engine,
    { ...deletion, precondition: undefined },
  ]),
  'a copy is of the present state': copies({
    duplicate:
      (sound) =>
      (state, duplication, ...others) =>
        sound.duplicate(state, { ...duplication, content: undefined }, ...others),
  }),
  'a captured state has the version of the project': captures.withResult('capture', (captured, project) =>
    Object.defineProperty({ ...captured }, 'version', { get: () => project.version }),
  ),
  'a command has no precondition': decide.withArguments('decide', (state, command, ...others) => [
    state,
    { ...command, precondition: undefined },
    ...others,
  ]),
  'a name is asked for two years later': mapNames.withArguments('refuseName', (state, project, name, now) => [
    state,
    project,
    name,
    now + 2 * yearMs,
  ]),
  'no name is given up': mapNames({ giveUpName: () => () => [] }),
  'nothing that was opened is closed': closing.withMethods('DisposeStack', () => ({ disposeAsync: async () => undefined })),
  'HTML has no addresses of files': addresses.withArguments('filesNamedIn', ({ fileMembers }, ...others) => [
    { fileMembers: fileMembers.filter(({ texts }) => texts !== 'html') },
    ...others,
  ]),
  'properties of a copy keep their addresses of files': addresses({
    withFileReferences:
      ({ withFileReferences }) =>
      ({ fileMembers }, ...others) =>
        withFileReferences({ fileMembers: fileMembers.filter(({ texts }) => texts !== 'values') }, ...others),
  }),
  'reads wait for nothing': reads.withParts('Reader', (state, journal, writer) => [
    state,
    Object.create(journal, { durable: { value: () => undefined } }),
    writer,
  ]),
  'no record has the start of the run': writes.withMethods('Writer', () => ({ runStart: undefined })),
  'identifiers of clients are not noted': writes.withMethods('Writer', ({ context }) => ({
    context() {
      return { ...context.call(this), noteId: () => undefined };
    },
  })),
  'no decision keeps a version': writes.withMethods('Writer', ({ transact }) => ({
    transact(project, deciding, present, options) {
      function* others(): ReturnType<typeof deciding> {
        const decision = yield* deciding();
        if (decision.outcome !== 'done') return decision;
        const isKept = (change: Change): boolean => change.op === 'put' && change.path.collection === 'versions';
        return { ...decision, changes: decision.changes.filter((change) => !isKept(change)) };
      }
      return transact.call(this, project, others, present, options) as never;
    },
  })),
  'no record gets a segment of its own': writes.withMethods('Writer', ({ transact }) => ({
    transact(project, deciding, present, options) {
      return transact.call(this, project, deciding, present, { ...options, hasOwnSegment: false }) as never;
    },
  })),
  'a restore has no Idempotency-Key': restores({
    restoreVersion: (sound) => (engine, stored, request, making) =>
      sound.restoreVersion(engine, stored, request, { ...making, remember: undefined }),
  }),
  'a restore deletes nothing': onRestore((changes) => changes.filter((change) => !isDeletion(change))),
  'a restore deletes last': onRestore((changes) => [
    ...changes.filter((change) => !isDeletion(change)),
    ...changes.filter(isDeletion),
  ]),
  'a restore creates no artboard': onRestore((changes) => {
    const isOfArtboards = (change: Change): boolean => 'path' in change && change.path.collection === 'artboards';
    const missing = new Set(
      changes
        .flatMap((change) => (change.op === 'put' && change.created && isOfArtboards(change) ? change.values : []))
        .map(({ id }) => id),
    );
    const isMissing = (change: Change): boolean =>
      'path' in change && (missing.has(change.path.parentId) || (isOfArtboards(change) && ['put', 'order'].includes(change.op)));
    return changes.filter((change) => !isMissing(change));
  }),
  'no room is made for versions': room({ withRoom: () => async (_engine, _account, work) => await work() }),
  'the memory of versions is never released': versionTurns.withParts('VersionTurns', (memory) => [
    { hold: (bytes) => memory.hold(bytes), release: () => undefined },
  ]),
  'files of a copy keep their addresses': idMap.withMethods('IdMap', () => ({ addFile: () => undefined })),
  'a stop stores no visits': visits.withMethods('VisitCounts', () => ({ close: () => undefined })),

  'all accounts are one': turns.withMethods('Turns', ({ run }) => ({
    run(_, work, lane) {
      return run.call(this, '', work, lane) as never;
    },
  })),
  'lanes have no limit': turns.withParts('Turns', ({ perLane: _, ...limits }) => [limits]),
  'accounts have no limit': turns.withParts('Turns', (limits) => [{ ...limits, total: noLimit, perAccount: noLimit }]),
  'a slice of a turn never ends': slices.withMethods('TurnSlice', () => ({ isOver: false })),
  'the next slice is in the same turn': slices({ nextSlice: () => async () => undefined }),

  'the feed gets no changes of keys': onFeed('put-key', 'delete-key'),
  'the feed gets no changes of people': onFeed('put-person'),
  'failures of the feed are not reported': feed.withMethods('Feed', () => ({ failed: () => undefined })),
  'failures of the feed are thrown': feed.withMethods('Feed', () => ({
    failed: (_lsn, _project, error) => {
      throw error;
    },
  })),
  'every subscription has a key for writing': subscribers.withParts('Subscriber', (subscription, ...others) => [
    { ...subscription, readOnly: false },
    ...others,
  ]),
} as const satisfies Readonly<Record<string, Fault>>;
