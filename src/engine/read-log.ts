/** What the log tells followers who were away: read, decoded and put into words in a thread, a bounded piece at a time. */
import { LogReader } from '../journal/log-reader.ts';
import type { Files } from '../lib/files.ts';
import { decodeRecord } from '../model/record.ts';
import type { Compat } from '../model/resource.ts';
import { atOnce } from './slices.ts';
import { projectChanged, type RecordEvents, recordEvents } from './told.ts';

export interface LogRequest {
  readonly folder: string;
  readonly lineage: string;
  /** The first record that is wanted, and the last, which is durable. */
  readonly from: number;
  readonly to: number;
  /** Whose records are wanted. */
  readonly accounts: readonly string[];
  readonly compat: Compat;
}

export interface LogPiece {
  /** LSN of the last record that was looked at. */
  readonly to: number;
  readonly records: readonly RecordEvents[];
}

/** Where a piece ends, in characters and in records that were looked at. */
const pieceLength = 1024 * 1024;
const pieceRecords = 4096;

let reader: LogReader | undefined;

/** Reads a piece; `undefined` when its beginning is not there any more. Throws {@link CorruptError}. */
export function readLog(files: Files, { folder, lineage, from, to, accounts, compat }: LogRequest): LogPiece | undefined {
  if (reader?.folder !== folder || reader.lineage !== lineage) reader = new LogReader(files, folder, lineage);
  const found = reader.recordsFrom(from, to);
  if (found === undefined) return undefined;
  const wanted = new Set(accounts);
  const records: RecordEvents[] = [];
  let length = 0;
  let last = from - 1;
  for (const [lsn, bytes] of found) {
    const { changes } = decodeRecord(bytes);
    const project = projectChanged(changes);
    if (project !== undefined && wanted.has(project.accountId)) {
      const told = atOnce(recordEvents(lineage, lsn, project, changes, compat));
      records.push(told);
      length += told.text?.length ?? 0;
    }
    last = lsn;
    if (length >= pieceLength || lsn - from + 1 >= pieceRecords) break;
  }
  return { to: last, records };
}
