/** The files, versions and published maps that records of the log added: their blobs are needed to restore a state between two bases. */

import { isBesideDocument } from '../../../model/resources.ts';
import { SchemaVersionError } from '../../../model/schema-version.ts';
import { RecordFormatError } from '../../../model/stored.ts';
import { decodeRecord, publicationMark } from '../../../store/operations/record.ts';
import { type Segment, segmentRecords } from '../../wal/read/read-segment.ts';
import { type BlobUser, userOfMap, userOfRow } from './needed-blobs.ts';

/**
 * Every row of a file has its address, every row of a version its counts, and every publication begins alike. A segment without any of these
 * need not be decoded.
 */
const marks = ['/f/', '{"artboards":', publicationMark];

const isMarked = (bytes: Buffer): boolean => marks.some((mark) => bytes.includes(mark));

/** Files, versions and published maps that the records of a segment put. A record that cannot be decoded is left out: verification of the log reports it. */
export function* loggedFiles(segment: Segment): Generator<BlobUser, void> {
  if (!isMarked(segment.bytes)) return;
  for (const [, bytes] of segmentRecords(segment)) {
    if (!isMarked(bytes)) continue;
    for (const change of changesIn(bytes)) {
      if (change.op === 'put-publication') yield userOfMap(change.projectId, change.head.newest);
      if (change.op !== 'put' || !isBesideDocument(change.path.collection)) continue;
      for (const value of change.values) yield userOfRow(change.path.projectId, change.path.collection, value);
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
