/**
 * Measures a JSON document in its bytes before it is parsed: `JSON.parse` of a deep document recurses, and of a million `{}` or names
 * blocks the event loop. Afterwards it is too late for a check.
 *
 * For bytes that are not JSON the result is arbitrary; the parser then rejects them.
 */
import { webcrypto } from 'node:crypto';
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-bytes.ts';

/** Maximum nesting of containers in a document: `[[1]]` has 2 levels. */
export const jsonDepthMax = 64;

/** Maximum number of objects and arrays in a document: more than 5 MiB of vertices need, fewer than 5 MiB of `{}` contain. */
export const jsonContainersMax = 500_000;

/**
 * Maximum number of members in all objects with more than {@link wideMembers} members each, together. V8 stores such an object as a hash
 * table, in which each name costs microseconds at every step.
 */
export const jsonWideMembersMax = 20_000;
const wideMembers = 1_000;

/**
 * Shapes that the objects of a document may have in all: distinct sequences of member names that an object begins with. V8 makes a hidden
 * class for each, which takes microseconds and stops everything else: 380,000 took 1.3 s. Each distinct name makes one shape at least, and
 * a few names in all orders make as many as there are objects.
 */
export const jsonShapesMax = 20_000;

/** A member takes so many bytes at the least: `"":0,`. A shorter document cannot have too many shapes, so nothing is counted in it. */
const memberBytesMin = 5;
const countedBytesMin = jsonShapesMax * memberBytesMin;

/** Containers above this size, in bytes, are parsed in parts. */
export const jsonPartBytes = 16 * 1024;

/** Bytes that are scanned between two turns: a millisecond or two of work. */
export const scannedBytes = 256 * 1024;

/** Minimum memory of a value, in bytes: an object or an array, and the slot that holds any value. */
const containerBytes = 32;
const slotBytes = 8;

type JsonBound = 'depth' | 'containers' | 'members' | 'shapes';

const deepest = 1024;

/** Maximum nesting that a scan can follow. */
export const jsonDepthFollowed = deepest - 1;

/** Members of each open object, by depth, its shape and where it began: for a document that is scanned in one go. */
const membersShared = new Uint32Array(deepest);
const shapesShared = new Uint32Array(deepest);
const startsShared = new Uint32Array(deepest);

export class JsonScan {
  /** The bound that the document exceeds. */
  passed: JsonBound | undefined;
  /** Position of the last byte of each container larger than `partBytes`, by its first byte. For complete documents only. */
  readonly ends = new Map<number, number>();
  readonly #bytes: Buffer;
  readonly #depthMax: number;
  readonly #containersMax: number;
  readonly #wideMax: number;
  readonly #partBytes: number;
  readonly #shapes: Shapes | undefined;
  readonly #members: Uint32Array;
  readonly #open: Uint32Array;
  readonly #starts: Uint32Array;
  #at = 0;
  #wide = 0;
  #depth = 0;
  #containers = 0;
  #commas = 0;
  /** The last string: a name and its colon may be in two calls. */
  #nameStart = 0;
  #nameEnd = 0;

  /**
   * @param inOneGo {@link run} is called once, and no other scan runs meanwhile
   * @param isBounded whether containers, members and shapes are bounded, as in documents from strangers
   */
  constructor(bytes: Buffer, depthMax: number, inOneGo: boolean, partBytes = jsonPartBytes, isBounded = true) {
    this.#bytes = bytes;
    this.#depthMax = depthMax;
    this.#containersMax = isBounded ? jsonContainersMax : Number.POSITIVE_INFINITY;
    this.#wideMax = isBounded ? jsonWideMembersMax : Number.POSITIVE_INFINITY;
    this.#partBytes = partBytes;
    this.#shapes = !isBounded || bytes.length < countedBytesMin ? undefined : new Shapes(bytes);
    this.#members = inOneGo ? membersShared : new Uint32Array(deepest);
    this.#open = inOneGo ? shapesShared : new Uint32Array(deepest);
    this.#starts = inOneGo ? startsShared : new Uint32Array(deepest);
  }

  /** Number of bytes scanned. */
  get at(): number {
    return this.#at;
  }

  get isOver(): boolean {
    return this.passed !== undefined || this.#at >= this.#bytes.length;
  }

  /** Whether all objects and arrays are closed. */
  get isBalanced(): boolean {
    return this.#depth === 0;
  }

  /** Minimum memory of the parsed document, in bytes. */
  get memoryBytes(): number {
    return this.#containers * containerBytes + this.#commas * slotBytes;
  }

  /** Distinct shapes so far. */
  get shapes(): number {
    return this.#shapes?.count ?? 0;
  }

  /** Scans the next `length` bytes, and on to the end of a string that begins in them. */
  run(length: number): void {
    const bytes = this.#bytes;
    const shapes = this.#shapes;
    const open = this.#open;
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
      else if (byte === openBrace || byte === openBracket) {
        if (++depth > this.#depthMax) this.passed = 'depth';
        else if (++this.#containers > this.#containersMax) this.passed = 'containers';
        if (this.passed !== undefined) break;
        members[depth] = 0;
        open[depth] = noShape;
        starts[depth] = i;
      } else if (byte === closeBrace || byte === closeBracket) {
        const start = starts[depth] ?? 0;
        if (i - start > this.#partBytes) this.ends.set(start, i);
        depth--;
      } else if (byte === colon) {
        const count = (members[depth] ?? 0) + 1;
        members[depth] = count;
        if (count > wideMembers) this.#wide += count === wideMembers + 1 ? count : 1;
        if (this.#wide > this.#wideMax) this.passed = 'members';
        if (shapes !== undefined) {
          open[depth] = shapes.add(open[depth] ?? noShape, nameStart, nameEnd);
          if (shapes.count > jsonShapesMax) this.passed = 'shapes';
        }
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

/** Slots of the table: a power of two, a third of which is used at most. */
const slots = 2 ** 16;
/** A shape that finds no place after so many slots counts as new each time: only an attacker has more of them than that. */
const probesMax = 64;
/** The shape of `{}`. */
const noShape = 0;
/** The shape of what found no place. */
const lostShape = slots + 1;
/** Random for each process, so that a client cannot construct names with one hash. */
const [seed, multiplier] = webcrypto.getRandomValues(new Int32Array(2)) as unknown as readonly [number, number];

/**
 * Counts shapes: a tree in which each is one name more than its parent. Names are compared by their bytes: one that is written in two ways
 * (`a`, `\u0061`) makes two shapes.
 */
class Shapes {
  count = 0;
  readonly #bytes: Buffer;
  /** Where in the document the last name of the shape in each slot begins; 0 for none, since a name comes after a quotation mark. */
  readonly #starts = new Uint32Array(slots);
  readonly #hashes = new Int32Array(slots);
  readonly #parents = new Uint32Array(slots);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @returns the shape of an object of shape `parent` to which this name is added */
  add(parent: number, start: number, end: number): number {
    const hash = this.#hash(parent, start, end);
    let slot = hash & (slots - 1);
    for (let probe = 0; probe < probesMax; probe++) {
      const known = this.#starts[slot] as number;
      if (known === 0) {
        this.#starts[slot] = start;
        this.#hashes[slot] = hash;
        this.#parents[slot] = parent;
        this.count++;
        return slot + 1;
      }
      if (this.#hashes[slot] === hash && this.#parents[slot] === parent && this.#isSame(known, start, end)) return slot + 1;
      slot = (slot + 1) & (slots - 1);
    }
    this.count++;
    return lostShape;
  }

  #hash(parent: number, start: number, end: number): number {
    const bytes = this.#bytes;
    const factor = multiplier | 1;
    let hash = Math.imul(seed ^ parent, factor);
    hash ^= hash >>> 15;
    for (let i = start; i < end; i++) {
      hash = Math.imul(hash ^ (bytes[i] as number), factor);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  /** Whether the name at `known` equals the one from `start` to `end`. */
  #isSame(known: number, start: number, end: number): boolean {
    const bytes = this.#bytes;
    for (let i = start, j = known; i <= end; i++, j++) if (bytes[i] !== bytes[j]) return false;
    return true;
  }
}
