/**
 * Bounds for the content of a popup, before a browser parses it: with many or deeply nested elements, sanitizer and layout take many seconds.
 * One pass over the text, linear in its length, cuts it where it would exceed a bound. It never finds fewer elements than a browser does.
 */
import { contentBounds } from '../../../lib/html/popup-content.ts';
import { OpenElements } from './open-elements.ts';
import { textEnd } from './text-end.ts';

export type ContentBound = keyof typeof contentBounds;

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** No end tag, or no element of their own within others. */
const withoutContent = set(
  'area base basefont bgsound br col colgroup embed frame hr image img input keygen link meta param source track wbr html head body',
);
/** Their content has no tags, up to their end tag. */
const rawText = set('script style textarea title xmp iframe noembed noframes');
/** What a parser makes of the text after them depends on too much. */
const uncertain = set('select frameset math template plaintext noscript');
/** Parts of a drawing. Others end it. */
const drawn = set(
  'svg g path circle rect line polyline polygon ellipse defs use symbol title desc style text tspan stop lineargradient radialgradient clippath mask',
);
/** Parts of a drawing whose content is that of a page. */
const described = set('title desc');

const space: ReadonlySet<string> = new Set('\t\n\f\r ');

/** Finds the first place where a bound is exceeded. */
class ContentScan {
  readonly #html: string;
  readonly #isAll: boolean;
  readonly #open = new OpenElements();
  /** Names of the open parts of a drawing. Its content is markup of another kind. */
  #drawing: string[] = [];
  #elements = 0;
  #attributes = 0;
  #implied = 0;
  /** Characters that were looked at, for a test. */
  steps = 0;

  constructor(html: string) {
    this.#isAll = html.length <= contentBounds.characters;
    this.#html = this.#isAll ? html : html.slice(0, contentBounds.characters);
  }

  /** @returns the length of the content that is within the bounds, and the bound that the next character exceeds */
  run(): { length: number; exceeded: ContentBound | undefined } {
    const html = this.#html;
    let at = 0;
    for (;;) {
      const start = this.#find('<', at);
      if (start === -1)
        return this.#isAll
          ? { length: html.length, exceeded: undefined }
          : { length: textEnd(html, at, html.length), exceeded: 'characters' };
      const end = this.#token(start);
      const exceeded = this.#exceeded;
      if (exceeded !== undefined) return { length: start, exceeded };
      if (end === 'uncertain') return this.#rest(start);
      if (end === -1)
        return this.#isAll ? { length: html.length, exceeded: undefined } : { length: start, exceeded: 'characters' };
      at = end;
    }
  }

  get #exceeded(): ContentBound | undefined {
    const counts = {
      elements: this.#elements,
      depth: this.#open.depth + this.#drawing.length,
      tables: this.#open.tables,
      attributes: this.#attributes,
      implied: this.#implied,
    };
    return (Object.keys(counts) as (keyof typeof counts)[]).find((name) => counts[name] > contentBounds[name]);
  }

  #find(text: string, from: number): number {
    const found = this.#html.indexOf(text, from);
    this.steps += (found === -1 ? this.#html.length : found) - from + 1;
    return found;
  }

  /** @returns the end of what begins with `<`; -1 if it has none */
  #token(start: number): number | 'uncertain' {
    const html = this.#html;
    const next = html[start + 1] ?? '';
    if (isLetter(next)) return this.#startTag(start);
    if (next === '/' && isLetter(html[start + 2] ?? '')) return this.#endTag(start);
    if (next === '/' && html[start + 2] === '>') return start + 3;
    if (!/[!/?]/.test(next)) return start + 1;
    this.#elements++;
    if (html.startsWith('<!--', start)) return this.#comment(start + 4);
    if (this.#drawing.length > 0) return 'uncertain';
    const end = this.#find('>', start + 2);
    return end === -1 ? -1 : end + 1;
  }

  #comment(at: number): number {
    const html = this.#html;
    if (html[at] === '>') return at + 1;
    if (html.startsWith('->', at)) return at + 2;
    const ending = /--!?>/g;
    ending.lastIndex = at;
    const found = ending.exec(html);
    this.steps += (found?.index ?? html.length) - at;
    return found === null ? -1 : ending.lastIndex;
  }

  #startTag(start: number): number | 'uncertain' {
    const { name, end, closesItself } = this.#tag(start + 1);
    this.#elements++;
    if (end === -1) return -1;
    if (this.#drawing.length > 0 || name === 'svg') {
      if (!drawn.has(name) || described.has(this.#drawing.at(-1) ?? '')) return 'uncertain';
      if (!closesItself) this.#drawing.push(name);
      return end;
    }
    if (uncertain.has(name)) return 'uncertain';
    if (rawText.has(name)) return this.#rawText(name, end);
    if (withoutContent.has(name)) this.#implied += 1;
    else {
      // A link ends the one before.
      if (name === 'a') this.#implied += this.#open.close(name);
      this.#implied += this.#open.open(name);
    }
    return end;
  }

  #endTag(start: number): number | 'uncertain' {
    const { name, end } = this.#tag(start + 2);
    if (end === -1) return -1;
    if (this.#drawing.length > 0) return this.#drawing.pop() === name ? end : 'uncertain';
    this.#implied += name === 'br' ? 1 : this.#open.close(name);
    return end;
  }

  #rawText(name: string, from: number): number | 'uncertain' {
    const ending = new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi');
    ending.lastIndex = from;
    const found = ending.exec(this.#html);
    const end = found?.index ?? this.#html.length;
    this.steps += end - from;
    // A script in a comment in a script may contain an end tag.
    if (name === 'script' && this.#html.slice(from, end).includes('<!--')) return 'uncertain';
    return found === null ? -1 : this.#tag(end + 2).end;
  }

  /** Reads the name and the attributes of a tag. `end` is -1 if it has none; then a parser drops it. */
  #tag(from: number): { name: string; end: number; closesItself: boolean } {
    const html = this.#html;
    let at = this.#skip(from, (c) => !space.has(c) && c !== '/' && c !== '>');
    const name = nameOf(html.slice(from, at));
    for (;;) {
      at = this.#skip(at, (c) => space.has(c) || c === '/');
      if (at >= html.length) return { name, end: -1, closesItself: false };
      if (html[at] === '>') return { name, end: at + 1, closesItself: html[at - 1] === '/' };
      this.#attributes++;
      at = this.#skip(at + 1, (c) => !space.has(c) && c !== '/' && c !== '>' && c !== '=');
      at = this.#skip(at, (c) => space.has(c));
      if (html[at] !== '=') continue;
      at = this.#skip(at + 1, (c) => space.has(c));
      const quote = html[at] ?? '';
      if (quote === '"' || quote === "'") {
        const close = this.#find(quote, at + 1);
        at = close === -1 ? html.length : close + 1;
      } else {
        at = this.#skip(at, (c) => !space.has(c) && c !== '>');
        // The slash belongs to the value: `<path d=a/>` stays open.
        if (html[at] === '>') return { name, end: at + 1, closesItself: false };
      }
    }
  }

  #skip(from: number, isSkipped: (character: string) => boolean): number {
    let at = from;
    while (at < this.#html.length && isSkipped(this.#html[at] as string)) at++;
    this.steps += at - from + 1;
    return at;
  }

  /** The rest of a text in which tags are not certain: all that may be a start tag is one, and nothing is an end tag. */
  #rest(from: number): { length: number; exceeded: ContentBound | undefined } {
    const html = this.#html;
    const parts = /<([a-z][^\t\n\f\r />]{0,31})|<([!?]|\/(?![a-z]))|[\t\n\f\r /"']/gi;
    parts.lastIndex = from;
    let start = from;
    for (let found = parts.exec(html); found !== null; found = parts.exec(html)) {
      const [whole, given, comment] = found;
      this.steps += whole.length;
      if (comment !== undefined) {
        start = found.index;
        this.#elements++;
      } else if (given === undefined) this.#attributes++;
      else {
        start = found.index;
        // What looks like its name may contain another tag.
        parts.lastIndex = start + 2;
        const name = nameOf(given);
        this.#elements++;
        if (!withoutContent.has(name)) this.#implied += this.#open.open(name);
      }
      const exceeded = this.#exceeded;
      if (exceeded !== undefined) return { length: start, exceeded };
    }
    return this.#isAll ? { length: html.length, exceeded: undefined } : { length: start, exceeded: 'characters' };
  }
}

const isLetter = (character: string): boolean => /^[a-z]$/i.test(character);

/** A parser knows no letters but those of ASCII. */
function nameOf(text: string): string {
  const name = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return /^h[1-6]$/.test(name) ? 'h' : name;
}

interface BoundedContent {
  readonly html: string;
  /** The bound at which the content was cut; `undefined` if it is complete. */
  readonly exceeded: ContentBound | undefined;
  /** Characters that were looked at, some of them more than once: at most a multiple of its length. */
  readonly steps: number;
}

/** The content of a popup up to the place where it would exceed a bound. */
export function boundedContent(html: string): BoundedContent {
  const scan = new ContentScan(html);
  const { length, exceeded } = scan.run();
  return { html: exceeded === undefined ? html : html.slice(0, length), exceeded, steps: scan.steps };
}
