/** The version of stored records and rows. */
import { RecordFormatError } from './stored.ts';

/**
 * The newest version of records and rows that this program reads. Raise it when an older program would misread a record. Every earlier
 * version stays readable, and a later one is refused with a clear message. It is also the version of the rows in a snapshot.
 */
export const schemaVersion = 5;

/**
 * The version of the records and snapshots that this program writes. A program with a lower number here reads the newer records
 * already. The nodes of a cluster can be updated to it one by one, before one of them writes such a record.
 */
export const schemaVersionWritten: number = schemaVersion;

/** The versions that can be read, for messages. */
export const schemaVersionsRead = `up to version ${schemaVersion}`;

export function isSchemaVersionRead(version: unknown): boolean {
  return Number.isInteger(version) && (version as number) >= 1 && (version as number) <= schemaVersion;
}

/** A record of a later program version. This is not damage: no older record may replace it. */
export class SchemaVersionError extends RecordFormatError {}
