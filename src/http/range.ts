/** Ranges of bytes that a client asks for (RFC 9110, 14.2): one range; several are answered with the whole. */
import type { IncomingHttpHeaders } from 'node:http';

/** Bytes from `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One range: a first byte, a last byte, or both. With the last one alone it counts from the end. */
const single = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The range for these headers; `undefined` for the whole: without `Range`, with one that is invalid or has several parts, and if `If-Range`
 * names another version.
 *
 * @param length of the whole, in bytes
 * @param etag of the whole, with its quotation marks; a weak one never matches
 */
export function rangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  length: number,
  etag: string | undefined,
): ByteRange | 'unsatisfiable' | undefined {
  if (range === undefined) return undefined;
  if (ifRange !== undefined && (ifRange !== etag || etag.startsWith('W/'))) return undefined;
  const [, first = '', last = ''] = single.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Math.min(Number(last), length);
    return suffix === 0 ? 'unsatisfiable' : { start: length - suffix, end: length };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= length ? 'unsatisfiable' : { start, end: last === '' ? length : Math.min(Number(last) + 1, length) };
}
