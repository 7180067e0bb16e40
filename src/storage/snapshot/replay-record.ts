/** Applies one log record to a state that was restored from a snapshot or from earlier records. */

import { CorruptError, FolderError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { SchemaVersionError } from '../../model/schema-version.ts';
import { applyRecord } from '../../store/apply.ts';
import { readRecord } from '../../store/operations/record.ts';
import type { State } from '../../store/state.ts';
import { listSegments } from '../wal/format/segment.ts';

/**
 * Throws {@link CorruptError} for a record that cannot be decoded, or that changes something that does not exist: damage, or a record of
 * another folder's history. If damage in the snapshot shows only now, the error names the snapshot's file. Throws {@link FolderError} for
 * a record of a later version: this is not damage, and no older record may replace it.
 *
 * @param folder the log's folder
 * @returns the time of the write, Unix time in milliseconds
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
    throw new CorruptError(file, 0, `record ${lsn} cannot be applied to the state before it: ${(error as Error).message}`);
  }
}
