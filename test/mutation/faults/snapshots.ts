/** Faults of snapshots: the state that one is written of, its rows and its root, and the files that are kept. */
import type { BaseSnapshot, TouchedProjects } from '../../../src/storage/snapshot/base.ts';
import type { FileOptions } from '../../../src/storage/snapshot/chunk-writer.ts';
import type { ProjectEntry, RootEntry } from '../../../src/storage/snapshot/format/index-format.ts';
import { type Fault, seam } from '../seam.ts';

const accountRows = seam<typeof import('../../../src/storage/snapshot/format/account-rows.ts')>(
  'rows of a snapshot',
  'src/storage/snapshot/format/account-rows',
);
const index = seam<typeof import('../../../src/storage/snapshot/format/index-format.ts')>(
  'rows of a snapshot',
  'src/storage/snapshot/format/index-format',
);
const chunks = seam<typeof import('../../../src/storage/snapshot/format/snapshot-format.ts')>(
  'rows of a snapshot',
  'src/storage/snapshot/format/snapshot-format',
);
const chunkWriter = seam<typeof import('../../../src/storage/snapshot/chunk-writer.ts')>(
  'root of a snapshot',
  'src/storage/snapshot/chunk-writer',
);
const writer = seam<typeof import('../../../src/storage/snapshot/writer.ts')>(
  'state of a snapshot',
  'src/storage/snapshot/writer',
);
const replay = seam<typeof import('../../../src/storage/snapshot/replay-record.ts')>(
  'replay of the log',
  'src/storage/snapshot/replay-record',
);
const folder = seam<typeof import('../../../src/storage/snapshot/snapshot-folder.ts')>(
  'folder of snapshots',
  'src/storage/snapshot/snapshot-folder',
);
const loggedFiles = seam<typeof import('../../../src/storage/snapshot/files/logged-files.ts')>(
  'files that the log names',
  'src/storage/snapshot/files/logged-files',
);

const backups = seam<typeof import('../../../src/storage/backup/backup-path.ts')>(
  'folder of backups',
  'src/storage/backup/backup-path',
);

/** Projects have other rows. */
const onProjects = (change: (entry: ProjectEntry) => Partial<ProjectEntry>): Fault =>
  index.withArguments('packProjects', (entries, own) => [entries.map((entry) => ({ ...entry, ...change(entry) })), own]);

const onRoot = (change: (root: RootEntry, own: number) => Partial<RootEntry>): Fault =>
  chunkWriter.withMethods('ChunkWriter', ({ finish }) => ({
    finish(root) {
      finish.call(this, { ...root, ...change(root, this.lsn) });
    },
  }));

/** Something happens to what records have touched, before it is written. */
const onTouched = (change: (projects: TouchedProjects) => void): Fault =>
  writer.withArguments('writeNext', (base: BaseSnapshot, ...others) => {
    // An account that is new has no others.
    for (const { projects } of base.state.accounts.values()) if ('dropped' in projects) change(projects as TouchedProjects);
    return [base, ...others];
  });

const withoutBlobs = ({ keepBlobs: _, ...options }: FileOptions): FileOptions => options;

export const snapshotFaults = {
  'an account has no names of maps': accountRows.withResult('accountToRow', (row) =>
    row.map((item, at) => (at === 6 ? [] : item)),
  ),
  'an account has no version of its publications': accountRows.withResult('accountOf', (read) => {
    read.account.publicationsVersion = 0;
    return read;
  }),
  'a project has no visits': onProjects(() => ({ visits: undefined })),
  'a project lacks its first collection': onProjects(({ collections }) => ({ collections: collections.slice(1) })),
  'a chunk has the checksum that its head says': chunks({
    chunkCrc: () => (head) => Buffer.from(head.buffer, head.byteOffset).readUInt32LE(12),
  }),

  'the root has no runs': onRoot(() => ({ runs: [] })),
  'the root has no stored responses': onRoot(() => ({ storedResponses: [] })),
  'the root does not say in which older files projects are': onRoot(({ groups }, own) => ({
    groups: groups.map((group) => ({ ...group, held: new Map([...group.held].filter(([file]) => file === own)) })),
  })),

  'a snapshot is written of keys that are not revoked': writer.withArguments('writeSnapshot', (state, options) => {
    for (const [id, key] of state.keys) state.keys.set(id, { ...key, revoked: '' });
    return [state, options];
  }),
  'a snapshot is written without the deletions of projects': onTouched(({ dropped }) => dropped.clear()),
  'a snapshot is written without the projects that records touched': onTouched((projects) => projects.clear()),
  'a backup keeps no bytes of files': writer({
    writeSnapshot: (sound) => (state, options) => sound.writeSnapshot(state, withoutBlobs(options)),
    writeNext: (sound) => (base, compaction, options) => sound.writeNext(base, compaction, withoutBlobs(options)),
  }),
  'a record in five changes nothing': replay({
    replayRecord:
      ({ replayRecord }) =>
      (state, files, path, lsn, bytes) => {
        if (lsn % 5 !== 0) return replayRecord(state, files, path, lsn, bytes);
        state.lsn = lsn;
        return 0;
      },
  }),

  'the log is covered up to the newest snapshot': folder({
    retainSnapshots:
      ({ retainSnapshots, listSnapshots }) =>
      (files, path, wanted) => ({
        ...retainSnapshots(files, path, wanted),
        covered: listSnapshots(files, path)[0] ?? 0,
      }),
  }),
  'the snapshot before the newest is the newest': folder.withArguments('snapshotBefore', (listed, newest, _, logFrom) => [
    listed,
    newest + 1,
    [],
    logFrom,
  ]),
  'parts of the newest snapshot are snapshots of their own': folder.withArguments('snapshotBefore', (listed, newest) => [
    listed,
    newest,
    [],
    0,
  ]),
  'the log names no files': loggedFiles({ loggedFiles: () => function* none() {} }),
  'every path is a folder of backups': backups({ assertBackupFolder: () => () => undefined }),
} as const satisfies Readonly<Record<string, Fault>>;
