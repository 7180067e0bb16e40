/** Batches: records packed as in a frame (length, bytes, length, bytes ...), and the chain of hashes over them. */
import { createHash } from 'node:crypto';
import { recordLengthBytes } from '../../storage/wal/format/frame.ts';

/** Consecutive records of a payload. */
export interface PayloadPart {
  readonly bytes: Buffer;
  readonly count: number;
}

/** The chain of an empty log, in hex. */
export const firstChain = '';

/** The chain after a batch: SHA-256 of the chain before it and of its payload, in hex. */
export function chainAfter(before: string, payload: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(before, 'hex')).update(payload).digest('hex');
}

/** The payload of a batch whose records are in `mw_part`: their SHA-256. */
export function digestOf(...pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

/** Splits a payload between records into parts of at most `bytesMax`; a larger record is a part of its own. */
export function* splitPayload(payload: Buffer, bytesMax: number): Generator<PayloadPart> {
  let start = 0;
  let count = 0;
  let at = 0;
  while (at < payload.byteLength) {
    const end = at + recordLengthBytes + payload.readUInt32LE(at);
    if (count > 0 && end - start > bytesMax) {
      yield { bytes: payload.subarray(start, at), count };
      start = at;
      count = 0;
    }
    at = end;
    count++;
  }
  if (count > 0) yield { bytes: payload.subarray(start, at), count };
}

/** The length that stands before a record in a payload. */
export function lengthOf(record: Uint8Array): Buffer {
  const length = Buffer.alloc(recordLengthBytes);
  length.writeUInt32LE(record.byteLength);
  return length;
}

/** The records of a payload, in order. Throws a `RangeError` if it is cut off. */
export function* recordsOf(payload: Buffer): Generator<Buffer> {
  for (let at = 0; at < payload.byteLength; ) {
    const from = at + recordLengthBytes;
    at = from + payload.readUInt32LE(at);
    if (at > payload.byteLength) throw new RangeError(`a record ends at byte ${at} of a payload of ${payload.byteLength}`);
    yield payload.subarray(from, at);
  }
}
