/** Reads the body of a response: decompressed in a stream, within a size limit, and JSON within the limits of the server's own bodies. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { codingIn, decoderOf, isDecodingError } from '../../lib/files/content-codings.ts';
import { parsingJson } from '../../lib/json/json.ts';
import { SourceFailure } from './source-problem.ts';

/** Content codings that are asked for. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * The decompressed bytes of a response. Rejects with a SourceFailure as soon as they exceed the limit, with the reason of the signal, and
 * with an error of the connection.
 *
 * @param bytesMax limit for the body as it was sent, and decompressed
 */
export async function readBody(response: IncomingMessage, bytesMax: number, signal: AbortSignal): Promise<Buffer> {
  const status = response.statusCode ?? 0;
  const decoder = decoderIn(response);
  const declared = Number(response.headers['content-length'] ?? 0);
  if (declared > bytesMax) throw tooLarge(bytesMax, status, `It announces ${sizeOf(declared)}.`);
  const chunks: Buffer[] = [];
  const collect = async (decoded: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of limited(decoded, bytesMax, status)) chunks.push(chunk);
  };
  try {
    if (decoder === undefined) await pipeline(response, collect, { signal });
    else await pipeline(response, (sent: AsyncIterable<Buffer>) => limited(sent, bytesMax, status), decoder, collect, { signal });
  } catch (error) {
    if (signal.aborted || error instanceof SourceFailure || !isDecodingError(error)) throw error;
    throw invalidEncoding(response, 'but it does not decompress');
  }
  return Buffer.concat(chunks);
}

/** Passes chunks on until the limit is exceeded. */
async function* limited(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  status: number,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax, status);
    yield chunk;
  }
}

/** The decoder of the response; `undefined` for one that is not coded. */
function decoderIn(response: IncomingMessage): Transform | undefined {
  const coding = codingIn(response.headers['content-encoding']);
  if (coding === 'unknown') throw invalidEncoding(response, `which is not one of ${acceptedEncodings}`);
  return coding && decoderOf(coding);
}

/**
 * The text of a body that is JSON. Rejects with a SourceFailure for any other body, which quotes nothing of it: problems are printed in
 * terminals and read where the body is not. Runs in slices.
 */
export async function jsonText(body: Buffer, status: number): Promise<string> {
  const bytes = body.length >= 3 && body.readUIntBE(0, 3) === 0xefbbbf ? body.subarray(3) : body;
  const start = bytes.subarray(0, 200).toString('latin1').trim();
  if (start === '' && bytes.toString('latin1').trim() === '')
    throw new SourceFailure('empty', 'The response has no body. Check that the URL is that of the data.', status);
  if (start.startsWith('<'))
    throw new SourceFailure(
      'invalid_json',
      'The response is HTML or XML, not JSON. Check that the URL is that of the data, not of a page (or of a sign-in).',
      status,
    );
  if (/^[^{["\-\dtfn\x80-\xff]/.test(start))
    throw new SourceFailure(
      'invalid_json',
      'The response does not begin like JSON. Check that the URL is that of the data, and that the source works.',
      status,
    );
  if (!isUtf8(bytes))
    throw new SourceFailure('invalid_utf8', 'The response is not valid UTF-8. Let the source send its JSON in UTF-8.', status);
  const parsed = await runCooperatively(parsingJson(bytes));
  if (parsed.failure !== undefined) {
    if (parsed.tooLarge === true)
      throw new SourceFailure(
        'too_large',
        'The response has too many objects, arrays or distinct member names. Ask the source for less, with a filter in the URL.',
        status,
      );
    throw notJson(parsed.unquoted ?? parsed.failure, status);
  }
  const [error] = parsed.fieldErrors;
  // A pointer would quote the names of members.
  if (error !== undefined)
    throw notJson(
      `${/[^/]*$/.exec(error.pointer)?.[0] === '__proto__' ? '__proto__' : 'A value in it'} ${error.detail}.`,
      status,
    );
  return bytes.toString('utf8');
}

const notJson = (reason: string, status: number): SourceFailure =>
  new SourceFailure('invalid_json', `The response cannot be used. ${reason} Check the source.`, status);

const sizeOf = (bytes: number): string => (bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.round((bytes / 2 ** 20) * 10) / 10} MiB`);

const tooLarge = (bytesMax: number, status: number, announced = ''): SourceFailure =>
  new SourceFailure(
    'too_large',
    `The response is larger than ${sizeOf(bytesMax)} (--data-mb), after decompression. ${announced === '' ? '' : `${announced} `}Ask the source for less, with a filter in the URL.`,
    status,
  );

function invalidEncoding(response: IncomingMessage, fault: string): SourceFailure {
  const coding = (response.headers['content-encoding'] ?? '').slice(0, 40).replaceAll(/[^ -~]/g, '?');
  return new SourceFailure(
    'invalid_encoding',
    `The response has Content-Encoding "${coding}", ${fault}. Check the source, or set a header Accept-Encoding: identity.`,
    response.statusCode ?? 0,
  );
}
