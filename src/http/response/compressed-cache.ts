/**
 * Cache of compressed bodies, so that content which many clients read is compressed once. It stores responses with an entity tag, from
 * their second request on. The cache key has the API key, the route and query, and the tag of the form. A tag never names different
 * bytes, so entries are never invalidated. The least recently used entries are evicted first, and all of them when memory is short.
 *
 * A client chooses a part of every cache key. So keys count against the limit like bodies, and a response with a long key is not cached.
 */

import type { CacheMemory } from '../../lib/memory/cache-memory.ts';

/** How many keys with one request so far are remembered. */
const askedMax = 1024;

/** Maximum length of a cache key, in characters: a query, and a tag that repeats it. */
const keyLengthMax = 2048;

/** Maximum size of a cached body, in bytes, and as a share of the cache. */
const bodyBytesMax = 256 * 1024;
const largestShare = 1 / 16;

/** Overhead of an entry besides its body and key, and of a key remembered by {@link CompressedCache.wants}, in bytes. */
const overheadBytes = 512;
const askedOverheadBytes = 64;

/** V8 stores one or two bytes per character; this assumes two. */
const bytesOf = (key: string): number => 2 * key.length;

export class CompressedCache {
  /** Maximum size of a cached body, in bytes. */
  readonly bodyBytesMax: number;
  /** Maximum memory of the cache, in bytes. */
  readonly limitBytes: number;
  /** Cache hits and misses. */
  hits = 0;
  misses = 0;
  readonly #memory: CacheMemory | undefined;
  #bytes = 0;
  #askedBytes = 0;
  /** Least recently used first. */
  readonly #bodies = new Map<string, Buffer>();
  /** Keys with one request so far, oldest first. */
  readonly #asked = new Set<string>();

  /** @param bytesMax maximum memory of the cache, in bytes */
  constructor(bytesMax: number, memory?: CacheMemory) {
    this.limitBytes = bytesMax;
    this.#memory = memory;
    this.bodyBytesMax = Math.min(bodyBytesMax, bytesMax * largestShare);
    memory?.onPressure(() => this.clear());
  }

  /** Memory in use, in bytes. */
  get bytes(): number {
    return this.#bytes + this.#askedBytes;
  }

  /** Evicts everything. */
  clear(): void {
    this.#bodies.clear();
    this.#bytes = 0;
    this.#asked.clear();
    this.#askedBytes = 0;
  }

  find(key: string): Buffer | undefined {
    const body = this.#bodies.get(key);
    if (body === undefined) {
      this.misses++;
      return undefined;
    }
    this.hits++;
    this.#bodies.delete(key);
    this.#bodies.set(key, body);
    return body;
  }

  /** Whether a body that is about to be compressed should be passed to {@link keep}: true from the second request on. */
  wants(key: string): boolean {
    if (key.length > keyLengthMax) return false;
    if (this.#forgetAsked(key)) return true;
    this.#asked.add(key);
    this.#askedBytes += bytesOf(key) + askedOverheadBytes;
    for (const oldest of this.#asked) {
      if (this.#asked.size <= askedMax && this.#askedBytes <= this.limitBytes * largestShare) break;
      this.#forgetAsked(oldest);
    }
    return false;
  }

  /** Removes a key from those with one request; whether it was among them. */
  #forgetAsked(key: string): boolean {
    const isKnown = this.#asked.delete(key);
    if (isKnown) this.#askedBytes -= bytesOf(key) + askedOverheadBytes;
    return isKnown;
  }

  keep(key: string, body: Buffer): void {
    if (this.#bodies.has(key) || key.length > keyLengthMax || body.length > this.bodyBytesMax) return;
    const bytes = memoryOf(key, body);
    if (this.#memory?.keepExactly(bytes) === false) return;
    this.#bodies.set(key, body);
    this.#bytes += bytes;
    for (const [oldest, its] of this.#bodies) {
      if (this.bytes <= this.limitBytes) break;
      this.#bodies.delete(oldest);
      this.#bytes -= memoryOf(oldest, its);
    }
  }
}

function memoryOf(key: string, body: Buffer): number {
  return body.length + bytesOf(key) + overheadBytes;
}
