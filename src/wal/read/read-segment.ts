/**
 * Reads one segment: its header, every frame, and how it ends. Recovery, replay, `verify` and `inspect` all see a segment through
 * this one reader; what an ending means is for them to say.
 *
 * The whole file is read at once. Its size must be the size in its header, which has bounds and a CRC, so a hostile file costs
 * at most `segmentBytesMax` of memory, one pass of checksums, and one look at each sector after the first bad frame.
 */
import { crc32 } from 'node:zlib';
import { isZero } from '../../lib/bytes.ts';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import {
  type FrameHeader,
  frameAlignBytes,
  frameBytes,
  frameHeaderBytes,
  holdsRecords,
  isFrameHeader,
  payloadRecords,
  readFrameHeader,
  readSealPayload,
  type Successor,
} from '../format/frame.ts';
import { decodeSegmentHeader, framesEnd, type SegmentFile, type SegmentHeader, segmentHeaderBytes } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';

/** A frame that verified: its CRCs are right and it continues the frame before it. */
export interface Frame extends FrameHeader {
  /** Where it starts in the file, in bytes. */
  readonly offset: number;
  /** What it takes in the file, padding included. */
  readonly bytes: number;
  /** Its CRC, which the next frame repeats. */
  readonly crc: number;
  /** A view of the bytes read. */
  readonly payload: Buffer;
}

/** How a segment ends. `offset` is where the next frame would stand; `found` says what stands there instead. */
export type SegmentEnd =
  /** With a seal. Whatever follows it was never part of the log. */
  | { readonly kind: 'sealed'; readonly offset: number; readonly successor: Successor }
  /** With zeros to the end of the file; or, at the beginning, with a large record that was not appended. */
  | { readonly kind: 'open'; readonly offset: number }
  /** With bytes that are no frame and no frame's header after them: what a write leaves that a crash cut short. */
  | { readonly kind: 'torn'; readonly offset: number; readonly found: string }
  /** With bytes that are no frame, although a frame's header stands at `resumes`: it was written after those bytes were. */
  | { readonly kind: 'holed'; readonly offset: number; readonly found: string; readonly resumes: number }
  /** With a frame whose checksums are right and whose meaning is wrong. */
  | { readonly kind: 'wrong'; readonly offset: number; readonly found: string };

export interface Segment extends SegmentFile {
  readonly header: SegmentHeader;
  /** The whole file. */
  readonly bytes: Buffer;
  readonly frames: readonly Frame[];
  readonly end: SegmentEnd;
  /** The LSN after its last record. */
  readonly nextLsn: Lsn;
  /** It has never received a frame: nothing but zeros after the header, or a large record that was not appended. */
  readonly blank: boolean;
}

/** A record with its number, as a view of the bytes read. */
export function* segmentRecords(segment: Segment): Generator<[Lsn, Buffer], void, undefined> {
  for (const frame of segment.frames) {
    if (frame.type !== 'batch') continue;
    let lsn = frame.firstLsn;
    for (const record of payloadRecords(frame.payload)) yield [lsn++, record];
  }
}

/** Whether the segment holds a record. Marks and a seal are none. */
export function hasRecords(segment: Segment): boolean {
  return segment.nextLsn > segment.firstLsn;
}

/** Reads a segment. Throws {@link CorruptError} when its header does not verify or its size is not the one in the header. */
export function readSegment(files: Files, file: SegmentFile): Segment {
  const { header, bytes } = readFile(files, file.path);
  return segmentIn(file, header, bytes);
}

/** The segment that a file's bytes are under this header. */
export function segmentIn(file: SegmentFile, header: SegmentHeader, bytes: Buffer): Segment {
  const frames: Frame[] = [];
  let offset = segmentHeaderBytes;
  let nextLsn = file.firstLsn;
  for (;;) {
    const step = readFrame(bytes, offset, header, nextLsn, frames.at(-1));
    if ('kind' in step)
      return {
        ...file,
        header,
        bytes,
        frames,
        end: step,
        nextLsn,
        blank: offset === segmentHeaderBytes && step.kind === 'open',
      };
    frames.push(step);
    offset += step.bytes;
    nextLsn += step.count;
  }
}

function readFile(files: Files, path: string): { header: SegmentHeader; bytes: Buffer } {
  const fd = files.open(path, 'r');
  try {
    const start = Buffer.alloc(segmentHeaderBytes);
    const header = decodeSegmentHeader(start.subarray(0, files.read(fd, start, 0)), path);
    const size = files.size(fd);
    if (size !== header.segmentBytes) {
      throw new CorruptError(
        path,
        Math.min(size, header.segmentBytes),
        `the file has ${size} bytes, its header says ${header.segmentBytes}`,
      );
    }
    const bytes = Buffer.allocUnsafeSlow(size);
    const got = files.read(fd, bytes, 0);
    if (got !== size) throw new CorruptError(path, got, `the file ended after ${got} bytes while it was read`);
    return { header, bytes };
  } finally {
    files.close(fd);
  }
}

/** The frame at `offset`, which must carry `nextLsn` and continue `previous`; or the end of the segment. */
function readFrame(
  bytes: Buffer,
  offset: number,
  header: SegmentHeader,
  nextLsn: Lsn,
  previous: Frame | undefined,
): Frame | SegmentEnd {
  if (previous?.type === 'seal') {
    return { kind: 'sealed', offset, successor: readSealPayload(previous.payload) as Successor };
  }
  if (!isFrameHeader(bytes, offset, header.salt)) {
    if (isZero(bytes, offset)) return { kind: 'open', offset };
    const end = broken(bytes, offset, header, 'bytes that are no frame header');
    return end.kind === 'torn' && awaitsHeader(bytes, offset, header) ? { kind: 'open', offset } : end;
  }
  const found = readFrameHeader(bytes, offset);
  if (typeof found === 'string') return { kind: 'wrong', offset, found };
  const payload = bytes.subarray(offset + frameHeaderBytes, offset + frameHeaderBytes + found.payloadBytes);
  if (crc32(payload) !== found.payloadCrc) {
    return broken(bytes, offset, header, `a ${found.type} with LSN ${found.firstLsn} whose payload does not match its CRC`);
  }
  const frame: Frame = { ...found, offset, bytes: frameBytes(found.payloadBytes), payload };
  const wrong = wrongIn(frame, nextLsn, previous, header);
  return wrong === undefined ? frame : { kind: 'wrong', offset, found: wrong };
}

/** Whether what stands there is a large record that was not appended: all of it but the header of its frame, which alone makes it one. */
function awaitsHeader(bytes: Buffer, offset: number, header: SegmentHeader): boolean {
  return header.large === true && offset === segmentHeaderBytes && isZero(bytes, offset, offset + frameHeaderBytes);
}

/** The end at bytes that are no frame. Only what stands after them tells a torn write from damage. */
function broken(bytes: Buffer, offset: number, header: SegmentHeader, found: string): SegmentEnd {
  for (let at = offset + frameAlignBytes; at < bytes.byteLength; at += frameAlignBytes) {
    if (isFrameHeader(bytes, at, header.salt)) return { kind: 'holed', offset, found, resumes: at };
  }
  return { kind: 'torn', offset, found };
}

/** What is wrong with a frame whose checksums are right, if anything. */
function wrongIn(frame: Frame, nextLsn: Lsn, previous: Frame | undefined, header: SegmentHeader): string | undefined {
  if (frame.firstLsn !== nextLsn) return `a ${frame.type} with LSN ${frame.firstLsn} where ${nextLsn} was expected`;
  if (previous !== undefined && frame.previousCrc !== previous.crc) {
    return `a ${frame.type} that names ${hex(frame.previousCrc)} as the CRC of the frame before it, which has ${hex(previous.crc)}`;
  }
  if (frame.type !== 'seal' && frame.offset + frame.bytes > framesEnd(header.segmentBytes))
    return `a ${frame.type} in the place of the seal`;
  if (frame.type === 'batch' && !holdsRecords(frame.payload, frame.count))
    return `a batch that does not hold ${frame.count} records`;
  if (frame.type === 'seal' && readSealPayload(frame.payload)?.firstLsn !== nextLsn)
    return 'a seal that does not name the next LSN';
  return undefined;
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
