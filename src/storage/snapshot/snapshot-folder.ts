/**
 * The folder of snapshots: which ones exist, which one a restart uses, and which ones are obsolete.
 *
 * The newest snapshot and the one before it are kept, and every file that either of them refers to. Such a file has the name of its
 * original snapshot, but is no longer a snapshot: files that it referred to may be deleted, and so may the log after it. A damaged snapshot
 * is quarantined as `.damaged`, so that it is never used again and can be inspected, unless an intact one refers to it.
 */
import { join } from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import { deleteFiles, type Files, type Undeleted } from '../../lib/files/files.ts';
import type { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import type { LeafKind } from '../../store/leaf.ts';
import { State } from '../../store/state.ts';
import { snapshotLsn, snapshotName } from './format/snapshot-format.ts';
import { readSnapshot, SnapshotReader } from './reader.ts';

/** Suffixes of files that an interrupted or failed snapshot may leave. */
export const temporaryEnding = '.tmp';
export const damagedEnding = '.damaged';

export interface RestoredSnapshot {
  readonly state: State;
  /** LSN of its snapshot; 0 if there was none. */
  readonly lsn: number;
  /** Salt of the segment that continues it; `undefined` without a snapshot. */
  readonly nextSalt: number | undefined;
  /** Creation time of the snapshot, Unix time in milliseconds; 0 if there was none. */
  readonly madeAt: number;
  /** Greatest time of a record in it, Unix time in milliseconds; 0 if there was none. */
  readonly newestTime: number;
  /** The damage of snapshots that did not verify, in their own files or those that they refer to; newest first. */
  readonly damaged: readonly CorruptError[];
  /** LSNs of these snapshots. */
  readonly broken: readonly number[];
}

/** LSNs of the snapshot files in a folder, newest first. */
export function listSnapshots(files: Files, folder: string): number[] {
  return files
    .list(folder)
    .map(snapshotLsn)
    .filter((lsn) => lsn !== undefined)
    .sort((a, b) => b - a);
}

/** LSNs of the snapshots to keep, newest first; the other files only belong to them. */
export const keptSnapshots = (files: Files, folder: string): number[] => listSnapshots(files, folder).slice(0, 2);

/** Restores the newest snapshot that verifies, completely, as bytes. Changes nothing in the folder. Yields between steps. */
export function* restoreNewest(
  files: Files,
  folder: string,
  leafKind: LeafKind,
  progress?: ProgressCounter,
): Generator<void, RestoredSnapshot> {
  const damaged: CorruptError[] = [];
  const broken: number[] = [];
  for (const lsn of listSnapshots(files, folder)) {
    const path = join(folder, snapshotName(lsn));
    try {
      const reader = new SnapshotReader(files, path);
      try {
        const { nextSalt, madeAt, newestTime } = reader.header;
        if (reader.header.lsn !== lsn) throw new CorruptError(path, 16, 'the name says another LSN than the header');
        const state = yield* reader.building('memory', leafKind, progress);
        return { state, lsn, nextSalt, madeAt, newestTime, damaged, broken };
      } finally {
        reader.close();
      }
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      damaged.push(error);
      broken.push(lsn);
    }
  }
  return { state: new State(leafKind), lsn: 0, nextSalt: undefined, madeAt: 0, newestTime: 0, damaged, broken };
}

/**
 * Quarantines damaged snapshots: renames them so that they are not found any more. Missing ones are ignored.
 *
 * @param broken their LSNs; no intact snapshot may refer to them
 */
export function quarantine(files: Files, folder: string, broken: readonly number[]): void {
  const there = listSnapshots(files, folder).filter((lsn) => broken.includes(lsn));
  if (there.length === 0) return;
  for (const path of there.map((lsn) => join(folder, snapshotName(lsn)))) files.rename(path, path + damagedEnding);
  files.syncFolder(folder);
}

/** Snapshots to keep, in addition to the newest and the one before it. */
interface SnapshotNeeds {
  /** LSNs of those that are being read. */
  readonly inUse?: readonly number[];
  /** LSN of the first record in the log. A snapshot that ends before that is useless, because records are missing. Default 0. */
  readonly logFrom?: number;
  /** Also deletes the snapshot before the newest: the newest was read back, and the disk has no room for another one. */
  readonly newestOnly?: boolean;
}

/** The result of a cleanup. */
interface Retained {
  /** Log records up to this LSN are obsolete: that of the snapshot before the newest, or 0 without one. */
  readonly covered: number;
  /** Obsolete files that could not be deleted. */
  readonly undeleted: readonly Undeleted[];
}

/**
 * Deletes all files that none of these refers to: the newest snapshot, the one before it, and those in use. Also deletes the files of
 * failed snapshots. No snapshot may be running. If one of these snapshots cannot be read, no snapshot is deleted; the next run reports the
 * damage.
 */
export function retainSnapshots(files: Files, folder: string, wanted: SnapshotNeeds = {}): Retained {
  const { covered, unused } = unneeded(files, folder, wanted);
  const broken = files.list(folder).filter((name) => name.endsWith(temporaryEnding));
  const { undeleted } = deleteFiles(
    files,
    [...broken, ...unused.map(snapshotName)].map((name) => join(folder, name)),
  );
  return { covered, undeleted };
}

/** LSNs of the snapshots to delete. */
function unneeded(files: Files, folder: string, { inUse = [], logFrom = 0, newestOnly = false }: SnapshotNeeds) {
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
 * The snapshot before the newest: it shares no file with the newest, and the log continues it.
 *
 * @param listed from {@link listSnapshots}
 * @param parts LSNs of the files that the newest refers to
 * @param logFrom LSN of the first record in the log
 */
export function snapshotBefore(
  listed: readonly number[],
  newest: number,
  parts: readonly number[],
  logFrom: number,
): number | undefined {
  return listed.find((lsn) => lsn < newest && lsn + 1 >= logFrom && !parts.includes(lsn));
}

/** LSNs of the files that a snapshot refers to. */
export function filesOf(files: Files, folder: string, lsn: number): readonly number[] {
  return readSnapshot(files, join(folder, snapshotName(lsn)), (reader) => reader.dependencies);
}
