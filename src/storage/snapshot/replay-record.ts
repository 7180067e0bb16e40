/** Decodes log records, and applies them to a state that was restored from a snapshot or from earlier records. */

import { CorruptError, FolderError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { SchemaVersionError } from '../../model/schema-version.ts';
import { RecordFormatError } from '../../model/stored.ts';
import { applyRecord } from '../../store/apply.ts';
import { type ChangeSet, decodeRecord, readRecord } from '../../store/operations/record.ts';
import type { State } from '../../store/state.ts';
import { noRevision, olderFormat } from '../wal/format/format-revision.ts';
import { listSegments, readSegmentHeader, type SegmentHeader } from '../wal/format/segment.ts';
import type { Segment } from '../wal/read/read-segment.ts';

/**
 * Throws {@link CorruptError} for a record that cannot be decoded, or that changes something that does not exist: damage, or a record of
 * another folder's history. If damage in the snapshot shows only now, the error names the snapshot's file. Throws {@link FolderError} for
 * a record of a later version, or in the form of an older program: this is not damage, and no older record may replace it.
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
    const segment = listSegments(files, folder).findLast(({ firstLsn }) => firstLsn <= lsn);
    const file = segment?.path ?? folder;
    if (segment !== undefined) refuseOtherForm(file, readSegmentHeader(files, file), lsn, error);
    throw new CorruptError(file, 0, `record ${lsn} cannot be applied to the state before it: ${(error as Error).message}`);
  }
}

/**
 * Decodes a record of a segment. Throws {@link CorruptError} if it cannot be decoded, and {@link FolderError} for a record of a later version,
 * or in the form of an older program.
 */
export function decodeLogged({ path, header }: Pick<Segment, 'path' | 'header'>, lsn: number, bytes: Uint8Array): ChangeSet {
  try {
    return decodeRecord(bytes);
  } catch (error) {
    if (!(error instanceof RecordFormatError || error instanceof SchemaVersionError)) throw error;
    refuseOtherForm(path, header, lsn, error);
    throw new CorruptError(path, 0, `record ${lsn} cannot be decoded: ${error.message}`);
  }
}

/** Throws {@link FolderError} if an error of decoding is none of damage. The checksum of the record is right. */
function refuseOtherForm(file: string, { revision }: SegmentHeader, lsn: number, error: unknown): void {
  if (error instanceof SchemaVersionError) throw new FolderError(`${file}: record ${lsn} has ${error.message}.`);
  if (error instanceof RecordFormatError && revision === noRevision)
    throw olderFormat(file, `record ${lsn} cannot be decoded: ${error.message}`);
}
