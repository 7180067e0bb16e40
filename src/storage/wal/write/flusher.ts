/**
 * The flusher: writes frames into the current segment and rotates to the next one. It runs one op at a time, in order, on one thread.
 *
 * Invariants, tested in test/wal/wal-order, test/wal/wal-faults and test/crash; those that one thread can see are asserted:
 * - Under `always`, frame n + 1 is written only after the sync of frame n returned.
 * - Every frame except a seal leaves the last sector of its segment free for the seal.
 * - A rotation has these steps: sync unsynced frames; rename the spare; sync the folder; write and sync the seal that names the new
 *   segment; only then does the new segment receive frames. So the name of a segment is always the LSN after the last record that is on
 *   the disk in the segment before, and a segment with frames always follows a sealed one. An empty segment that a large record's segment
 *   replaces gets no seal: the segment before it is sealed already, and names the salt, which stays the same.
 * - A rotation opens no file: the folder is open from the start, the spare before the first record is reserved in it, the segment of a
 *   large record before that record is appended. So admitted records can be written when the process has no descriptors left.
 * - The process that writes the log holds the lock on the newest segment. The spare is locked before it is renamed.
 * - Writes go to the file that still has the segment's name. The name is checked before each rename and, between writes, every 100 ms.
 *   Records that are acknowledged after the folder was replaced are in the old folder; after a deletion, the check bounds their number.
 * - An error is final: the flusher never retries. A failed sync may have dropped dirty pages, and a second sync would then succeed
 *   without them.
 */
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { FolderReplacedError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { systemMessage } from '../../../lib/files/system-errors.ts';
import { invariant } from '../../../lib/invariant.ts';
import {
  frameAlignBytes,
  frameBytes,
  frameHeaderBytes,
  markFrame,
  sealFrame,
  type WholeFrame,
  writeFrameHeader,
} from '../format/frame.ts';
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  framesEnd,
  largeName,
  openToWrite,
  segmentHeaderBytes,
  segmentPath,
  spareName,
} from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import type { Tail } from '../tail.ts';

/** An operation of the flusher. */
export type Op =
  /** Writes `count` records as one frame. A half of the queue holds them, packed as a payload. */
  | { readonly kind: 'flush'; readonly half: 0 | 1; readonly start: number; readonly bytes: number; readonly count: number }
  /** Writes a mark, which confirms the frames before it. Synced under every mode. */
  | { readonly kind: 'mark' }
  /** Syncs the frames that `interval` left unsynced. */
  | { readonly kind: 'sync' }
  /** Opens the next segment ahead of the rotation. It changes nothing, so this op alone may fail and be retried. */
  | { readonly kind: 'openNext'; readonly segment: NextSegment }
  /** Closes the segment of an aborted large record. */
  | { readonly kind: 'abortLarge' }
  /** Rotates to the opened segment, which has this salt and size. */
  | { readonly kind: 'rotate'; readonly salt: number; readonly segmentBytes: number; readonly to: NextSegment }
  /** Writes the frame header of a large record. Its payload was in the segment before the rotation. */
  | { readonly kind: 'commitLarge'; readonly bytes: number; readonly payloadCrc: number }
  /** Syncs unsynced frames and closes the files. */
  | { readonly kind: 'stop' };

/** The target of a rotation: the spare, or the segment of one large record. */
export type NextSegment = 'spare' | 'large';

/** The state after an op. */
export interface Report {
  /** Where the next frame goes in the current segment. */
  readonly offset: number;
  /** Since the start. */
  readonly frames: number;
  readonly bytes: number;
  readonly syncs: number;
  /** Milliseconds that this op spent in syncs. */
  readonly syncMs: number;
  /** Why the segment could not be opened, after an `openNext` that failed. */
  readonly openError?: string;
}

/** Where a flusher begins: the part of a {@link Tail} that it needs. */
export type FlusherStart = Pick<Tail, 'folder' | 'sync' | 'nextLsn' | 'crc' | 'segment'>;

const scratchBytesMin = 64 * 1024;
/** Interval in milliseconds at which writes check that the segment was not deleted or replaced. One check costs as much as a write. */
const checkMs = 100;

const noFd = -1;
const nextNames: Readonly<Record<NextSegment, string>> = { spare: spareName, large: largeName };

export class Flusher {
  readonly #files: Files;
  readonly #folder: string;
  readonly #syncEach: boolean;
  readonly #halves: readonly Uint8Array[];
  readonly #folderFd: number;
  #segment: { readonly firstLsn: Lsn; readonly bytes: number; readonly salt: number; readonly stale: boolean };
  #fd: number;
  readonly #nextFd = { spare: noFd, large: noFd };
  /** The first sector of a large record's frame, still without its header. */
  #firstSector = Buffer.alloc(frameAlignBytes);
  #offset: number;
  #nextLsn: Lsn;
  #crc: number;
  #unsynced = false;
  /** Time of the last check of the segment's name, in milliseconds of `performance.now`. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #scratch = Buffer.alloc(scratchBytesMin);
  #frames = 0;
  #bytes = 0;
  #syncs = 0;
  #syncMs = 0;
  #openError: string | undefined;

  /** Opens the log. */
  constructor(files: Files, start: FlusherStart, halves: readonly SharedArrayBuffer[]) {
    const { firstLsn, bytes, salt, offset, state } = start.segment;
    this.#files = files;
    this.#folder = start.folder;
    this.#syncEach = start.sync === 'always';
    this.#halves = halves.map((half) => new Uint8Array(half));
    this.#segment = { firstLsn, bytes, salt, stale: state === 'stale' };
    this.#offset = offset;
    this.#nextLsn = start.nextLsn;
    this.#crc = start.crc;
    this.#fd = openToWrite(files, segmentPath(start.folder, firstLsn));
    this.#folderFd = files.openFolder(start.folder);
  }

  /** Runs one op. If it throws, the flusher must not be used again. */
  perform(op: Op): Report {
    this.#syncMs = 0;
    this.#openError = undefined;
    switch (op.kind) {
      case 'flush':
        this.#flush(op);
        break;
      case 'mark':
        this.#mark();
        break;
      case 'sync':
        this.#syncRest();
        break;
      case 'openNext':
        this.#openNext(op.segment);
        break;
      case 'abortLarge':
        this.#abortLarge();
        break;
      case 'rotate':
        this.#rotate(op);
        break;
      case 'commitLarge':
        this.#commitLarge(op);
        break;
      case 'stop':
        this.#syncRest();
        for (const fd of [this.#fd, this.#folderFd, ...Object.values(this.#nextFd)]) if (fd !== noFd) this.#files.close(fd);
        break;
    }
    return this.report();
  }

  report(): Report {
    const report = { offset: this.#offset, frames: this.#frames, bytes: this.#bytes, syncs: this.#syncs, syncMs: this.#syncMs };
    return this.#openError === undefined ? report : { ...report, openError: this.#openError };
  }

  #flush(op: Op & { kind: 'flush' }): void {
    const half = this.#halves[op.half] as Uint8Array;
    invariant(op.count > 0 && op.bytes > 0, 'a flush has records: {} in {} bytes', op.count, op.bytes);
    invariant(
      op.start >= 0 && op.start + op.bytes <= half.byteLength,
      'a flush of {} bytes at {} is within its half of the queue',
      op.bytes,
      op.start,
    );
    const size = frameBytes(op.bytes);
    const frame = this.#scratchFor(size);
    const end = frameHeaderBytes + op.bytes;
    frame.set(half.subarray(op.start, op.start + op.bytes), frameHeaderBytes);
    frame.fill(0, end, size);
    const place = { firstLsn: this.#nextLsn, previousCrc: this.#crc, timeMs: Date.now() };
    const payloadCrc = crc32(frame.subarray(frameHeaderBytes, end));
    const header = { ...place, type: 'batch', count: op.count, payloadBytes: op.bytes, payloadCrc } as const;
    const crc = writeFrameHeader(frame, header, this.#segment.salt);
    this.#append({ bytes: frame.subarray(0, size), crc }, framesEnd(this.#segment.bytes));
    if (this.#syncEach) this.#sync();
    this.#nextLsn += op.count;
  }

  /** One buffer for all frames. A frame cannot be built inside the queue's shared memory, where later records already follow. */
  #scratchFor(bytes: number): Buffer {
    if (bytes > this.#scratch.byteLength) this.#scratch = Buffer.alloc(2 ** Math.ceil(Math.log2(bytes)));
    return this.#scratch;
  }

  #mark(): void {
    this.#syncRest();
    this.#append(markFrame(this.#nextLsn, this.#crc, Date.now(), this.#segment.salt), framesEnd(this.#segment.bytes));
    this.#sync();
  }

  #openNext(segment: NextSegment): void {
    try {
      const fd = openToWrite(this.#files, path.join(this.#folder, nextNames[segment]));
      this.#nextFd[segment] = fd;
      if (segment === 'large') this.#files.read(fd, this.#firstSector, segmentHeaderBytes);
    } catch (error) {
      if (error instanceof FolderReplacedError) throw error;
      if (segment === 'large') this.#abortLarge();
      this.#openError = systemMessage(error);
    }
  }

  #abortLarge(): void {
    if (this.#nextFd.large !== noFd) this.#files.close(this.#nextFd.large);
    this.#nextFd.large = noFd;
  }

  #commitLarge({ bytes, payloadCrc }: Op & { kind: 'commitLarge' }): void {
    const { salt, firstLsn } = this.#segment;
    invariant(
      this.#nextLsn === firstLsn && this.#offset === segmentHeaderBytes,
      'a large record is the first of its segment: record {} at byte {}',
      this.#nextLsn,
      this.#offset,
    );
    const place = { firstLsn: this.#nextLsn, previousCrc: this.#crc, timeMs: Date.now() };
    const header = { ...place, type: 'batch', count: 1, payloadBytes: bytes, payloadCrc } as const;
    const crc = writeFrameHeader(this.#firstSector, header, salt);
    this.#append({ bytes: this.#firstSector, crc }, framesEnd(this.#segment.bytes), frameBytes(bytes));
    if (this.#syncEach) this.#sync();
    this.#nextLsn += 1;
  }

  #rotate({ salt, segmentBytes, to }: Op & { kind: 'rotate' }): void {
    const { firstLsn, stale } = this.#segment;
    const isEmpty = this.#nextLsn === firstLsn;
    // A rename onto a segment that holds records would destroy them.
    const replaces = stale || to === 'large';
    invariant(
      stale ? isEmpty : !isEmpty || replaces,
      'a rotation at LSN {} in the segment of {} keeps its records',
      this.#nextLsn,
      firstLsn,
    );
    invariant(
      !isEmpty || salt === this.#segment.salt,
      'the segment in the place of an empty one has its salt: {}, {}',
      salt,
      this.#segment.salt,
    );
    const fd = this.#nextFd[to];
    invariant(fd !== noFd, 'a rotation to the segment "{}", which is open', to);
    this.#nextFd[to] = noFd;
    this.#syncRest();
    this.#assertInPlace();
    if (isEmpty && !stale) this.#resalt(fd, salt);
    const next = segmentPath(this.#folder, this.#nextLsn);
    this.#files.rename(path.join(this.#folder, nextNames[to]), next);
    this.#files.syncFolder(this.#folder, this.#folderFd);
    if (!isEmpty) this.#seal(salt);
    invariant(!this.#unsynced, 'the segment of LSN {} is synced before the next one receives frames', firstLsn);
    this.#files.close(this.#fd);
    this.#fd = fd;
    this.#segment = { firstLsn: this.#nextLsn, bytes: segmentBytes, salt, stale: false };
    this.#offset = segmentHeaderBytes;
  }

  /** Gives a large record's segment the salt of the empty segment that it replaces, because the seal before it names that salt. */
  #resalt(fd: number, salt: number): void {
    const bytes = Buffer.alloc(segmentHeaderBytes);
    this.#files.read(fd, bytes, 0);
    const header = decodeSegmentHeader(bytes, path.join(this.#folder, largeName));
    this.#files.write(fd, encodeSegmentHeader({ ...header, salt }), 0);
    this.#files.sync(fd);
  }

  #seal(salt: number): void {
    const successor = { firstLsn: this.#nextLsn, salt };
    this.#append(sealFrame(successor, this.#crc, Date.now(), this.#segment.salt), this.#segment.bytes);
    this.#sync();
  }

  /** @param size bytes of the whole frame; bytes after `frame.bytes` are in the file already */
  #append(frame: WholeFrame, end: number, size = frame.bytes.byteLength): void {
    invariant(this.#offset + size <= end, 'a frame of {} bytes at {} ends at {} or before', size, this.#offset, end);
    invariant(this.#offset % frameAlignBytes === 0, 'a frame begins with a sector: byte {}', this.#offset);
    invariant(
      !(this.#syncEach && this.#unsynced),
      'the frame before byte {} is synced before the next one is written',
      this.#offset,
    );
    if (performance.now() - this.#checkedAt >= checkMs) this.#assertInPlace();
    this.#files.write(this.#fd, frame.bytes, this.#offset);
    this.#unsynced = true;
    this.#offset += size;
    this.#crc = frame.crc;
    this.#frames += 1;
    this.#bytes += size;
  }

  #assertInPlace(): void {
    const file = segmentPath(this.#folder, this.#segment.firstLsn);
    if (!this.#files.isAt(file, this.#fd)) {
      throw new FolderReplacedError(
        `The segment ${file} was deleted or replaced while this process wrote it. Nothing more is written. Restore a backup: npx mapwright restore --help`,
      );
    }
    this.#checkedAt = performance.now();
  }

  #syncRest(): void {
    if (this.#unsynced) this.#sync();
  }

  #sync(): void {
    const started = performance.now();
    this.#files.sync(this.#fd);
    this.#syncMs += performance.now() - started;
    this.#unsynced = false;
    this.#syncs += 1;
  }
}
