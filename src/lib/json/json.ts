/**
 * JSON from strangers, read into a value that every later stage can hold: bounded in depth before anything recurses over it, with
 * every number finite, no `-0`, every string well-formed Unicode, and no member that would reach for a prototype.
 */
import { isUtf8 } from 'node:buffer';
import { runToEnd } from '../async/run-to-end.ts';
import { type FieldError, fieldErrorsMax, pointerOf } from '../field-error.ts';
import {
  JsonScan,
  jsonContainersMax,
  jsonDepthFollowed,
  jsonDepthMax,
  jsonPartBytes,
  jsonShapesMax,
  jsonWideMembersMax,
  scannedBytes,
} from './json-scan.ts';
import { parseInParts } from './json-split.ts';

export { jsonContainersMax, jsonDepthMax, jsonShapesMax, jsonWideMembersMax } from './json-scan.ts';

/**
 * What {@link parseJson} makes of bytes: a value with the errors found in it (to be used only when there are none), or the reason, a
 * sentence, why there is no value at all.
 */
export type ParsedJson =
  | { readonly value: unknown; readonly fieldErrors: FieldError[]; readonly failure?: undefined }
  | {
      readonly failure: string;
      readonly tooLarge?: true;
      /** The same reason where `failure` quotes the document, without the quotation. */
      readonly unquoted?: string;
    };

const tooManyContainers = `The document has more than ${jsonContainersMax} objects and arrays: send it in parts.`;
const tooManyMembers = `The document has objects of more than ${jsonWideMembersMax} members: send them in parts, or as arrays.`;

export interface JsonOptions {
  readonly depthMax?: number;
  /** Bytes of a container beyond which it is parsed in parts. */
  readonly partBytes?: number;
  /**
   * Whether the server has written the document itself, from members that it accepted one by one: of these it may have any number, nested
   * deeper than in a request. Default: no.
   */
  readonly isOwn?: boolean;
  /** Called before anything is parsed with the bytes of memory that a large document takes at least; may throw. */
  admit?(memoryBytes: number): void;
}

/**
 * Reads one JSON document (RFC 8259, UTF-8, no byte order mark).
 *
 * `-0` becomes `0`. Of duplicate members the last wins, as in `JSON.parse`. Never throws, except what `admit` throws, and never recurses
 * deeper than `depthMax`, which is at most a few hundred.
 */
export function parseJson(bytes: Buffer, options: JsonOptions = {}): ParsedJson {
  const { depthMax = jsonDepthMax, partBytes = jsonPartBytes } = options;
  if (bytes.length > partBytes) return runToEnd(parsingJson(bytes, options));
  const refused = refusedByHead(bytes);
  if (refused !== undefined) return refused;
  const scan = new JsonScan(bytes, depthMax, true);
  scan.run(bytes.length);
  if (scan.passed !== undefined) return refusedByScan(scan, depthMax);
  // Faster to search than the bytes.
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return notJson(error);
  }
  return walked(value, hasEscapes(text));
}

/** As {@link parseJson}, for a document of any size, in slices: `inSlices` lets others have their turns. */
export function* parsingJson(bytes: Buffer, options: JsonOptions = {}): Generator<void, ParsedJson> {
  const { isOwn = false, partBytes = jsonPartBytes } = options;
  const { depthMax = isOwn ? jsonDepthFollowed : jsonDepthMax } = options;
  // Each of these checks takes one step, and what the server has written passes them.
  const refused = isOwn ? undefined : refusedByHead(bytes);
  if (refused !== undefined) return refused;
  const scan = new JsonScan(bytes, depthMax, false, partBytes, !isOwn);
  while (!scan.isOver) {
    scan.run(scannedBytes);
    yield;
  }
  if (scan.passed !== undefined) return refusedByScan(scan, depthMax);
  options.admit?.(scan.memoryBytes);
  const checkStrings = !isOwn && hasEscapes(bytes);
  const fieldErrors: FieldError[] = [];
  let value: unknown;
  try {
    value = yield* parseInParts(bytes, scan, partBytes, (part) => new Walk(fieldErrors, checkStrings).container(part, 0));
  } catch (error) {
    return notJson(error);
  }
  // Where the errors are is known only now, and whether a later member of the same name has taken the place of one.
  return fieldErrors.length === 0 ? { value, fieldErrors } : walked(value, checkStrings);
}

function refusedByHead(bytes: Buffer): ParsedJson | undefined {
  if (!isUtf8(bytes)) return { failure: 'The document is not valid UTF-8.' };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { failure: 'The document begins with a byte order mark; JSON is sent without one.' };
  }
  return undefined;
}

function refusedByScan(scan: JsonScan, depthMax: number): ParsedJson {
  switch (scan.passed) {
    case 'depth':
      return { failure: `The document is nested too deeply: at most ${depthMax} levels are read.` };
    case 'containers':
      return { failure: tooManyContainers, tooLarge: true };
    case 'shapes':
      return { failure: tooManyShapes(scan), tooLarge: true };
    default:
      return { failure: tooManyMembers, tooLarge: true };
  }
}

const tooManyShapes = ({ shapes, at }: JsonScan): string =>
  `The objects in the first ${at} bytes of the document begin with ${shapes} distinct sequences of member names; the limit is ${jsonShapesMax}. Write members in the same order in all objects, use arrays where names are data, or send the document in parts.`;

function notJson(error: unknown): ParsedJson {
  const { message } = error as SyntaxError;
  const place = /at position \d+/.exec(message)?.[0] ?? (message.startsWith('Unexpected end') ? 'at its end' : '');
  return {
    failure: `The document is not valid JSON: ${message}.`,
    unquoted: `${`The document is not valid JSON ${place}`.trim()}.`,
  };
}

/** A lone surrogate has no UTF-8 form, so in bytes that are UTF-8 it can only have been written as an escape. */
const hasEscapes = (document: Buffer | string): boolean => document.includes('\\u');

function walked(parsed: unknown, checkStrings: boolean): ParsedJson {
  const fieldErrors: FieldError[] = [];
  const path = new Walk(fieldErrors, checkStrings);
  if (typeof parsed === 'object' && parsed !== null) path.container(parsed, 0);
  else path.leaf(parsed, 0);
  return { value: parsed === 0 ? 0 : parsed, fieldErrors };
}

/** Whether a document has objects and arrays more than `depthMax` inside one another. */
export function nestsDeeper(text: string, depthMax: number): boolean {
  // Each level takes two characters: most documents are too short to be deep.
  if (text.length <= 2 * depthMax) return false;
  const bytes = Buffer.from(text);
  const scan = new JsonScan(bytes, depthMax, true);
  scan.run(bytes.length);
  return scan.passed === 'depth';
}

/** Matches a surrogate that is not half of a pair: under the `u` flag a pair is one code point of another class. */
const loneSurrogate = /\p{Surrogate}/u;

/** One pass over a parsed value. Keeps the way down in an array that is overwritten, so that a sound document costs no allocation. */
class Walk {
  readonly #fieldErrors: FieldError[];
  readonly #checkStrings: boolean;
  readonly #path: (string | number)[] = [];

  constructor(fieldErrors: FieldError[], checkStrings: boolean) {
    this.#fieldErrors = fieldErrors;
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
        if (this.#fieldErrors.length >= fieldErrorsMax) return;
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
        if (this.#fieldErrors.length >= fieldErrorsMax) return;
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
    if (this.#fieldErrors.length >= fieldErrorsMax) return;
    this.#fieldErrors.push({ pointer: wellFormed(pointerOf(this.#path.slice(0, depth))), detail });
  }
}

function wellFormed(text: string): string {
  return loneSurrogate.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd') : text;
}
