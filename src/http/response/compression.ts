/**
 * Content codings of answers (RFC 9110, 8.4 and 12.5.3): which of them a client takes, and how bytes become that.
 *
 * What is short is coded on the spot, which takes the event loop as long as asking a thread would. The rest goes through libuv's threads,
 * a piece at a time. Each such answer needs some hundred kilobytes for what has gone by, so there is a bound on how many are made at a
 * time; beyond it answers go out as they are, which every client takes, and which is also the best that a busy machine can do.
 *
 * Brotli 3 and gzip 4 need some seven milliseconds for a megabyte of our JSON and leave a sixth of it. One step more costs half as much
 * again and takes off a fiftieth; so does a window that is larger.
 */
import type { Transform } from 'node:stream';
import { brotliCompressSync, createBrotliCompress, createGzip, gzipSync, constants as zlib } from 'node:zlib';
import type { CompressedCache } from './compressed-cache.ts';

/** How a body is sent that could also have been sent otherwise. */
export type Coding = 'br' | 'gzip' | 'identity';

/** The codings that make a body shorter, the better one first. */
export const codings = ['br', 'gzip'] as const satisfies readonly Coding[];

type Shorter = (typeof codings)[number];

/** Bytes from which on a body is coded: what is shorter fits into one packet together with its headers, and would arrive no sooner. */
export const codedBytesMin = 1024;

/** Bytes up to which a body is coded on the spot. */
export const compressSyncBytesMax = 8 * 1024;

/** Answers that are coded by threads at a time. */
export const encodersMax = 64;

const brotliOptions = { params: { [zlib.BROTLI_PARAM_QUALITY]: 3, [zlib.BROTLI_PARAM_LGWIN]: 16 } };
const gzipOptions = { level: 4 };

/** One element of `Accept-Encoding`: a coding, and how much it is wanted. */
const element = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * What is sent to a client with this `Accept-Encoding`: what it wants most, and of what it wants equally the shorter one. What cannot be
 * read in it counts as absent. Who takes none of our codings is sent the body as it is, even where it does not want that either.
 */
export function codingOf(accepted: string | undefined): Coding {
  if (accepted === undefined) return 'identity';
  const weights = new Map<string, number>();
  for (const text of accepted.split(',')) {
    const [, name, weight = '1'] = element.exec(text.trim()) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const br = weightOf('br');
  const gzip = Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0);
  const best = Math.max(br, gzip);
  // Nobody has to name what is always there: unnamed, it is what is left.
  if (best === 0 || best < (weights.get('identity') ?? 0)) return 'identity';
  return br === best ? 'br' : 'gzip';
}

/** The tag of the same content in a coding: other bytes, so another tag. */
export function codedTag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

const coded = new RegExp(`-(?:${codings.join('|')})$`);

/** The tag of the same content as it is, without its quotation marks. */
export function uncodedTag(tag: string): string {
  return tag.replace(coded, '');
}

/** A body of at most {@link compressSyncBytesMax}, coded. */
export function compressSync(bytes: Buffer | string, coding: Shorter): Buffer {
  return coding === 'br' ? brotliCompressSync(bytes, brotliOptions) : gzipSync(bytes, gzipOptions);
}

/** Given what a piece has become, or why it could not be coded. */
export type Coded = (error: Error | undefined, bytes: Buffer) => void;

/** Codes one body, piece by piece, by libuv's threads. */
export class Encoder {
  readonly #stream: Transform;
  /** What has become of the last piece. */
  #coded: Buffer[] = [];
  #then: Coded | undefined;

  constructor(coding: Shorter, onClosed: () => void) {
    this.#stream = coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
    this.#stream
      .on('data', (bytes: Buffer) => void this.#coded.push(bytes))
      .on('end', () => this.#hand(undefined))
      .on('error', (error) => this.#hand(error))
      .on('close', onClosed);
  }

  /** Codes the next piece. What `then` is given may be nothing yet, and is all that is held of the pieces so far. One at a time. */
  code(piece: Buffer, then: Coded): void {
    this.#then = then;
    this.#stream.write(piece, (error) => {
      // The event tells of a failure, and nobody wants to hear of the rest.
      if (!(error instanceof Error)) this.#hand(undefined);
    });
  }

  /** Codes the last piece. */
  end(piece: Buffer, then: Coded): void {
    this.#then = then;
    this.#stream.end(piece);
  }

  /** Has `whole` called with all that the body becomes, unless that is more than so many bytes. To be called before the first piece. */
  collect(bytesMax: number, whole: (body: Buffer) => void): void {
    let pieces: Buffer[] = [];
    let bytes = 0;
    this.#stream.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= bytesMax) pieces.push(piece);
      else pieces = [];
    });
    this.#stream.on('end', () => {
      if (bytes <= bytesMax) whole(Buffer.concat(pieces));
    });
  }

  /** Gives up: nobody is told any more. May be called again, and after the end. */
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

/** Which content an answer is of. */
export interface Content {
  /** By key, route and query; `undefined` where the answer is not to be kept. */
  readonly contentKey: string | undefined;
}

/** The coders of a listener. */
export class Compression {
  readonly #kept: CompressedCache | undefined;
  #coders = 0;
  readonly #onClosed = (): void => void this.#coders--;

  /** @param kept where bodies are kept that are asked for again; by default nowhere */
  constructor(kept?: CompressedCache) {
    this.#kept = kept;
  }

  /** Whether there are as many as there may be. */
  get full(): boolean {
    return this.#coders >= encodersMax;
  }

  /**
   * The coded body of an answer, if it is kept.
   *
   * @param content which content it is the answer to; its key is read only where something may be kept
   */
  find(content: Content, etag: string | undefined, coding: Coding): Buffer | undefined {
    if (this.#kept === undefined || coding === 'identity') return undefined;
    const key = keyOf(content, etag, coding);
    return key === undefined ? undefined : this.#kept.find(key);
  }

  /** A coder for such a body, to be {@link Encoder.close | closed} unless it comes to its end. Not to be asked for when {@link full}. */
  begin(content: Content, etag: string | undefined, coding: Shorter): Encoder {
    this.#coders++;
    const kept = this.#kept;
    const coder = new Encoder(coding, this.#onClosed);
    const key = kept && keyOf(content, etag, coding);
    if (key !== undefined && kept?.wants(key) === true) coder.collect(kept.bodyBytesMax, (body) => kept.keep(key, body));
    return coder;
  }
}

/** What a body is found by: which content it is, and the tag of its form; `undefined` where it cannot be distinguished from others. */
function keyOf(content: Content, etag: string | undefined, coding: Coding): string | undefined {
  const key = etag === undefined ? undefined : content.contentKey;
  // No tag has spaces in it.
  return etag === undefined || key === undefined ? undefined : `${key} ${codedTag(etag, coding)}`;
}
