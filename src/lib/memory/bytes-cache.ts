/** Values by key that stay in memory up to a number of bytes: those that were used last. */
import type { CacheMemory } from './cache-memory.ts';

/** Memory of an entry besides its bytes. */
const overheadBytes = 512;

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}

export class BytesCache<Value> {
  readonly #bytesMax: number;
  readonly #memory: CacheMemory | undefined;
  /** The value that was used last is the last one. */
  readonly #entries = new Map<string, Entry<Value>>();
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

  find(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value if there is room for it. One of the same key stays. */
  keep(key: string, value: Value, valueBytes: number): void {
    const bytes = valueBytes + overheadBytes;
    if (bytes > this.#bytesMax || this.#entries.has(key) || this.#memory?.keepExactly(bytes) === false) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, its] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#entries.delete(oldest);
      this.#bytes -= its.bytes;
    }
  }
}
