/**
 * The flusher: writes frames into the current segment and turns to the next. One at a time, on one thread, in the order asked for.
 *
 * Invariants, each with a test; those that one thread can see are asserted:
 * - Under `always`, frame n + 1 is written only after the sync of frame n returned.
 * - Every frame but a seal leaves the last sector of its segment free for the seal.
 * - A rotation goes in this order: what is unsynced is synced; the spare gets its name; the folder is synced; the seal that names it
 *   is written and synced; only then does the new segment receive frames. So the name of a segment is always the LSN after what
 *   is on the disk in the one before, and a segment with frames always has a sealed one before it. An empty segment, which a large
 *   record's takes the place of, gets no seal: the one before it is sealed already, and names the salt that stays.
 * - A rotation opens nothing: the folder is open from the start, the spare before the first record is counted on it, a large record's
 *   segment before that is appended. So a process that has no descriptors left goes on with what was admitted.
 * - The newest segment is locked by whoever writes the log: the spare is, before it gets its name.
 * - What is written belongs to the file of that name. The name is checked before each rename and, among writes, every 100 ms: what is
 *   acknowledged after its folder was replaced is in the old folder, and what is acknowledged after it was deleted is bounded.
 * - An error is the end: nothing here is tried again. A sync that failed may have dropped what it could not write, and a second one
 *   would then succeed without it.
 */
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { FolderReplacedError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { invariant } from '../../lib/invariant.ts';
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
import type { Tail } from '../recovery/repair-tail.ts';

/** What the flusher is asked to do. */
export type Op =
  /** Make one frame of `count` records, which stand as a payload in a half of the queue. */
  | { readonly kind: 'flush'; readonly half: 0 | 1; readonly start: number; readonly bytes: number; readonly count: number }
  /** Vouch for what is there. Synced under every mode. */
  | { readonly kind: 'mark' }
  /** Sync what `interval` left unsynced. */
  | { readonly kind: 'sync' }
  /** Open the next segment, so that a rotation will not have to. The one op that may fail and be asked for again: it changes nothing. */
  | { readonly kind: 'prepare'; readonly segment: NextSegment }
  /** Close a large record's segment, which nobody will turn to. */
  | { readonly kind: 'dismiss' }
  /** Turn to the prepared segment, which has this salt and size. */
  | { readonly kind: 'rotate'; readonly salt: number; readonly segmentBytes: number; readonly to: NextSegment }
  /** Make the frame of the large record whose payload stands in the segment since before the rotation. */
  | { readonly kind: 'place'; readonly bytes: number; readonly payloadCrc: number }
  /** Sync what is unsynced and let go of the file. */
  | { readonly kind: 'stop' };

/** What a rotation may turn to: the spare, or what was made for one large record. */
export type NextSegment = 'spare' | 'large';

/** What an op came to. */
export interface Report {
  /** Where the next frame goes in the current segment. */
  readonly offset: number;
  /** Since the start. */
  readonly frames: number;
  readonly bytes: number;
  readonly syncs: number;
  /** Milliseconds that this op spent in syncs. */
  readonly syncMs: number;
  /** Why the segment could not be opened, after a `prepare` that failed. */
  readonly prepareError?: string;
}

/** Where a flusher begins: the part of a {@link Tail} that it needs. */
export type FlusherStart = Pick<Tail, 'folder' | 'sync' | 'nextLsn' | 'crc' | 'segment'>;

const scratchBytesMin = 64 * 1024;
/** How often writes check that the segment has not been deleted or replaced, in milliseconds: a check of each would cost as much as a write. */
const checkMs = 100;

/** A descriptor that is none. */
const none = -1;
const nextNames: Readonly<Record<NextSegment, string>> = { spare: spareName, large: largeName };

export class Flusher {
  readonly #files: Files;
  readonly #folder: string;
  readonly #syncEach: boolean;
  readonly #halves: readonly Uint8Array[];
  readonly #folderFd: number;
  #segment: { readonly firstLsn: Lsn; readonly bytes: number; readonly salt: number; readonly stale: boolean };
  #fd: number;
  readonly #nextFd = { spare: none, large: none };
  /** The first sector of a large record's frame, still without its header. */
  #firstSector = Buffer.alloc(frameAlignBytes);
  #offset: number;
  #nextLsn: Lsn;
  #crc: number;
  #unsynced = false;
  /** When the segment's name was checked, in milliseconds of `performance.now`. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #scratch = Buffer.alloc(scratchBytesMin);
  #frames = 0;
  #bytes = 0;
  #syncs = 0;
  #syncMs = 0;
  #unprepared: string | undefined;

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

  /** Does what is asked, or throws; after that it is of no further use. */
  perform(op: Op): Report {
    this.#syncMs = 0;
    this.#do(op);
    return this.report();
  }

  #do(op: Op): void {
    this.#unprepared = undefined;
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
      case 'prepare':
        this.#prepare(op.segment);
        break;
      case 'dismiss':
        this.#dismiss();
        break;
      case 'rotate':
        this.#rotate(op);
        break;
      case 'place':
        this.#place(op);
        break;
      case 'stop':
        this.#syncRest();
        for (const fd of [this.#fd, this.#folderFd, ...Object.values(this.#nextFd)]) if (fd !== none) this.#files.close(fd);
        break;
    }
  }

  report(): Report {
    const report = { offset: this.#offset, frames: this.#frames, bytes: this.#bytes, syncs: this.#syncs, syncMs: this.#syncMs };
    return this.#unprepared === undefined ? report : { ...report, prepareError: this.#unprepared };
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

  /** One buffer for all frames: the queue's halves are shared memory, in which the next records already wait behind these. */
  #scratchFor(bytes: number): Buffer {
    if (bytes > this.#scratch.byteLength) this.#scratch = Buffer.alloc(2 ** Math.ceil(Math.log2(bytes)));
    return this.#scratch;
  }

  #mark(): void {
    this.#syncRest();
    this.#append(markFrame(this.#nextLsn, this.#crc, Date.now(), this.#segment.salt), framesEnd(this.#segment.bytes));
    this.#sync();
  }

  #prepare(segment: NextSegment): void {
    try {
      const fd = openToWrite(this.#files, path.join(this.#folder, nextNames[segment]));
      this.#nextFd[segment] = fd;
      if (segment === 'large') this.#files.read(fd, this.#firstSector, segmentHeaderBytes);
    } catch (error) {
      if (error instanceof FolderReplacedError) throw error;
      if (segment === 'large') this.#dismiss();
      this.#unprepared = String(error);
    }
  }

  #dismiss(): void {
    if (this.#nextFd.large !== none) this.#files.close(this.#nextFd.large);
    this.#nextFd.large = none;
  }

  #place({ bytes, payloadCrc }: Op & { kind: 'place' }): void {
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
    invariant(fd !== none, 'a rotation to the segment "{}", which is open', to);
    this.#nextFd[to] = none;
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

  /** Gives a large record's segment the salt of the empty one that it takes the place of: the seal before it names that. */
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

  /** @param size of the frame, of which the rest is there already */
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
