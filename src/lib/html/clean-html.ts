/**
 * HTML of any origin as HTML that popups show: only their elements and attributes, closed, and within their bounds. It is read by the tokenizer of
 * parse5, which finds the tags that a browser finds. Takes time in proportion to the length.
 */
import { type Token, Tokenizer } from 'parse5';
import { contentModes } from './html-addresses.ts';
import { contentBounds, popupAttributes, popupElements } from './popup-content.ts';

export interface CleanHtml {
  readonly html: string;
  /** The text alone: rows, paragraphs and list items on lines of their own, cells apart. */
  readonly text: string;
  /** The end is left out: it would exceed the bounds of popups. */
  readonly isCut: boolean;
}

/** The same content with the elements and attributes of popups. Addresses in texts become links. Never throws. */
export function cleanHtml(html: string): CleanHtml {
  const writer = new ContentWriter();
  const onText = ({ chars }: Token.CharacterToken): void => writer.text(chars);
  const tokenizer: Tokenizer = new ContentTokenizer(
    {},
    {
      onStartTag: ({ tagName, attrs, selfClosing }) => {
        tokenizer.state = contentModes.get(tagName) ?? tokenizer.state;
        writer.start(nameOf(tagName), attrs, selfClosing);
      },
      onEndTag: ({ tagName }) => writer.end(nameOf(tagName)),
      ...{ onCharacter: onText, onWhitespaceCharacter: onText },
      ...{ onNullCharacter: ignore, onComment: ignore, onDoctype: ignore, onEof: ignore },
    },
  );
  tokenizer.write(html, true);
  return writer.finish();
}

/** True if a text has a tag of HTML, not only a sign "<". */
export const hasTags = (text: string): boolean => anyTag.test(text);

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const elements: ReadonlySet<string> = new Set(popupElements);
const attributes: ReadonlySet<string> = new Set(popupAttributes);
const withoutContent = set('br hr img');
/** Elements of which nothing is shown. */
const dropped = set(
  'script style iframe object embed applet audio video canvas svg math title head template textarea select noscript noembed noframes frameset xmp plaintext',
);
const droppedWithoutEnd = set('embed');
/** Elements for which popups have others. */
const others: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ strike: 's', del: 's', ins: 'u', tt: 'code', kbd: 'code', samp: 'code', center: 'div', section: 'div', article: 'div' },
    ...{ header: 'div', footer: 'div', main: 'div', nav: 'div', aside: 'div', address: 'div', form: 'div', fieldset: 'div' },
  }),
);
/** Elements that are only their content. */
const plain = 'html body meta link font big nobr label input button wbr abbr cite time thread';
const anyTag = new RegExp(
  `<(?:/?(?:[a-z][\\w-]{0,30}:)?(?:${[...elements, ...dropped, ...others.keys(), ...plain.split(' ')].join('|')})(?=[\\s/>])[^<>]*>|!--)`,
  'i',
);

const blocks = set(
  'p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table caption thead tbody tfoot tr figure figcaption hr',
);
const cells = set('td th');
const tableParts = set('caption thead tbody tfoot tr td th');
const formatting = set('a b big code em i s small strong u');
/** An end tag does not close what is outside of these, nor does a start tag. */
const barriers = set('table td th caption');

/** Elements that the start of another one ends, and within which. */
type Ending = readonly [ended: ReadonlySet<string>, within: ReadonlySet<string>];
const definition: Ending = [set('dt dd'), set('dl table td th')];
const cell: Ending = [cells, set('tr table')];
const part: Ending = [set('thead tbody tfoot caption'), set('table')];
const paragraph: Ending = [set('p'), barriers];
const endings: ReadonlyMap<string, Ending> = new Map(
  Object.entries<Ending>({
    ...{ a: [set('a'), barriers], li: [set('li'), set('ul ol table td th')], dt: definition, dd: definition },
    ...{ tr: [set('tr caption'), set('table')], td: cell, th: cell },
    ...{ caption: part, thead: part, tbody: part, tfoot: part },
  }),
);

/** Keeps only the attributes of popups, which needs neither time nor memory for the others. */
class ContentTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    if (attributes.has(this.currentAttr.name)) super._leaveAttrName();
  }
}

/** Writes elements that are closed in their order, as long as they are within the bounds. */
class ContentWriter {
  #html = '';
  /** `\v` is the border of a block, of which several are one line break. */
  #text = '';
  readonly #open: string[] = [];
  #dropped: { readonly name: string; depth: number } | undefined;
  readonly #counts = { elements: 0, attributes: 0, implied: 0 };
  #tables = 0;
  #hasPicture = false;
  #isCut = false;

  start(name: string, attrs: readonly Token.Attribute[], closesItself: boolean): void {
    if (this.#dropped !== undefined) {
      if (this.#dropped.name === name && !closesItself) this.#dropped.depth++;
      return;
    }
    if (dropped.has(name)) {
      if (!closesItself && !droppedWithoutEnd.has(name)) this.#dropped = { name, depth: 1 };
      return;
    }
    if (!elements.has(name)) return;
    this.#border(name);
    if (closesItself && !withoutContent.has(name)) return;
    for (const ending of [blocks.has(name) ? paragraph : undefined, endings.get(name)])
      if (ending !== undefined) this.#close(ending);
    if (!this.#has(name)) return;
    const written = attributesOf(name, attrs);
    if (written === undefined) return;
    if (!this.#fits(`<${name}${written.join('')}>`, written.length)) return;
    if (name === 'img') this.#hasPicture = true;
    if (withoutContent.has(name)) return;
    this.#open.push(name);
    if (name === 'table') this.#tables++;
  }

  end(name: string): void {
    if (this.#dropped !== undefined) {
      if (this.#dropped.name === name && --this.#dropped.depth === 0) this.#dropped = undefined;
      return;
    }
    const at = this.#open.lastIndexOf(name);
    if (at === -1) {
      this.#border(name);
      return;
    }
    const isPart = name === 'table' || tableParts.has(name);
    if (isPart || !this.#open.slice(at + 1).some((each) => barriers.has(each))) this.#closeTo(at);
  }

  text(characters: string): void {
    if (this.#dropped !== undefined || this.#isCut) return;
    const isPre = this.#open.includes('pre');
    let at = 0;
    for (const link of this.#open.includes('a') ? [] : characters.matchAll(webAddress)) {
      const address = trimmedAddress(link[0]);
      this.#characters(characters.slice(at, link.index), isPre);
      if (this.#fits(`<a href="${escaped(address)}">`, 1)) this.#open.push('a');
      this.#characters(address, isPre);
      if (this.#open.at(-1) === 'a') this.#closeTo(this.#open.length - 1);
      at = link.index + address.length;
    }
    this.#characters(at === 0 ? characters : characters.slice(at), isPre);
  }

  finish(): CleanHtml {
    this.#closeTo(0);
    const text = this.#text
      .replace(/[ \t]{2,}/g, ' ')
      .replace(/[ \v]*\v[ \v]*/g, '\v')
      .replace(/[ \v]*\n[ \v]*/g, '\n')
      .replaceAll('\v', '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    return { html: text === '' && !this.#hasPicture ? '' : this.#html.trim(), text, isCut: this.#isCut };
  }

  /** True if there is room for an element within those that are open, and for parts of a table a table. */
  #has(name: string): boolean {
    if (tableParts.has(name) && this.#tables === 0) return false;
    return this.#open.length < contentBounds.depth - 2 && (name !== 'table' || this.#tables < contentBounds.tables - 1);
  }

  /** Writes a start tag if it is within the bounds. */
  #fits(tag: string, attributesCount: number): boolean {
    const counts = this.#counts;
    counts.elements++;
    counts.attributes += attributesCount;
    // Open formatting, at its start and at its end, and parts of tables.
    counts.implied += 3 + 2 * this.#open.filter((name) => formatting.has(name)).length;
    const most: Readonly<Record<keyof typeof counts, number>> = contentBounds;
    if ((Object.keys(counts) as (keyof typeof counts)[]).some((name) => counts[name] >= most[name]) || tag.length > this.#room)
      this.#isCut = true;
    if (!this.#isCut) this.#html += tag;
    return !this.#isCut;
  }

  /** Characters that can be written, besides the end tags of what is open. */
  get #room(): number {
    const closing = contentBounds.depth * '</blockquote>'.length;
    return contentBounds.characters - closing - this.#html.length;
  }

  #characters(given: string, isPre: boolean): void {
    if (given === '' || this.#isCut) return;
    const all = escaped(given);
    this.#isCut = all.length > this.#room;
    // A reference needs at most six characters.
    const text = this.#isCut ? given.slice(0, Math.max(0, this.#room / 6)).replace(/\p{Surrogate}$/u, '') : given;
    this.#html += this.#isCut ? `${escaped(text)}…` : all;
    const flat = text.replaceAll('\u00a0', ' ');
    this.#text += isPre ? flat : flat.replace(/\s+/g, ' ');
  }

  #border(name: string): void {
    if (name === 'br') this.#text += '\n';
    else if (blocks.has(name)) this.#text += '\v';
    else if (cells.has(name)) this.#text += ' ';
  }

  #close([ended, within]: Ending): void {
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const name = this.#open[at] as string;
      if (ended.has(name)) this.#closeTo(at);
      if (ended.has(name) || within.has(name)) return;
    }
  }

  /** Closes an open element and those in it. */
  #closeTo(at: number): void {
    while (this.#open.length > at) {
      const name = this.#open.pop() as string;
      this.#html += `</${name}>`;
      if (name === 'table') this.#tables--;
      this.#border(name);
    }
  }
}

/** The name of an element in popups; prefixes of XML do not count. */
function nameOf(tag: string): string {
  const name = tag.slice(tag.indexOf(':') + 1);
  return others.get(name) ?? name;
}

const ignore = (): void => undefined;

/** Attributes of a tag; `undefined` for a link that leads nowhere and a picture without an address. */
function attributesOf(name: string, attrs: readonly Token.Attribute[]): string[] | undefined {
  const needed = name === 'a' ? 'href' : name === 'img' ? 'src' : undefined;
  let hasNeeded = needed === undefined;
  const written = attrs.flatMap((attribute) => {
    const isAddress = attribute.name === 'href' || attribute.name === 'src';
    if (isAddress && attribute.name !== needed) return [];
    const value = isAddress ? safeAddress(attribute.value, attribute.name === 'href') : attribute.value;
    if (value === undefined) return [];
    if (isAddress) hasNeeded = true;
    return [` ${attribute.name}="${escaped(value)}"`];
  });
  return hasNeeded ? written : undefined;
}

/** An address of the web, of mail, of a telephone, or within the same site; `undefined` for others. */
function safeAddress(given: string, isLink: boolean): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them in the scheme of an address
  const address = given.replace(/[\u0000-\u001f]/g, '').trim();
  if (address === '') return undefined;
  if (/^www\./i.test(address)) return `https://${address}`;
  const scheme = /^([^/?#]*?):/.exec(address)?.[1]?.toLowerCase();
  const isKnown = scheme === undefined || /^https?$/.test(scheme) || (isLink && /^(?:mailto|tel)$/.test(scheme));
  return isKnown ? address : undefined;
}

const webAddress = /\bhttps?:\/\/[^\s<>"']+/gi;

/** An address in a sentence, without what ends the sentence. */
function trimmedAddress(found: string): string {
  let end = found.length;
  while ('.,;:!?…*'.includes(found.charAt(end - 1))) end--;
  const address = found.slice(0, end);
  return address.endsWith(')') && !address.includes('(') ? address.slice(0, -1) : address;
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => references[character] as string);
