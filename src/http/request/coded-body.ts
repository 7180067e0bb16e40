/**
 * Bodies with a `Content-Encoding`. A coded body is bounded twice, as it was sent and decoded, and what its decoder may hold counts as held
 * for the request.
 */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Coding, codingIn, decoderOf, isDecodingError } from '../../lib/files/content-codings.ts';
import { mebibyte } from '../../lib/option-declaration.ts';
import type { AccountLoad, AdmissionControl } from '../guard/admission.ts';
import { type Problem, problems } from '../problem.ts';
import type { HttpRequest } from '../transport/transport.ts';
import { tooLarge } from './body.ts';
import type { BodyPieces } from './body-stream.ts';
import { wasReadBefore } from './kept-body.ts';

/** The codings of requests, as in a header; and where a decoder of Brotli would not fit. */
const accepted = 'gzip, br, identity';
const withoutBrotli = 'gzip, identity';

/** Bytes that a decoder may hold: its window, and what it copies. The format of Brotli allows 16 MiB for any body. */
const decoderBytes: Readonly<Record<Coding, number>> = {
  gzip: mebibyte / 4,
  'x-gzip': mebibyte / 4,
  deflate: mebibyte / 4,
  br: 17 * mebibyte,
};

/** A request, and what limits the bytes that it may hold. */
interface CodedRequest {
  readonly req: HttpRequest;
  readonly account: AccountLoad | undefined;
  readonly context: { readonly admission: AdmissionControl };
}

/** The coding of a body; `undefined` for none. Throws a 415 problem for a coding that is not accepted. */
export function codingOf({ req, account, context }: CodedRequest): Coding | undefined {
  const header = req.headers['content-encoding'];
  // A body parser has decoded it.
  if (header === undefined || wasReadBefore(req)) return undefined;
  const coding = codingIn(header);
  const isHeld = decoderBytes.br <= context.admission.requestBytesMax(account);
  if (coding === 'unknown' || coding === 'deflate' || (coding === 'br' && !isHeld))
    throw unsupportedCoding(isHeld ? accepted : withoutBrotli);
  return coding;
}

/** The problem for a coding that the endpoint does not accept. */
export const unsupportedCoding = (codings = accepted): Problem =>
  problems.unsupportedCoding(`The Content-Encoding of the body must be one of: ${codings}.`, codings);

/** A decoder of `node:zlib`. */
type Decoder = Transform & { /** Bytes that it has read. */ readonly bytesWritten: number };

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
  let ofDecoder = decoderBytes[coding];
  let ofReader = 0;
  const holds = (bytes: number): void => {
    ofReader = bytes;
    pieces.holds(ofReader + ofDecoder);
  };
  return {
    holds,
    [Symbol.asyncIterator]: async function* () {
      holds(0);
      yield* decoded(pieces, coding, bounds);
      ofDecoder = 0;
      holds(ofReader);
    },
  };
}

async function* decoded(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  coding: Coding,
  { bytesMax, flag }: Bounds,
): AsyncGenerator<Buffer, void> {
  const decoder = decoderOf(coding) as Decoder;
  let sentBytes = 0;
  let hasEnded = false;
  const counted = async function* (): AsyncGenerator<Buffer, void> {
    for await (const piece of pieces) {
      sentBytes += piece.length;
      yield piece;
    }
    hasEnded = true;
  };
  // Its error destroys the decoder, and so reaches the loop below.
  pipeline(Readable.from(counted(), { objectMode: false }), decoder).catch(() => undefined);
  let bytes = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax, flag);
      yield chunk;
    }
    // The decoder of Brotli ends where its content does, whatever follows, and before the request has arrived.
    if (!hasEnded || decoder.bytesWritten !== sentBytes) throw notDecodable(coding);
  } catch (error) {
    throw isDecodingError(error) ? notDecodable(coding) : error;
  }
}

const notDecodable = (coding: Coding): Problem =>
  problems.badHeader(
    'Content-Encoding',
    `The body is damaged or incomplete in its Content-Encoding, ${coding}: nothing was changed. Send it again, or without Content-Encoding.`,
  );
