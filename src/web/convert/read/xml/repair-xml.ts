/**
 * XML as programs and people write it, as XML that a parser takes: text before the document, prefixes that are not declared, references of HTML,
 * and signs "&" and "<" in texts. It also finds where the elements do not fit together. One pass over the text.
 */
import { findDeclaration } from '../../../../lib/html/document-type.ts';
import { characterOf } from '../../../../lib/html/html-reference.ts';
import { ConvertError } from '../../conversion.ts';
import type { Notes } from '../../notes.ts';
import { shortened } from '../../short-text.ts';

/** Prefixes that are declared here, if the root element does not declare them. */
const prefixesMax = 200;
const namespaces: Readonly<Record<string, string>> = {
  xlink: 'http://www.w3.org/1999/xlink',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
  gx: 'http://www.google.com/kml/ext/2.2',
  atom: 'http://www.w3.org/2005/Atom',
  inkscape: 'http://www.inkscape.org/namespaces/inkscape',
};
/** References that XML knows. */
const known = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/** Comments and instructions, CDATA, other declarations, tags, and signs that may be none of them. */
const marks = /<!--|<\?|<!\[CDATA\[|<!|<(?=[\p{L}_:/])|<|&/gu;
const prefixedAttribute = /\s([\p{L}_][\p{L}\p{N}_.-]{0,60}):[\p{L}\p{N}_.-]+\s*=/gu;

export interface RepairOptions {
  /** Elements whose content may be HTML: their local names. */
  readonly html?: ReadonlySet<string>;
  readonly notes?: Notes | undefined;
}

/**
 * The document as well-formed XML, with its lines where they were.
 *
 * @throws {ConvertError} "unreadable" if elements do not fit together, "refused" for declarations
 */
export const repairXml = (text: string, options: RepairOptions): string => new Repair(text, options).run();

class Repair {
  readonly #text: string;
  readonly #options: RepairOptions;
  readonly #parts: string[] = [];
  /** Where the text that is copied next begins. */
  #from = 0;
  /** Open elements, with their places. */
  readonly #open: { readonly name: string; readonly at: number }[] = [];
  /** Places of signs that stand for themselves. */
  readonly #signs: number[] = [];
  /** Prefixes of names. */
  readonly #prefixes = new Set<string>();
  /** The start tag of the root element, and the part that gets its declarations. */
  #root = { tag: '', part: -1 };
  #rootEnd = -1;

  constructor(text: string, options: RepairOptions) {
    this.#text = text;
    this.#options = options;
  }

  run(): string {
    const text = this.#text;
    const first = text.indexOf('<');
    if (first === -1) throw new ConvertError('unreadable', 'The file has no elements.');
    this.#replace(0, first, blank(text.slice(0, first)));
    const search = new RegExp(marks);
    search.lastIndex = first;
    for (let found = search.exec(text); found !== null; found = search.exec(text)) {
      search.lastIndex = this.#mark(found[0], found.index);
      // Text after the document is no part of it.
      if (this.#rootEnd !== -1 && this.#open.length === 0) break;
    }
    if (this.#open.length > 0) throw this.#cutOff();
    if (this.#rootEnd === -1) throw new ConvertError('unreadable', 'The file has no elements.');
    this.#noteSigns();
    this.#noteRest();
    this.#parts[this.#root.part] = this.#declarations();
    return this.#parts.join('') + text.slice(this.#from, this.#rootEnd);
  }

  /** @returns the place after what begins with the sign */
  #mark(sign: string, at: number): number {
    const text = this.#text;
    if (sign === '<!--') return this.#blankTo('-->', at);
    if (sign === '<?') return this.#blankTo('?>', at);
    if (sign === '<![CDATA[') return this.#endOf(']]>', at);
    if (sign === '<!') throw this.#declaration(at);
    if (sign === '&') return this.#reference(at);
    if (text[at + 1] === undefined || !/[\p{L}_:/]/u.test(text.slice(at + 1, at + 3))) return this.#sign(at, '&lt;');
    return text[at + 1] === '/' ? this.#endTag(at) : this.#startTag(at);
  }

  #replace(from: number, to: number, by: string): void {
    this.#parts.push(this.#text.slice(this.#from, from), by);
    this.#from = to;
  }

  #endOf(sign: string, at: number): number {
    const end = this.#text.indexOf(sign, at);
    if (end === -1) throw this.#cutOff(at);
    return end + sign.length;
  }

  #blankTo(sign: string, at: number): number {
    const end = this.#endOf(sign, at + 2);
    this.#replace(at, end, blank(this.#text.slice(at, end)));
    return end;
  }

  /** A sign that stands for itself. */
  #sign(at: number, by: string): number {
    this.#signs.push(at);
    this.#replace(at, at + 1, by);
    return at + 1;
  }

  #reference(at: number): number {
    const [, name, code] = /^&(?:([A-Za-z]\w{0,31})|#(\d{1,8}|x[\da-fA-F]{1,7}));/.exec(this.#text.slice(at, at + 36)) ?? [];
    if (name === undefined && code === undefined) return this.#sign(at, '&amp;');
    const end = this.#text.indexOf(';', at) + 1;
    if (name !== undefined && known.has(name)) return end;
    if (code !== undefined && !isForbidden(Number(code.startsWith('x') ? `0${code}` : code))) return end;
    const character = code === undefined ? characterOf(this.#text.slice(at, end)) : '\ufffd';
    if (character === undefined) return this.#sign(at, '&amp;');
    this.#replace(
      at,
      end,
      character.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    );
    return end;
  }

  /** The place after the ">" of a tag; -1 if it has none. */
  #tagEnd(from: number): number {
    const text = this.#text;
    for (let at = from; at < text.length; at++) {
      const character = text.charCodeAt(at);
      if (character === 62) return at + 1;
      if (character === 60) return -1;
      if (character !== 34 && character !== 39) continue;
      const close = text.indexOf(character === 34 ? '"' : "'", at + 1);
      if (close === -1) throw this.#cutOff(from);
      for (const sign of text.slice(at, close).matchAll(/[&<]/g))
        if (sign[0] === '&') this.#reference(at + sign.index);
        else this.#sign(at + sign.index, '&lt;');
      at = close;
    }
    throw this.#cutOff(from);
  }

  #startTag(at: number): number {
    const text = this.#text;
    const name = nameAt(text, at + 1);
    if (name === '') return this.#sign(at, '&lt;');
    const isRoot = this.#root.part === -1;
    if (isRoot) {
      this.#replace(at + 1 + name.length, at + 1 + name.length, '');
      this.#root = { tag: '', part: this.#parts.length - 1 };
    }
    const end = this.#tagEnd(at + 1 + name.length);
    if (end === -1) throw this.#malformed(at, `the tag <${shortened(name, 40)}> has no ">"`);
    if (isRoot) this.#root.tag = text.slice(at, end);
    this.#findPrefixes(name, at, end);
    const closesItself = text[end - 2] === '/';
    if (!closesItself) this.#open.push({ name, at });
    if (this.#open.length === 0) this.#rootEnd = end;
    return !closesItself && this.#options.html?.has(name.slice(name.indexOf(':') + 1)) === true ? this.#html(name, end) : end;
  }

  /** Tags within an element whose content is HTML become its text. */
  #html(name: string, from: number): number {
    if (/^\s*<!\[CDATA\[/.test(this.#text.slice(from, from + 100))) return from;
    const end = this.#text.indexOf(`</${name}`, from);
    if (end === -1) throw this.#cutOff();
    const content = this.#text.slice(from, end);
    if (!/<[\p{L}/!]/u.test(content) || content.includes('<![CDATA[')) return from;
    this.#replace(from, end, `<![CDATA[${content.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`);
    return end;
  }

  #endTag(at: number): number {
    const name = nameAt(this.#text, at + 2);
    const end = this.#text.indexOf('>', at);
    if (end === -1) throw this.#cutOff(at);
    const open = this.#open.pop();
    if (open?.name !== name) {
      const opened =
        open === undefined ? 'nothing is open' : `<${shortened(open.name, 40)}> of line ${this.#line(open.at)} is open`;
      throw this.#malformed(at, `</${shortened(name, 40)}> ends an element, but ${opened}`);
    }
    if (this.#open.length === 0) this.#rootEnd = end + 1;
    return end + 1;
  }

  #findPrefixes(name: string, at: number, end: number): void {
    const colon = name.indexOf(':');
    if (colon > 0) this.#addPrefix(name.slice(0, colon));
    const after = this.#text.slice(at + name.length, end);
    if (after.includes(':')) for (const [, prefix = ''] of after.matchAll(prefixedAttribute)) this.#addPrefix(prefix);
  }

  #addPrefix(prefix: string): void {
    if (prefix !== 'xml' && prefix !== 'xmlns' && this.#prefixes.size < prefixesMax) this.#prefixes.add(prefix);
  }

  /** Declarations, for the root element, of prefixes that it does not declare itself. */
  #declarations(): string {
    const declared = new Set([...this.#root.tag.matchAll(/\sxmlns:([^\s=]+)\s*=/g)].map(([, prefix]) => prefix));
    return [...this.#prefixes]
      .filter((prefix) => !declared.has(prefix))
      .map((prefix) => ` xmlns:${prefix}="${namespaces[prefix] ?? `urn:prefix:${prefix}`}"`)
      .join('');
  }

  #noteSigns(): void {
    const [first] = this.#signs;
    if (first === undefined) return;
    const others = this.#signs.length === 1 ? '' : `, and ${this.#signs.length - 1} more`;
    const detail = `A sign "&" or "<" that is no markup should be written "&amp;" or "&lt;" (line ${this.#line(first)}${others}): read as text.`;
    this.#options.notes?.add('xml', '', detail);
  }

  /** A document has one root element. */
  #noteRest(): void {
    const at = this.#text.slice(this.#rootEnd).search(/<[\p{L}_]/u);
    if (at === -1) return;
    const line = this.#line(this.#rootEnd + at);
    this.#options.notes?.leaveOut(
      'xml',
      '',
      `The document ends before line ${line}: what follows is left out. Split the file there.`,
    );
  }

  #line(at: number): number {
    return lineAt(this.#text, at);
  }

  #malformed(at: number, reason: string): ConvertError {
    return malformed(this.#line(at), reason);
  }

  #cutOff(at = this.#text.length): ConvertError {
    const { name, at: start } = this.#open.at(-1) ?? { name: undefined, at };
    const what = name === undefined ? 'it has no end' : `<${shortened(name, 40)}> has no end`;
    return new ConvertError(
      'unreadable',
      `The file is not complete; perhaps it was cut off: ${what} (line ${this.#line(start)}). Save or download it again.`,
    );
  }

  #declaration(at: number): ConvertError {
    const declared = findDeclaration(this.#text.slice(at, at + 20))?.[0];
    if (declared === undefined) return this.#malformed(at, `"${shortened(this.#text.slice(at, at + 12), 12)}" is no part of XML`);
    return new ConvertError(
      'refused',
      `The file declares entities ("${declared}", line ${this.#line(at)}), which can make a small file unboundedly large. Delete the declaration, or save the file again with another program (Inkscape: "Plain SVG").`,
    );
  }
}

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

export const malformed = (line: number | undefined, reason: string): ConvertError =>
  new ConvertError(
    'unreadable',
    `The file is not well-formed XML: ${line === undefined ? '' : `line ${line}: `}${shortened(reason, 200)}. Correct it there, or save the file again with another program.`,
  );

/** Line breaks, as many as in a text. */
const blank = (text: string): string => '\n'.repeat(text.split('\n').length - 1);

const nameEnd = /[\s/>"'=<]/g;

/** The name of a tag. */
function nameAt(text: string, from: number): string {
  nameEnd.lastIndex = from;
  return text.slice(from, nameEnd.exec(text)?.index ?? from);
}

/** Characters that XML does not allow. */
const isForbidden = (code: number): boolean =>
  code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code < 32 && code !== 9 && code !== 10 && code !== 13);
