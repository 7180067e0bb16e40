/** Content codings (RFC 9110, 8.4.1) and their decoders. */
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** Bytes of one piece of decoded content. */
const pieceBytes = 64 * 1024;

const decoders = {
  gzip: () => zlib.createGunzip({ chunkSize: pieceBytes }),
  'x-gzip': () => zlib.createGunzip({ chunkSize: pieceBytes }),
  deflate: () => zlib.createInflate({ chunkSize: pieceBytes }),
  br: () => zlib.createBrotliDecompress({ chunkSize: pieceBytes }),
} as const satisfies Record<string, () => Transform>;

export type Coding = keyof typeof decoders;

/**
 * The coding that a header `Content-Encoding` names, in any letter case; `undefined` for none.
 *
 * @returns 'unknown' for a coding without a decoder, and for more than one
 */
export function codingIn(header: string | undefined): Coding | 'unknown' | undefined {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  return Object.hasOwn(decoders, name) ? (name as Coding) : 'unknown';
}

export const decoderOf = (coding: Coding): Transform => decoders[coding]();

/** A decoder failed: the content is not in its coding, or ends early. */
export const isDecodingError = (error: unknown): boolean =>
  /^(?:Z_|ERR__)/.test(String((error as NodeJS.ErrnoException | undefined)?.code ?? ''));
