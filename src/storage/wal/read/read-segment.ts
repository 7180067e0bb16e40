/**
 * Reads one segment: its header, every frame, and its end. Recovery, replay and `verify` use this reader, and each decides
 * what an end means.
 *
 * The whole file is read into memory. Its size must equal the size in its header, which has bounds and a CRC. So a hostile file costs at
 * most `segmentBytesMax` of memory, one pass of checksums, and one check of each sector after the first bad frame.
 */
import { crc32 } from 'node:zlib';
import { isZero } from '../../../lib/bytes.ts';
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
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
  /** Start in the file, in bytes. */
  readonly offset: number;
  /** Size in the file, padding included. */
  readonly bytes: number;
  /** The CRC of the frame, which the next frame repeats. */
  readonly crc: number;
  /** A view of the bytes read. */
  readonly payload: Buffer;
}

/** The end of a segment. `offset` is the position of the next frame; `found` describes the bytes at that position. */
export type SegmentEnd =
  /** A seal. The bytes after it were never part of the log. */
  | { readonly kind: 'sealed'; readonly offset: number; readonly successor: Successor }
  /** Zeros to the end of the file; or, at the beginning, a large record that was not appended. */
  | { readonly kind: 'open'; readonly offset: number }
  /** Bytes that are no frame, and no frame header after them: the result of a write that a crash interrupted. */
  | { readonly kind: 'torn'; readonly offset: number; readonly found: string }
  /** Bytes that are no frame, although a frame header follows at `resumes`, which was written after those bytes. */
  | { readonly kind: 'gap'; readonly offset: number; readonly found: string; readonly resumes: number }
  /** A frame with valid checksums and invalid contents. */
  | { readonly kind: 'invalid'; readonly offset: number; readonly found: string };

export interface Segment extends SegmentFile {
  readonly header: SegmentHeader;
  /** The whole file. */
  readonly bytes: Buffer;
  readonly frames: readonly Frame[];
  readonly end: SegmentEnd;
  /** The LSN after its last record. */
  readonly nextLsn: Lsn;
  /** Whether it never received a frame: only zeros follow the header, or a large record that was not appended. */
  readonly blank: boolean;
}

/** Yields each record with its LSN, as a view of the bytes read. */
export function* segmentRecords(segment: Segment): Generator<[Lsn, Buffer], void, undefined> {
  for (const frame of segment.frames) {
    if (frame.type !== 'batch') continue;
    let lsn = frame.firstLsn;
    for (const record of payloadRecords(frame.payload)) yield [lsn++, record];
  }
}

/** Whether the segment holds a record. Marks and seals are not records. */
export function hasRecords(segment: Segment): boolean {
  return segment.nextLsn > segment.firstLsn;
}

/** Reads a segment. Throws {@link CorruptError} if its header does not verify, or its size differs from the one in the header. */
export function readSegment(files: Files, file: SegmentFile): Segment {
  const { header, bytes } = readFile(files, file.path);
  return segmentIn(file, header, bytes);
}

/** Parses the bytes of a whole file, header included, as a segment. */
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
  if (typeof found === 'string') return { kind: 'invalid', offset, found };
  const payload = bytes.subarray(offset + frameHeaderBytes, offset + frameHeaderBytes + found.payloadBytes);
  if (crc32(payload) !== found.payloadCrc) {
    return broken(bytes, offset, header, `a ${found.type} with LSN ${found.firstLsn} whose payload does not match its CRC`);
  }
  const frame: Frame = { ...found, offset, bytes: frameBytes(found.payloadBytes), payload };
  const wrong = wrongIn(frame, nextLsn, previous, header);
  return wrong === undefined ? frame : { kind: 'invalid', offset, found: wrong };
}

/** Whether the bytes are a large record that was not appended: its payload is complete, but the header of its frame is zeros. */
function awaitsHeader(bytes: Buffer, offset: number, header: SegmentHeader): boolean {
  return header.large === true && offset === segmentHeaderBytes && isZero(bytes, offset, offset + frameHeaderBytes);
}

/** The end at bytes that are no frame. Only the bytes after them distinguish a torn write from damage. */
function broken(bytes: Buffer, offset: number, header: SegmentHeader, found: string): SegmentEnd {
  for (let at = offset + frameAlignBytes; at < bytes.byteLength; at += frameAlignBytes) {
    if (isFrameHeader(bytes, at, header.salt)) return { kind: 'gap', offset, found, resumes: at };
  }
  return { kind: 'torn', offset, found };
}

/** The problem of a frame with valid checksums; `undefined` if it has none. */
function wrongIn(frame: Frame, nextLsn: Lsn, previous: Frame | undefined, header: SegmentHeader): string | undefined {
  if (frame.firstLsn !== nextLsn) return `a ${frame.type} with LSN ${frame.firstLsn} where ${nextLsn} was expected`;
  if (previous !== undefined && frame.previousCrc !== previous.crc) {
    return `a ${frame.type} that names ${hex(frame.previousCrc)} as the CRC of the frame before it, which has ${hex(previous.crc)}`;
  }
  if (frame.type !== 'seal' && frame.offset + frame.bytes > framesEnd(header.segmentBytes))
    return `a ${frame.type} in the last sector, which is reserved for the seal`;
  if (frame.type === 'batch' && !holdsRecords(frame.payload, frame.count))
    return `a batch that does not hold ${frame.count} records`;
  if (frame.type === 'seal' && readSealPayload(frame.payload)?.firstLsn !== nextLsn)
    return 'a seal that does not name the next LSN';
  return undefined;
}

export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}
