/**
 * The addresses in HTML: the values of the attributes `src` and `href`. HTML is read by the tokenizer of parse5, which finds the tags that a
 * browser finds. Only the values of attributes are replaced; every other character stays.
 */
import { type Token, Tokenizer, TokenizerMode } from 'parse5';

/** The value of an attribute. */
export interface HtmlAddress {
  /** Decoded, without spaces around it. */
  readonly value: string;
  /** Position of the value in the text, without its quotation marks. */
  readonly start: number;
  /** Position after its last character. */
  readonly end: number;
}

/** An address that was found, with the attribute that has it. */
export interface FoundAddress extends HtmlAddress {
  readonly attribute: 'src' | 'href';
}

/** The addresses in HTML, in their order. Takes time in proportion to the length; never throws. */
export function addressesIn(html: string): FoundAddress[] {
  const found: FoundAddress[] = [];
  const tokenizer = new AddressTokenizer(
    {},
    {
      onStartTag: (tag) => {
        tokenizer.state = contentModes.get(tag.tagName) ?? tokenizer.state;
        for (const attribute of tag.attrs) {
          const { name, value } = attribute;
          // The tokenizer keeps no others.
          const place = { attribute: name as FoundAddress['attribute'], ...placeOf(html, tokenizer.endOfName(attribute)) };
          if (value !== '') found.push({ value: value.trim(), ...place });
        }
        tokenizer.forget();
      },
      ...{ onEndTag: ignore, onCharacter: ignore, onWhitespaceCharacter: ignore, onNullCharacter: ignore },
      ...{ onComment: ignore, onDoctype: ignore, onEof: ignore },
    },
  );
  tokenizer.write(html, true);
  return found;
}

/**
 * Keeps only attributes that have addresses, which needs neither time nor memory for the others: one tag may have a million. A repeated
 * attribute is dropped by its name, thus what is kept does not depend on the others.
 */
class AddressTokenizer extends Tokenizer {
  readonly #ends = new Map<Token.Attribute, number>();

  /** Position after the name of an attribute of the tag that was read. */
  endOfName(attribute: Token.Attribute): number {
    return this.#ends.get(attribute) ?? 0;
  }

  /** Forgets the attributes of tags that were read. */
  forget(): void {
    this.#ends.clear();
  }

  protected override _leaveAttrName(): void {
    if (!addressAttributes.has(this.currentAttr.name)) return;
    this.#ends.set(this.currentAttr, this.preprocessor.offset);
    super._leaveAttrName();
  }
}

/** HTML with other addresses. @param addresses of {@link addressesIn}, in their order, with other values */
export function withAddresses(html: string, addresses: readonly HtmlAddress[]): string {
  let text = '';
  let at = 0;
  for (const { value, start, end } of addresses) {
    text += html.slice(at, start) + escaped(value);
    at = end;
  }
  return at === 0 ? html : text + html.slice(at);
}

/** HTML in which some addresses are others. @param replaced returns the other one; `undefined` keeps an address */
export const replaceAddresses = (html: string, replaced: (address: string) => string | undefined): string =>
  withAddresses(
    html,
    addressesIn(html).flatMap((found) => {
      const value = replaced(found.value);
      return value === undefined ? [] : [{ ...found, value }];
    }),
  );

/** The attributes whose value is one address. */
const addressAttributes: ReadonlySet<string> = new Set(['src', 'href']);

/** Elements whose content has no tags. */
export const contentModes: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ...(['title', 'textarea'] as const).map((name) => [name, TokenizerMode.RCDATA] as const),
  ...(['style', 'xmp', 'iframe', 'noembed', 'noframes'] as const).map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

const ignore = (): void => undefined;

const isSpace = (character: string): boolean => '\t\n\f\r '.includes(character) && character !== '';

/** Where the value of an attribute is. It has one. @param endOfName position after its name */
function placeOf(html: string, endOfName: number): { start: number; end: number } {
  const skipSpaces = (from: number): number => {
    let at = from;
    while (isSpace(html.charAt(at))) at++;
    return at;
  };
  const start = skipSpaces(skipSpaces(endOfName) + 1);
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") return { start: start + 1, end: html.indexOf(quote, start + 1) };
  let end = start;
  while (end < html.length && html.charAt(end) !== '>' && !isSpace(html.charAt(end))) end++;
  return { start, end };
}

/** An address as the value of an attribute, with any quotation marks or none. */
const escaped = (address: string): string => address.replace(/[&"'<>=`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
