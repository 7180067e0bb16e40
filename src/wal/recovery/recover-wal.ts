/**
 * Recovery: what a folder of segments says after a crash, or after a clean stop. It only reads. The caller may therefore try a
 * snapshot, recover the log above it, and turn to an older snapshot when this throws; `repair-tail.ts` then makes the plan true on disk.
 *
 * The decisions, each a case of the test beside this table:
 *
 * | found                                                                         | then                                     |
 * | ----------------------------------------------------------------------------- | ---------------------------------------- |
 * | the tail: zeros after its last frame                                           | it ends there                            |
 * | the tail: bytes that are no frame, no frame header after them                   | torn: cut there, the rest is kept aside  |
 * | the tail: bytes that are no frame, a frame header after them                    | refuse; cut if it was not synced always  |
 * | the tail: a frame whose checksums are right and whose meaning is wrong          | refuse                                   |
 * | a segment without a seal, its successor blank and the last                      | unfinished rotation: that one is the tail |
 * | a segment without a seal, its successor not blank                               | refuse                                   |
 * | a seal whose successor is missing, or is another than it names                  | refuse                                   |
 * | LSNs with a gap above the snapshot, or a log that ends below it                 | refuse                                   |
 * | a segment header that does not verify; a file of another size than it says      | refuse                                   |
 * | a bad frame in any segment but the tail                                        | refuse                                   |
 * | a snapshot, but no segment at all                                              | refuse, unless the caller says `fresh`   |
 *
 * The tail is the last segment, or the one before it while the last is blank. Refusing is a {@link CorruptError}.
 *
 * Why a header after bad bytes means damage: under `always` a frame is written only after the one before it was synced. Under
 * `interval` and `never` several unsynced frames may reach the disk in any order, and no answer was promised to last; the log is
 * then cut at the first bad frame, and its lineage changes, because answers that were given out may be among what was cut.
 *
 * Why no segment under a snapshot means refuse: a folder has a segment from its first moment on and never gives up its last one,
 * so somebody removed them, and records above the snapshot may have been in there. Only who restored the snapshot on purpose knows.
 *
 * Segments that hold nothing above the snapshot are not read, with one exception: a last segment without records starts with the
 * CRC of the seal before it, so the segment before it is read for that. Nothing is refused for what is found there.
 */

import { runToEnd } from '../../lib/async/run-to-end.ts';
import { endOfData } from '../../lib/bytes.ts';
import { CorruptError } from '../../lib/errors.ts';
import { type Files, sizeOf } from '../../lib/files/files.ts';
import { Chain, foundAt, gap } from '../format/chain.ts';
import { listSegments, type SealedSegment, type SegmentFile, segmentPath } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import { hasRecords, readSegment, type Segment, type SegmentEnd, segmentRecords } from '../read/read-segment.ts';

/** Where a segment is: the last one, the one before a last one that is blank, or any other. */
type Position = 'last' | 'beforeBlank' | 'inner';

/** Whether each frame was synced before the next one was written. */
type Syncing = 'synced' | 'unsynced';

/**
 * - `goOn`: the segment ends as it should.
 * - `cut`: the log ends there, and the rest is cut off.
 * - `successor`: damage, which the check of the next segment reports, since that one proves it (chain.ts).
 * - `refuse`: damage.
 */
type Decision = 'goOn' | 'cut' | 'successor' | 'refuse';

/** The table above for a single segment, by its end and its position. */
// biome-ignore format: a table
export const endDecisions: Readonly<Record<Position, Readonly<Record<SegmentEnd['kind'], Readonly<Record<Syncing, Decision>>>>>> = {
  last: {
    sealed: { synced: 'successor', unsynced: 'successor' },
    open:   { synced: 'goOn',      unsynced: 'goOn' },
    torn:   { synced: 'cut',       unsynced: 'cut' },
    holed:  { synced: 'refuse',    unsynced: 'cut' },
    wrong:  { synced: 'refuse',    unsynced: 'refuse' },
  },
  beforeBlank: {
    sealed: { synced: 'goOn',      unsynced: 'goOn' },
    open:   { synced: 'goOn',      unsynced: 'goOn' },
    torn:   { synced: 'cut',       unsynced: 'cut' },
    holed:  { synced: 'refuse',    unsynced: 'cut' },
    wrong:  { synced: 'refuse',    unsynced: 'refuse' },
  },
  inner: {
    sealed: { synced: 'goOn',      unsynced: 'goOn' },
    open:   { synced: 'successor', unsynced: 'successor' },
    torn:   { synced: 'successor', unsynced: 'successor' },
    holed:  { synced: 'refuse',    unsynced: 'refuse' },
    wrong:  { synced: 'refuse',    unsynced: 'refuse' },
  },
};

export interface RecoverOptions {
  /** Records up to here are in the snapshot; 0 without one. */
  readonly after: Lsn;
  /** A history that begins here: no segment need exist although there is a snapshot (it was just restored from a backup). */
  readonly fresh?: boolean;
  /** Takes every record above `after`, in order. The bytes are a view of a large buffer: copy what is to stay. */
  readonly onRecord?: (lsn: Lsn, record: Buffer) => void;
  /** Told how many bytes of segments were read since the last call: those of a record, and what is in a segment beside them. */
  readonly onBytes?: (bytes: number) => void;
}

/** Where a tail was cut. */
export interface Cut {
  readonly path: string;
  readonly offset: number;
  /** From there to the last byte that is not zero. */
  readonly bytes: number;
  readonly found: string;
}

/** What recovery found, and what settling is to make of it. */
export interface RecoveryPlan {
  readonly folder: string;
  readonly nextLsn: Lsn;
  /** How many records were handed to `onRecord`, and their bytes. */
  readonly records: number;
  readonly recordBytes: number;
  /** The lineage that goes on; `undefined` when a new one begins: a new folder, or answers may have been lost. */
  readonly lineage: string | undefined;
  readonly cut: Cut | undefined;
  /** The last segment; `undefined` in a new folder. */
  readonly last: Segment | undefined;
  /** The segment before a last one that holds no records, as far as it could be read. */
  readonly before: Segment | undefined;
  /** The CRC that the next frame carries. */
  readonly crc: number;
  /** Every segment before the last, oldest first, read or not. */
  readonly sealed: readonly SealedSegment[];
}

/** Reads the log above a snapshot. Changes nothing on disk. Throws {@link CorruptError} for every row that refuses. */
export function recoverWal(files: Files, folder: string, options: RecoverOptions): RecoveryPlan {
  return runToEnd(recoveringWal(files, folder, options));
}

/** The same; may be interrupted after each record. */
export function* recoveringWal(files: Files, folder: string, options: RecoverOptions): Generator<void, RecoveryPlan> {
  const list = listSegments(files, folder);
  const lastFile = list.at(-1);
  if (lastFile === undefined) return newFolder(folder, options);
  const needed = list.slice(firstNeeded(list, options.after), -1);
  const last = readSegment(files, lastFile);
  const chain = new Chain();
  const delivery = { records: 0, recordBytes: 0 };
  let before: Segment | undefined;
  for (const file of needed) {
    before = readSegment(files, file);
    checkEnd(before, last.blank && file === list.at(-2) ? 'beforeBlank' : 'inner');
    chain.follow(before);
    yield* deliver(before, options, delivery);
  }
  if (before === undefined && !hasRecords(last)) before = coveredBefore(files, list.at(-2), last, chain);
  chain.follow(last);
  if (checkEnd(last, 'last') === 'successor' && last.end.kind === 'sealed') {
    const successor = segmentPath(folder, last.end.successor.firstLsn);
    throw new CorruptError(last.path, last.end.offset, `the seal before this names ${successor}, which does not exist`);
  }
  yield* deliver(last, options, delivery);
  if (last.nextLsn <= options.after) {
    throw new CorruptError(
      last.path,
      last.end.offset,
      `the log ends with record ${last.nextLsn - 1}, the snapshot with ${options.after}`,
    );
  }
  return {
    folder,
    nextLsn: last.nextLsn,
    ...delivery,
    lineage: goesOn(last) ? last.header.lineage : undefined,
    cut: cutOf(last, 'last') ?? (before && last.blank ? cutOf(before, 'beforeBlank') : undefined),
    last,
    before: hasRecords(last) ? undefined : before,
    crc: chain.crc ?? 0,
    sealed: sealedOf(files, list),
  };
}

/** Bytes of the segments that {@link recoverWal} would read above a snapshot. */
export function logBytesAbove(files: Files, folder: string, after: Lsn): number {
  const list = listSegments(files, folder);
  const first = list.findLastIndex(({ firstLsn }) => firstLsn <= after + 1);
  return list.slice(Math.max(0, first)).reduce((sum, { path }) => sum + sizeOf(files, path), 0);
}

function newFolder(folder: string, options: RecoverOptions): RecoveryPlan {
  if (options.after > 0 && options.fresh !== true) {
    const found = `the snapshot ends with record ${options.after} and there is no segment: records after it may be missing`;
    throw new CorruptError(folder, 0, found);
  }
  const nothing = { lineage: undefined, cut: undefined, last: undefined, before: undefined, crc: 0, sealed: [] };
  return { folder, nextLsn: options.after + 1, records: 0, recordBytes: 0, ...nothing };
}

/** Index of the segment that holds, or will hold, the first record above the snapshot. */
function firstNeeded(list: readonly SegmentFile[], after: Lsn): number {
  const index = list.findLastIndex((file) => file.firstLsn <= after + 1);
  const oldest = list[0];
  if (index < 0 && oldest !== undefined) throw new CorruptError(oldest.path, 0, gap(after + 1, oldest.firstLsn));
  return index;
}

/** The rows for one segment by itself; {@link Chain} has those for two. */
function checkEnd(segment: Segment, position: Position): Decision {
  const decision = decisionFor(segment, position);
  if (decision === 'refuse') throw new CorruptError(segment.path, segment.end.offset, foundAt(segment));
  return decision;
}

function decisionFor({ end, header }: Segment, position: Position): Decision {
  return endDecisions[position][end.kind][header.sync === 'always' ? 'synced' : 'unsynced'];
}

/** The segment before a last one without records, when the snapshot covers it: of use for its seal only, so damage is let pass. */
function coveredBefore(files: Files, file: SegmentFile | undefined, last: Segment, chain: Chain): Segment | undefined {
  if (file === undefined) return undefined;
  try {
    const before = readSegment(files, file);
    checkEnd(before, last.blank ? 'beforeBlank' : 'inner');
    const trial = new Chain();
    trial.follow(before);
    trial.follow(last);
    chain.follow(before);
    return before;
  } catch (error) {
    if (error instanceof CorruptError) return undefined;
    throw error;
  }
}

function* deliver(
  segment: Segment,
  options: RecoverOptions,
  delivery: { records: number; recordBytes: number },
): Generator<void, void> {
  let rest = segment.bytes.byteLength;
  if (segment.nextLsn > options.after + 1) {
    for (const [lsn, record] of segmentRecords(segment)) {
      if (lsn <= options.after) continue;
      delivery.records += 1;
      delivery.recordBytes += record.byteLength;
      options.onRecord?.(lsn, record);
      options.onBytes?.(record.byteLength);
      rest -= record.byteLength;
      yield;
    }
  }
  options.onBytes?.(rest);
}

/**
 * Whether the lineage of the last segment goes on. Under `always` nothing that was answered is ever lost. Otherwise only a mark at
 * the end proves that nothing was: it is written when the log is closed, after all else was synced.
 */
function goesOn(last: Segment): boolean {
  if (last.header.sync === 'always') return true;
  return last.end.kind === 'open' && last.frames.at(-1)?.type === 'mark';
}

function cutOf(segment: Segment, position: Position): Cut | undefined {
  const { end, path, bytes } = segment;
  if (decisionFor(segment, position) !== 'cut') return undefined;
  return { path, offset: end.offset, bytes: endOfData(bytes, end.offset) - end.offset, found: foundAt(segment) };
}

/** All but the last: each ends where the next one begins. */
function sealedOf(files: Files, list: readonly SegmentFile[]): SealedSegment[] {
  return list.slice(0, -1).map((file, index) => {
    const next = list[index + 1] as SegmentFile;
    return { ...file, lastLsn: next.firstLsn - 1, bytes: sizeOf(files, file.path) };
  });
}
