/**
 * The folder of snapshots: which there are, which one a restart builds on, and which are no longer needed.
 *
 * The newest snapshot and the one before it stay, and every file that either of them refers to. Such a file has the name of the snapshot
 * that it was made for, which is none any more: the files that it referred to may be gone, and so is the log after it. A snapshot that
 * does not verify is set aside as `.damaged`, so that it is never again taken for a predecessor, and stays there to be looked at; never
 * one that a whole one refers to.
 */
import { join } from 'node:path';
import { CorruptError } from '../lib/errors.ts';
import { deleteFiles, type Files, type Undeleted } from '../lib/files.ts';
import type { Meter } from '../lib/meter.ts';
import type { Keeper } from '../store/leaf.ts';
import { State } from '../store/state.ts';
import { snapshotLsn, snapshotName } from './format.ts';
import { readSnapshotHeader } from './read-header.ts';
import { readSnapshot, SnapshotReader } from './reader.ts';

/** Endings of files that a finished or broken fold may leave. */
export const temporaryEnding = '.tmp';
export const damagedEnding = '.damaged';

export interface Restored {
  readonly state: State;
  /** LSN of the snapshot it comes from; 0 when there was none. */
  readonly lsn: number;
  /** Salt of the segment that continues it; `undefined` without a snapshot. */
  readonly nextSalt: number | undefined;
  /** When the snapshot was made, in milliseconds since 1970; 0 when there was none. */
  readonly madeAt: number;
  /** What was wrong with snapshots that did not verify, in their own files or in those they refer to; newest first. */
  readonly damaged: readonly CorruptError[];
  /** LSNs of these snapshots. */
  readonly broken: readonly number[];
}

/** LSNs of the files of snapshots in a folder, newest first. */
export function listSnapshots(files: Files, folder: string): number[] {
  return files
    .list(folder)
    .map(snapshotLsn)
    .filter((lsn) => lsn !== undefined)
    .sort((a, b) => b - a);
}

/** LSNs of those that are kept for themselves, newest first; what else is in the folder only belongs to them. */
export const keptSnapshots = (files: Files, folder: string): number[] => listSnapshots(files, folder).slice(0, 2);

/** The newest snapshot that verifies, whole and kept as bytes. Changes nothing in the folder. May be interrupted. */
export function* restoreNewest(files: Files, folder: string, keeper?: Keeper, meter?: Meter): Generator<void, Restored> {
  const damaged: CorruptError[] = [];
  const broken: number[] = [];
  for (const lsn of listSnapshots(files, folder)) {
    const path = join(folder, snapshotName(lsn));
    try {
      const reader = new SnapshotReader(files, path);
      try {
        const { nextSalt, madeAt } = reader.header;
        if (reader.header.lsn !== lsn) throw new CorruptError(path, 16, 'the name says another LSN than the header');
        return { state: yield* reader.building('memory', keeper, meter), lsn, nextSalt, madeAt, damaged, broken };
      } finally {
        reader.close();
      }
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      damaged.push(error);
      broken.push(lsn);
    }
  }
  return { state: new State(keeper), lsn: 0, nextSalt: undefined, madeAt: 0, damaged, broken };
}

/**
 * Gives broken snapshots a name under which nothing looks for them. One that is gone stays so.
 *
 * @param broken their LSNs; nothing that is relied on may refer to them
 */
export function setAside(files: Files, folder: string, broken: readonly number[]): void {
  const there = listSnapshots(files, folder).filter((lsn) => broken.includes(lsn));
  if (there.length === 0) return;
  for (const path of there.map((lsn) => join(folder, snapshotName(lsn)))) files.rename(path, path + damagedEnding);
  files.syncFolder(folder);
}

/** Which snapshots are wanted, beside the newest and the one before it. */
export interface Wanted {
  /** LSNs of those that somebody reads. */
  readonly inUse?: readonly number[];
  /** The first record that the log has: a snapshot from which it does not go on is of no use any more. Zero, the default: all of them. */
  readonly logFrom?: number;
  /** The one before the newest can go too: the newest was read back, and the disk has no room for another one. */
  readonly newestOnly?: boolean;
}

/** What a cleanup of the folder came to. */
export interface Retained {
  /** LSN of the oldest snapshot that is kept for itself, 0 when there is no second one: records up to there are needed no more. */
  readonly covered: number;
  /** Files that nothing needs and that could not be deleted. */
  readonly undeleted: readonly Undeleted[];
}

/**
 * Deletes what none of these refers to: the newest snapshot, the one before it, and those in use; and what broken folds left.
 * To be called while no fold is under way. Where what one of them refers to cannot be read any more, no snapshot is deleted: the next fold
 * says more of it.
 */
export function retainSnapshots(files: Files, folder: string, wanted: Wanted = {}): Retained {
  const { covered, unused } = unneeded(files, folder, wanted);
  const broken = files.list(folder).filter((name) => name.endsWith(temporaryEnding));
  const { undeleted } = deleteFiles(
    files,
    [...broken, ...unused.map(snapshotName)].map((name) => join(folder, name)),
  );
  return { covered, undeleted };
}

/** LSNs of the snapshots that can go. */
function unneeded(files: Files, folder: string, { inUse = [], logFrom = 0, newestOnly = false }: Wanted) {
  const listed = listSnapshots(files, folder);
  const needed = new Set<number>();
  try {
    const [newest = 0] = listed;
    const parts = newest === 0 ? [] : filesOf(files, folder, newest);
    const covered = newestOnly ? newest : (snapshotBefore(listed, newest, parts, logFrom) ?? 0);
    for (const lsn of parts) needed.add(lsn);
    for (const lsn of listed.filter((lsn) => lsn === covered || inUse.includes(lsn)))
      for (const part of filesOf(files, folder, lsn)) needed.add(part);
    return { covered, unused: listed.filter((lsn) => !needed.has(lsn)) };
  } catch (error) {
    if (error instanceof CorruptError) return { covered: 0, unused: [] };
    throw error;
  }
}

/**
 * The snapshot before the newest: no part of the newest, and with the log from there.
 *
 * @param listed as {@link listSnapshots} says
 * @param parts LSNs of the files that the newest refers to
 * @param logFrom the first record that the log has
 */
export function snapshotBefore(
  listed: readonly number[],
  newest: number,
  parts: readonly number[],
  logFrom: number,
): number | undefined {
  return listed.find((lsn) => lsn < newest && lsn + 1 >= logFrom && !parts.includes(lsn));
}

/** LSNs of the files in which a snapshot has something. One of the first version has everything in its own. */
function filesOf(files: Files, folder: string, lsn: number): readonly number[] {
  const path = join(folder, snapshotName(lsn));
  if (readSnapshotHeader(files, path).formatVersion === 1) return [lsn];
  return [lsn, ...readSnapshot(files, path, (reader) => reader.refersTo)];
}
