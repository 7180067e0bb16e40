/**
 * Which elements are open at a place of a text in HTML: never fewer than in the parser of a browser. An end tag closes an element here only if
 * it certainly closes one there, and then only this one.
 */

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Their end tags may be missing, so they do not count for the depth. */
const withOptionalEnd = set('p li dt dd tr td th thead tbody tfoot');
const formatting = set('a b big code em font i nobr s small strike strong tt u');
/** An end tag does not find an element outside of these. */
const barriers = set('table td th caption object applet marquee');
const neverClosed = set('object applet marquee form');
/** An end tag closes these even if others, within them, are still open. `h` is a heading of any level. */
const blocks = set(
  'address article aside blockquote button center details dir div dl fieldset figcaption figure footer h header listing main menu nav ol ' +
    'pre section summary ul table caption p li dt dd tr td th thead tbody tfoot',
);
/** An end tag of any other element does not find it outside of these. */
const special = new Set([...blocks, ...barriers, ...set('form dialog search hgroup')]);
/** Within these, the end tag of the other is ignored. */
const hiding: ReadonlyMap<string, readonly string[]> = new Map([
  ['p', ['button']],
  ['li', ['ul', 'ol']],
]);
/** `</table>` and `</tr>` close these in it, too. */
const parts: ReadonlyMap<string, readonly string[]> = new Map([
  ['table', ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']],
  ['tr', ['td', 'th']],
]);

/** A parser looks at this many elements within a formatting element before it gives up closing it, and copies some at each. */
const withinMost = 8;
const copiesMost = 4;
/** Of equal formatting elements, a parser remembers this many. */
const rememberedMost = 3;

/** Numbers of elements in the order of their start tags. Those of closed ones are dropped when they come to the top. */
class Numbers {
  readonly #all: number[] = [];
  readonly #closed: ReadonlySet<number>;

  constructor(closed: ReadonlySet<number>) {
    this.#closed = closed;
  }

  push(number: number): void {
    this.#drop();
    this.#all.push(number);
  }

  /** The last one that is open; 0 for none. */
  get top(): number {
    this.#drop();
    return this.#all.at(-1) ?? 0;
  }

  #drop(): void {
    while (this.#closed.has(this.#all.at(-1) ?? 0)) this.#all.pop();
  }

  /** At least as many as were opened after an element, up to {@link withinMost}. */
  after(number: number): number {
    this.#drop();
    let count = 0;
    while (count < withinMost && (this.#all.at(-1 - count) ?? 0) > number) count++;
    return count;
  }
}

export class OpenElements {
  readonly #closed = new Set<number>();
  readonly #byName = new Map<string, number[]>();
  readonly #barriers = new Numbers(this.#closed);
  readonly #special = new Numbers(this.#closed);
  /** Special elements whose end tags may not be missing. */
  readonly #counted = new Numbers(this.#closed);
  /** Formatting elements of which there were more than a parser remembers. */
  readonly #forgotten = new Set<string>();
  #last = 0;
  #depth = 0;
  #formatting = 0;

  /** Without those whose end tags may be missing. */
  get depth(): number {
    return this.#depth;
  }

  get tables(): number {
    return this.#byName.get('table')?.length ?? 0;
  }

  /** @returns how many elements a parser may create without a start tag: formatting that it opens again, and parts of tables */
  open(name: string): number {
    const number = ++this.#last;
    if (!withOptionalEnd.has(name) || this.#isNested(name)) this.#depth++;
    const same = this.#byName.get(name) ?? [];
    this.#byName.set(name, same);
    same.push(number);
    if (barriers.has(name)) this.#barriers.push(number);
    if (special.has(name)) this.#special.push(number);
    if (special.has(name) && !withOptionalEnd.has(name)) this.#counted.push(number);
    if (!formatting.has(name)) return this.#formatting + (parts.get('table')?.includes(name) === true ? 2 : 0);
    this.#formatting++;
    if (same.length > rememberedMost) this.#forgotten.add(name);
    return 0;
  }

  /** A list item closes the one before, but not one of another kind of list, if there is no list between them. */
  #isNested(name: string): boolean {
    const outer = name === 'li' ? Math.max(this.#top('dd'), this.#top('dt')) : /^d[dt]$/.test(name) ? this.#top('li') : 0;
    return outer > this.#counted.top;
  }

  /** @returns how many elements a parser may create, as {@link open} */
  close(name: string): number {
    const top = this.#top(name);
    const implied = this.#formatting + (name === 'p' ? 1 : 0);
    if (top === 0 || neverClosed.has(name) || hiding.get(name)?.some((other) => this.#top(other) > top) === true) return implied;
    const isReached = name === 'table' || (name === 'tr' && Math.max(this.#top('table'), this.#top('caption')) < top);
    if (isReached) for (const part of parts.get(name) ?? []) this.#closeAfter(part, top);
    if (this.#barriers.top > top) return implied;
    const within = this.#special.after(top);
    const isFormatting = formatting.has(name);
    if (within > 0 && !blocks.has(name) && (!isFormatting || within === withinMost || this.#forgotten.has(name)))
      return implied + (isFormatting ? withinMost * copiesMost : 0);
    this.#remove(name, top);
    return implied + (isFormatting ? within * copiesMost : 0);
  }

  #top(name: string): number {
    return this.#byName.get(name)?.at(-1) ?? 0;
  }

  #closeAfter(name: string, number: number): void {
    while (this.#top(name) > number) this.#remove(name, this.#top(name));
  }

  #remove(name: string, number: number): void {
    const same = this.#byName.get(name);
    same?.pop();
    this.#closed.add(number);
    if (!withOptionalEnd.has(name)) this.#depth--;
    if (!formatting.has(name)) return;
    this.#formatting--;
    if (same?.length === 0) this.#forgotten.delete(name);
  }
}
