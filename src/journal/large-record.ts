/**
 * A large record: one that does not fit a segment of the usual size, and so has one of its own. It is written before it is appended, by a
 * thread beside the flusher's, for as long as that takes; meanwhile nobody's write waits for it.
 *
 *     create large.tmp -> the payload of its frame, 1 MiB at a time, each synced -> segment header -> sync -> rename to large
 *
 *     0      512      576                                             size - 1024       size
 *     | header | zeros  | length | record                      | zeros | mark   | seal   |
 *                '- the frame's header goes here when the record is appended
 *
 * What appending is then: the segment before it is sealed, this one gets its name, and one sector is written and synced, which makes the
 * frame. A sector is written whole or not at all, so the record is in the log whole or not at all. Everything after the record goes to the
 * spare, which is there already, so what is admitted meanwhile has its room as ever.
 *
 * Failing changes nothing: what was begun is removed.
 */
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { Files } from '../lib/files.ts';
import { frameHeaderBytes, recordLengthBytes } from './frame.ts';
import { removeLarge, zeroStepBytes } from './make-spare.ts';
import { encodeSegmentHeader, largeName, largeTmpName, type SegmentHeader, segmentHeaderBytes } from './segment.ts';

export interface LargeOrder {
  readonly folder: string;
  readonly header: SegmentHeader;
  readonly record: SharedArrayBuffer;
}

/** Where the payload of the frame begins in the segment. */
const payloadAt = segmentHeaderBytes + frameHeaderBytes;

/**
 * Writes the segment, throwing what the disk says. `goOn` is called after each step: it may pause, and ends the work by answering false, in
 * which case nothing is left behind.
 *
 * @returns the CRC-32 of the payload; `undefined` when it was ended
 */
export function makeLarge(files: Files, order: LargeOrder, goOn: () => boolean = () => true): number | undefined {
  const { folder } = order;
  removeLarge(files, folder);
  try {
    const crc = writeLarge(files, path.join(folder, largeTmpName), order, goOn);
    if (crc === undefined) {
      removeLarge(files, folder);
      return undefined;
    }
    files.rename(path.join(folder, largeTmpName), path.join(folder, largeName));
    files.syncFolder(folder);
    return crc;
  } catch (error) {
    try {
      removeLarge(files, folder);
    } catch {
      // The first error is the one that matters, and the next one that is made removes it again.
    }
    throw error;
  }
}

function writeLarge(files: Files, tmp: string, { header, record }: LargeOrder, goOn: () => boolean): number | undefined {
  const bytes = Buffer.from(record);
  const length = Buffer.alloc(recordLengthBytes);
  length.writeUInt32LE(bytes.byteLength);
  const step = Buffer.alloc(Math.min(zeroStepBytes, header.segmentBytes));
  const parts = [
    { at: payloadAt, bytes: length },
    { at: payloadAt + recordLengthBytes, bytes },
  ];
  let crc = 0;
  const fd = files.open(tmp, 'wx+');
  try {
    for (let at = 0; at < header.segmentBytes; at += step.byteLength) {
      step.fill(0);
      for (const part of parts) {
        const piece = part.bytes.subarray(Math.max(0, at - part.at), Math.max(0, at + step.byteLength - part.at));
        step.set(piece, Math.max(0, part.at - at));
        crc = crc32(piece, crc);
      }
      files.write(fd, step.subarray(0, Math.min(step.byteLength, header.segmentBytes - at)), at);
      files.sync(fd);
      if (!goOn()) return undefined;
    }
    files.write(fd, encodeSegmentHeader(header), 0);
    files.sync(fd);
    return crc;
  } finally {
    files.close(fd);
  }
}
