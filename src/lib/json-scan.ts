/**
 * What a JSON document is made of, found in its bytes before any of it is parsed: a parser that is given a deep document has already
 * recursed, and one that is given a million `{}` or names has already stopped the event loop, when it could be asked.
 *
 * Bytes that are not JSON may give any answer; the parser then refuses them.
 */
import { webcrypto } from 'node:crypto';

/** Containers inside containers that a document may have: `[[1]]` is 2. */
export const jsonDepthMax = 64;

/** Objects and arrays that a document may have in all: more than 5 MiB of vertices need, fewer than 5 MiB of `{}` make. */
export const jsonContainersMax = 500_000;

/**
 * Members that objects may have in all that have more than {@link wideMembers} each: such an object is a table to the engine, in which each
 * name costs microseconds at every step.
 */
export const jsonWideMembersMax = 100_000;
const wideMembers = 1_000;

/**
 * Distinct member names that a document may have. V8 makes a hidden class for each new sequence of names, which takes microseconds and
 * stops everything else: 380,000 names took 1.3 s.
 */
export const jsonNamesMax = 50_000;

/** A name takes so many bytes at the least: `"":0,`. A shorter document cannot have too many, so nothing is counted in it. */
const nameBytesMin = 5;
const countedBytesMin = jsonNamesMax * nameBytesMin;

/** Containers of more bytes than this are parsed in parts. */
export const jsonPartBytes = 16 * 1024;

/** Bytes of memory that a value takes at the least: an object or an array, and the slot that holds any value. */
const containerBytes = 32;
const slotBytes = 8;

export type JsonBound = 'depth' | 'containers' | 'members' | 'names';

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const deepest = 1024;

/** Members of each open object, by depth, and where each began: for a document that is scanned in one go. */
const membersShared = new Uint32Array(deepest);
const startsShared = new Uint32Array(deepest);

export class JsonScan {
  /** The bound that the document passes. */
  passed: JsonBound | undefined;
  /** Where each container of more than `partBytes` ends (its last byte), by its first byte. Complete documents only. */
  readonly ends = new Map<number, number>();
  readonly #bytes: Buffer;
  readonly #depthMax: number;
  readonly #partBytes: number;
  readonly #names: DistinctNames | undefined;
  readonly #members: Uint32Array;
  readonly #starts: Uint32Array;
  #at = 0;
  #wide = 0;
  #depth = 0;
  #containers = 0;
  #commas = 0;
  /** The last string: a name and its colon may be in two runs. */
  #nameStart = 0;
  #nameEnd = 0;

  /** @param inOneGo {@link run} is called once, and no other scan is made meanwhile */
  constructor(bytes: Buffer, depthMax: number, inOneGo: boolean, partBytes = jsonPartBytes) {
    this.#bytes = bytes;
    this.#depthMax = depthMax;
    this.#partBytes = partBytes;
    this.#names = bytes.length < countedBytesMin ? undefined : new DistinctNames(bytes);
    this.#members = inOneGo ? membersShared : new Uint32Array(deepest);
    this.#starts = inOneGo ? startsShared : new Uint32Array(deepest);
  }

  /** Bytes that were scanned. */
  get at(): number {
    return this.#at;
  }

  get isOver(): boolean {
    return this.passed !== undefined || this.#at >= this.#bytes.length;
  }

  /** Whether as many objects and arrays ended as began. */
  get isBalanced(): boolean {
    return this.#depth === 0;
  }

  /** Bytes of memory that the parsed document takes at the least. */
  get memoryBytes(): number {
    return this.#containers * containerBytes + this.#commas * slotBytes;
  }

  /** Distinct names so far. */
  get names(): number {
    return this.#names?.count ?? 0;
  }

  /** Scans `length` bytes more, and to the end of the string that is begun then. */
  run(length: number): void {
    const bytes = this.#bytes;
    const names = this.#names;
    const members = this.#members;
    const starts = this.#starts;
    const end = Math.min(bytes.length, this.#at + length);
    let depth = this.#depth;
    let nameStart = this.#nameStart;
    let nameEnd = this.#nameEnd;
    let commas = this.#commas;
    let i = this.#at;
    for (; i < end; i++) {
      const byte = bytes[i];
      if (byte === quote) {
        nameStart = i + 1;
        for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
        nameEnd = i;
      } else if (byte === comma) commas++;
      else if (byte === 0x7b || byte === 0x5b) {
        if (++depth > this.#depthMax) this.passed = 'depth';
        else if (++this.#containers > jsonContainersMax) this.passed = 'containers';
        if (this.passed !== undefined) break;
        members[depth] = 0;
        starts[depth] = i;
      } else if (byte === 0x7d || byte === 0x5d) {
        const start = starts[depth] ?? 0;
        if (i - start > this.#partBytes) this.ends.set(start, i);
        depth--;
      } else if (byte === colon) {
        const count = (members[depth] ?? 0) + 1;
        members[depth] = count;
        if (count > wideMembers) this.#wide += count === wideMembers + 1 ? count : 1;
        if (this.#wide > jsonWideMembersMax) this.passed = 'members';
        if (names !== undefined && names.add(nameStart, nameEnd) > jsonNamesMax) this.passed = 'names';
        if (this.passed !== undefined) break;
      }
    }
    this.#at = i;
    this.#depth = depth;
    this.#commas = commas;
    this.#nameStart = nameStart;
    this.#nameEnd = nameEnd;
  }
}

/** Slots of the table: a power of two, less than half of which is ever used. */
const slots = 2 ** 17;
/** A name that finds no place after so many slots counts as new each time: more than there are can only be counted by whom it hurts. */
const probesMax = 64;
/** Random for each process, so that a client cannot construct names with one hash. */
const [seed, multiplier] = webcrypto.getRandomValues(new Int32Array(2)) as unknown as readonly [number, number];

/** Counts names by their bytes: one that is written in two ways (`a`, `\u0061`) counts twice. */
class DistinctNames {
  count = 0;
  readonly #bytes: Buffer;
  /** Where in the document the name of each slot begins; 0 for none, since a name comes after a quotation mark. */
  readonly #starts = new Uint32Array(slots);
  readonly #hashes = new Int32Array(slots);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @returns how many distinct names there are with this one */
  add(start: number, end: number): number {
    const hash = this.#hash(start, end);
    let slot = hash & (slots - 1);
    for (let probe = 0; probe < probesMax; probe++) {
      const known = this.#starts[slot] as number;
      if (known === 0) {
        this.#starts[slot] = start;
        this.#hashes[slot] = hash;
        return ++this.count;
      }
      if (this.#hashes[slot] === hash && this.#isSame(known, start, end)) return this.count;
      slot = (slot + 1) & (slots - 1);
    }
    return ++this.count;
  }

  #hash(start: number, end: number): number {
    const bytes = this.#bytes;
    const factor = multiplier | 1;
    let hash = seed;
    for (let i = start; i < end; i++) {
      hash = Math.imul(hash ^ (bytes[i] as number), factor);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  /** Whether the name that begins at `known` is the one from `start` to `end`. */
  #isSame(known: number, start: number, end: number): boolean {
    const bytes = this.#bytes;
    for (let i = start, j = known; i <= end; i++, j++) if (bytes[i] !== bytes[j]) return false;
    return true;
  }
}
