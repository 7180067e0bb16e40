/**
 * Bodies with a `Content-Encoding`. A coded body is bounded twice, as it was sent and decoded, and what its decoder may hold counts as held
 * for the request.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Coding, codingIn, decoderOf, isDecodingError } from '../../lib/files/content-codings.ts';
import { mebibyte } from '../../lib/option-declaration.ts';
import { type Problem, problems } from '../problem.ts';
import type { BodyPieces } from '../route.ts';
import type { HttpRequest } from '../transport.ts';
import { tooLarge } from './body.ts';
import { wasReadBefore } from './kept-body.ts';

/** The codings of requests, as in a header. */
const accepted = 'gzip, br, identity';

/** Bytes that a decoder may hold: its window, and what it copies. The format of Brotli allows 16 MiB for any body. */
const decoderBytes: Readonly<Record<Coding, number>> = {
  gzip: mebibyte / 4,
  'x-gzip': mebibyte / 4,
  deflate: mebibyte / 4,
  br: 17 * mebibyte,
};

/** The coding of a body; `undefined` for none. Throws a 415 problem for a coding that is not accepted. */
export function codingOf(req: HttpRequest): Coding | undefined {
  const header = req.headers['content-encoding'];
  // A body parser has decoded it.
  if (header === undefined || wasReadBefore(req)) return undefined;
  const coding = codingIn(header);
  if (coding === 'unknown' || coding === 'deflate') throw unsupportedCoding();
  return coding;
}

/** The problem for a coding that the endpoint does not accept. */
export const unsupportedCoding = (codings = accepted): Problem =>
  problems.unsupportedCoding(
    `The Content-Encoding of the body must be ${codings === accepted ? 'gzip or br (one of them), or identity' : codings}.`,
    codings,
  );

interface Bounds {
  /** Maximum length of the decoded body, in bytes. */
  readonly bytesMax: number;
  /** The command-line option that limits it. */
  readonly flag?: string;
}

/**
 * The decoded bytes of a body that has arrived. Rejects with a 400 or 413 problem, and with what `hold` throws.
 *
 * @param hold called before more bytes are held, and with a negative number after some are no longer
 */
export async function decodeWhole(bytes: Buffer, coding: Coding, bounds: Bounds, hold: (bytes: number) => void): Promise<Buffer> {
  hold(decoderBytes[coding]);
  const chunks: Buffer[] = [];
  for await (const chunk of decoded([bytes], coding, bounds)) {
    // Once as a chunk, and once in the whole.
    hold(2 * chunk.length);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  hold(-decoderBytes[coding] - whole.length);
  return whole;
}

/** The decoded pieces of a body that arrives. Rejects as {@link decodeWhole} does, and as `pieces` does. */
export function decodePieces(pieces: BodyPieces, coding: Coding, bounds: Bounds): BodyPieces {
  const holds = (bytes: number): void => pieces.holds(bytes + decoderBytes[coding]);
  return {
    holds,
    [Symbol.asyncIterator]: async function* () {
      holds(0);
      yield* decoded(pieces, coding, bounds);
    },
  };
}

async function* decoded(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  coding: Coding,
  { bytesMax, flag }: Bounds,
): AsyncGenerator<Buffer, void> {
  const decoder = decoderOf(coding);
  // Its error destroys the decoder, and so reaches the loop below.
  pipeline(Readable.from(pieces, { objectMode: false }), decoder).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax, flag);
      yield chunk;
    }
  } catch (error) {
    throw isDecodingError(error) ? notDecodable(coding) : error;
  }
}

const notDecodable = (coding: Coding): Problem =>
  problems.badHeader(
    'Content-Encoding',
    `The body is damaged or incomplete in its Content-Encoding, ${coding}: nothing was changed. Send it again, or without Content-Encoding.`,
  );
