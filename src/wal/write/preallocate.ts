/**
 * Preallocates segments: makes them ahead of their use, wholly on the disk before anything counts on them. The spare is the next segment, a
 * header and zeros. A large record has a segment of its own (large-record.ts).
 *
 *     create NAME.tmp -> contents, 1 MiB at a time, each synced -> header -> sync -> rename to NAME -> sync the folder
 *
 * It is written in steps because the disk is shared: a burst of 16 MiB would delay the flusher's next sync, one step and a pause hardly do.
 * The steps are synced for the same reason, and so that a full disk shows here and never later.
 *
 * A failure changes nothing: what was begun is removed, and the next attempt starts over.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Files, removeIfThere } from '../../lib/files/files.ts';
import { encodeSegmentHeader, type SegmentHeader, spareName } from '../format/segment.ts';

export const preallocateStepBytes = 1024 * 1024;
const zeros = Buffer.alloc(preallocateStepBytes);

/** Rest between two steps, so that the flusher's syncs get their turn. */
const pauseMs = 10;
const calm = 0;
const urgent = 1;
const stop = 2;

export interface Preallocation {
  readonly folder: string;
  /** What it is called until it becomes a segment of the log. */
  readonly name: string;
  readonly header: SegmentHeader;
}

/**
 * Makes the segment, throwing what the disk says. `contents` gives the step that begins at a byte of it, the place of the header included.
 * `goOn` is called after each step: it may pause, and ends the work by answering false, in which case nothing is left behind.
 *
 * @returns whether it is there
 */
export function preallocate(
  files: Files,
  ahead: Preallocation,
  contents: (at: number) => Uint8Array,
  goOn: () => boolean,
): boolean {
  const { folder, name } = ahead;
  removePreallocated(files, folder, name);
  try {
    const finished = path.join(folder, name);
    if (!write(files, tmpOf(finished), ahead, contents, goOn)) {
      removePreallocated(files, folder, name);
      return false;
    }
    files.rename(tmpOf(finished), finished);
    files.syncFolder(folder);
    return true;
  } catch (error) {
    try {
      removePreallocated(files, folder, name);
    } catch {
      // The first error is the one that matters, and the next try removes it again.
    }
    throw error;
  }
}

function write(
  files: Files,
  tmp: string,
  { header }: Preallocation,
  contents: (at: number) => Uint8Array,
  goOn: () => boolean,
): boolean {
  const { segmentBytes } = header;
  const fd = files.open(tmp, 'wx+');
  try {
    for (let at = 0; at < segmentBytes; at += preallocateStepBytes) {
      files.write(fd, contents(at).subarray(0, Math.min(preallocateStepBytes, segmentBytes - at)), at);
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

/** Removes what was made under a name, finished or not. */
export function removePreallocated(files: Files, folder: string, name: string): void {
  const finished = path.join(folder, name);
  for (const file of [tmpOf(finished), finished]) removeIfThere(files, file);
}

function tmpOf(finished: string): string {
  return `${finished}.tmp`;
}

export interface SpareOrder {
  readonly folder: string;
  readonly header: SegmentHeader;
}

/** A random salt, which never leaves the server. */
export function newSalt(): number {
  return randomBytes(4).readUInt32LE();
}

/** Makes the spare, as {@link preallocate} says. */
export function preallocateSpare(files: Files, order: SpareOrder, goOn: () => boolean = () => true): boolean {
  return preallocate(files, { ...order, name: spareName }, () => zeros, goOn);
}

/** Overwrites `start` to `end` with zeros, a step at a time. */
export function writeZeros(files: Files, fd: number, start: number, end: number): void {
  for (let at = start; at < end; at += preallocateStepBytes) {
    files.write(fd, zeros.subarray(0, Math.min(preallocateStepBytes, end - at)), at);
  }
}

/**
 * The speed of a preallocation, and its progress. Two numbers in shared memory: a flag that the main thread sets while the other thread
 * works, and the number of steps that are on the disk.
 */
export class WriteThrottle {
  readonly shared: SharedArrayBuffer;
  readonly #flag: Int32Array;
  readonly #steps: Int32Array;

  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared;
    this.#flag = new Int32Array(shared, 0, 1);
    this.#steps = new Int32Array(shared, 4, 1);
  }

  /** Another number after each step, and after each {@link begin}. */
  get steps(): number {
    return Atomics.load(this.#steps, 0);
  }

  /** Main thread: the work that begins now has made no step. */
  begin(): void {
    Atomics.add(this.#steps, 0, 1);
  }

  /** Main thread: no more pauses, because a request waits for the segment. */
  disable(): void {
    if (Atomics.compareExchange(this.#flag, 0, calm, urgent) === calm) Atomics.notify(this.#flag, 0);
  }

  /** Main thread: give up after the step at hand. */
  stop(): void {
    Atomics.store(this.#flag, 0, stop);
    Atomics.notify(this.#flag, 0);
  }

  /** The other thread, after a step: counts it, and pauses unless it is urgent; false when it is to give up. */
  wait(): boolean {
    Atomics.add(this.#steps, 0, 1);
    Atomics.wait(this.#flag, 0, calm, pauseMs);
    return Atomics.load(this.#flag, 0) !== stop;
  }
}
