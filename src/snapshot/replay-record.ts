/** Replays one record of the log onto a state that was built from a snapshot or from the records before it. */
import { listSegments } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { readRecord, SchemaVersionError } from '../model/record.ts';
import { applyRecord } from '../store/apply.ts';
import type { State } from '../store/state.ts';

/**
 * Throws {@link CorruptError} for a record that cannot be read, or that changes what is not there: it is damage, or belongs to another
 * folder's history. Damage in the snapshot that shows only now keeps the name of its own file. Throws {@link FolderError} for a record of
 * a later version, which is no damage: nothing older may stand in for it.
 *
 * @param folder that of the log
 * @returns when it was decided
 */
export function replayRecord(state: State, files: Files, folder: string, lsn: number, bytes: Buffer): number {
  try {
    const { time, changes } = readRecord(bytes);
    applyRecord(state, lsn, changes);
    return time;
  } catch (error) {
    if (error instanceof CorruptError) throw error;
    const file = listSegments(files, folder).findLast(({ firstLsn }) => firstLsn <= lsn)?.path ?? folder;
    if (error instanceof SchemaVersionError) throw new FolderError(`${file}: record ${lsn} has ${error.message}.`);
    throw new CorruptError(file, 0, `record ${lsn} does not fit what is before it: ${(error as Error).message}`);
  }
}
