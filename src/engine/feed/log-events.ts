/** What the log tells followers who were away: read, decoded and put into words, a bounded piece at a time. */

import { runToEnd } from '../../lib/async/run-to-end.ts';
import { changesIn, decodeRecord, largeRecordBytes } from '../../model/record.ts';
import type { ApiVersion } from '../../model/resource.ts';
import { type Run, Runs } from '../../store/runs.ts';
import type { Lsn } from '../../wal/journal.ts';
import type { ProjectName } from '../command.ts';
import { Versions } from '../version.ts';
import { projectChanged, type RecordEvents, recordEvents, recordTexts } from './event-encoder.ts';

export interface LogEventsRequest {
  readonly folder: string;
  readonly lineage: string;
  /** Those that wrote the records. */
  readonly runs: readonly Run[];
  /** The first record that is wanted, and the last, which is durable. */
  readonly from: number;
  readonly to: number;
  /** Pieces of the first record that are not wanted any more. */
  readonly part: number;
  /** Whose records are wanted. */
  readonly accounts: readonly string[];
  readonly compat: ApiVersion;
}

export interface LogPiece {
  /** LSN of the last record that was told whole, or is none of theirs. */
  readonly to: number;
  /** Pieces that were told of the record after that. */
  readonly part: number;
  readonly records: readonly RecordEvents[];
}

/** Where a piece ends, in characters and in records that were looked at. */
const pieceLength = 1024 * 1024;
const pieceRecords = 4096;

/** Places within large records that are remembered. */
const unfinishedMax = 16;

/** A record of which not all was told yet. */
export interface Unfinished {
  readonly lsn: number;
  readonly project: ProjectName;
  readonly texts: Generator<string | undefined, void>;
  /** The next piece of it. */
  part: number;
}

/** Where the records are. */
export interface LogSource {
  /** The records from `from` on, up to `to` or some before it; `undefined` when the first is not there any more. */
  recordsFrom(from: Lsn, to: Lsn): Iterable<[Lsn, Buffer]> | undefined;
}

/** Where readers of a log are within large records, the one that was read last at the end: to go on from there is not to begin anew. */
export class LogPlaces {
  unfinished: readonly Unfinished[] = [];
}

/** Reads a piece; `undefined` when its beginning is not there any more. Throws what the source throws. */
export function readLogEvents(source: LogSource, places: LogPlaces, request: LogEventsRequest): LogPiece | undefined {
  const { lineage, runs, from, to, accounts, compat } = request;
  const found = source.recordsFrom(from, to);
  if (found === undefined) return undefined;
  const versions = new Versions(lineage, new Runs(runs));
  const wanted = new Set(accounts);
  const records: RecordEvents[] = [];
  let length = 0;
  let last = from - 1;
  for (const [lsn, bytes] of found) {
    if (bytes.byteLength >= largeRecordBytes) {
      // What comes before it is told first.
      if (records.length > 0) break;
      const piece = readLarge(places, versions.nameOf(lsn), request, lsn, bytes, lsn === from ? request.part : 0, wanted);
      if (piece !== undefined) return piece;
    } else {
      const { changes } = decodeRecord(bytes);
      const project = projectChanged(changes);
      if (project !== undefined && wanted.has(project.accountId)) {
        const told = runToEnd(recordEvents(versions.nameOf(lsn), lsn, project, changes, compat));
        records.push(told);
        length += told.text?.length ?? 0;
      }
    }
    last = lsn;
    if (length >= pieceLength || lsn - from + 1 >= pieceRecords) break;
  }
  return { to: last, part: 0, records };
}

/** Reads the next piece of a large record; `undefined` when nobody wants it. */
function readLarge(
  places: LogPlaces,
  version: string,
  request: LogEventsRequest,
  lsn: number,
  bytes: Buffer,
  part: number,
  wanted: Set<string>,
): LogPiece | undefined {
  const known = places.unfinished.find((begun) => begun.lsn === lsn && begun.part === part);
  const record = known ?? beginLarge(version, request, lsn, bytes);
  if (record === undefined || !wanted.has(record.project.accountId)) return undefined;
  places.unfinished = places.unfinished.filter((begun) => begun !== record);
  let text = '';
  while (text.length < pieceLength) {
    const { done, value } = record.texts.next();
    if (done === true || value === undefined)
      return { to: lsn, part: 0, records: [{ lsn, ...record.project, text: done === true ? text : undefined, isLast: false }] };
    record.part++;
    if (record.part > part) text += value;
  }
  places.unfinished = [...places.unfinished, record].slice(-unfinishedMax);
  return { to: lsn - 1, part: record.part, records: [{ lsn, ...record.project, text, isLast: false, hasMore: true }] };
}

function beginLarge(version: string, { compat }: LogEventsRequest, lsn: number, bytes: Buffer): Unfinished | undefined {
  for (const change of changesIn(bytes)) {
    const project = projectChanged([change]);
    if (project === undefined) continue;
    const { accountId, projectId } = project;
    return { lsn, project: { accountId, projectId }, texts: recordTexts(version, changesIn(bytes), compat), part: 0 };
  }
  return undefined;
}
