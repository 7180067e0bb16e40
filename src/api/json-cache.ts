/**
 * The JSON of members, kept as bytes while there is room: a list is then a concatenation and a single read a copy. Members are immutable,
 * so nothing is ever invalidated; the oldest bytes make room for new ones, and all of them go when memory is short.
 */
import type { Member } from '../store/leaf.ts';

/** Says whether memory has room for bytes that could be made again, and when it needs them back. */
export interface CacheMemory {
  keepExactly(bytes: number): boolean;
  onPressure(release: () => void): void;
}

/** What a Buffer of its own costs beside its bytes, about. */
const overheadBytes = 200;

export class JsonCache {
  readonly #bytesMax: number;
  readonly #memory: CacheMemory | undefined;
  #bytes = 0;
  /** Members with JSON, in the order in which they got it; those before `#first` have lost it again. */
  #members: Member[] = [];
  #first = 0;

  /** @param bytesMax memory it may take, in bytes */
  constructor(bytesMax: number, memory?: CacheMemory) {
    this.#bytesMax = bytesMax;
    this.#memory = memory;
    memory?.onPressure(() => this.clear());
  }

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets everything. */
  clear(): void {
    while (this.#first < this.#members.length) this.#evict();
  }

  /** The member's JSON as UTF-8. */
  json(member: Member): Buffer {
    if (member.json !== undefined) return member.json;
    const json = Buffer.from(JSON.stringify(member.value));
    if (json.byteLength > this.#bytesMax / 16) return json;
    if (this.#memory?.keepExactly(json.byteLength + overheadBytes) === false) return json;
    member.json = json;
    this.#members.push(member);
    this.#bytes += json.byteLength + overheadBytes;
    while (this.#bytes > this.#bytesMax) this.#evict();
    return json;
  }

  #evict(): void {
    const member = this.#members[this.#first++] as Member;
    this.#bytes -= (member.json as Buffer).byteLength + overheadBytes;
    member.json = undefined;
    if (this.#first > 1024 && this.#first * 2 > this.#members.length) {
      this.#members = this.#members.slice(this.#first);
      this.#first = 0;
    }
  }
}
