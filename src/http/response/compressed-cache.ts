/**
 * Coded bodies that are kept, so that what many readers ask for is coded once: of answers with an entity tag, from the second time on that
 * one and the same is asked for. A body is found by who asks, what for, and the tag of its form; no tag is ever given to other bytes, so
 * nothing is ever invalidated. What nobody asked for longest makes room for what is new, and all of them go when memory is short.
 *
 * A client chooses a part of every key. So the bytes of keys count as those of bodies do, and an answer with a long key is not kept.
 */

/** Says whether memory has room for bytes that could be made again, and when it needs them back. */
export interface BodyMemory {
  keepExactly(bytes: number): boolean;
  onPressure(release: () => void): void;
}

/** Answers of which it is known that they were asked for once. */
const askedMax = 1024;

/** The longest key of what is kept, in characters: a query, and a tag that repeats it. */
const keyLengthMax = 2048;

/** The largest body that is kept, in bytes, and as a share of all. */
const bodyBytesMax = 256 * 1024;
const largestShare = 1 / 16;

/** What a body costs beside its bytes and those of its key, and what a key of {@link CompressedCache.wants} costs beside its own, in bytes. */
const overheadBytes = 512;
const askedOverheadBytes = 64;

/** V8 has one byte for each character, or two. */
const bytesOf = (key: string): number => 2 * key.length;

export class CompressedCache {
  /** The largest body that is kept, in bytes. */
  readonly bodyBytesMax: number;
  /** Memory that it may take, in bytes. */
  readonly limitBytes: number;
  /** How often what was asked for was there, and how often it was not. */
  hits = 0;
  misses = 0;
  readonly #memory: BodyMemory | undefined;
  #bytes = 0;
  #askedBytes = 0;
  /** In the order in which they were last asked for. */
  readonly #bodies = new Map<string, Buffer>();
  /** Keys that were asked for once, in that order. */
  readonly #asked = new Set<string>();

  /** @param bytesMax memory it may take, in bytes */
  constructor(bytesMax: number, memory?: BodyMemory) {
    this.limitBytes = bytesMax;
    this.#memory = memory;
    this.bodyBytesMax = Math.min(bodyBytesMax, bytesMax * largestShare);
    memory?.onPressure(() => this.clear());
  }

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    return this.#bytes + this.#askedBytes;
  }

  /** Forgets everything. */
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

  /** Whether a body that is about to be made should be handed to {@link keep}: whether it was asked for before. */
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

  /** Whether it was known that the key had been asked for. */
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
