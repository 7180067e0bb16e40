/**
 * Preallocates segments: creates and syncs them before the log needs them. The spare is the next segment: a header and zeros. A large
 * record has its own segment (large-record.ts).
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
import { type Files, removeIfThere } from '../../../lib/files/files.ts';
import { encodeSegmentHeader, type SegmentHeader, spareName } from '../format/segment.ts';

export const preallocateStepBytes = 1024 * 1024;
const zeros = Buffer.alloc(preallocateStepBytes);

/** Pause between two steps, in milliseconds, so that the syncs of the flusher are not delayed. */
const pauseMs = 10;
const calm = 0;
const urgent = 1;
const stop = 2;

interface Preallocation {
  readonly folder: string;
  /** Temporary name until the segment is complete. */
  readonly name: string;
  readonly header: SegmentHeader;
}

/**
 * Creates the segment. `contents` returns the bytes of the step that begins at an offset. `shouldContinue` is called after each step and may pause; if
 * it returns false, the file is removed. Throws the error of the disk.
 *
 * @returns whether the segment was created
 */
export function preallocate(
  files: Files,
  ahead: Preallocation,
  contents: (at: number) => Uint8Array,
  shouldContinue: () => boolean,
): boolean {
  const { folder, name } = ahead;
  removePreallocated(files, folder, name);
  try {
    const finished = path.join(folder, name);
    if (!write(files, tmpOf(finished), ahead, contents, shouldContinue)) {
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
  shouldContinue: () => boolean,
): boolean {
  const { segmentBytes } = header;
  const fd = files.open(tmp, 'wx+');
  try {
    for (let at = 0; at < segmentBytes; at += preallocateStepBytes) {
      files.write(fd, contents(at).subarray(0, Math.min(preallocateStepBytes, segmentBytes - at)), at);
      files.sync(fd);
      if (!shouldContinue()) return false;
    }
    files.write(fd, encodeSegmentHeader(header), 0);
    files.sync(fd);
    return true;
  } finally {
    files.close(fd);
  }
}

/** Removes the files of a preallocation, complete or not. */
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

/** Creates the spare; see {@link preallocate}. */
export function preallocateSpare(files: Files, order: SpareOrder, shouldContinue: () => boolean = () => true): boolean {
  return preallocate(files, { ...order, name: spareName }, () => zeros, shouldContinue);
}

/** Overwrites `start` to `end` with zeros, a step at a time. */
export function writeZeros(files: Files, fd: number, start: number, end: number): void {
  for (let at = start; at < end; at += preallocateStepBytes) {
    files.write(fd, zeros.subarray(0, Math.min(preallocateStepBytes, end - at)), at);
  }
}

/** Whether the bytes from `start` to `end` are zeros. */
export function isZero(files: Files, fd: number, start: number, end: number): boolean {
  const step = Buffer.alloc(Math.min(preallocateStepBytes, end - start));
  for (let at = start; at < end; at += step.byteLength) {
    const bytes = step.subarray(0, Math.min(step.byteLength, end - at));
    if (files.read(fd, bytes, at) < bytes.byteLength || !bytes.equals(zeros.subarray(0, bytes.byteLength))) return false;
  }
  return true;
}

/**
 * Throttle and progress of a preallocation, in shared memory: a flag and the number of completed steps.
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

  /** Number of completed steps; {@link begin} counts as one. */
  get steps(): number {
    return Atomics.load(this.#steps, 0);
  }

  /** Main thread: starts a preallocation. */
  begin(): void {
    Atomics.add(this.#steps, 0, 1);
  }

  /** Main thread: disables the pauses, because a request waits for the segment. */
  disable(): void {
    if (Atomics.compareExchange(this.#flag, 0, calm, urgent) === calm) Atomics.notify(this.#flag, 0);
  }

  /** Main thread: cancels after the current step. */
  stop(): void {
    Atomics.store(this.#flag, 0, stop);
    Atomics.notify(this.#flag, 0);
  }

  /** Segment thread, after each step: counts it and pauses unless urgent; false if cancelled. */
  wait(): boolean {
    Atomics.add(this.#steps, 0, 1);
    Atomics.wait(this.#flag, 0, calm, pauseMs);
    return Atomics.load(this.#flag, 0) !== stop;
  }
}
