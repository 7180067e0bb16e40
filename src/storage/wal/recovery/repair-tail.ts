/**
 * Repair of the tail: applies the plan of recovery to the disk, before anything is appended and before clients read.
 *
 * After a kill the page cache may show bytes that the disk does not hold: the last frame of a process whose sync failed, or had not been
 * called, can be read now and is gone after the next power loss. A frame that a later frame confirms was synced. So the last frame is
 * rewritten in place with the same bytes, and synced. If frames were not synced one by one, the whole segment is rewritten.
 *
 *     1  delete the spare, unless it fits; then it gets a new header (the segment of a large record is deleted, too, because no request
 *                                              is left to append it)
 *     2  copy the bytes after the cut to .torn  (for people; a failure does not matter)
 *     3  sync the folder                      (a name that recovery saw may not be on the disk yet)
 *     4  the tail: rewrite the frames that no later frame confirms; zero the bytes after the cut; sync
 *        - It has records: it is closed to more. The log continues in a new segment under a new salt, once a spare is ready.
 *        - It has none, so step 4 applies to the segment before it, which also gets its seal if it has none, and is synced. Then the
 *          last segment is zeroed after its header, synced, and continues in place. If its header does not fit (another sync mode, a
 *          new lineage, a smaller size, or it was made for a large record that was not appended), a fresh segment with the same
 *          name and salt replaces it, once a spare is ready.
 *
 * A crash at any point of the repair leads to the same plan again, or to one with the same records:
 * - Steps 1 and 2 change nothing that recovery reads.
 * - The zeros in a file with the name of the spare are on the disk: it got its name after they were synced, and frames are written into it
 *   only under another name, after the sync of the folder that has it. A torn header is only a spare that is made again.
 * - Overwriting a frame with its own bytes leaves those bytes, even if the write is torn.
 * - The frame at the cut was bad and stays bad: zeros in it do not make it a frame, and zeros after it remove headers but create none.
 *   So a torn tail stays torn or becomes open at the same byte. The same holds for a tail that was cut although frames followed.
 * - A seal names a successor whose name is on the disk since step 3: the killed process may not have synced it.
 * - A partly written seal is a torn tail of a segment whose successor is blank: an unfinished rotation, as before.
 * - Only a last segment without records is zeroed, and only if the one before it is sealed already, or it was found blank.
 * After such a crash the lineage may change once more. No response was sent under the previous one.
 *
 * The repair needs no disk space, except in a new folder: with a full disk the server still starts and serves reads.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Files, removeIfThere } from '../../../lib/files/files.ts';
import { createWhole } from '../../../lib/files/whole-file.ts';
import { invariant } from '../../../lib/invariant.ts';
import type { Log } from '../../../lib/observability/logger.ts';
import { frameAlignBytes, sealFrame } from '../format/frame.ts';
import {
  checkSegmentBytes,
  encodeSegmentHeader,
  largeName,
  openToWrite,
  type SegmentHeader,
  type SyncMode,
  segmentBytesDefault,
  segmentHeaderBytes,
  segmentPath,
  spareName,
} from '../format/segment.ts';
import { hasRecords, type Segment, type SegmentEnd } from '../read/read-segment.ts';
import type { Tail, TailSegment } from '../tail.ts';
import { isZero, newSalt, preallocateSpare, removePreallocated, writeZeros } from '../write/preallocate.ts';
import type { Cut, RecoveryPlan } from './recover-wal.ts';

export interface RepairTailOptions {
  readonly sync: SyncMode;
  /** Size of new segments in bytes; default {@link segmentBytesDefault}. */
  readonly segmentBytes?: number;
  /** The lineage of a new history; random by default. An existing history keeps its lineage. */
  readonly lineage?: string;
  /** The log is a cache of another one, which decides the lineage: {@link lineage} is that of an existing history too. */
  readonly isCache?: boolean;
  /** Clock for headers of segments and for seals; default `Date.now`. */
  readonly now?: () => number;
  readonly log?: Log;
}

/** The state of the tail, by the contents of the last segment and by whether its header fits the current options. */
export const tailStates: Readonly<Record<'records' | 'nothing', Readonly<Record<'fits' | 'differs', TailSegment['state']>>>> = {
  records: { fits: 'closed', differs: 'closed' },
  nothing: { fits: 'open', differs: 'stale' },
};

/** The repair of the bytes after the last valid frame of the tail, by its end. `refused`: recovery has thrown already. */
export const tailRepairs: Readonly<Record<SegmentEnd['kind'], 'keep' | 'zero' | 'refused'>> = {
  sealed: 'keep',
  open: 'keep',
  torn: 'zero',
  gap: 'zero',
  invalid: 'refused',
};

type Common = Omit<Tail, 'crc' | 'segment' | 'spare'>;

/** Applies the plan to the disk. Throws disk errors; it is then safe to run recovery and the repair again. */
export function repairTail(files: Files, plan: RecoveryPlan, options: RepairTailOptions): Tail {
  const segmentBytes = options.segmentBytes ?? segmentBytesDefault;
  checkSegmentBytes(segmentBytes);
  const { folder, last, before, cut } = plan;
  const { now = Date.now } = options;
  const given = last === undefined || options.isCache === true ? options.lineage : undefined;
  const lineage = (options.isCache === true ? given : (plan.lineage ?? given)) ?? randomBytes(16).toString('hex');
  const common = { folder, lineage, sync: options.sync, segmentBytes, nextLsn: plan.nextLsn, sealed: plan.sealed };
  if (last === undefined) {
    return { ...common, crc: 0, segment: firstSegment(files, common, now), spare: undefined };
  }
  const segment = tailSegment(last, common);
  // The spare that replaces a stale segment gets the salt of that one.
  const spare = segment.state === 'stale' ? undefined : reuseSpare(files, common, now);
  for (const name of spare === undefined ? [spareName, largeName] : [largeName]) {
    try {
      removePreallocated(files, folder, name);
    } catch (error) {
      // Nothing reads it. The next segment of this name deletes it first, and reports an error if it cannot.
      options.log?.warn(
        { err: error },
        'a leftover of the next log segment cannot be deleted; the server retries when it creates that segment',
      );
    }
  }
  if (cut !== undefined) saveTornTail(files, cut, before?.path === cut.path ? before : last, options.log);
  files.syncFolder(folder);
  let { crc } = plan;
  if (hasRecords(last)) {
    rewriteTail(files, last);
  } else {
    if (before !== undefined) crc = repairBefore(files, before, last, now);
    if (last.header.large !== true) zeroFrames(files, last);
  }
  return { ...common, crc, segment, spare };
}

/** Makes the first segment of a history. Like any other, it is complete before it gets its name. */
function firstSegment(files: Files, common: Common, now: () => number): TailSegment {
  const { folder, segmentBytes, lineage, sync, nextLsn } = common;
  files.makeFolder(folder);
  files.syncFolder(path.dirname(folder));
  const salt = newSalt();
  preallocateSpare(files, { folder, header: { segmentBytes, lineage, salt, sync, createdMs: now() } });
  files.rename(path.join(folder, spareName), segmentPath(folder, nextLsn));
  files.syncFolder(folder);
  return { firstLsn: nextLsn, bytes: segmentBytes, salt, offset: segmentHeaderBytes, state: 'open' };
}

/**
 * Gives the spare of an earlier process a new header, if the rest is what this log would make: zeros. The new header has a new salt, because
 * a copy of the folder may use the spare under its old one. A spare for which any of this fails is made again.
 */
function reuseSpare(files: Files, common: Common, now: () => number): SegmentHeader | undefined {
  const { folder, segmentBytes, lineage, sync } = common;
  const file = path.join(folder, spareName);
  try {
    const fd = files.open(file, 'r+');
    try {
      // A copy made by a program that saves space has holes: a write into one may find the disk full.
      if (files.size(fd) !== segmentBytes || files.allocated(fd) < segmentBytes) return undefined;
      if (!isZero(files, fd, segmentHeaderBytes, segmentBytes)) return undefined;
      const header = { segmentBytes, lineage, salt: newSalt(), sync, createdMs: now() };
      // This process may have a lower limit of file sizes than the one that made the file: its end must be writable, too.
      writeZeros(files, fd, segmentBytes - frameAlignBytes, segmentBytes);
      files.write(fd, encodeSegmentHeader(header), 0);
      files.sync(fd);
      return header;
    } finally {
      files.close(fd);
    }
  } catch {
    return undefined;
  }
}

function tailSegment(last: Segment, common: Common): TailSegment {
  const { header, firstLsn } = last;
  const where = { firstLsn, bytes: header.segmentBytes, salt: header.salt };
  const holds = hasRecords(last) ? 'records' : 'nothing';
  // A smaller segment could not take every record that the new size admits.
  const fits = header.lineage === common.lineage && header.sync === common.sync && header.segmentBytes >= common.segmentBytes;
  const state = tailStates[holds][fits && header.large !== true ? 'fits' : 'differs'];
  return { ...where, offset: holds === 'records' ? last.end.offset : segmentHeaderBytes, state };
}

/** Rewrites the frames that no later frame confirms, zeroes the bytes after the cut, syncs, and adds the seal. */
function rewriteTail(files: Files, segment: Segment, seal?: Buffer): void {
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
    // Only after the sync: a seal on the disk proves that every frame before it is on the disk too.
    files.write(fd, seal, end.offset);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

/** Repairs the segment before a last one without records, and seals it if its rotation did not finish. Returns the CRC of the seal. */
function repairBefore(files: Files, before: Segment, last: Segment, now: () => number): number {
  const previousCrc = before.frames.at(-1)?.crc ?? 0;
  if (before.end.kind === 'sealed') {
    rewriteTail(files, before);
    return previousCrc;
  }
  const seal = sealFrame({ firstLsn: last.firstLsn, salt: last.header.salt }, previousCrc, now(), before.header.salt);
  rewriteTail(files, before, seal.bytes);
  return seal.crc;
}

function zeroFrames(files: Files, segment: Segment): void {
  invariant(!hasRecords(segment), '{} holds no records when it is zeroed; the next LSN is {}', segment.path, segment.nextLsn);
  const fd = openToWrite(files, segment.path);
  try {
    writeZeros(files, fd, segmentHeaderBytes, segment.header.segmentBytes);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

/** Maximum number of copies of the torn tail of one segment. */
const copiesMax = 9;

/**
 * Copies the torn tail to `<segment>.torn`, for inspection, and logs it. Nothing reads the copy, so a failed copy is only logged. An earlier
 * copy stays, and the new one gets a number: if a crash interrupted the repair after the first copy, half of the new copy may be zeros.
 */
function saveTornTail(files: Files, cut: Cut, segment: Segment, log: Log | undefined): void {
  const fields = { file: cut.path, offset: cut.offset, bytes: cut.bytes };
  let copy: string | undefined;
  try {
    copy = freeName(files, cut.path);
    if (copy !== undefined) createWhole(files, copy, segment.bytes.subarray(cut.offset, cut.offset + cut.bytes));
    log?.warn({ ...fields, copy }, `cut a torn tail off the log: ${cut.found}`);
  } catch (error) {
    log?.warn({ ...fields, error: String(error) }, `cut a torn tail off the log, but could not save a copy of it: ${cut.found}`);
    if (copy !== undefined) removeQuietly(files, copy);
  }
}

function freeName(files: Files, segment: string): string | undefined {
  const taken = new Set(files.list(path.dirname(segment)));
  const names = Array.from({ length: copiesMax }, (_, i) => `${segment}.torn${i === 0 ? '' : `-${i + 1}`}`);
  return names.find((name) => !taken.has(path.basename(name)));
}

function removeQuietly(files: Files, file: string): void {
  try {
    removeIfThere(files, file);
  } catch {
    // It was reported already.
  }
}
