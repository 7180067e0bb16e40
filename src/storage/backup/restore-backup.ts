/**
 * A restore, either from one backup as it is or to any target that bases and log reach. It verifies everything that it uses before it
 * writes the first byte.
 */
import { CorruptError, FolderError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import type { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { applyRecord } from '../../store/apply.ts';
import { runLeaves } from '../../store/run-leaf.ts';
import { State } from '../../store/state.ts';
import { FolderBlobs } from '../blobs/blob-source.ts';
import { readSnapshot, SnapshotReader } from '../snapshot/reader.ts';
import {
  type History,
  type HistoryBase,
  HistoryChangedError,
  hasLostBase,
  type LogReach,
  walkSegments,
} from './backup-history.ts';
import { blobsOfBackup } from './blobs/backup-blobs.ts';
import { type BuiltFolder, buildFolder } from './build.ts';
import { isBefore, type RecoveryTarget } from './recovery-target.ts';

export interface RestoreInto {
  /** An empty folder. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly progress: ProgressCounter;
  readonly segmentBytes?: number;
}

export interface RestoredHistory extends BuiltFolder {
  /** The snapshot or backup used; `undefined` for the beginning of the log. */
  readonly base: string | undefined;
  /** LSN of that base. */
  readonly baseLsn: number;
  /** The latest time of a record in it: milliseconds since 1970. */
  readonly newestTime: number;
  /** Time of the first record left out; `undefined` if unknown. */
  readonly nextTime: number | undefined;
  /** Damage that ended the restore early; `undefined` without damage. */
  readonly damage: string | undefined;
}

/** Verifies a whole backup, except for the bytes of blobs. Throws {@link CorruptError}. */
export function checkBackup(files: Files, backup: string, progress: ProgressCounter): void {
  readSnapshot(files, backup, (reader) => {
    progress.expect(3 * reader.size);
    reader.check((bytes) => progress.add(bytes));
  });
}

/** Restores a backup that {@link checkBackup} has verified. Blobs that are missing or damaged are in the result; the rest is restored. */
export function restoreBackup(files: Files, backup: string, target: RestoreInto): RestoredHistory {
  return readSnapshot(files, backup, (reader) => {
    const { lsn, newestTime } = reader.header;
    const blobs = blobsOfBackup(files, reader);
    const built = buildFolder(files, { ...target, state: reader.state('file'), blobs, newestTime });
    return { ...built, base: backup, baseLsn: lsn, newestTime, nextTime: undefined, damage: undefined };
  });
}

/** A plan for a restore: the base, and the reach of the log after it. */
interface RestorePlan {
  readonly base: HistoryBase;
  readonly reached: LogReach;
}

/**
 * Plans a restore to a target, from the newest whole base before it. Without a target it plans one to the newest reachable record.
 *
 * @param lineage beginning of the lineage, if the folders hold several histories
 * Throws {@link FolderError} if no history reaches the target, or if several do.
 */
export function planRestore(files: Files, history: History, point: RecoveryTarget | undefined, lineage = ''): RestorePlan {
  const names = [...new Set(history.bases.map((base) => base.lineage))].filter((name) => name.startsWith(lineage));
  const problems: CorruptError[] = [];
  const ways = names.flatMap((name) => planIn(files, ofLineage(history, name), point, problems));
  const [way, second] = ways;
  if (way === undefined) throw new FolderError(outOfReach(files, history, names, point, problems));
  if (second !== undefined) throw new FolderError(severalReach(ways));
  return way;
}

/** Carries out the plan: builds a folder with the state at the target. */
export function restorePoint(
  files: Files,
  history: History,
  { base, reached }: RestorePlan,
  target: RestoreInto,
): RestoredHistory {
  const reader = base.path === undefined ? undefined : new SnapshotReader(files, base.path);
  try {
    const state = reader?.state('file') ?? new State(runLeaves);
    const again = walkSegments(files, history, base, (lsn, { changes }) => {
      if (lsn > reached.lsn) return false;
      apply(state, lsn, changes);
      return true;
    });
    // A running server may have deleted files since the plan was made.
    if (again.lsn !== reached.lsn)
      throw new HistoryChangedError(
        `The log changed during the restore: record ${again.lsn + 1} was deleted. Retry the restore.`,
      );
    target.progress.expect(target.progress.done + 2 * (reader?.size ?? 0));
    const { newestTime } = reached;
    const folders = history.blobFolders.map((folder) => new FolderBlobs(files, folder));
    const blobs = [...(reader === undefined ? [] : blobsOfBackup(files, reader)), ...folders];
    const onLost = (): void => {
      if (hasLostBase(files, history))
        throw new HistoryChangedError('The snapshots changed during the restore, and files were deleted. Retry the restore.');
    };
    const built = buildFolder(files, { ...target, state, blobs, onLost, newestTime });
    const nextTime = reached.end.kind === 'stopped' ? reached.end.time : undefined;
    const damage = reached.end.kind === 'damaged' ? reached.end.error.message : undefined;
    return { ...built, base: base.path, baseLsn: base.lsn, newestTime, nextTime, damage };
  } finally {
    reader?.close();
  }
}

const ofLineage = (history: History, lineage: string): History => ({
  ...history,
  bases: history.bases.filter((base) => base.lineage === lineage),
});

function planIn(files: Files, history: History, point: RecoveryTarget | undefined, problems: CorruptError[]): RestorePlan[] {
  const before = history.bases.filter(({ lsn, newestTime }) => isBefore(point, lsn, newestTime));
  for (const base of before.reverse()) {
    if (!isWhole(files, base, problems)) continue;
    const reached = walkSegments(files, history, base, (lsn, { time }) => isBefore(point, lsn, time));
    if (reached.end.kind === 'damaged') problems.push(reached.end.error);
    if (reached.lsn > 0 && isReached(point, reached)) return [{ base, reached }];
  }
  return [];
}

function isWhole(files: Files, base: HistoryBase, problems: CorruptError[]): boolean {
  if (base.path === undefined) return true;
  try {
    readSnapshot(files, base.path, (reader) => reader.check());
    return true;
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    problems.push(error);
    return false;
  }
}

function isReached(point: RecoveryTarget | undefined, { lsn, end }: LogReach): boolean {
  if (point === undefined) return true;
  if ('lsn' in point) return lsn === point.lsn;
  if (end.kind === 'missing') return point.timeMs <= end.until;
  return end.kind === 'stopped' || end.kind === 'open';
}

function apply(state: State, lsn: number, changes: Parameters<typeof applyRecord>[2]): void {
  try {
    applyRecord(state, lsn, changes);
  } catch (error) {
    throw new FolderError(`Record ${lsn} does not fit the state before it: ${(error as Error).message}`);
  }
}

/** A range of a history that a restore can reach. */
interface LogRange {
  readonly lineage: string;
  readonly fromLsn: number;
  readonly toLsn: number;
  readonly fromTime: number;
  readonly toTime: number;
  /** Whether the range ends with the newest record of the log. */
  readonly open: boolean;
}

/** All reachable ranges, oldest first. */
function logRanges(files: Files, history: History, lineages: readonly string[]): LogRange[] {
  return lineages.flatMap((lineage) => {
    const found: LogRange[] = [];
    for (const base of ofLineage(history, lineage).bases) {
      const last = found.at(-1);
      if (!isWhole(files, base, []) || (last !== undefined && base.lsn <= last.toLsn)) continue;
      const { lsn, newestTime, end } = walkSegments(files, history, base, () => true);
      const toTime = end.kind === 'missing' ? Math.max(end.until, newestTime) : newestTime;
      if (lsn > 0)
        found.push({
          lineage,
          fromLsn: Math.max(base.lsn, 1),
          toLsn: lsn,
          fromTime: base.newestTime,
          toTime,
          open: end.kind === 'open',
        });
    }
    return found;
  });
}

function outOfReach(
  files: Files,
  history: History,
  lineages: readonly string[],
  point: RecoveryTarget | undefined,
  problems: readonly CorruptError[],
): string {
  const found = logRanges(files, history, lineages);
  const lines = [
    point === undefined
      ? 'No record is reachable.'
      : `${'lsn' in point ? `Record ${point.lsn}` : iso(point.timeMs)} is not reachable.`,
  ];
  lines.push(found.length === 0 ? 'No usable snapshot, backup or log was found.' : 'Reachable:');
  lines.push(
    ...found.map((range) => `  ${formatRange(range)}${lineages.length > 1 ? ` (history ${range.lineage.slice(0, 8)})` : ''}`),
  );
  const damages = new Set(problems.map(({ message }) => message));
  if (damages.size > 0) lines.push('Damage found:', ...[...damages].map((message) => `  ${message}`));
  if (found.some(({ open }) => !open))
    lines.push('Records after the last backup are in the data folder\u2019s own log. Add it with --log DIR.');
  return lines.join('\n');
}

function formatRange({ fromLsn, toLsn, fromTime, toTime, open }: LogRange): string {
  const from = fromTime === 0 ? 'the beginning' : iso(fromTime);
  return `records ${fromLsn} to ${toLsn}, from ${from} to ${open ? `the newest, ${iso(toTime)}` : iso(toTime)}`;
}

function severalReach(ways: readonly RestorePlan[]): string {
  const lines = ways.map(
    ({ base, reached }) => `  --lineage ${base.lineage.slice(0, 8)}: record ${reached.lsn}, written ${iso(reached.newestTime)}`,
  );
  return `Several histories reach this target, because a restore starts a new history. Select one:\n${lines.join('\n')}`;
}

const iso = (ms: number): string => new Date(ms).toISOString();
