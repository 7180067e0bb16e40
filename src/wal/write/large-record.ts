/**
 * A large record: one that does not fit a segment of the usual size, and so has one of its own. It is written before it is appended, by a
 * thread beside the flusher's, for as long as that takes; meanwhile nobody's write waits for it.
 *
 * Its segment is made as every one that is made ahead (preallocate.ts), with the payload of its frame in it, but not the frame's header:
 *
 *     0      512      576                                             size - 1024       size
 *     | header | zeros  | length | record                      | zeros | mark   | seal   |
 *                '- the frame's header goes here when the record is appended
 *
 * What appending is then: the segment before it is sealed, this one gets its name, and one sector is written and synced, which makes the
 * frame. A sector is written whole or not at all, so the record is in the log whole or not at all. Everything after the record goes to the
 * spare, which is there already, so what is admitted meanwhile has its room as ever.
 */
import { crc32 } from 'node:zlib';
import type { Files } from '../../lib/files/files.ts';
import { frameHeaderBytes, recordLengthBytes } from '../format/frame.ts';
import { largeName, type SegmentHeader, segmentHeaderBytes } from '../format/segment.ts';
import { preallocate, preallocateStepBytes } from './preallocate.ts';

export interface LargeOrder {
  readonly folder: string;
  readonly header: SegmentHeader;
  readonly record: SharedArrayBuffer;
}

/** Where the payload of the frame begins in the segment. */
const payloadAt = segmentHeaderBytes + frameHeaderBytes;

/**
 * Writes the segment, as {@link preallocate} says.
 *
 * @returns the CRC-32 of the payload; `undefined` when it was ended
 */
export function makeLarge(files: Files, order: LargeOrder, goOn: () => boolean = () => true): number | undefined {
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
  return preallocate(files, { folder, name: largeName, header }, contents, goOn) ? crc : undefined;
}
