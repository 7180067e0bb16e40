/** Reads events from the log for subscribers that resume: decodes records and encodes their events, a bounded piece at a time. */

import { runToEnd } from '../../lib/async/run-to-end.ts';
import type { Lsn } from '../../storage/wal/journal.ts';
import { changesIn, decodeRecord, largeRecordBytes } from '../../store/operations/record.ts';
import { type Run, Runs } from '../../store/runs.ts';
import type { ProjectName } from '../command.ts';
import { Versions } from '../version-names.ts';
import {
  type EventTexts,
  joinTexts,
  noTexts,
  projectChanged,
  type RecordEvents,
  recordEvents,
  recordTexts,
} from './event-encoder.ts';

export interface LogEventsRequest {
  readonly folder: string;
  readonly lineage: string;
  /** The runs that wrote the records. */
  readonly runs: readonly Run[];
  /** LSN of the first record, and of the last, which must be durable. */
  readonly from: number;
  readonly to: number;
  /** Pieces of the first record to skip: they were read before. */
  readonly part: number;
  /** Records of other accounts are skipped. */
  readonly accounts: readonly string[];
}

export interface LogPiece {
  /** LSN of the last record that was read completely or skipped. */
  readonly to: number;
  /** Pieces of the next record that were read. */
  readonly part: number;
  readonly records: readonly RecordEvents[];
}

/** The size of a piece, in characters and in records read. */
const pieceLength = 1024 * 1024;
const pieceRecords = 4096;

/** How many positions within large records are cached. */
const unfinishedMax = 16;

/** A large record that was read in part. */
interface Unfinished {
  readonly lsn: number;
  readonly project: ProjectName;
  readonly texts: Generator<EventTexts | undefined, void>;
  /** Number of the next piece. */
  part: number;
}

/** The source of records: the log on disk or in memory. */
interface LogSource {
  /** The records from `from` to at most `to`; `undefined` if the log no longer has record `from`. */
  recordsFrom(from: Lsn, to: Lsn): Iterable<[Lsn, Buffer]> | undefined;
}

/** A cache of positions within large records, the latest last, so that the next piece need not decode the record from its start. */
export class LogPlaces {
  unfinished: readonly Unfinished[] = [];
}

/** Reads a piece; `undefined` if the log no longer has record `from`. Throws what the source throws. */
export function readLogEvents(source: LogSource, places: LogPlaces, request: LogEventsRequest): LogPiece | undefined {
  const { lineage, runs, from, to, accounts } = request;
  const found = source.recordsFrom(from, to);
  if (found === undefined) return undefined;
  const versions = new Versions(lineage, new Runs(runs));
  const included = new Set(accounts);
  const records: RecordEvents[] = [];
  let length = 0;
  let last = from - 1;
  for (const [lsn, bytes] of found) {
    if (bytes.byteLength >= largeRecordBytes) {
      // The records before it are returned first.
      if (records.length > 0) break;
      const piece = readLarge(places, versions.nameOf(lsn), lsn, bytes, lsn === from ? request.part : 0, included);
      if (piece !== undefined) return piece;
    } else {
      const { changes } = decodeRecord(bytes);
      const project = projectChanged(changes);
      if (project !== undefined && included.has(project.accountId)) {
        const events = runToEnd(recordEvents(versions.nameOf(lsn), lsn, project, changes));
        records.push(events);
        length += lengthOf(events.texts);
      }
    }
    last = lsn;
    if (length >= pieceLength || lsn - from + 1 >= pieceRecords) break;
  }
  return { to: last, part: 0, records };
}

/** Reads the next piece of a large record; `undefined` if its account is not in the request. */
function readLarge(
  places: LogPlaces,
  version: string,
  lsn: number,
  bytes: Buffer,
  part: number,
  included: Set<string>,
): LogPiece | undefined {
  const known = places.unfinished.find((begun) => begun.lsn === lsn && begun.part === part);
  const record = known ?? beginLarge(version, lsn, bytes);
  if (record === undefined || !included.has(record.project.accountId)) return undefined;
  places.unfinished = places.unfinished.filter((begun) => begun !== record);
  let texts = noTexts;
  while (lengthOf(texts) < pieceLength) {
    const { done, value } = record.texts.next();
    if (done === true || value === undefined)
      return { to: lsn, part: 0, records: [{ lsn, ...record.project, texts: done === true ? texts : undefined, isLast: false }] };
    record.part++;
    if (record.part > part) texts = joinTexts(texts, value);
  }
  places.unfinished = [...places.unfinished, record].slice(-unfinishedMax);
  return { to: lsn - 1, part: record.part, records: [{ lsn, ...record.project, texts, isLast: false, hasMore: true }] };
}

const lengthOf = (texts: EventTexts | undefined): number => (texts?.text.length ?? 0) + (texts?.textForReaders?.length ?? 0);

function beginLarge(version: string, lsn: number, bytes: Buffer): Unfinished | undefined {
  for (const change of changesIn(bytes)) {
    const project = projectChanged([change]);
    if (project === undefined) continue;
    const { accountId, projectId } = project;
    return { lsn, project: { accountId, projectId }, texts: recordTexts(version, changesIn(bytes)), part: 0 };
  }
  return undefined;
}
