/**
 * JSON that was made, kept while there is room: of members, so that a single read is no work and a list a concatenation; and of whole
 * lists that are asked for again unchanged, so that these are no work either. Members and captures are immutable, so nothing is ever
 * invalidated; the oldest texts make room for new ones, and all of them go when memory is short.
 */
import type { Capture } from '../store/collection.ts';
import type { Member } from '../store/leaf.ts';

/** Says whether memory has room for bytes that could be made again, and when it needs them back. */
export interface CacheMemory {
  keepExactly(bytes: number): boolean;
  onPressure(release: () => void): void;
}

/** What a text costs beside its characters, its place in the list included. */
const overheadBytes = 32;

/** Members of the longest list whose JSON is kept: it is made in one go, which nobody is to notice. */
const listMembersMax = 1000;

export class JsonCache {
  readonly #bytesMax: number;
  readonly #memory: CacheMemory | undefined;
  #bytes = 0;
  /** Members and captures with JSON, in the order in which they got it; those before `#first` have lost it again. */
  #holders: (Member | Capture)[] = [];
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
    while (this.#first < this.#holders.length) this.#evict();
  }

  /** The member's JSON, which is kept from now on. */
  json(member: Member): string {
    return member.json ?? this.#keep(member, textOf(member));
  }

  /** The JSON of a list, if it is kept: from the second time on that one and the same is asked for. */
  list(capture: Capture): Buffer | undefined {
    if (capture.json !== undefined || capture.askedFor) return capture.json ?? this.#listOf(capture);
    capture.askedFor = true;
    return undefined;
  }

  #listOf(capture: Capture): Buffer | undefined {
    let count = 0;
    for (const leaf of capture.leaves) count += leaf.count;
    if (count > listMembersMax) return undefined;
    return this.#keep(capture, Buffer.from(`[${Array.from(capture, textOf).join()}]`));
  }

  #keep<T extends string | Buffer>(holder: { json: T | undefined } & (Member | Capture), json: T): T {
    const bytes = memoryOf(json);
    if (bytes > this.#bytesMax / 16 || this.#memory?.keepExactly(bytes) === false) return json;
    holder.json = json;
    this.#holders.push(holder);
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax) this.#evict();
    return json;
  }

  #evict(): void {
    const holder = this.#holders[this.#first++] as Member | Capture;
    this.#bytes -= memoryOf(holder.json as string | Buffer);
    holder.json = undefined;
    if (this.#first > 1024 && this.#first * 2 > this.#holders.length) {
      this.#holders = this.#holders.slice(this.#first);
      this.#first = 0;
    }
  }
}

const textOf = (member: Member): string => member.json ?? JSON.stringify(member.value);

function memoryOf(json: string | Buffer): number {
  // V8 has one byte for each character, or two: what UTF-8 would take is near enough.
  return Buffer.byteLength(json) + overheadBytes;
}
