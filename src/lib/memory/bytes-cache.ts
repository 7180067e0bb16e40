/** Values by key that are made when they are asked for, and stay in memory up to a number of bytes: those that were used last. */
import type { CacheMemory } from './cache-memory.ts';

/** Memory of an entry besides its bytes. */
const overheadBytes = 512;

/** A value that was made, and its size; without one, it is not kept. */
export interface Made<Value> {
  readonly value: Value;
  readonly bytes?: number | undefined;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

export class BytesCache<Value> {
  readonly #bytesMax: number;
  readonly #memory: CacheMemory | undefined;
  /** The value that was used last is the last one. */
  readonly #entries = new Map<string, Entry<Value>>();
  /** Many callers may ask for a value at the same time: it is made once. */
  readonly #making = new Map<string, Promise<Value>>();
  #bytes = 0;

  /** @param memory decides whether there is room for a value, and frees all of them when it needs the room */
  constructor(bytesMax: number, memory?: CacheMemory) {
    this.#bytesMax = bytesMax;
    this.#memory = memory;
    memory?.onPressure(() => {
      this.#entries.clear();
      this.#bytes = 0;
    });
  }

  /** Memory in use, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of values that are being made. */
  get making(): number {
    return this.#making.size;
  }

  isMaking(key: string): boolean {
    return this.#making.has(key);
  }

  /** The value of a key, which is made if it is not in memory. Rejects as `make` does. */
  of(key: string, make: () => Promise<Made<Value>>): Value | Promise<Value> {
    const kept = this.find(key);
    if (kept !== undefined) return kept;
    const making = this.#making.get(key) ?? this.#make(key, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  /** The value of a key, if it is in memory. */
  find(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  async #make(key: string, make: () => Promise<Made<Value>>): Promise<Value> {
    const { value, bytes } = await make();
    if (bytes !== undefined) this.#keep(key, value, bytes);
    return value;
  }

  /** Keeps a value if there is room for it. */
  #keep(key: string, value: Value, valueBytes: number): void {
    const bytes = valueBytes + overheadBytes;
    if (bytes > this.#bytesMax || this.#memory?.keepExactly(bytes) === false) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, its] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#entries.delete(oldest);
      this.#bytes -= its.bytes;
    }
  }
}
