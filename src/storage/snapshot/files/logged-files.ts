/** The files and versions that records of the log added: their blobs are needed to restore a state between two bases. */
import { decodeRecord, SchemaVersionError } from '../../../model/record.ts';
import { isBesideDocument } from '../../../model/resources.ts';
import { RecordFormatError } from '../../../model/stored.ts';
import { type Segment, segmentRecords } from '../../wal/read/read-segment.ts';
import type { FileOfProject } from './needed-blobs.ts';

/** Every row of a file has its address, and every row of a version its counts. A segment without these texts need not be decoded. */
const marks = ['/f/', '{"artboards":'];

const isMarked = (bytes: Buffer): boolean => marks.some((mark) => bytes.includes(mark));

/** Files and versions that the records of a segment put. A record that cannot be decoded is left out: verification of the log reports it. */
export function* loggedFiles(segment: Segment): Generator<FileOfProject, void> {
  if (!isMarked(segment.bytes)) return;
  for (const [, bytes] of segmentRecords(segment)) {
    if (!isMarked(bytes)) continue;
    for (const change of changesIn(bytes)) {
      if (change.op !== 'put' || !isBesideDocument(change.path.collection)) continue;
      for (const value of change.values) yield { projectId: change.path.projectId, value };
    }
  }
}

function changesIn(bytes: Uint8Array) {
  try {
    return decodeRecord(bytes).changes;
  } catch (error) {
    if (error instanceof RecordFormatError || error instanceof SchemaVersionError) return [];
    throw error;
  }
}
