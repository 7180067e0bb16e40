/**
 * Bytes: whole numbers beyond 32 bits, and the search for the end of what was written.
 */

const ZEROS = Buffer.alloc(64 * 1024);
const TWO_32 = 0x1_0000_0000;

/** Writes a whole number from 0 to `Number.MAX_SAFE_INTEGER` as eight bytes, little endian. */
export function writeUint53(into: Buffer, value: number, offset: number): void {
  into.writeUInt32LE(value % TWO_32, offset);
  into.writeUInt32LE(Math.floor(value / TWO_32), offset + 4);
}

/** Reads eight bytes, little endian; `undefined` when the number is larger than `Number.MAX_SAFE_INTEGER`. */
export function readUint53(from: Buffer, offset: number): number | undefined {
  const value = from.readUInt32LE(offset) + from.readUInt32LE(offset + 4) * TWO_32;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Whether every byte from `start` on is zero. Compares blocks, so that megabytes take microseconds. */
export function isZero(bytes: Uint8Array, start = 0, end = bytes.byteLength): boolean {
  for (let at = start; at < end; at += ZEROS.byteLength) {
    const size = Math.min(ZEROS.byteLength, end - at);
    if (ZEROS.compare(bytes, at, at + size, 0, size) !== 0) return false;
  }
  return true;
}

/** One past the last byte that is not zero; `start` when there is none. */
export function endOfData(bytes: Uint8Array, start = 0): number {
  let end = bytes.byteLength;
  while (end - start > ZEROS.byteLength && isZero(bytes, end - ZEROS.byteLength, end)) end -= ZEROS.byteLength;
  while (end > start && bytes[end - 1] === 0) end -= 1;
  return end;
}
