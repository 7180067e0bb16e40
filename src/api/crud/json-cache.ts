/**
 * Cache of JSON texts: of members, so that a single read needs no work and a list is a concatenation; and of whole lists that are requested
 * again unchanged. Members and captures are immutable, so entries are never invalidated. The oldest entries are evicted first, and all of
 * them when memory is short.
 */
import type { CacheMemory } from '../../lib/memory/cache-memory.ts';
import { type Resource, withoutSecrets } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';
import type { Capture } from '../../store/leaf-list.ts';
import { type CachedJson, type Member, uncacheable } from '../../store/member.ts';

/** Overhead of an entry besides its characters, in bytes, including its holder and its place in the list. */
const overheadBytes = 64;

/** Maximum size of a cached list, in members and in characters: its JSON is made in one go, which must not delay other requests. */
const listMembersMax = 1000;
const listLengthMax = 1024 * 1024;

/** Maximum size of an entry, as a share of the cache. */
const largestShare = 1 / 16;

/** JSON as a key may see it. Handlers get that of their request's key: see `bind` in declaration.ts. */
export interface ShownJson {
  /** JSON with secret members, for every key: for results that are computed from it, not for responses. */
  readonly whole: ShownJson;
  /** JSON without secret members. */
  readonly forReaders: ShownJson;
  /** The value whose members are shown. */
  value(resource: Resource, value: Value): Value;
  json(resource: Resource, member: Member): string;
  /** The JSON of a list, if it is cached or is to be. */
  list(resource: Resource, capture: Capture): Buffer | undefined;
}

export class JsonCache implements ShownJson {
  readonly whole: ShownJson = this;
  readonly forReaders: ShownJson = new JsonForReaders(this);
  /** Maximum memory of the cache, in bytes. */
  readonly limitBytes: number;
  /** Cache hits and misses. */
  hits = 0;
  misses = 0;
  readonly #memory: CacheMemory | undefined;
  #bytes = 0;
  /**
   * Entries, oldest first; those before `#first` are evicted. They do not refer to members or captures, so that a replaced member is
   * freed immediately.
   */
  #kept: CachedJson<string | Buffer>[] = [];
  #first = 0;

  /** @param bytesMax maximum memory of the cache, in bytes */
  constructor(bytesMax: number, memory?: CacheMemory) {
    this.limitBytes = bytesMax;
    this.#memory = memory;
    memory?.onPressure(() => this.clear());
  }

  /** Memory in use, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Evicts everything. */
  clear(): void {
    while (this.#first < this.#kept.length) this.#evict();
  }

  value(_: Resource, value: Value): Value {
    return value;
  }

  /** The member's JSON, cached as long as the member exists. */
  json(resource: Resource, member: Member): string {
    const known = member.json?.json;
    if (known !== undefined) {
      this.hits++;
      return known;
    }
    this.misses++;
    const json = resource.json(member.value);
    if (member.json !== uncacheable) member.json = this.#keep(json) ?? member.json;
    return json;
  }

  /** The JSON of a list from the cache: from the second request for the same capture on. */
  list(resource: Resource, capture: Capture): Buffer | undefined {
    const known = capture.json?.json;
    if (known !== undefined) this.hits++;
    if (known !== undefined || capture.requested === 'too long') return known;
    if (capture.requested === 'never') {
      capture.requested = 'once';
      return undefined;
    }
    const text = this.#listOf(resource, capture);
    if (text === undefined) {
      capture.requested = 'too long';
      return undefined;
    }
    const json = Buffer.from(text);
    capture.json = this.#keep(json);
    return json;
  }

  /** The JSON of a list; `undefined` if it is too long to be cached. */
  #listOf(resource: Resource, capture: Capture): string | undefined {
    const lengthMax = Math.min(listLengthMax, this.limitBytes * largestShare);
    let count = 0;
    for (const leaf of capture.leaves) count += leaf.count;
    if (count > listMembersMax) return undefined;
    let text = '[';
    for (const member of capture) {
      if (text.length > 1) text += ',';
      text += member.json?.json ?? resource.json(member.value);
      if (text.length > lengthMax) return undefined;
    }
    return `${text}]`;
  }

  /** Adds an entry; `undefined` without room. */
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

/** JSON without secret members. The cache has it for members without content to hide; the rest is made for each response. */
class JsonForReaders implements ShownJson {
  readonly whole: JsonCache;
  readonly forReaders: ShownJson = this;

  constructor(cache: JsonCache) {
    this.whole = cache;
  }

  value(resource: Resource, value: Value): Value {
    return withoutSecrets(resource, value);
  }

  json(resource: Resource, member: Member): string {
    const shown = withoutSecrets(resource, member.value);
    return shown === member.value ? this.whole.json(resource, member) : resource.json(shown);
  }

  list(resource: Resource, capture: Capture): Buffer | undefined {
    return resource.secrets.length === 0 ? this.whole.list(resource, capture) : undefined;
  }
}

/** The memory of an entry. V8 makes a text contiguous to count its bytes: before that, its parts take three times the memory. */
function memoryOf(json: string | Buffer): number {
  // V8 stores one or two bytes per character: the length in UTF-8 is a good estimate.
  return Buffer.byteLength(json) + overheadBytes;
}
