/** Colours, widths and other properties of SVG elements: attributes, style sheets, `style`, and what is inherited. */
import type { Element } from '@xmldom/xmldom';
import { hexOf } from '../../../../lib/draw/css-colour.ts';
import type { Notes } from '../../notes.ts';
import { colourOf, isGeneral, isValue, reference, resolvedValue, Variables } from './svg-css-value.ts';
import { lengthOf } from './svg-matrix.ts';
import { isPlain, keyOf, type Selector, SelectorMatcher, selectorsIn } from './svg-selector.ts';
import { declarationsOf, rulesOf } from './svg-sheet.ts';

/** The properties that are read, and which of them elements inherit. */
const properties = {
  ...{ fill: true, 'fill-opacity': true, 'fill-rule': true, stroke: true, 'stroke-width': true, 'stroke-opacity': true },
  ...{ color: true, visibility: true, 'pointer-events': true, 'font-size': true, 'text-anchor': true, 'dominant-baseline': true },
  ...{ display: false, opacity: false, transform: false, 'transform-origin': false, 'transform-box': false },
  ...{ 'vector-effect': false, 'stop-color': false },
} as const;
type Property = keyof typeof properties;

export interface Style extends Readonly<Partial<Record<Property, string>>> {
  readonly variables?: Variables | undefined;
}

const isProperty = (name: string): name is Property => Object.hasOwn(properties, name);

/** Checks whether a selector applies to an element, of one picture. */
const checksMax = 20_000_000;
/** Different texts of `style` and `class` that are remembered. */
const rememberedMax = 5000;

/** Properties of one rule: a sheet may have many custom ones. */
const declarationsMax = 1000;

type Pair = readonly [name: string, value: string];

/** Declarations that apply after weaker ones, and those that apply after all others. */
interface Block {
  readonly usual: readonly Pair[];
  readonly important: readonly Pair[];
}

interface Rule {
  readonly selector: Selector;
  readonly order: number;
  readonly block: Block;
}

/** The rules of the style sheets of a picture. */
export class Styles {
  readonly #rules = new Map<string, Rule[]>();
  readonly #candidates = new Map<string, { readonly rules: readonly Rule[]; readonly block: Block | undefined }>();
  readonly #inline = new Map<string, Block>();
  readonly #matcher = new SelectorMatcher(checksMax);

  constructor(sheets: readonly string[]) {
    let order = 0;
    for (const { selectors, declarations } of rulesOf(sheets)) {
      const block = blockOf(declarations);
      if (block.usual.length + block.important.length === 0) continue;
      for (const selector of selectorsIn(selectors)) {
        const key = keyOf(selector);
        const rules = this.#rules.get(key) ?? [];
        rules.push({ selector, order: order++, block });
        this.#rules.set(key, rules);
      }
    }
  }

  /** The style of an element in the style of its parent. `opacity` is that of the element times those of its ancestors. */
  of(parent: Style, element: Element): Style {
    const declared = new Map<string, string>();
    const { attributes } = element;
    for (let i = 0; i < attributes.length; i++) {
      const { name, value } = attributes[i] as { name: string; value: string };
      if (isProperty(name) && isValue(name, value.trim())) declared.set(name, value.trim());
    }
    const sheet = this.#sheetBlock(element);
    const inline = this.#inlineBlock(element.getAttribute('style') ?? '');
    for (const pairs of [sheet.usual, inline.usual, sheet.important, inline.important])
      for (const [name, value] of pairs) declared.set(name, value);
    return computed(parent, declared);
  }

  /** Says if there was too much to check. */
  report(notes: Notes): void {
    if (this.#matcher.isTired)
      notes.add('style', '', 'The style sheets have too many rules for so many elements: some of them are not applied.');
  }

  #inlineBlock(text: string): Block {
    if (text === '') return none;
    let block = this.#inline.get(text);
    if (block === undefined) {
      block = blockOf(text.slice(0, 10_000));
      if (this.#inline.size < rememberedMax) this.#inline.set(text, block);
    }
    return block;
  }

  #sheetBlock(element: Element): Block {
    if (this.#rules.size === 0 || this.#matcher.isTired) return none;
    const { rules, block } = this.#candidatesOf(element);
    const found = block ?? merged(rules.filter(({ selector }) => this.#matcher.matches(element, selector)));
    this.#matcher.spend(found.usual.length + found.important.length);
    return this.#matcher.isTired ? none : found;
  }

  /** The rules that may apply, the weakest first, and what they say together, if all of them apply. */
  #candidatesOf(element: Element) {
    const { name, id, classes } = this.#matcher.factsOf(element);
    const keys = ['*', name, ...[...classes].map((each) => `.${each}`), ...(this.#rules.has(`#${id}`) ? [`#${id}`] : [])];
    const key = keys.join(' ');
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const unsorted = keys.flatMap((each) => this.#rules.get(each) ?? []);
    // They are put in order, which takes longer than a check.
    this.#matcher.spend(10 * unsorted.length);
    const rules = unsorted.sort((a, b) => a.selector.specificity - b.selector.specificity || a.order - b.order);
    const areSure = rules.every(
      ({ selector }) => isPlain(selector) && selector.compounds[0]?.classes.every((each) => classes.has(each)),
    );
    const isSame = areSure && rules.every(({ selector }) => this.#matcher.matches(element, selector));
    const found = { rules, block: isSame ? merged(rules) : undefined };
    if (this.#candidates.size < rememberedMax) this.#candidates.set(key, found);
    return found;
  }
}

const none: Block = { usual: [], important: [] };

function blockOf(text: string): Block {
  const [usual, important] = [new Map<string, string>(), new Map<string, string>()];
  for (const { name, value, isImportant } of declarationsOf(text)) {
    const pair: Pair | undefined = name === 'font' ? fontSize(value) : [name, value];
    if (pair === undefined || !(name.startsWith('--') || (isProperty(pair[0]) && isValue(...pair)))) continue;
    const block = isImportant ? important : usual;
    if (block.size < declarationsMax || block.has(pair[0])) block.set(...pair);
  }
  return { usual: [...usual], important: [...important] };
}

function fontSize(font: string): Pair | undefined {
  const size = /(?:^|\s)(\d*\.?\d+(?:px|pt|pc|mm|cm|in|em|ex|%))(?=[\s/])/i.exec(font.slice(0, 200))?.[1];
  return size === undefined ? undefined : ['font-size', size];
}

const merged = (rules: readonly Rule[]): Block => ({
  usual: rules.flatMap(({ block }) => block.usual),
  important: rules.flatMap(({ block }) => block.important),
});

const inherited = new WeakMap<Style, Style>();

/** The style that all children of an element inherit. */
function inheritedFrom(parent: Style): Style {
  let style = inherited.get(parent);
  if (style === undefined) {
    style = Object.fromEntries(Object.entries(parent).filter(([name]) => !isProperty(name) || properties[name]));
    inherited.set(parent, style);
  }
  return style;
}

/** The values of an element: words such as `inherit`, custom properties and sizes relative to the parent are replaced. */
function computed(parent: Style, declared: ReadonlyMap<string, string>): Style {
  const style: Partial<Record<Property, string>> & { variables?: Variables | undefined } = { ...inheritedFrom(parent) };
  const custom = [...declared].filter(([name]) => name.startsWith('--'));
  if (custom.length > 0) style.variables = new Variables(new Map(custom), parent.variables);
  for (const [name, given] of declared) {
    if (!isProperty(name)) continue;
    const value = resolvedValue(given, style.variables);
    // A value that turns out to be none is as if it were `unset`.
    if (value === undefined || (given !== value && !isValue(name, value))) restore(style, parent, name, properties[name]);
    else if (!isGeneral(value)) style[name] = name === 'font-size' ? sizeOf(value, parent) : value;
    else restore(style, parent, name, /inherit/i.test(value) || (properties[name] && !/initial/i.test(value)));
  }
  style.opacity = String(numberOf(parent.opacity, 1) * numberOf(style.opacity, 1));
  return style;
}

function restore(style: Partial<Record<Property, string>>, parent: Style, name: Property, isInherited: boolean): void {
  const value = parent[name];
  if (!isInherited || value === undefined) delete style[name];
  else style[name] = value;
}

/** Pixels of CSS, as text. */
function sizeOf(value: string, parent: Style): string {
  const outer = fontSizeOf(parent);
  const [, factor, unit] = /^(.*?)(em|%)$/i.exec(value) ?? [];
  const relative = Number(factor) * (unit === '%' ? 0.01 : 1);
  return String(Number.isFinite(relative) ? outer * relative : (lengthOf(value, outer) ?? 16));
}

/** Pixels of CSS. */
export const fontSizeOf = (style: Style): number => Number(style['font-size'] ?? 16) || 16;

/** A number from 0 to 1, perhaps in per cent. */
function numberOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1);
  return Number.isFinite(number) ? Math.max(0, Math.min(1, number)) : otherwise;
}

export const isHidden = ({ display, visibility }: Style): boolean =>
  display === 'none' || visibility === 'hidden' || visibility === 'collapse';

export interface Paint {
  /** `#rrggbb` */
  readonly color: string;
  readonly opacity: number;
}

/**
 * The fill or the outline; `undefined` for none. A fill of no opacity is one: it reacts to the pointer.
 *
 * @param serverOf the first colour of the gradient with this id, or that it is a pattern
 */
export function paintOf(
  style: Style,
  kind: 'fill' | 'stroke',
  serverOf: (id: string) => string | 'pattern' | undefined,
): Paint | 'pattern' | undefined {
  const given = style[kind] ?? (kind === 'fill' ? 'black' : 'none');
  const [, id, fallback] = reference.exec(given.slice(0, 300)) ?? [];
  const text = id === undefined ? given : (serverOf(id) ?? (fallback || '#9ca3af'));
  if (text === 'pattern') return 'pattern';
  const colour = colourOf(text.toLowerCase() === 'currentcolor' ? (style.color ?? 'black') : text);
  if (colour === undefined || (kind === 'stroke' && colour.alpha === 0)) {
    const reacts = kind === 'fill' && /^(?:all|fill|bounding-box)$/i.test(style['pointer-events'] ?? '');
    return reacts ? { color: '#000000', opacity: 0 } : undefined;
  }
  const opacity = colour.alpha * numberOf(style[`${kind}-opacity`], 1) * numberOf(style.opacity, 1);
  return { color: hexOf(colour.rgb), opacity };
}
