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

/** The addresses in HTML, in their order. Takes time in proportion to the length; never throws. */
export function addressesIn(html: string): HtmlAddress[] {
  const found: HtmlAddress[] = [];
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        tokenizer.state = contentModes.get(tag.tagName) ?? tokenizer.state;
        for (const { name, value } of tag.attrs)
          if (addressAttributes.has(name) && value !== '') found.push({ value: value.trim(), ...placeOf(html, tag, name) });
      },
      ...{ onEndTag: ignore, onCharacter: ignore, onWhitespaceCharacter: ignore, onNullCharacter: ignore },
      ...{ onComment: ignore, onDoctype: ignore, onEof: ignore },
    },
  );
  tokenizer.write(html, true);
  return found;
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

/** The attributes whose value is one address. */
const addressAttributes: ReadonlySet<string> = new Set(['src', 'href']);

/** Elements whose content has no tags. */
const contentModes: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ...(['title', 'textarea'] as const).map((name) => [name, TokenizerMode.RCDATA] as const),
  ...(['style', 'xmp', 'iframe', 'noembed', 'noframes'] as const).map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

const ignore = (): void => undefined;

const isSpace = (character: string): boolean => /^[\t\n\f\r ]$/.test(character);

/** Where the value of an attribute is. It has one. */
function placeOf(html: string, { location }: Token.TagToken, name: string): { start: number; end: number } {
  const skipSpaces = (from: number): number => {
    let at = from;
    while (isSpace(html.charAt(at))) at++;
    return at;
  };
  const equals = skipSpaces((location?.attrs?.[name]?.startOffset ?? 0) + name.length);
  const start = skipSpaces(equals + 1);
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") return { start: start + 1, end: html.indexOf(quote, start + 1) };
  let end = start;
  while (end < html.length && html.charAt(end) !== '>' && !isSpace(html.charAt(end))) end++;
  return { start, end };
}

/** An address as the value of an attribute, with any quotation marks or none. */
const escaped = (address: string): string => address.replace(/[&"'<>=`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
