/** Makes the spare: the next segment, zeros and a header (make-ahead.ts). */
import { randomBytes } from 'node:crypto';
import type { Files } from '../lib/files.ts';
import { makeAhead, stepBytes } from './make-ahead.ts';
import { type SegmentHeader, spareName } from './segment.ts';

const zeros = Buffer.alloc(stepBytes);

export interface SpareOrder {
  readonly folder: string;
  readonly header: SegmentHeader;
}

/** A salt that nobody outside can know. */
export function newSalt(): number {
  return randomBytes(4).readUInt32LE();
}

/** Makes the spare, as {@link makeAhead} says. */
export function makeSpare(files: Files, order: SpareOrder, goOn: () => boolean = () => true): boolean {
  return makeAhead(files, { ...order, name: spareName }, () => zeros, goOn);
}

/** Overwrites `start` to `end` with zeros, a step at a time. */
export function writeZeros(files: Files, fd: number, start: number, end: number): void {
  for (let at = start; at < end; at += stepBytes) {
    files.write(fd, zeros.subarray(0, Math.min(stepBytes, end - at)), at);
  }
}
