/** The files that records of the log added: their blobs are needed to restore a state between two bases. */
import { decodeRecord, SchemaVersionError } from '../../../model/record.ts';
import { RecordFormatError } from '../../../model/stored.ts';
import { type Segment, segmentRecords } from '../../wal/read/read-segment.ts';
import type { FileOfProject } from './needed-blobs.ts';

/** Every row of a file has its address. A segment without this text has no such row, and need not be decoded. */
const inEveryFile = '/f/';

/** Files that the records of a segment put. A record that cannot be decoded is left out: verification of the log reports it. */
export function* loggedFiles(segment: Segment): Generator<FileOfProject, void> {
  if (!segment.bytes.includes(inEveryFile)) return;
  for (const [, bytes] of segmentRecords(segment)) {
    if (!bytes.includes(inEveryFile)) continue;
    for (const change of changesIn(bytes)) {
      if (change.op !== 'put' || change.path.collection !== 'files') continue;
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
