/**
 * Replaces members in the bytes of a large document, piece by piece, without parsing or joining it. The server wrote it itself, without
 * spaces. A document of another form is an error: its members would stay.
 */
import { BytePieces } from './byte-pieces.ts';
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-bytes.ts';

/** New JSON of members of the objects in lists, by the name of the list and that of the member. It is not longer than any value of the member. */
export type ListReplacements = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Replaces members of objects in lists; in slices of one piece. The lists are members of the document. Throws if the document does not have
 * the expected form.
 *
 * @param document its pieces are taken, changed, and become those of the result
 */
export function* replacingMembers(document: BytePieces, replacements: ListReplacements): Generator<void, BytePieces> {
  const replaced = new BytePieces();
  const replacer = new MemberReplacer(replacements, replaced);
  for (const piece of document) {
    replacer.write(piece);
    yield;
  }
  replacer.end();
  return replaced;
}

/** Nesting of the members of the document, of the objects in its lists, and of the members of these. */
const documentDepth = 1;
const listDepth = 2;
const objectDepth = 3;

/** What comes next; `anything` where it does not matter. */
type Expecting = 'name or end' | 'name' | 'colon' | 'list' | 'object or end' | 'object' | 'anything';

class MemberReplacer {
  readonly #lists: ReadonlyMap<string, ReadonlyMap<string, Buffer>>;
  readonly #into: BytePieces;
  #found = 0;
  #depth = 0;
  #expecting: Expecting = 'anything';
  #isQuoted = false;
  #isEscaped = false;
  /** The name that is read, or was read last, of a member of the document or of an object in a list. */
  #name = '';
  #isName = false;
  /** Replacements in the list that is read. */
  #list: ReadonlyMap<string, Buffer> | undefined;
  /** Replaces the value that is read. */
  #json: Buffer | undefined;
  #piece: Buffer = Buffer.alloc(0);
  /** Bytes of the piece that have their place in it, and the first byte that has not. */
  #to = 0;
  #from = 0;
  /** Where in the piece the name begins, and the value that is replaced; -1 if that was in a piece before. */
  #nameAt = 0;
  #valueAt = -1;

  constructor(replacements: ListReplacements, into: BytePieces) {
    const asJson = (members: ReadonlyMap<string, string>) =>
      new Map(Array.from(members, ([name, json]) => [name, Buffer.from(json)] as const));
    this.#lists = new Map(Array.from(replacements, ([list, members]) => [list, asJson(members)] as const));
    this.#into = into;
  }

  write(piece: Buffer): void {
    this.#piece = piece;
    this.#to = this.#from = this.#nameAt = 0;
    this.#valueAt = -1;
    let isQuoted = this.#isQuoted;
    let isEscaped = this.#isEscaped;
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i] as number;
      if (isQuoted) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) {
          isQuoted = false;
          this.#stringEnds(i);
        }
      } else if (byte === quote) {
        isQuoted = true;
        this.#stringBegins(i);
      } else this.#token(byte, i);
    }
    this.#isQuoted = isQuoted;
    this.#isEscaped = isEscaped;
    if (this.#isName) this.#name += piece.toString('latin1', this.#nameAt);
    if (this.#json === undefined) this.#keep(piece.length);
    this.#into.add(piece.subarray(0, this.#to));
  }

  end(): void {
    if (this.#depth > 0 || this.#found < this.#lists.size) throw unexpected('its end, or no list', this.#expecting);
  }

  #stringBegins(at: number): void {
    if (this.#expecting === 'anything') return;
    if (this.#expecting !== 'name' && this.#expecting !== 'name or end') throw unexpected('a text', this.#expecting);
    this.#isName = true;
    this.#name = '';
    this.#nameAt = at + 1;
  }

  #stringEnds(at: number): void {
    if (!this.#isName) return;
    this.#isName = false;
    this.#name += this.#piece.toString('latin1', this.#nameAt, at);
    if (this.#name.includes('\\')) throw unexpected('a name with an escape', this.#expecting);
    this.#expecting = 'colon';
  }

  /** Whether members of the present object are searched. */
  get #isSearched(): boolean {
    return this.#depth === documentDepth || (this.#depth === objectDepth && this.#list !== undefined);
  }

  #token(byte: number, at: number): void {
    if (byte === openBrace || byte === openBracket) this.#opens(byte);
    else if (byte === closeBrace || byte === closeBracket) this.#closes(at);
    else if (byte === colon) this.#valueBegins(at + 1);
    else if (byte === comma) this.#goesOn(at);
    else if (this.#expecting !== 'anything') throw unexpected(`byte ${byte}`, this.#expecting);
  }

  #opens(byte: number): void {
    const wanted = this.#expecting === 'list' ? openBracket : openBrace;
    if (this.#expecting !== 'anything' && (byte !== wanted || !/^(?:list|object)/.test(this.#expecting)))
      throw unexpected(`byte ${byte}`, this.#expecting);
    this.#depth++;
    if (this.#isSearched) this.#expecting = 'name or end';
    else this.#expecting = this.#list !== undefined && this.#depth === listDepth ? 'object or end' : 'anything';
  }

  #closes(at: number): void {
    if (this.#expecting !== 'anything' && !this.#expecting.endsWith('or end')) throw unexpected('an end', this.#expecting);
    if (this.#isSearched) this.#valueEnds(at);
    this.#depth--;
    this.#expecting = 'anything';
    if (this.#depth === documentDepth) this.#list = undefined;
  }

  #valueBegins(at: number): void {
    if (!this.#isSearched) return;
    if (this.#expecting !== 'colon') throw unexpected('":"', this.#expecting);
    this.#expecting = 'anything';
    if (this.#depth === documentDepth) {
      this.#list = this.#lists.get(this.#name);
      if (this.#list === undefined) return;
      this.#found++;
      this.#expecting = 'list';
    } else {
      this.#json = this.#list?.get(this.#name);
      if (this.#json === undefined) return;
      this.#keep(at);
      this.#valueAt = at;
    }
  }

  /** The next member or element follows. */
  #goesOn(at: number): void {
    if (this.#expecting !== 'anything') throw unexpected('","', this.#expecting);
    if (this.#isSearched) {
      this.#valueEnds(at);
      this.#expecting = 'name';
    } else if (this.#list !== undefined && this.#depth === listDepth) this.#expecting = 'object';
  }

  #valueEnds(at: number): void {
    const json = this.#json;
    if (json === undefined) return;
    this.#json = undefined;
    this.#from = at;
    // It began in a piece before: nothing of this one is kept yet.
    if (this.#valueAt < 0) this.#into.add(json);
    else if (json.length > at - this.#valueAt) throw unexpected('a shorter value', this.#expecting);
    else this.#to += json.copy(this.#piece, this.#to);
  }

  /** Keeps the bytes up to a place. */
  #keep(end: number): void {
    if (this.#to === this.#from) this.#to = end;
    else this.#to += this.#piece.copy(this.#piece, this.#to, this.#from, end);
    this.#from = end;
  }
}

const unexpected = (found: string, expecting: Expecting): Error =>
  new Error(`cannot replace members of a document: it has ${found} where ${expecting} is expected`);
