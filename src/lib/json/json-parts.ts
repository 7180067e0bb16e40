/**
 * Streaming splitter for JSON documents: emits each element of large collections, and the remaining members of an object together. Neither
 * the text nor the tree is held completely. Parts are bytes that `parseJson` validates; this file only finds their boundaries.
 *
 *     {"format":"f","project":{"name":"n","popups":[{"id":1},{"id":2}],"thumb":""}}
 *                                                   └─ part ─┘└─ part ─┘
 *                             └──────── part: {"name":"n","thumb":""} ────────────┘
 *     └─ part: {"format":"f"} ───────────────────────────────────────────────────────┘
 */
import { runToEnd } from '../async/run-to-end.ts';
import { pointerTo } from '../field-error.ts';
import { jsonDepthMax } from './json.ts';
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-bytes.ts';

/** Which members of an object are split. An object without any is one part. */
export interface Plan {
  /** Members that are objects, and how these are split. */
  readonly objects?: Readonly<Record<string, Plan>>;
  /** Members that are arrays, and how their elements are split. */
  readonly arrays?: Readonly<Record<string, Plan>>;
  /** Members that are strings of any length, and come in pieces. */
  readonly texts?: ReadonlySet<string>;
}

/** Long work on a part, done in slices before the parsing continues. */
export type PartWork = Generator<void> | undefined | void;

/** Receives the parts. An error that it throws ends the parsing. */
export interface PartsTaker<P extends Plan> {
  /**
   * An object that is split begins: its parts follow, and its remaining members are a part at its end.
   *
   * @param beside the remaining members so far of the object that contains it; `undefined` for an element
   */
  begin(plan: P, beside: Buffer | undefined): PartWork;
  /** @param bytes valid until this call and the work that it returns have ended */
  part(plan: P, bytes: Buffer): PartWork;
  /**
   * A piece of a text of the object that began last, as it is in the document: with its escapes, without its quotation marks.
   *
   * @param bytes valid until this call has ended; may be empty
   */
  text?(plan: P, bytes: Buffer): void;
}

/** The document is invalid JSON, or has a part that is too large. The message is a sentence. */
export class JsonPartsError extends Error {
  override readonly name = 'JsonPartsError';
  readonly tooLarge: boolean;

  constructor(message: string, tooLarge = false) {
    super(message);
    this.tooLarge = tooLarge;
  }
}

type Expecting = 'value' | 'element or end' | 'member or end' | 'member' | 'colon' | 'comma or end' | 'nothing';

const wanted: Readonly<Record<Expecting, string>> = {
  value: 'a value',
  'element or end': 'a value or "]"',
  'member or end': 'a member or "}"',
  member: 'a member',
  colon: '":"',
  'comma or end': '"," or the end of the array or object',
  nothing: 'nothing more',
};

/** Kind of the token that is scanned: the name of a member, one of three kinds of values, or a text that comes in pieces. */
type Scanned = 'name' | 'string' | 'container' | 'scalar' | 'text';

/** State of an object or array that is being split. */
interface Frame<P> {
  readonly plan: P;
  /** The remaining members so far; `undefined` in an array. */
  readonly rest: Bytes | undefined;
  /** The current member, or the index of the current element. */
  at: string | number;
  /** Members that were split. */
  readonly seen: Set<string>;
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export class JsonParts<P extends Plan> {
  readonly #taker: PartsTaker<P>;
  readonly #root: P;
  readonly #partBytesMax: number;
  readonly #frames: Frame<P>[] = [];
  #expecting: Expecting = 'value';
  #scanned: Scanned | undefined;
  /** Containers that the scanned value has open, and whether a string in it is. */
  #depth = 0;
  #quoted = false;
  #escaped = false;
  /** The name of the member that is read, in its quotation marks. */
  readonly #name: Bytes;
  /** An element that did not come in one piece. */
  readonly #element: Bytes;
  /** What is to be done before the document is read on. */
  #work: Generator<void> | undefined;
  /** Bytes of the document before the piece that is read. */
  #before = 0;
  /** Byte of the document at which the newest object that is split begins or ends. */
  #offset = 0;

  /** @param partBytesMax of a part */
  constructor(plan: P, taker: PartsTaker<P>, partBytesMax: number) {
    this.#root = plan;
    this.#taker = taker;
    this.#partBytesMax = partBytesMax;
    this.#name = new Bytes(partBytesMax);
    this.#element = new Bytes(partBytesMax);
  }

  /** Bytes of the document that are held. */
  get heldBytes(): number {
    return this.#frames.reduce((sum, { rest }) => sum + (rest?.size ?? 0), this.#name.size + this.#element.size);
  }

  /** The pointer to what is handed over, or is being read. */
  pointer(): string {
    return this.#frames.reduce<string>((pointer, { at }) => (at === '' ? pointer : pointerTo(pointer, at)), '');
  }

  /** Where the object of a call of {@link PartsTaker.begin} begins, or that of a call of {@link PartsTaker.part} ends: the byte of its brace. */
  get offset(): number {
    return this.#offset;
  }

  /** Reads a piece of any size. Throws a {@link JsonPartsError}, and whatever the taker throws. */
  write(piece: Buffer): void {
    runToEnd(this.writing(piece));
  }

  /** As {@link write}, in slices. */
  *writing(piece: Buffer): Generator<void> {
    for (let i = 0; i < piece.length; ) {
      i = this.#scanned === undefined ? this.#token(piece, i) : this.#scan(piece, i);
      const work = this.#work;
      if (work === undefined) continue;
      this.#work = undefined;
      yield* work;
    }
    this.#before += piece.length;
  }

  /** The document is complete. Throws a {@link JsonPartsError} when it is not. */
  end(): void {
    if (this.#expecting !== 'nothing') throw new JsonPartsError('The document is not valid JSON: it ends in the middle.');
  }

  #token(piece: Buffer, at: number): number {
    const byte = piece[at] as number;
    if (isSpace(byte)) return at + 1;
    switch (this.#expecting) {
      case 'value':
      case 'element or end':
        if (byte === closeBracket && this.#expecting === 'element or end') return this.#close(at);
        return this.#value(piece, byte, at);
      case 'member or end':
      case 'member':
        if (byte === closeBrace && this.#expecting === 'member or end') return this.#close(at);
        if (byte !== quote) break;
        this.#scanned = 'name';
        this.#name.append(piece.subarray(at, at + 1));
        this.#quoted = true;
        return at + 1;
      case 'colon':
        if (byte !== colon) break;
        this.#expecting = 'value';
        return at + 1;
      case 'comma or end': {
        const { rest } = this.#top;
        if (byte === (rest === undefined ? closeBracket : closeBrace)) return this.#close(at);
        if (byte !== comma) break;
        this.#expecting = rest === undefined ? 'value' : 'member';
        return at + 1;
      }
      case 'nothing':
        break;
    }
    throw this.#unexpected(byte, at);
  }

  /** A value begins: something to be taken apart, or one that is scanned. */
  #value(piece: Buffer, byte: number, at: number): number {
    if (byte === comma || byte === colon || byte === closeBrace || byte === closeBracket) throw this.#unexpected(byte, at);
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      if (byte !== openBrace) throw new JsonPartsError('The document must be a JSON object.');
      return this.#open(this.#root, true, at);
    }
    if (frame.rest === undefined) {
      (frame.at as number)++;
      if (byte === openBrace && isTakenApart(frame.plan)) return this.#open(frame.plan, true, at);
    } else {
      if (byte === quote && frame.plan.texts !== undefined && this.#isText(frame)) {
        this.#scanned = 'text';
        this.#quoted = true;
        return at + 1;
      }
      const plan = this.#planOf(frame, byte);
      if (plan !== undefined) return this.#open(plan, byte === openBrace, at);
      if (frame.rest.length > 0) frame.rest.append(separator);
      frame.rest.append(this.#name.taken());
      frame.rest.append(colonBytes);
    }
    this.#scanned = byte === quote ? 'string' : byte === openBrace || byte === openBracket ? 'container' : 'scalar';
    this.#depth = 0;
    this.#quoted = false;
    return this.#scan(piece, at);
  }

  /** How the member is taken apart whose value begins; `undefined` for one that stays with the rest. */
  #planOf({ plan, seen }: Frame<P>, byte: number): P | undefined {
    const apart = byte === openBrace ? plan.objects : byte === openBracket ? plan.arrays : undefined;
    if (apart === undefined) return undefined;
    const name = nameIn(this.#name.view());
    if (name === undefined || !Object.hasOwn(apart, name)) return undefined;
    this.#apart(name, seen);
    return apart[name] as P;
  }

  /** Whether the member whose string begins comes in pieces. */
  #isText({ plan, seen }: Frame<P>): boolean {
    const name = nameIn(this.#name.view());
    if (name === undefined || plan.texts?.has(name) !== true) return false;
    this.#apart(name, seen);
    return true;
  }

  /** The member of this name is not one of the rest. */
  #apart(name: string, seen: Set<string>): void {
    if (seen.has(name)) throw new JsonPartsError(`The document has ${pointerTo(this.pointer(), name)} more than once.`);
    seen.add(name);
    this.#top.at = name;
    this.#name.clear();
  }

  #open(plan: P, isObject: boolean, at: number): number {
    const beside = this.#frames.at(-1)?.rest;
    this.#frames.push({
      plan,
      rest: isObject ? new Bytes(this.#partBytesMax) : undefined,
      at: isObject ? '' : -1,
      seen: new Set(),
    });
    this.#expecting = isObject ? 'member or end' : 'element or end';
    this.#offset = this.#before + at;
    if (isObject) this.#taken(this.#taker.begin(plan, beside && objectOf(beside)));
    return at + 1;
  }

  /** An object or an array that was taken apart ends. */
  #close(at: number): number {
    const { plan, rest } = this.#frames.pop() as Frame<P>;
    this.#offset = this.#before + at;
    if (rest !== undefined) this.#taken(this.#taker.part(plan, objectOf(rest)));
    this.#valueOver();
    return at + 1;
  }

  #valueOver(): void {
    const frame = this.#frames.at(-1);
    this.#expecting = frame === undefined ? 'nothing' : 'comma or end';
    // From here on it is the object itself that is meant.
    if (frame?.rest !== undefined) frame.at = '';
  }

  /** Goes on to the end of what is scanned, or of the piece. */
  #scan(piece: Buffer, from: number): number {
    const end = this.#scanned === 'scalar' ? endOfScalar(piece, from) : this.#endOf(piece, from);
    const isOver = end >= 0;
    const to = isOver ? end : piece.length;
    const bytes = piece.subarray(from, to);
    if (this.#scanned === 'name') {
      this.#name.append(bytes);
      if (isOver) this.#expecting = 'colon';
    } else if (this.#scanned === 'text') {
      this.#taker.text?.(this.#top.plan, isOver ? bytes.subarray(0, -1) : bytes);
      if (isOver) this.#valueOver();
    } else {
      const { plan, rest } = this.#top;
      if (rest !== undefined) rest.append(bytes);
      else if (!isOver) this.#element.append(bytes);
      else this.#partEnds(plan, bytes);
      if (isOver) this.#valueOver();
    }
    if (isOver) this.#scanned = undefined;
    return to;
  }

  #taken(work: PartWork): void {
    this.#work = work ?? undefined;
  }

  #partEnds(plan: P, last: Buffer): void {
    if (this.#element.length === 0) {
      if (last.length > this.#partBytesMax) throw tooLarge(this.#partBytesMax);
      this.#taken(this.#taker.part(plan, last));
    } else {
      this.#element.append(last);
      this.#taken(this.#taker.part(plan, this.#element.taken()));
    }
  }

  /** Where a string or a container ends; -1 when that is not in this piece. */
  #endOf(piece: Buffer, from: number): number {
    let depth = this.#depth;
    let quoted = this.#quoted;
    let escaped = this.#escaped;
    for (let i = from; i < piece.length; i++) {
      const byte = piece[i];
      if (quoted) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          quoted = false;
          if (depth === 0) return this.#ended(i + 1);
        }
      } else if (byte === quote) quoted = true;
      else if (byte === openBrace || byte === openBracket) {
        if (++depth > jsonDepthMax) {
          throw new JsonPartsError(`The document is nested too deeply: at most ${jsonDepthMax} levels are read.`);
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        if (--depth === 0) return this.#ended(i + 1);
      }
    }
    this.#depth = depth;
    this.#quoted = quoted;
    this.#escaped = escaped;
    return -1;
  }

  #ended(at: number): number {
    this.#depth = 0;
    this.#quoted = false;
    this.#escaped = false;
    return at;
  }

  get #top(): Frame<P> {
    return this.#frames.at(-1) as Frame<P>;
  }

  #unexpected(byte: number, at: number): JsonPartsError {
    const found = byte > 0x20 && byte < 0x7f ? JSON.stringify(String.fromCharCode(byte)) : `byte 0x${byte.toString(16)}`;
    const where = this.#before + at;
    return new JsonPartsError(
      `The document is not valid JSON: there is ${found} at byte ${where}, in place of ${wanted[this.#expecting]}.`,
    );
  }
}

const separator = Buffer.from(',');
const colonBytes = Buffer.from(':');
const braces = Buffer.from('{}');

/** The members as the object that they make. */
function objectOf(members: Bytes): Buffer {
  return Buffer.concat([braces.subarray(0, 1), members.view(), braces.subarray(1)]);
}

function isTakenApart({ objects, arrays, texts }: Plan): boolean {
  return objects !== undefined || arrays !== undefined || texts !== undefined;
}

/** A member's name, of the text that stands for it; `undefined` where that is no sound text. */
function nameIn(text: Buffer): string | undefined {
  if (!text.includes(backslash)) return text.toString('utf8', 1, text.length - 1);
  try {
    return JSON.parse(text.toString()) as string;
  } catch {
    return undefined;
  }
}

/** Where a number or a word ends; -1 when that is not in this piece. */
function endOfScalar(piece: Buffer, from: number): number {
  for (let i = from; i < piece.length; i++) {
    const byte = piece[i] as number;
    if (byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)) return i;
  }
  return -1;
}

function tooLarge(bytesMax: number): JsonPartsError {
  return new JsonPartsError(
    `The document has a part of more than ${bytesMax} bytes: one member of a project, or the project without what it holds, may be as large as a request body, which --body-mb sets.`,
    true,
  );
}

/** Bytes that are put together from pieces. */
class Bytes {
  readonly #bytesMax: number;
  #bytes = Buffer.alloc(0);
  length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes of memory. */
  get size(): number {
    return this.#bytes.length;
  }

  append(more: Buffer): void {
    const length = this.length + more.length;
    if (length > this.#bytesMax) throw tooLarge(this.#bytesMax);
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length, 256));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    more.copy(this.#bytes, this.length);
    this.length = length;
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  /** The bytes so far. Valid until the next call, which starts from the beginning. */
  taken(): Buffer {
    const bytes = this.view();
    this.clear();
    return bytes;
  }

  clear(): void {
    this.length = 0;
    // What a large one took is not kept for the small ones after it.
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.alloc(0);
  }
}

/** Memory that is kept for the next bytes. */
const keptBytesMax = 64 * 1024;
