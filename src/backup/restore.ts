/**
 * A restore: from one backup as it is, or to any point that bases and log reach. Everything that is used is verified before the first
 * byte is written.
 */
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import type { Meter } from '../lib/meter.ts';
import { readSnapshot, SnapshotReader } from '../snapshot/reader.ts';
import { applyRecord } from '../store/apply.ts';
import { State } from '../store/state.ts';
import { type Built, buildFolder } from './build.ts';
import { type Base, type History, type Reached, walk } from './history.ts';
import { isBefore, type Point } from './point.ts';

export interface RestoreTarget {
  /** An empty folder. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly meter: Meter;
  readonly segmentBytes?: number;
}

export interface Restored extends Built {
  /** The snapshot or backup that it was made from; `undefined` for the beginning of the log. */
  readonly base: string | undefined;
  /** LSN of that base. */
  readonly baseLsn: number;
  /** The greatest time of a record in it: milliseconds since 1970. */
  readonly newestTime: number;
  /** Time of the first record that was left out; `undefined` when none is known. */
  readonly nextTime: number | undefined;
  /** Why it does not go further, where the log is damaged there. */
  readonly damage: string | undefined;
}

/** Verifies all of a backup. Throws {@link CorruptError}. */
export function checkBackup(files: Files, backup: string, meter: Meter): void {
  readSnapshot(files, backup, (reader) => {
    meter.expect(3 * reader.size);
    reader.check((bytes) => meter.add(bytes));
  });
}

/** Restores a backup that was checked. */
export function restoreBackup(files: Files, backup: string, target: RestoreTarget): Restored {
  return readSnapshot(files, backup, (reader) => {
    const { lsn, newestTime } = reader.header;
    const built = buildFolder(files, { ...target, state: reader.state('file'), newestTime });
    return { ...built, base: backup, baseLsn: lsn, newestTime, nextTime: undefined, damage: undefined };
  });
}

/** A way to a point. */
export interface Way {
  readonly base: Base;
  readonly reached: Reached;
}

/**
 * The way to a point, from the newest base before it that is whole; to the newest record that can be reached without one.
 *
 * @param lineage the beginning of a history's name, where several are in the same folders
 * Throws {@link FolderError} when the point is out of reach, or in reach of several histories.
 */
export function findWay(files: Files, history: History, point: Point | undefined, lineage = ''): Way {
  const names = [...new Set(history.bases.map((base) => base.lineage))].filter((name) => name.startsWith(lineage));
  const problems: CorruptError[] = [];
  const ways = names.flatMap((name) => wayIn(files, ofLineage(history, name), point, problems));
  const [way, another] = ways;
  if (way === undefined) throw new FolderError(outOfReach(files, history, names, point, problems));
  if (another !== undefined) throw new FolderError(severalReach(ways));
  return way;
}

/** Takes the way: builds a folder that holds the state at its end. */
export function restorePoint(files: Files, history: History, { base, reached }: Way, target: RestoreTarget): Restored {
  const reader = base.path === undefined ? undefined : new SnapshotReader(files, base.path);
  try {
    const state = reader?.state('file') ?? new State();
    const again = walk(files, history, base, (lsn, { changes }) => {
      if (lsn > reached.lsn) return false;
      apply(state, lsn, changes);
      return true;
    });
    // A running server may have deleted since what was there before.
    if (again.lsn !== reached.lsn)
      throw new FolderError(`The log changed while it was read: record ${again.lsn + 1} is gone. Try again.`);
    target.meter.expect(target.meter.done + 2 * (reader?.size ?? 0));
    const { newestTime } = reached;
    const built = buildFolder(files, { ...target, state, newestTime });
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

function wayIn(files: Files, history: History, point: Point | undefined, problems: CorruptError[]): Way[] {
  const before = history.bases.filter(({ lsn, newestTime }) => isBefore(point, lsn, newestTime));
  for (const base of before.reverse()) {
    if (!isWhole(files, base, problems)) continue;
    const reached = walk(files, history, base, (lsn, { time }) => isBefore(point, lsn, time));
    if (reached.end.kind === 'damaged') problems.push(reached.end.error);
    if (reached.lsn > 0 && isThere(point, reached)) return [{ base, reached }];
  }
  return [];
}

function isWhole(files: Files, base: Base, problems: CorruptError[]): boolean {
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

function isThere(point: Point | undefined, { lsn, end }: Reached): boolean {
  if (point === undefined) return true;
  if ('lsn' in point) return lsn === point.lsn;
  if (end.kind === 'missing') return point.timeMs <= end.until;
  return end.kind === 'stopped' || end.kind === 'open';
}

function apply(state: State, lsn: number, changes: Parameters<typeof applyRecord>[2]): void {
  try {
    applyRecord(state, lsn, changes);
  } catch (error) {
    throw new FolderError(`Record ${lsn} does not fit what is before it: ${(error as Error).message}`);
  }
}

/** A stretch of a history that can be reached. */
export interface Stretch {
  readonly lineage: string;
  readonly fromLsn: number;
  readonly toLsn: number;
  readonly fromTime: number;
  readonly toTime: number;
  /** Whether the log goes on to its very end there. */
  readonly open: boolean;
}

/** Every stretch that can be reached, oldest first. */
export function stretches(files: Files, history: History, lineages: readonly string[]): Stretch[] {
  return lineages.flatMap((lineage) => {
    const found: Stretch[] = [];
    for (const base of ofLineage(history, lineage).bases) {
      const last = found.at(-1);
      if (!isWhole(files, base, []) || (last !== undefined && base.lsn <= last.toLsn)) continue;
      const { lsn, newestTime, end } = walk(files, history, base, () => true);
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
  point: Point | undefined,
  problems: readonly CorruptError[],
): string {
  const found = stretches(files, history, lineages);
  const what = point === undefined ? 'Nothing' : 'lsn' in point ? `Record ${point.lsn}` : iso(point.timeMs);
  const lines = [point === undefined ? 'Nothing is within reach.' : `${what} is not within reach.`];
  lines.push(found.length === 0 ? 'No snapshot, backup or log there can be used.' : 'Within reach:');
  lines.push(
    ...found.map((stretch) => `  ${inWords(stretch)}${lineages.length > 1 ? ` (history ${stretch.lineage.slice(0, 8)})` : ''}`),
  );
  const told = new Set(problems.map(({ message }) => message));
  if (told.size > 0) lines.push('Damage on the way:', ...[...told].map((message) => `  ${message}`));
  if (found.some(({ open }) => !open))
    lines.push('What is newer than the last backup is in the data folder\u2019s own log: add --log DIR.');
  return lines.join('\n');
}

function inWords({ fromLsn, toLsn, fromTime, toTime, open }: Stretch): string {
  const from = fromTime === 0 ? 'the beginning' : iso(fromTime);
  return `records ${fromLsn} to ${toLsn}, from ${from} to ${open ? `the newest, ${iso(toTime)}` : iso(toTime)}`;
}

function severalReach(ways: readonly Way[]): string {
  const lines = ways.map(
    ({ base, reached }) => `  --lineage ${base.lineage.slice(0, 8)}: record ${reached.lsn}, written ${iso(reached.newestTime)}`,
  );
  return `Several histories reach that point: a restored folder begins a history of its own. Say which one:\n${lines.join('\n')}`;
}

const iso = (ms: number): string => new Date(ms).toISOString();
