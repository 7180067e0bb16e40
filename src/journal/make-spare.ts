/**
 * Makes the spare: the next segment, zeros and a header, wholly on the disk before anybody counts on it.
 *
 *     create spare.tmp -> zeros, 1 MiB at a time, each synced -> header -> sync -> rename to spare -> sync the folder
 *
 * It is written in steps because the disk is shared: a 16 MiB burst would stand in the way of the flusher's next sync, one step
 * and a pause hardly do. The steps are synced for the same reason, and so that a full disk shows here and never later.
 *
 * Failing changes nothing: what was begun is removed, and the next try starts over.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Files, removeIfThere } from '../lib/files.ts';
import { encodeSegmentHeader, largeName, largeTmpName, type SegmentHeader, spareName, spareTmpName } from './segment.ts';

export const zeroStepBytes = 1024 * 1024;
const zeros = Buffer.alloc(zeroStepBytes);

export interface SpareOrder {
  readonly folder: string;
  readonly header: SegmentHeader;
}

/** A salt that nobody outside can know. */
export function newSalt(): number {
  return randomBytes(4).readUInt32LE();
}

/**
 * Makes the spare, throwing what the disk says. `goOn` is called after each step: it may pause, and ends the work by answering
 * false, in which case nothing is left behind and the result is false.
 */
export function makeSpare(files: Files, order: SpareOrder, goOn: () => boolean = () => true): boolean {
  const tmp = path.join(order.folder, spareTmpName);
  const spare = path.join(order.folder, spareName);
  removeSpares(files, order.folder);
  try {
    if (!writeSpare(files, tmp, order.header, goOn)) {
      removeSpares(files, order.folder);
      return false;
    }
    files.rename(tmp, spare);
    files.syncFolder(order.folder);
    return true;
  } catch (error) {
    try {
      removeSpares(files, order.folder);
    } catch {
      // The first error is the one that matters, and the next try removes it again.
    }
    throw error;
  }
}

function writeSpare(files: Files, tmp: string, header: SegmentHeader, goOn: () => boolean): boolean {
  const fd = files.open(tmp, 'wx+');
  try {
    for (let at = 0; at < header.segmentBytes; at += zeroStepBytes) {
      writeZeros(files, fd, at, Math.min(at + zeroStepBytes, header.segmentBytes));
      files.sync(fd);
      if (!goOn()) return false;
    }
    files.write(fd, encodeSegmentHeader(header), 0);
    files.sync(fd);
    return true;
  } finally {
    files.close(fd);
  }
}

/** Overwrites `start` to `end` with zeros, a step at a time. */
export function writeZeros(files: Files, fd: number, start: number, end: number): void {
  for (let at = start; at < end; at += zeroStepBytes) {
    files.write(fd, zeros.subarray(0, Math.min(zeroStepBytes, end - at)), at);
  }
}

/** Removes a spare, finished or not. */
export function removeSpares(files: Files, folder: string): void {
  for (const name of [spareTmpName, spareName]) removeIfThere(files, path.join(folder, name));
}

/** Removes what was made for a large record, finished or not. */
export function removeLarge(files: Files, folder: string): void {
  for (const name of [largeTmpName, largeName]) removeIfThere(files, path.join(folder, name));
}
