/**
 * Settling: makes what recovery found true on disk, before anything is appended and before anybody reads it.
 *
 * After a kill the page cache may show what the disk does not hold: the last frame of a process whose sync failed, or had not been
 * called, reads well and is gone after the next power loss. A frame that a later one vouches for was synced; so the last frame is
 * written again in place, the same bytes, and synced. Where frames were not synced one by one, all of the segment is.
 *
 *     1  a spare is deleted                       (it may be of another size, and its lineage may be over; what was made for a large
 *                                                  record as well, since nobody is left to append it)
 *     2  what follows the cut is copied to .torn  (for people; failing does not matter)
 *     3  the folder is synced                     (a name that recovery saw may not be on the disk yet)
 *     4  the tail: frames nothing vouches for written again; what follows the cut zeroed; synced
 *        - it has records: it is closed to more. The log goes on in a new segment under a new salt, once a spare is there.
 *        - it has none, so the one before it is the tail of step 4: that one gets its seal if it has none, and is synced; then the
 *          last one is zeroed after its header, synced, and goes on in place. Should its header no longer fit (another way to
 *          sync, a new lineage, a smaller size, or it was made for a large record that was not appended) then a fresh segment of the same
 *          name and salt replaces it, once a spare is there.
 *
 * A crash in here, at any point, leads to the same plan again, or to one with the same records:
 * - 1 and 2 touch nothing that recovery reads.
 * - Writing a frame's own bytes over it leaves those bytes, however the write is torn.
 * - The frame at the cut was bad and stays bad: zeros in it make it no frame, and zeros after it remove headers but make none. So a
 *   torn tail stays torn or becomes open at the same byte; the same holds for one that was cut though frames followed.
 * - A seal names a successor whose own name is on the disk since step 3: the process that was killed may not have come to sync it.
 * - A seal that is written in part is a torn tail of a segment whose successor is blank: an unfinished rotation, as before.
 * - Only a last segment without records is zeroed, when the one before it is already sealed, or was found blank.
 * What is new after a crash in here may be the lineage, once more. No answer was given under the one before.
 *
 * Nothing here needs room on the disk, but in a new folder: a full disk does not keep the server from starting and being read.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Files, removeIfThere } from '../../lib/files/files.ts';
import { invariant } from '../../lib/invariant.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { sealFrame } from '../format/frame.ts';
import {
  checkSegmentBytes,
  largeName,
  openToWrite,
  type SealedSegment,
  type SyncMode,
  segmentBytesDefault,
  segmentHeaderBytes,
  segmentPath,
  spareName,
} from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import { hasRecords, type Segment, type SegmentEnd } from '../read/read-segment.ts';
import { newSalt, preallocateSpare, removePreallocated, writeZeros } from '../write/preallocate.ts';
import type { Cut, RecoveryPlan } from './recover-wal.ts';

export interface RepairTailOptions {
  readonly sync: SyncMode;
  /** Bytes of the segments made from now on; {@link segmentBytesDefault}. */
  readonly segmentBytes?: number;
  /** The lineage of a history that begins here; random. One that goes on keeps its own. */
  readonly lineage?: string;
  /** Clock for the first segment's header; `Date.now`. */
  readonly now?: () => number;
  readonly log?: Log;
}

/** The segment that the next frame goes to. */
export interface TailSegment {
  readonly firstLsn: Lsn;
  readonly bytes: number;
  readonly salt: number;
  /** Where the next frame goes, in bytes. */
  readonly offset: number;
  /**
   * `open` takes records; `closed` only a seal; `stale` nothing, a fresh segment of its name and salt replaces it.
   */
  readonly state: 'open' | 'closed' | 'stale';
}

/** Where the log goes on: all that a flusher has to know. Plain data, so that it can be sent to another thread. */
export interface Tail {
  readonly folder: string;
  readonly lineage: string;
  readonly sync: SyncMode;
  /** Bytes of the segments made from now on. */
  readonly segmentBytes: number;
  readonly nextLsn: Lsn;
  /** The CRC that the next frame carries. */
  readonly crc: number;
  readonly segment: TailSegment;
  /** Oldest first. */
  readonly sealed: readonly SealedSegment[];
}

/** The state of the tail, by what the last segment holds, and whether its header is as that of a new segment would be. */
export const tailStates: Readonly<Record<'records' | 'nothing', Readonly<Record<'fits' | 'differs', TailSegment['state']>>>> = {
  records: { fits: 'closed', differs: 'closed' },
  nothing: { fits: 'open', differs: 'stale' },
};

/** What a repair does after the last valid frame of the tail, by its end. `refused`: recovery does not get here. */
export const tailRepairs: Readonly<Record<SegmentEnd['kind'], 'keep' | 'zero' | 'refused'>> = {
  sealed: 'keep',
  open: 'keep',
  torn: 'zero',
  holed: 'zero',
  wrong: 'refused',
};

/** Makes the plan true on disk. Throws what the disk says; running recovery and this again is then safe. */
export function repairTail(files: Files, plan: RecoveryPlan, options: RepairTailOptions): Tail {
  const segmentBytes = options.segmentBytes ?? segmentBytesDefault;
  checkSegmentBytes(segmentBytes);
  const { folder, last, before, cut } = plan;
  const lineage = plan.lineage ?? (last === undefined ? options.lineage : undefined) ?? randomBytes(16).toString('hex');
  const common = { folder, lineage, sync: options.sync, segmentBytes, nextLsn: plan.nextLsn, sealed: plan.sealed };
  if (last === undefined) {
    return { ...common, crc: 0, segment: firstSegment(files, common, options.now ?? Date.now) };
  }
  for (const name of [spareName, largeName]) {
    try {
      removePreallocated(files, folder, name);
    } catch (error) {
      // Nothing reads it. What is made under this name next deletes it first, and says so when it cannot.
      options.log?.warn({ err: error }, 'what was left of the next segment could not be deleted');
    }
  }
  if (cut !== undefined) saveTornTail(files, cut, before?.path === cut.path ? before : last, options.log);
  files.syncFolder(folder);
  let { crc } = plan;
  if (hasRecords(last)) {
    mend(files, last);
  } else {
    if (before !== undefined) crc = mendBefore(files, before, last, options.now ?? Date.now);
    if (last.header.large !== true) blank(files, last);
  }
  return { ...common, crc, segment: tailSegment(last, common) };
}

/** The first segment of a history, made like any other: complete before it gets its name. */
function firstSegment(files: Files, common: Omit<Tail, 'crc' | 'segment'>, now: () => number): TailSegment {
  const { folder, segmentBytes, lineage, sync, nextLsn } = common;
  files.makeFolder(folder);
  files.syncFolder(path.dirname(folder));
  const salt = newSalt();
  preallocateSpare(files, { folder, header: { segmentBytes, lineage, salt, sync, createdMs: now() } });
  files.rename(path.join(folder, spareName), segmentPath(folder, nextLsn));
  files.syncFolder(folder);
  return { firstLsn: nextLsn, bytes: segmentBytes, salt, offset: segmentHeaderBytes, state: 'open' };
}

function tailSegment(last: Segment, common: Omit<Tail, 'crc' | 'segment'>): TailSegment {
  const { header, firstLsn } = last;
  const where = { firstLsn, bytes: header.segmentBytes, salt: header.salt };
  const holds = hasRecords(last) ? 'records' : 'nothing';
  // A smaller one could not take every record that the new size admits.
  const fits = header.lineage === common.lineage && header.sync === common.sync && header.segmentBytes >= common.segmentBytes;
  const state = tailStates[holds][fits && header.large !== true ? 'fits' : 'differs'];
  return { ...where, offset: holds === 'records' ? last.end.offset : segmentHeaderBytes, state };
}

/** Writes again what nothing vouches for, zeroes what follows the cut, and syncs. */
function mend(files: Files, segment: Segment, seal?: Buffer): void {
  const fd = openToWrite(files, segment.path);
  try {
    const { bytes, end, header, frames } = segment;
    const start = header.sync === 'always' ? (frames.at(-1)?.offset ?? end.offset) : segmentHeaderBytes;
    const repair = tailRepairs[end.kind];
    invariant(repair !== 'refused', '{} is repaired only if recovery accepts its end, "{}"', segment.path, end.kind);
    invariant(
      start <= end.offset && end.offset <= header.segmentBytes,
      'the frames of {} end within it: bytes {} to {}',
      segment.path,
      start,
      end.offset,
    );
    if (start < end.offset) files.write(fd, bytes.subarray(start, end.offset), start);
    if (repair === 'zero') writeZeros(files, fd, end.offset, header.segmentBytes);
    files.sync(fd);
    if (seal === undefined) return;
    invariant(
      end.kind !== 'sealed' && end.offset + seal.byteLength <= header.segmentBytes,
      '{} gets one seal, at byte {}',
      segment.path,
      end.offset,
    );
    // Only now: a seal on the disk says that every frame before it is there too.
    files.write(fd, seal, end.offset);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

/** Mends the segment before a last one without records, seals it if its rotation was cut short, and returns the seal's CRC. */
function mendBefore(files: Files, before: Segment, last: Segment, now: () => number): number {
  const previousCrc = before.frames.at(-1)?.crc ?? 0;
  if (before.end.kind === 'sealed') {
    mend(files, before);
    return previousCrc;
  }
  const seal = sealFrame({ firstLsn: last.firstLsn, salt: last.header.salt }, previousCrc, now(), before.header.salt);
  mend(files, before, seal.bytes);
  return seal.crc;
}

function blank(files: Files, segment: Segment): void {
  invariant(!hasRecords(segment), '{} holds no records when it is zeroed; the next LSN is {}', segment.path, segment.nextLsn);
  const fd = openToWrite(files, segment.path);
  try {
    writeZeros(files, fd, segmentHeaderBytes, segment.header.segmentBytes);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

/** Copies of the torn tail of one segment, at most. */
const copiesMax = 9;

/**
 * Copies the torn tail to `<segment>.torn`, for people to look at, and logs it. Nothing reads the copy, so a copy that fails is only logged.
 * An earlier copy stays, and this one gets a number: a crash may have cut short the repair that made the earlier one, and then this one is
 * already half zeros.
 */
export function saveTornTail(files: Files, cut: Cut, segment: Segment, log: Log | undefined): void {
  const fields = { file: cut.path, offset: cut.offset, bytes: cut.bytes };
  let copy: string | undefined;
  try {
    copy = freeName(files, cut.path);
    if (copy !== undefined) writeWhole(files, copy, segment.bytes.subarray(cut.offset, cut.offset + cut.bytes));
    log?.warn({ ...fields, copy }, `cut a torn tail off the log: ${cut.found}`);
  } catch (error) {
    log?.warn({ ...fields, error: String(error) }, `cut a torn tail off the log, of which no copy could be kept: ${cut.found}`);
    if (copy !== undefined) removeQuietly(files, copy);
  }
}

function freeName(files: Files, segment: string): string | undefined {
  const taken = new Set(files.list(path.dirname(segment)));
  const names = Array.from({ length: copiesMax }, (_, i) => `${segment}.torn${i === 0 ? '' : `-${i + 1}`}`);
  return names.find((name) => !taken.has(path.basename(name)));
}

function writeWhole(files: Files, file: string, bytes: Uint8Array): void {
  const fd = files.open(file, 'wx+');
  try {
    files.write(fd, bytes, 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

function removeQuietly(files: Files, file: string): void {
  try {
    removeIfThere(files, file);
  } catch {
    // It was reported already.
  }
}
