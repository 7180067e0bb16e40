/**
 * A large record does not fit a segment of the usual size, so it has a separate one. Another thread than the flusher's writes it before it
 * is appended, however long that takes; no other write waits for it.
 *
 * Its segment is preallocated (preallocate.ts) with the payload of its frame, but without the frame's header:
 *
 *     0      512      576                                             size - 1024       size
 *     | header | zeros  | length | record                      | zeros | mark   | seal   |
 *                '- the frame's header goes here when the record is appended
 *
 * The append then has three steps: the segment before it is sealed, this one gets its name, and one sector is written and synced, which
 * completes the frame. A disk writes a sector whole or not at all, so the record is in the log whole or not at all. Later records go to the
 * spare, which exists already, so the space of records that are admitted meanwhile stays reserved.
 */
import { crc32 } from 'node:zlib';
import type { Files } from '../../../lib/files/files.ts';
import { frameHeaderBytes, recordLengthBytes } from '../format/frame.ts';
import { largeName, type SegmentHeader, segmentHeaderBytes } from '../format/segment.ts';
import { preallocate, preallocateStepBytes } from './preallocate.ts';

export interface LargeOrder {
  readonly folder: string;
  readonly header: SegmentHeader;
  readonly record: SharedArrayBuffer;
}

/** Offset of the frame's payload in the segment. */
const payloadAt = segmentHeaderBytes + frameHeaderBytes;

/**
 * Writes the segment; see {@link preallocate}.
 *
 * @returns the CRC-32 of the payload; `undefined` if `shouldContinue` ended the work
 */
export function makeLarge(files: Files, order: LargeOrder, shouldContinue: () => boolean = () => true): number | undefined {
  const { folder, header, record } = order;
  const bytes = Buffer.from(record);
  const length = Buffer.alloc(recordLengthBytes);
  length.writeUInt32LE(bytes.byteLength);
  const parts = [
    { at: payloadAt, bytes: length },
    { at: payloadAt + recordLengthBytes, bytes },
  ];
  const step = Buffer.alloc(Math.min(preallocateStepBytes, header.segmentBytes));
  let crc = 0;
  const contents = (at: number) => {
    step.fill(0);
    for (const part of parts) {
      const piece = part.bytes.subarray(Math.max(0, at - part.at), Math.max(0, at + step.byteLength - part.at));
      step.set(piece, Math.max(0, part.at - at));
      crc = crc32(piece, crc);
    }
    return step;
  };
  return preallocate(files, { folder, name: largeName, header }, contents, shouldContinue) ? crc : undefined;
}
