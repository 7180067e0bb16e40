/** Colours and widths of SVG elements: attributes, simple style sheets, `style`, and what is inherited. */
import type { Element } from '@xmldom/xmldom';
import { hexOf, parseColour } from '../../../../lib/draw/css-colour.ts';

/** The properties that are read, all inherited but `display` and `opacity`. */
const properties = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'color',
  'visibility',
  'display',
  'opacity',
] as const;
type Property = (typeof properties)[number];
export type Declared = Readonly<Partial<Record<Property, string>>>;

const isProperty = (name: string): name is Property => (properties as readonly string[]).includes(name);

/** Style sheets are read up to this length, in characters. */
const sheetMax = 256 * 1024;

/** Characters of the classes of an element that are read. */
const classMax = 10_000;

/** Rules of style sheets for `.class`, `#id` and elements; other selectors are not supported. */
export type Rules = ReadonlyMap<string, Declared>;

export function rulesOf(sheets: Iterable<string>): Rules {
  const rules = new Map<string, Declared>();
  for (const sheet of sheets) {
    const text = sheet
      .slice(0, sheetMax)
      .split('/*')
      .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('*/') + 2 || part.length)))
      .join('');
    for (const block of text.split('}')) {
      const brace = block.lastIndexOf('{');
      if (brace === -1) continue;
      const declared = declarations(block.slice(brace + 1));
      for (const selector of block.slice(0, brace).split(','))
        if (/^\s*[.#]?[\w-]+\s*$/.test(selector)) rules.set(selector.trim(), { ...rules.get(selector.trim()), ...declared });
    }
  }
  return rules;
}

function declarations(text: string): Declared {
  const found: Partial<Record<Property, string>> = {};
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    const name = declaration.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && isProperty(name))
      found[name] = declaration
        .slice(colon + 1)
        .replace(/!\s*important\s*$/, '')
        .trim();
  }
  return found;
}

/** The style of an element in the style of its parent. `opacity` is that of the element times those of its ancestors. */
export function styleIn(parent: Declared, element: Element, rules: Rules): Declared {
  const own: Partial<Record<Property, string>> = {};
  for (const name of properties) {
    const value = element.getAttribute(name);
    if (value !== null) own[name] = value.trim();
  }
  const classes = (element.getAttribute('class') ?? '').slice(0, classMax).split(/\s+/).filter(Boolean);
  const selectors = [element.localName ?? '', ...classes.map((name) => `.${name}`), `#${element.getAttribute('id') ?? ''}`];
  Object.assign(own, ...selectors.map((selector) => rules.get(selector)), declarations(element.getAttribute('style') ?? ''));
  for (const name of properties) if (own[name] === 'inherit' || own[name] === '') delete own[name];
  const opacity = numberOf(parent.opacity, 1) * numberOf(own.opacity, 1);
  const { display: _, ...inherited } = parent;
  return { ...inherited, ...own, opacity: String(opacity) };
}

/** A number from 0 to 1, perhaps in per cent. */
function numberOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number.parseFloat(text) / (text.endsWith('%') ? 100 : 1);
  return Number.isFinite(number) ? Math.max(0, Math.min(1, number)) : otherwise;
}

export const isHidden = ({ display, visibility }: Declared): boolean =>
  display === 'none' || visibility === 'hidden' || visibility === 'collapse';

export interface Paint {
  /** `#rrggbb` */
  readonly color: string;
  readonly opacity: number;
}

/**
 * The fill or the outline; `undefined` for none.
 *
 * @param gradientColor the first colour of the gradient with this id
 */
export function paintOf(
  style: Declared,
  kind: 'fill' | 'stroke',
  gradientColor: (id: string) => string | undefined,
): Paint | undefined {
  const given = style[kind] ?? (kind === 'fill' ? 'black' : 'none');
  const reference = /^url\(\s*['"]?#([^'")]+)['"]?\s*\)\s*(.*)$/.exec(given.slice(0, 200));
  const text = reference === null ? given : (gradientColor(reference[1] as string) ?? (reference[2] || '#9ca3af'));
  const colour = parseColour(text.toLowerCase() === 'currentcolor' ? (style.color ?? 'black') : text);
  if (text === 'none' || colour === undefined || colour.alpha === 0) return undefined;
  const opacity = colour.alpha * numberOf(style[`${kind}-opacity`], 1) * numberOf(style.opacity, 1);
  return { color: hexOf(colour.rgb), opacity };
}
