/** Byte helpers: integers beyond 32 bits, and the search for the end of the written data. */

const zeros = Buffer.alloc(64 * 1024);
const two32 = 0x1_0000_0000;

/** Writes an integer from 0 to `Number.MAX_SAFE_INTEGER` as eight bytes, little-endian. */
export function writeUint53(into: Buffer, value: number, offset: number): void {
  into.writeUInt32LE(value % two32, offset);
  into.writeUInt32LE(Math.floor(value / two32), offset + 4);
}

/** Reads eight bytes, little-endian; `undefined` if the number is larger than `Number.MAX_SAFE_INTEGER`. */
export function readUint53(from: Buffer, offset: number): number | undefined {
  const value = from.readUInt32LE(offset) + from.readUInt32LE(offset + 4) * two32;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Whether every byte from `start` to `end` is zero. Compares blocks, so that megabytes take microseconds. */
export function isZero(bytes: Uint8Array, start = 0, end = bytes.byteLength): boolean {
  for (let at = start; at < end; at += zeros.byteLength) {
    const size = Math.min(zeros.byteLength, end - at);
    if (zeros.compare(bytes, at, at + size, 0, size) !== 0) return false;
  }
  return true;
}

/** Position after the last byte that is not zero; `start` if there is none. */
export function endOfData(bytes: Uint8Array, start = 0): number {
  let end = bytes.byteLength;
  while (end - start > zeros.byteLength && isZero(bytes, end - zeros.byteLength, end)) end -= zeros.byteLength;
  while (end > start && bytes[end - 1] === 0) end -= 1;
  return end;
}
