/** Faults of the file system. */
import type { Files } from '../../../src/lib/files/files.ts';
import { type Call, loseCalls } from '../lossy-files.ts';
import { type Fault, seam } from '../seam.ts';

const simulated = seam<typeof import('../../disk/simulated-disk.ts')>('file system', 'test/disk/simulated-disk');
const real = seam<typeof import('../../../src/lib/files/files.ts')>('file system', 'src/lib/files/files');

const errors = seam<typeof import('../../../src/lib/files/system-errors.ts')>(
  'errors of the system',
  'src/lib/files/system-errors',
);
const threads = seam<typeof import('../../../src/lib/threads/thread-result.ts')>(
  'errors of the system',
  'src/lib/threads/thread-result',
);
const logFile = seam<typeof import('../../../src/cli/output/log-file.ts')>('log file', 'src/cli/output/log-file');

/** A fault of the simulated disk. */
const onDisk = (isLost: (call: Call) => boolean): Fault =>
  simulated({
    SimulatedDisk: ({ SimulatedDisk }) => {
      loseCalls(SimulatedDisk.prototype, isLost);
      return SimulatedDisk;
    },
  });

/** The file system of Node with other methods. */
const onNode = (of: Partial<Files>): Fault => real({ nodeFiles: ({ nodeFiles }) => ({ ...nodeFiles, ...of }) });

const isSegment = (name: string): boolean => name.endsWith('.segment');
const isSnapshot = (name: string): boolean => name.endsWith('.snapshot');
const isLarge = (name: string): boolean => name.endsWith('/large');
const isJournal = ({ path }: Call): boolean => path.endsWith('/journal');
const isFolderOfBlobs = ({ path }: Call): boolean => /\/[0-9a-f]{2}$/.test(path);

const movedInto = ({ entries }: Call, matches: (name: string) => boolean): boolean =>
  [...entries].some(([name, entry]) => entry === 'moved' && matches(name));

const losesSync = (holds: (call: Call) => boolean) => onDisk((call) => call.kind === 'sync' && holds(call));
const losesFolderSync = (holds: (call: Call) => boolean) => onDisk((call) => call.kind === 'syncFolder' && holds(call));

export const diskFaults = {
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
  'deletions end with the first file that cannot be deleted': real({
    deleteFiles: ({ deleteFiles }) =>
      function deleteInOrder(files, [path, ...others]): ReturnType<typeof deleteFiles> {
        const { deleted, undeleted } = deleteFiles(files, path === undefined ? [] : [path]);
        if (undeleted.length > 0 || others.length === 0) return { deleted, undeleted };
        const rest = deleteInOrder(files, others);
        return { deleted: [...deleted, ...rest.deleted], undeleted: rest.undeleted };
      },
  }),
  'files that cannot be deleted are not reported': real.withResult('deleteFiles', ({ deleted }) => ({ deleted, undeleted: [] })),
  'a full disk is known by the names that Node has': errors({
    isNoSpace: () => (error) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? ''),
  }),
  'errors lose their code and number between threads': threads({
    toResult: ({ toResult }) =>
      function toBareResult<T>(work: () => T) {
        const result = toResult(work);
        if ('value' in result) return result;
        return { failure: { ...result.failure, code: undefined, errno: undefined } };
      },
  }),
  'a log file is never opened again': logFile.withMethods('LogFile', () => ({ reopen: () => undefined })),
} as const satisfies Readonly<Record<string, Fault>>;
