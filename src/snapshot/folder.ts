/**
 * The folder of snapshots: which there are, which one a restart builds on, and which are no longer needed.
 *
 * The newest snapshot and the one before it stay. A snapshot that does not verify is set aside as `.damaged`, so that it is never again
 * taken for a predecessor, and stays there to be looked at.
 */
import { basename, join } from 'node:path';
import { CorruptError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import type { Keeper } from '../store/leaf.ts';
import { State } from '../store/state.ts';
import { snapshotLsn, snapshotName } from './format.ts';
import { readSnapshot } from './reader.ts';

/** Endings of files that a finished or broken fold may leave. */
export const temporaryEnding = '.tmp';
const damagedEnding = '.damaged';

export interface Restored {
  readonly state: State;
  /** LSN of the snapshot it comes from; 0 when there was none. */
  readonly lsn: number;
  /** Salt of the segment that continues it; `undefined` without a snapshot. */
  readonly nextSalt: number | undefined;
  /** When the snapshot was made, in milliseconds since 1970; 0 when there was none. */
  readonly madeAt: number;
  /** Snapshots that did not verify, newest first. */
  readonly damaged: readonly CorruptError[];
}

/** LSNs of the snapshots in a folder, newest first. */
export function listSnapshots(files: Files, folder: string): number[] {
  return files
    .list(folder)
    .map(snapshotLsn)
    .filter((lsn) => lsn !== undefined)
    .sort((a, b) => b - a);
}

/** The newest snapshot that verifies, whole and kept as bytes. Changes nothing in the folder. */
export function restoreNewest(files: Files, folder: string, keeper?: Keeper): Restored {
  const damaged: CorruptError[] = [];
  for (const lsn of listSnapshots(files, folder)) {
    const path = join(folder, snapshotName(lsn));
    try {
      return readSnapshot(files, path, (reader) => {
        const { nextSalt, madeAt } = reader.header;
        if (reader.header.lsn !== lsn) throw new CorruptError(path, 16, 'the name says another LSN than the header');
        return { state: reader.state('memory', keeper), lsn, nextSalt, madeAt, damaged };
      });
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      damaged.push(error);
    }
  }
  return { state: new State(keeper), lsn: 0, nextSalt: undefined, madeAt: 0, damaged };
}

/** Gives damaged snapshots a name under which nothing looks for them. One that is gone stays so. */
export function setAside(files: Files, folder: string, damaged: readonly CorruptError[]): void {
  if (damaged.length === 0) return;
  const names = files.list(folder);
  for (const { file } of damaged) if (names.includes(basename(file))) files.rename(file, file + damagedEnding);
  files.syncFolder(folder);
}

/** Sets damaged snapshots aside and deletes what broken folds left. */
export function tidySnapshots(files: Files, folder: string, damaged: readonly CorruptError[]): void {
  setAside(files, folder, damaged);
  for (const name of files.list(folder)) if (name.endsWith(temporaryEnding)) files.unlink(join(folder, name));
  files.syncFolder(folder);
}

/**
 * Deletes all snapshots but the newest, the one before it, and those that somebody reads.
 *
 * @param inUse LSNs of the latter
 * @returns the LSN of the one before the newest, 0 when there is none: records up to there are needed no more
 */
export function retainSnapshots(files: Files, folder: string, inUse: readonly number[] = []): number {
  const [, previous = 0, ...older] = listSnapshots(files, folder);
  const unused = older.filter((lsn) => !inUse.includes(lsn));
  for (const lsn of unused) files.unlink(join(folder, snapshotName(lsn)));
  if (unused.length > 0) files.syncFolder(folder);
  return previous;
}
