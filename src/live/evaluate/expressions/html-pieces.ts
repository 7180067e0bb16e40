/**
 * Where in HTML a placeholder is. The states are those of the tokenizer of the HTML standard, as far as they matter here: a value must not
 * end the text, the attribute or the tag that it is in.
 */
import type { AddressUse } from '../../../lib/draw/link-rules.ts';

/** A part of a template as written: a literal text, or the placeholder of a variable. */
export type Part = string | { readonly variable: number; readonly name: string };

export type HtmlPiece =
  | string
  /** Escaped as text or as the value of an attribute. */
  | { readonly kind: 'text' | 'attribute'; readonly variable: number; readonly name: string }
  /** A whole attribute with an address. */
  | { readonly kind: 'address'; readonly use: AddressUse; readonly parts: readonly Part[] };

/** Attributes that have values: those that the viewer keeps. */
const attributes: ReadonlyMap<string, AddressUse | 'attribute'> = new Map<string, AddressUse | 'attribute'>([
  ['href', 'link'],
  ['src', 'web picture'],
  ['alt', 'attribute'],
  ['title', 'attribute'],
]);

/** Elements whose content is no HTML. */
const rawElements = new Set('script style textarea title xmp iframe noembed noframes noscript plaintext'.split(' '));

type State =
  | 'text'
  | 'raw'
  | 'tag open'
  | 'tag name'
  | 'before attribute'
  | 'attribute name'
  | 'before value'
  | 'double quoted'
  | 'single quoted'
  | 'unquoted'
  | 'comment'
  | 'bogus comment';

const isSpace = (character: string): boolean => /[\t\n\f\r ]/.test(character);

export class HtmlPieces {
  readonly pieces: HtmlPiece[] = [];
  /** Names of placeholders where no value is allowed. They are left out. */
  readonly refused: string[] = [];
  #state: State = 'text';
  #tag = '';
  #attribute = '';
  #literal = '';
  /** Whether spaces follow the name of the attribute, which may still get its `=`. */
  #isNameOver = false;
  #isEndTag = false;
  /** Whether the value of the attribute is in quotation marks that the template does not have. */
  #hasAddedMark = false;
  #address: { readonly use: AddressUse; readonly parts: Part[] } | undefined;

  constructor(parts: readonly Part[]) {
    for (const part of parts) {
      if (typeof part === 'string') this.#read(part);
      else this.#place(part);
    }
    this.#endValue();
    this.#endLiteral();
  }

  #place(part: Exclude<Part, string>): void {
    // An attribute without quotation marks gets them: the value may be empty.
    if (this.#state === 'before value') {
      this.#literal += '"';
      this.#hasAddedMark = true;
      this.#beginValue('unquoted');
    }
    if (this.#address !== undefined) {
      this.#address.parts.push(this.#literal, part);
      this.#literal = '';
      return;
    }
    const isValue = this.#state === 'double quoted' || this.#state === 'single quoted' || this.#state === 'unquoted';
    if (this.#state !== 'text' && !(isValue && attributes.has(this.#attribute))) {
      this.refused.push(part.name);
      return;
    }
    this.#endLiteral();
    this.pieces.push({ kind: isValue ? 'attribute' : 'text', ...part });
  }

  #read(text: string): void {
    for (let i = 0; i < text.length; i++) this.#character(text[i] as string, text, i);
  }

  #character(character: string, text: string, at: number): void {
    const from = this.#state;
    const to = this.#next(character, text, at);
    const ends = from !== to && (from === 'double quoted' || from === 'single quoted' || from === 'unquoted');
    if (ends) this.#endValue();
    this.#literal += this.#hasAddedMark && character === '"' ? '&#34;' : character;
    if (from === 'before value' && (to === 'double quoted' || to === 'single quoted')) this.#beginValue(to);
    this.#state = to;
  }

  #next(character: string, text: string, at: number): State {
    switch (this.#state) {
      case 'text':
        return character === '<' ? this.#tagOpens() : 'text';
      case 'raw':
        return character === '<' && text.slice(at + 1, at + 2 + this.#tag.length).toLowerCase() === `/${this.#tag}`
          ? this.#tagOpens()
          : 'raw';
      case 'tag open':
        if (character === '/' && this.#tag === '') return 'tag open';
        if (character === '!') return text.startsWith('--', at + 1) ? 'comment' : 'bogus comment';
        if (character === '?') return 'bogus comment';
        if (!/[a-z]/i.test(character)) return character === '<' ? 'tag open' : 'text';
        this.#tag = character.toLowerCase();
        this.#isEndTag = text[at - 1] === '/';
        return 'tag name';
      case 'tag name':
        if (character === '>') return this.#tagEnds();
        if (isSpace(character) || character === '/') return 'before attribute';
        this.#tag += character.toLowerCase();
        return 'tag name';
      case 'before attribute':
        if (character === '>') return this.#tagEnds();
        if (isSpace(character) || character === '/') return 'before attribute';
        this.#beginName(character);
        return 'attribute name';
      case 'attribute name':
        return this.#inName(character);
      case 'before value':
        if (isSpace(character)) return 'before value';
        if (character === '"') return 'double quoted';
        if (character === "'") return 'single quoted';
        if (character === '>') return this.#tagEnds();
        this.#beginValue('unquoted');
        return 'unquoted';
      case 'double quoted':
        return character === '"' ? 'before attribute' : 'double quoted';
      case 'single quoted':
        return character === "'" ? 'before attribute' : 'single quoted';
      case 'unquoted':
        if (character === '>') return this.#tagEnds();
        return isSpace(character) ? 'before attribute' : 'unquoted';
      case 'comment':
        return character === '>' && text.slice(0, at).endsWith('--') ? 'text' : 'comment';
      case 'bogus comment':
        return character === '>' ? 'text' : 'bogus comment';
    }
  }

  #tagOpens(): State {
    this.#tag = '';
    this.#attribute = '';
    return 'tag open';
  }

  #tagEnds(): State {
    return !this.#isEndTag && rawElements.has(this.#tag) ? 'raw' : 'text';
  }

  #beginName(character: string): void {
    this.#attribute = character.toLowerCase();
    this.#isNameOver = false;
  }

  #inName(character: string): State {
    if (character === '>') return this.#tagEnds();
    if (character === '/') return 'before attribute';
    if (character === '=') return 'before value';
    if (isSpace(character)) this.#isNameOver = true;
    else if (this.#isNameOver) this.#beginName(character);
    else this.#attribute += character.toLowerCase();
    return 'attribute name';
  }

  #beginValue(state: 'double quoted' | 'single quoted' | 'unquoted'): void {
    this.#state = state;
    const use = attributes.get(this.#attribute);
    if (use === undefined || use === 'attribute') return;
    this.#endLiteral();
    this.#address = { use, parts: [] };
  }

  #endValue(): void {
    this.#endAddress();
    if (this.#hasAddedMark) this.#literal += '"';
    this.#hasAddedMark = false;
  }

  #endAddress(): void {
    const address = this.#address;
    if (address === undefined) return;
    this.#address = undefined;
    const parts = [...address.parts, this.#literal].filter((part) => part !== '');
    // Without a placeholder it stays as it is written.
    if (parts.every((part) => typeof part === 'string')) {
      this.#literal = parts.join('');
      return;
    }
    this.#literal = '';
    this.pieces.push({ kind: 'address', use: address.use, parts });
  }

  #endLiteral(): void {
    if (this.#literal !== '') this.pieces.push(this.#literal);
    this.#literal = '';
  }
}
