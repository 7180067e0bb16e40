/**
 * Recovery: reads a folder of segments after a crash or a clean stop. It changes nothing. So the caller may try a snapshot, recover the
 * log above it, and fall back to an older snapshot if this throws. `repair-tail.ts` then applies the plan to the disk.
 *
 * The decisions. Each row is a case of test/wal/recovery.test.ts:
 *
 * | condition                                                                     | decision                                 |
 * | ----------------------------------------------------------------------------- | ---------------------------------------- |
 * | the tail: zeros after its last frame                                           | the log ends there                       |
 * | the tail: bytes that are no frame, no frame header after them                   | torn: cut there, copy the rest           |
 * | the tail: bytes that are no frame, a frame header after them                    | refuse; cut if it was not synced always  |
 * | the tail: a frame with valid checksums and invalid contents                     | refuse                                   |
 * | a segment without a seal, its successor blank and the last                      | unfinished rotation: it is the tail      |
 * | a segment without a seal, its successor not blank                               | refuse                                   |
 * | a seal whose successor is missing, or differs from the one that it names        | refuse                                   |
 * | LSNs with a gap above the snapshot, or a log that ends below it                 | refuse                                   |
 * | a segment header that does not verify; a file whose size differs from its header | refuse                                   |
 * | a bad frame in any segment except the tail                                     | refuse                                   |
 * | a snapshot, but no segment at all                                              | refuse, unless the caller sets `fresh`   |
 *
 * The tail is the last segment, or the one before it while the last is blank. "Refuse" throws a {@link CorruptError}.
 *
 * Why a header after bad bytes means damage: under `always` a frame is written only after the frame before it was synced. Under
 * `interval` and `never` several unsynced frames may reach the disk in any order, and no response promised durability. The log is
 * then cut at the first bad frame, and its lineage changes, because acknowledged records may be in the part that was cut.
 *
 * Why a snapshot without a segment means refuse: a folder has a segment from its creation on and always keeps the last one. So the
 * segments were removed, and may have held records above the snapshot. Only an operator who restored the snapshot on purpose knows.
 *
 * Segments without records above the snapshot are not read, with one exception: a last segment without records starts with the
 * CRC of the seal before it, so the segment before it is read for that CRC. Damage in that segment is ignored.
 */

import { runToEnd } from '../../../lib/async/run-to-end.ts';
import { endOfData } from '../../../lib/bytes.ts';
import { CorruptError } from '../../../lib/errors.ts';
import { type Files, sizeOf } from '../../../lib/files/files.ts';
import { Chain, foundAt, gap } from '../format/chain.ts';
import { listSegments, type SealedSegment, type SegmentFile, segmentPath } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import { hasRecords, readSegment, type Segment, type SegmentEnd, segmentRecords } from '../read/read-segment.ts';

/** Position of a segment: the last one, the one before a blank last one, or any other. */
type Position = 'last' | 'beforeBlank' | 'inner';

/** Whether each frame was synced before the next one was written. */
type Syncing = 'synced' | 'unsynced';

/**
 * - `continue`: the segment ends correctly.
 * - `cut`: the log ends there, and the rest is cut off.
 * - `successor`: the check against the next segment decides, because that segment proves the damage (chain.ts).
 * - `refuse`: damage.
 */
type Decision = 'continue' | 'cut' | 'successor' | 'refuse';

/** The rows for a single segment, by its position and its end. */
// biome-ignore format: a table
export const endDecisions: Readonly<Record<Position, Readonly<Record<SegmentEnd['kind'], Readonly<Record<Syncing, Decision>>>>>> = {
  last: {
    sealed: { synced: 'successor', unsynced: 'successor' },
    open:   { synced: 'continue',  unsynced: 'continue' },
    torn:   { synced: 'cut',       unsynced: 'cut' },
    gap:    { synced: 'refuse',    unsynced: 'cut' },
    invalid:{ synced: 'refuse',    unsynced: 'refuse' },
  },
  beforeBlank: {
    sealed: { synced: 'continue',  unsynced: 'continue' },
    open:   { synced: 'continue',  unsynced: 'continue' },
    torn:   { synced: 'cut',       unsynced: 'cut' },
    gap:    { synced: 'refuse',    unsynced: 'cut' },
    invalid:{ synced: 'refuse',    unsynced: 'refuse' },
  },
  inner: {
    sealed: { synced: 'continue',  unsynced: 'continue' },
    open:   { synced: 'successor', unsynced: 'successor' },
    torn:   { synced: 'successor', unsynced: 'successor' },
    gap:    { synced: 'refuse',    unsynced: 'refuse' },
    invalid:{ synced: 'refuse',    unsynced: 'refuse' },
  },
};

export interface RecoverOptions {
  /** The last LSN of the snapshot; 0 without one. */
  readonly after: Lsn;
  /** A new history: a snapshot may exist without a segment, because it was just restored from a backup. */
  readonly fresh?: boolean;
  /** Called with every record above `after`, in order. The bytes are a view of a large buffer: copy what you keep. */
  readonly onRecord?: (lsn: Lsn, record: Buffer) => void;
  /** Called with the bytes of segments read since the last call: those of a record, and the other bytes of a segment. */
  readonly onBytes?: (bytes: number) => void;
}

/** The part of a tail that is cut off. */
export interface Cut {
  readonly path: string;
  readonly offset: number;
  /** Bytes from `offset` to the last byte that is not zero. */
  readonly bytes: number;
  readonly found: string;
}

/** The result of recovery, which `repairTail` applies to the disk. */
export interface RecoveryPlan {
  readonly folder: string;
  readonly nextLsn: Lsn;
  /** Number of records delivered to `onRecord`, and their bytes. */
  readonly records: number;
  readonly recordBytes: number;
  /** The lineage that continues; `undefined` if a new one begins: in a new folder, or if acknowledged records may be lost. */
  readonly lineage: string | undefined;
  readonly cut: Cut | undefined;
  /** The last segment; `undefined` in a new folder. */
  readonly last: Segment | undefined;
  /** The segment before a last one without records; `undefined` if it could not be read. */
  readonly before: Segment | undefined;
  /** CRC of the last frame, which the next frame repeats. */
  readonly crc: number;
  /** Every segment before the last, oldest first, read or not. */
  readonly sealed: readonly SealedSegment[];
}

/** Reads the log above a snapshot. Changes nothing on disk. Throws {@link CorruptError} for every "refuse" of the table. */
export function recoverWal(files: Files, folder: string, options: RecoverOptions): RecoveryPlan {
  return runToEnd(recoveringWal(files, folder, options));
}

/** As {@link recoverWal}; yields after each record. */
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
    lineage: keepsLineage(last) ? last.header.lineage : undefined,
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
    const found = `the snapshot ends with record ${options.after} and no segment exists: records after it may be missing`;
    throw new CorruptError(folder, 0, found);
  }
  const nothing = { lineage: undefined, cut: undefined, last: undefined, before: undefined, crc: 0, sealed: [] };
  return { folder, nextLsn: options.after + 1, records: 0, recordBytes: 0, ...nothing };
}

/** Index of the segment for the first record above the snapshot. */
function firstNeeded(list: readonly SegmentFile[], after: Lsn): number {
  const index = list.findLastIndex((file) => file.firstLsn <= after + 1);
  const oldest = list[0];
  if (index < 0 && oldest !== undefined) throw new CorruptError(oldest.path, 0, gap(after + 1, oldest.firstLsn));
  return index;
}

/** Applies the rows for a single segment; {@link Chain} applies those for two. */
function checkEnd(segment: Segment, position: Position): Decision {
  const decision = decisionFor(segment, position);
  if (decision === 'refuse') throw new CorruptError(segment.path, segment.end.offset, foundAt(segment));
  return decision;
}

function decisionFor({ end, header }: Segment, position: Position): Decision {
  return endDecisions[position][end.kind][header.sync === 'always' ? 'synced' : 'unsynced'];
}

/** Reads the segment before a last one without records, if the snapshot covers it. Only its seal is needed, so damage is ignored. */
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
 * Whether the lineage of the last segment continues. Under `always` an acknowledged record is never lost. Otherwise only a mark at the
 * end proves that: it is written when the log is closed, after everything else was synced.
 */
function keepsLineage(last: Segment): boolean {
  if (last.header.sync === 'always') return true;
  return last.end.kind === 'open' && last.frames.at(-1)?.type === 'mark';
}

function cutOf(segment: Segment, position: Position): Cut | undefined {
  const { end, path, bytes } = segment;
  if (decisionFor(segment, position) !== 'cut') return undefined;
  return { path, offset: end.offset, bytes: endOfData(bytes, end.offset) - end.offset, found: foundAt(segment) };
}

/** All segments except the last: each ends where the next one begins. */
function sealedOf(files: Files, list: readonly SegmentFile[]): SealedSegment[] {
  return list.slice(0, -1).map((file, index) => {
    const next = list[index + 1] as SegmentFile;
    return { ...file, lastLsn: next.firstLsn - 1, bytes: sizeOf(files, file.path) };
  });
}
