/** Finds a member in the bytes of a large object without parsing it. */
import { closeBrace, comma, openBrace, openBracket, quote } from './json-bytes.ts';
import { JsonScan, jsonDepthFollowed, jsonPartBytes, scannedBytes } from './json-scan.ts';
import { afterContainer, afterString } from './json-split.ts';

/**
 * Finds the value of a member of an object that the server wrote itself, without spaces; in slices.
 *
 * @returns its first byte and the place after its last one; `undefined` if there is no such member
 */
export function* findingMember(
  bytes: Buffer,
  name: string,
): Generator<void, { readonly start: number; readonly end: number } | undefined> {
  const scan = new JsonScan(bytes, jsonDepthFollowed, false, jsonPartBytes, false);
  while (!scan.isOver) {
    scan.run(scannedBytes);
    yield;
  }
  const wanted = Buffer.from(JSON.stringify(name));
  for (let at = 1; bytes[at] === quote; ) {
    const colonAt = afterString(bytes, at);
    const start = colonAt + 1;
    const end = afterValue(bytes, start, scan.ends);
    if (wanted.equals(bytes.subarray(at, colonAt))) return { start, end };
    at = end + 1;
    yield;
  }
  return undefined;
}

/** @param ends of large containers */
function afterValue(bytes: Buffer, at: number, ends: ReadonlyMap<number, number>): number {
  const byte = bytes[at];
  if (byte === quote) return afterString(bytes, at);
  if (byte === openBrace || byte === openBracket) return (ends.get(at) ?? afterContainer(bytes, at) - 1) + 1;
  let end = at;
  while (end < bytes.length && bytes[end] !== comma && bytes[end] !== closeBrace) end++;
  return end;
}
