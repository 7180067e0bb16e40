/**
 * JSON that was made, kept while there is room: of members, so that a single read is no work and a list a concatenation; and of whole
 * lists that are asked for again unchanged, so that these are no work either. Members and captures are immutable, so nothing is ever
 * invalidated; the oldest texts make room for new ones, and all of them go when memory is short.
 */
import { type ApiVersion, type Representation, type Resource, representationOf } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';
import type { Capture } from '../../store/collection.ts';
import { type CachedJson, type Member, uncacheable } from '../../store/member.ts';

/** Says whether memory has room for bytes that could be made again, and when it needs them back. */
export interface CacheMemory {
  keepExactly(bytes: number): boolean;
  onPressure(release: () => void): void;
}

/** What a text costs beside its characters, what holds it and its place in the list included. */
const overheadBytes = 64;

/** The longest list whose JSON is kept, in members and in characters: it is made in one go, which nobody is to notice. */
const listMembersMax = 1000;
const listLengthMax = 1024 * 1024;

/** The largest that is kept, as a share of all. */
const largestShare = 1 / 16;

export class JsonCache {
  /** Memory that it may take, in bytes. */
  readonly limitBytes: number;
  /** How often what was asked for was there, and how often it was not. */
  hits = 0;
  misses = 0;
  readonly #memory: CacheMemory | undefined;
  readonly #compat: ApiVersion;
  #bytes = 0;
  /**
   * What is kept, in the order in which it came; before `#first` it was taken away again. Neither members nor captures stand here: one
   * that was replaced goes at once, with all that it leads to.
   */
  #kept: CachedJson<string | Buffer>[] = [];
  #first = 0;

  /**
   * @param bytesMax memory it may take, in bytes
   * @param compat which original the JSON is for
   */
  constructor(bytesMax: number, memory?: CacheMemory, compat: ApiVersion = 'contract') {
    this.limitBytes = bytesMax;
    this.#memory = memory;
    this.#compat = compat;
    memory?.onPressure(() => this.clear());
  }

  /** Memory that it takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets everything. */
  clear(): void {
    while (this.#first < this.#kept.length) this.#evict();
  }

  /** What answers show of a resource. */
  face(resource: Resource): Representation {
    return representationOf(resource, this.#compat);
  }

  /** The JSON of a value, which is not kept. */
  passing(resource: Resource, value: Value): string {
    return JSON.stringify(this.face(resource).shown(value));
  }

  /** The member's JSON, which is kept from now on, as long as the member is. */
  json(resource: Resource, member: Member): string {
    const known = member.json?.json;
    if (known !== undefined) {
      this.hits++;
      return known;
    }
    this.misses++;
    const json = this.passing(resource, member.value);
    if (member.json !== uncacheable) member.json = this.#keep(json) ?? member.json;
    return json;
  }

  /** The JSON of a list, if it is kept: from the second time on that one and the same is asked for. */
  list(resource: Resource, capture: Capture): Buffer | undefined {
    const known = capture.json?.json;
    if (known !== undefined) this.hits++;
    if (known !== undefined || capture.asked === 'in vain') return known;
    if (capture.asked === 'never') {
      capture.asked = 'once';
      return undefined;
    }
    const text = this.#listOf(resource, capture);
    if (text === undefined) {
      capture.asked = 'in vain';
      return undefined;
    }
    const json = Buffer.from(text);
    capture.json = this.#keep(json);
    return json;
  }

  /** The JSON of a list that is short enough to be kept. */
  #listOf(resource: Resource, capture: Capture): string | undefined {
    const lengthMax = Math.min(listLengthMax, this.limitBytes * largestShare);
    let count = 0;
    for (const leaf of capture.leaves) count += leaf.count;
    if (count > listMembersMax) return undefined;
    let text = '[';
    for (const member of capture) {
      if (text.length > 1) text += ',';
      text += member.json?.json ?? this.passing(resource, member.value);
      if (text.length > lengthMax) return undefined;
    }
    return `${text}]`;
  }

  /** `undefined` where there is no room for it. */
  #keep<T extends string | Buffer>(json: T): CachedJson<T> | undefined {
    const bytes = memoryOf(json);
    if (bytes > this.limitBytes * largestShare || this.#memory?.keepExactly(bytes) === false) return undefined;
    const kept: CachedJson<T> = { json };
    this.#kept.push(kept);
    this.#bytes += bytes;
    while (this.#bytes > this.limitBytes) this.#evict();
    return kept;
  }

  #evict(): void {
    const kept = this.#kept[this.#first++] as CachedJson<string | Buffer>;
    this.#bytes -= memoryOf(kept.json as string | Buffer);
    kept.json = undefined;
    if (this.#first > 1024 && this.#first * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#first);
      this.#first = 0;
    }
  }
}

function memoryOf(json: string | Buffer): number {
  // V8 has one byte for each character, or two: what UTF-8 would take is near enough.
  return Buffer.byteLength(json) + overheadBytes;
}
