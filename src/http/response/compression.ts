/**
 * Content codings of responses (RFC 9110, 8.4 and 12.5.3): content negotiation and compression.
 *
 * Short bodies are compressed synchronously: handing them to a thread would occupy the event loop as long. Longer bodies go through
 * libuv's thread pool, a piece at a time. Each encoder needs some hundred kilobytes for its window, so their number is limited. Above the
 * limit, responses are sent uncompressed: every client accepts that, and it is the cheapest choice on a busy machine.
 *
 * Brotli 3 and gzip 4 need some seven milliseconds for a megabyte of our JSON and leave a sixth of it. One level more takes 50 % more
 * time and saves 2 %, and so does a larger window.
 */
import type { Transform } from 'node:stream';
import { brotliCompressSync, createBrotliCompress, createGzip, gzipSync, constants as zlib } from 'node:zlib';
import type { CompressedCache } from './compressed-cache.ts';

/** A content coding of a body. */
export type Coding = 'br' | 'gzip' | 'identity';

/** The compressing codings, best first. */
export const codings = ['br', 'gzip'] as const satisfies readonly Coding[];

type Shorter = (typeof codings)[number];

/** Bodies from this many bytes on are compressed: a shorter one fits into one packet with its headers, and would not arrive sooner. */
export const codedBytesMin = 1024;

/** Bodies of up to this many bytes are compressed synchronously. */
export const compressSyncBytesMax = 8 * 1024;

/** Maximum number of concurrent encoders in the thread pool. */
export const encodersMax = 64;

const brotliOptions = { params: { [zlib.BROTLI_PARAM_QUALITY]: 3, [zlib.BROTLI_PARAM_LGWIN]: 16 } };
const gzipOptions = { level: 4 };

/** One element of `Accept-Encoding`: a coding and its weight. */
const element = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * The coding for this `Accept-Encoding`: the one with the highest weight; among equal weights, the one that compresses better. Elements
 * that do not parse are ignored. A client that accepts none of our codings gets the body uncompressed, even if it excludes that too.
 */
export function codingOf(accepted: string | undefined): Coding {
  if (accepted === undefined) return 'identity';
  const weights = weightsIn(accepted);
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const br = weightOf('br');
  const gzip = Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0);
  const best = Math.max(br, gzip);
  // `identity` is always acceptable: if unnamed, it is the fallback.
  if (best === 0 || best < (weights.get('identity') ?? 0)) return 'identity';
  return br === best ? 'br' : 'gzip';
}

/** The weights of codings in an `Accept-Encoding`. */
function weightsIn(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const text of accepted.split(',')) {
    const [, name, weight = '1'] = element.exec(text.trim()) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}

/** The entity tag of the same content in a coding: different bytes need a different tag. */
export function codedTag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

const coded = new RegExp(`-(?:${codings.join('|')})$`);

/** The entity tag of the uncompressed content, without quotation marks. */
export function uncodedTag(tag: string): string {
  return tag.replace(coded, '');
}

/** Compresses a body of at most {@link compressSyncBytesMax} bytes. */
export function compressSync(bytes: Buffer | string, coding: Shorter): Buffer {
  return coding === 'br' ? brotliCompressSync(bytes, brotliOptions) : gzipSync(bytes, gzipOptions);
}

/** Whether a client accepts gzip at least as much as no compression. */
export function acceptsGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  const weights = weightsIn(accepted);
  const gzip = Math.max(weights.get('gzip') ?? weights.get('*') ?? 0, weights.get('x-gzip') ?? 0);
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Receives the compressed bytes of one piece, or the error. */
type Coded = (error: Error | undefined, bytes: Buffer) => void;

/** Compresses one body, piece by piece, in libuv's thread pool. */
export class Encoder {
  readonly #stream: Transform;
  /** Compressed bytes of the current piece. */
  #coded: Buffer[] = [];
  #then: Coded | undefined;

  constructor(coding: Shorter, onClosed: () => void) {
    this.#stream = streamOf(coding);
    this.#stream
      .on('data', (bytes: Buffer) => void this.#coded.push(bytes))
      .on('end', () => this.#hand(undefined))
      .on('error', (error) => this.#hand(error))
      .on('close', onClosed);
  }

  /** Compresses the next piece, one at a time. `then` may receive no bytes yet; the encoder keeps no bytes that it has handed out. */
  code(piece: Buffer, then: Coded): void {
    this.#then = then;
    this.#stream.write(piece, (error) => {
      // The `error` event reports failures.
      if (!(error instanceof Error)) this.#hand(undefined);
    });
  }

  /** Compresses the last piece. */
  end(piece: Buffer, then: Coded): void {
    this.#then = then;
    this.#stream.end(piece);
  }

  /** Calls `onBody` with the whole compressed body, unless it exceeds `bytesMax`. Must be called before the first piece. */
  collect(bytesMax: number, onBody: (body: Buffer) => void): void {
    let pieces: Buffer[] = [];
    let bytes = 0;
    this.#stream.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= bytesMax) pieces.push(piece);
      else pieces = [];
    });
    this.#stream.on('end', () => {
      if (bytes <= bytesMax) onBody(Buffer.concat(pieces));
    });
  }

  /** Cancels the encoder: no callback follows. Idempotent, and allowed after the end. */
  close(): void {
    this.#then = undefined;
    this.#stream.destroy();
  }

  #hand(error: Error | undefined): void {
    const then = this.#then;
    const coded = this.#coded;
    this.#then = undefined;
    this.#coded = [];
    then?.(error, coded.length === 1 ? (coded[0] as Buffer) : Buffer.concat(coded));
  }
}

function streamOf(coding: Shorter): Transform {
  return coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}

/** Identifies the content of a response. */
export interface CompressibleContent {
  /** Key, route and query; `undefined` if the response must not be cached. */
  readonly contentKey: string | undefined;
}

/** The encoders of a listener. */
export class Compression {
  readonly #kept: CompressedCache | undefined;
  #encoders = 0;
  readonly #onClosed = (): void => void this.#encoders--;

  /** @param kept the cache of compressed bodies; without it, nothing is cached */
  constructor(kept?: CompressedCache) {
    this.#kept = kept;
  }

  /** Whether the maximum number of encoders is running. */
  get full(): boolean {
    return this.#encoders >= encodersMax;
  }

  /**
   * Returns the compressed body of a response from the cache, if it is there.
   *
   * @param content identifies the content; its key is read only if something may be cached
   */
  find(content: CompressibleContent, etag: string | undefined, coding: Coding): Buffer | undefined {
    if (this.#kept === undefined || coding === 'identity') return undefined;
    const key = keyOf(content, etag, coding);
    return key === undefined ? undefined : this.#kept.find(key);
  }

  /** Creates an encoder. The caller must {@link Encoder.close | close} it unless it reaches its end. Not allowed when {@link full}. */
  begin(content: CompressibleContent, etag: string | undefined, coding: Shorter): Encoder {
    this.#encoders++;
    const kept = this.#kept;
    const encoder = new Encoder(coding, this.#onClosed);
    const key = kept && keyOf(content, etag, coding);
    if (key !== undefined && kept?.wants(key) === true) encoder.collect(kept.bodyBytesMax, (body) => kept.keep(key, body));
    return encoder;
  }
}

/** The cache key: the content and the entity tag of its form; `undefined` if there is no tag or the content is not identified. */
function keyOf(content: CompressibleContent, etag: string | undefined, coding: Coding): string | undefined {
  const key = etag === undefined ? undefined : content.contentKey;
  // No tag has spaces in it.
  return etag === undefined || key === undefined ? undefined : `${key} ${codedTag(etag, coding)}`;
}
