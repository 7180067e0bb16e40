/**
 * JSON from strangers, read into a value that every later stage can hold: bounded in depth before anything recurses over it, with
 * every number finite, no `-0`, every string well-formed Unicode, and no member that would reach for a prototype.
 */
import { isUtf8 } from 'node:buffer';
import { type Fault, faultsMax, pointerOf } from './fault.ts';

/**
 * What {@link parseJson} makes of bytes: a value with the faults found in it (to be used only when there are none), or the reason, a
 * sentence, why there is no value at all.
 */
export type ParsedJson =
  | { readonly value: unknown; readonly faults: Fault[]; readonly failure?: undefined }
  | { readonly failure: string; readonly tooLarge?: true };

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

const tooManyContainers = `The document has more than ${jsonContainersMax} objects and arrays: send it in parts.`;
const tooManyMembers = `The document has objects of more than ${jsonWideMembersMax} members: send them in parts, or as arrays.`;

/**
 * Reads one JSON document (RFC 8259, UTF-8, no byte order mark).
 *
 * `-0` becomes `0`. Of duplicate members the last wins, as in `JSON.parse`. Never throws, and never recurses deeper than `depthMax`,
 * which is at most a few hundred.
 */
export function parseJson(bytes: Buffer, options: { readonly depthMax?: number } = {}): ParsedJson {
  const depthMax = options.depthMax ?? jsonDepthMax;
  if (!isUtf8(bytes)) return { failure: 'The document is not valid UTF-8.' };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { failure: 'The document begins with a byte order mark; JSON is sent without one.' };
  }
  const bound = boundPassed(bytes, depthMax);
  if (bound === 'depth') return { failure: `The document is nested too deeply: at most ${depthMax} levels are read.` };
  if (bound === 'containers') return { failure: tooManyContainers, tooLarge: true };
  if (bound === 'members') return { failure: tooManyMembers, tooLarge: true };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return { failure: `The document is not valid JSON: ${(error as SyntaxError).message}.` };
  }
  const faults: Fault[] = [];
  // A lone surrogate has no UTF-8 form, so in bytes that are UTF-8 it can only have been written as an escape.
  const path = new Walk(faults, bytes.includes('\\u'));
  if (typeof value === 'object' && value !== null) path.container(value, 0);
  else if (value === 0) value = 0;
  else path.leaf(value, 0);
  return { value, faults };
}

/** Whether a document has objects and arrays more than `depthMax` inside one another. */
export function nestsDeeper(text: string, depthMax: number): boolean {
  // Each level takes two characters: most documents are too short to be deep.
  return text.length > 2 * depthMax && boundPassed(Buffer.from(text), depthMax) === 'depth';
}

/** Members of each object that is open, by its depth: of the scan that is under way. */
const members = new Uint32Array(1024);

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * Which bound a document passes, if any: a scan of the bytes, because a parser that is given a deep document has already recursed, and
 * one that is given a million `{}` has already stopped everything else for most of a second, when it could be asked. Bytes that are not
 * JSON may give any answer; the parser then refuses them.
 */
function boundPassed(bytes: Buffer, depthMax: number): 'depth' | 'containers' | 'members' | undefined {
  const end = bytes.length;
  let wide = 0;
  let depth = 0;
  let containers = 0;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      for (i++; i < end && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > depthMax) return 'depth';
      if (++containers > jsonContainersMax) return 'containers';
      members[depth] = 0;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === colon) {
      const count = (members[depth] ?? 0) + 1;
      members[depth] = count;
      if (count > wideMembers) wide += count === wideMembers + 1 ? count : 1;
      if (wide > jsonWideMembersMax) return 'members';
    }
  }
  return undefined;
}

/** Matches a surrogate that is not half of a pair: under the `u` flag a pair is one code point of another class. */
const loneSurrogate = /\p{Surrogate}/u;

/** One pass over a parsed value. Keeps the way down in an array that is overwritten, so that a sound document costs no allocation. */
class Walk {
  readonly #faults: Fault[];
  readonly #checkStrings: boolean;
  readonly #path: (string | number)[] = [];

  constructor(faults: Fault[], checkStrings: boolean) {
    this.#faults = faults;
    this.#checkStrings = checkStrings;
  }

  container(value: object, depth: number): void {
    if (Array.isArray(value)) this.#array(value, depth);
    else this.#object(value as Record<string, unknown>, depth);
  }

  #array(items: unknown[], depth: number): void {
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      if (typeof item === 'object') {
        if (item === null) continue;
        this.#path[depth] = i;
        this.container(item, depth + 1);
        if (this.#faults.length >= faultsMax) return;
      } else if (item === 0) {
        items[i] = 0; // -0 equals 0 too
      } else if (!this.#sound(item)) {
        this.#path[depth] = i;
        this.leaf(item, depth + 1);
      }
    }
  }

  #object(members: Record<string, unknown>, depth: number): void {
    for (const name of Object.keys(members)) {
      if (name === '__proto__' || (this.#checkStrings && loneSurrogate.test(name))) {
        this.#path[depth] = name;
        this.#name(name, depth + 1);
        continue;
      }
      const value = members[name];
      if (typeof value === 'object') {
        if (value === null) continue;
        this.#path[depth] = name;
        this.container(value, depth + 1);
        if (this.#faults.length >= faultsMax) return;
      } else if (value === 0) {
        members[name] = 0;
      } else if (!this.#sound(value)) {
        this.#path[depth] = name;
        this.leaf(value, depth + 1);
      }
    }
  }

  #sound(value: unknown): boolean {
    if (typeof value === 'number') return Number.isFinite(value);
    return !(this.#checkStrings && typeof value === 'string' && loneSurrogate.test(value));
  }

  /** Reports the value that the first `depth` steps of the path lead to, unless it is sound. */
  leaf(value: unknown, depth: number): void {
    if (this.#sound(value)) return;
    if (typeof value === 'number') {
      this.#report(depth, `must be a finite number: what was sent is beyond ±${Number.MAX_VALUE}, the range of a 64-bit float`);
    } else {
      this.#report(depth, 'must be valid Unicode: it has a \\uD800-\\uDFFF escape that is not one half of a surrogate pair');
    }
  }

  #name(name: string, depth: number): void {
    if (name === '__proto__') this.#report(depth, 'is a member name that is never accepted; leave it out or rename it');
    // The name itself cannot stand in an answer that is UTF-8: the pointer shows U+FFFD for it.
    else this.#report(depth, 'has a name that is not valid Unicode: a surrogate escape in it lacks its other half');
  }

  #report(depth: number, detail: string): void {
    if (this.#faults.length >= faultsMax) return;
    this.#faults.push({ pointer: wellFormed(pointerOf(this.#path.slice(0, depth))), detail });
  }
}

function wellFormed(text: string): string {
  return loneSurrogate.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd') : text;
}
