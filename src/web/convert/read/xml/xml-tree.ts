/** A tree of the elements of XML, with what readers of KML and GPX need: names without prefixes, attributes and texts. */
import { ConvertError } from '../../conversion.ts';
import { type RepairOptions, soundXml } from './sound-xml.ts';

/** Elements in each other. */
const depthMax = 1000;

/** An attribute: its name, and its value in quotation marks or without. */
const attributes = /(?<![^\s"'])([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;

export class XmlElement {
  /** Without its prefix. */
  readonly name: string;
  readonly #attributes: string;
  readonly children: XmlElement[] = [];
  /** The text that is directly in it. */
  text = '';

  /** @param rest of its tag, after the name */
  constructor(name: string, rest: string) {
    this.name = name.slice(name.indexOf(':') + 1);
    this.#attributes = rest;
  }

  /** The value of an attribute; empty if it has none. */
  attribute(name: string): string {
    for (const [, found, ...values] of this.#attributes.matchAll(attributes))
      if (found === name) return decoded(values.find((value) => value !== undefined) ?? '').trim();
    return '';
  }

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** The first child of a name. */
  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  /** The text of the first child of a name; `undefined` if there is none. */
  textOf(name: string): string | undefined {
    return this.child(name)?.content() || undefined;
  }

  /** All text in it, without spaces around it. */
  content(): string {
    if (this.children.length === 0) return this.text.trim();
    return [this.text, ...this.children.map((child) => child.content())]
      .map((text) => text.trim())
      .filter(Boolean)
      .join(' ');
  }
}

/** @throws {ConvertError} as {@link soundXml} */
export function parseTree(whole: string, options: RepairOptions): XmlElement {
  const text = soundXml(whole, options);
  const document = new XmlElement('', '');
  const open = [document];
  for (let at = text.indexOf('<'); at !== -1; ) {
    const parent = open.at(-1) as XmlElement;
    const isCdata = text[at + 1] === '!';
    const end = isCdata ? text.indexOf(']]>', at) + 3 : text[at + 1] === '/' ? text.indexOf('>', at) + 1 : tagEnd(text, at);
    if (isCdata) parent.text += text.slice(at + 9, end - 3);
    else if (text[at + 1] === '/') open.pop();
    else {
      const closesItself = text[end - 2] === '/';
      const tag = text.slice(at + 1, end - (closesItself ? 2 : 1));
      const name = /^[^\s=]*/.exec(tag)?.[0] ?? '';
      const element = new XmlElement(name, tag.slice(name.length));
      parent.children.push(element);
      if (!closesItself) open.push(element);
      if (open.length > depthMax)
        throw new ConvertError(
          'refused',
          `More than ${depthMax} elements of the file are within each other. Save it again with another program.`,
        );
    }
    const next = text.indexOf('<', end);
    if (next > end) (open.at(-1) as XmlElement).text += decoded(text.slice(end, next));
    at = next;
  }
  // A sound document has a root element.
  return document.children[0] as XmlElement;
}

/** The place after a tag: a ">" in a value does not end it. */
function tagEnd(text: string, from: number): number {
  let end = text.indexOf('>', from);
  for (let quote = quoteIn(text, from, end); quote !== -1; quote = quoteIn(text, from, end)) {
    const close = text.indexOf(text.charAt(quote), quote + 1);
    // Sound XML has no such value.
    if (close === -1) return text.length;
    from = close + 1;
    if (from > end) end = text.indexOf('>', from);
  }
  return end === -1 ? text.length : end + 1;
}

/** The first quotation mark before a place. */
function quoteIn(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) if (text[at] === '"' || text[at] === "'") return at;
  return -1;
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text without references, of which sound XML has only those that XML knows; a value without quotation marks may have others. */
const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:(\w+)|#(\d+)|#x([\da-fA-F]+));/g, (whole, name: string | undefined, decimal?: string, hex?: string) => {
        const code = Number(decimal ?? `0x${hex}`);
        return name === undefined ? (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)) : (references[name] ?? whole);
      })
    : text;
