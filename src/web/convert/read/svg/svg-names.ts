/** Names of SVG elements: what their author called them, and what programs call them if nothing else is known. */
import type { Element } from '@xmldom/xmldom';
import { childElements } from '../xml/parse-xml.ts';

const inkscape = 'http://www.inkscape.org/namespaces/inkscape';
/** Characters of a title that are read. */
const titleMax = 10_000;

/** Words that drawing programs count: `path123`, `Rectangle 4`, `Layer_1`, `cell-12`. */
const kinds = [
  'path rect circle ellipse line polyline polygon poly use svg image text tspan shape vector union subtract intersect exclude',
  'rectangle square star arrow triangle compound[ _-]?path clip[ _-]?path clip mask frame group layer page sheet artboard slice object',
  'element elem item id obj node edge cell feature symbol surface glyph component instance xmlid svgid svg-object isolation[ _-]?mode',
  'figure axes patch (?:path|line|poly|patch)collection line2d xtick ytick legend matplotlib\\.axis',
  'pfad rechteck kreis gruppe ebene seite zeichenfläche zeichenblatt linie objekt form',
  'tracé calque groupe rectángulo capa grupo trazado livello',
].join(' ');
const counted = new RegExp(`^_*(?:${kinds.replaceAll(/ (?![^[]*\\])/g, '|')})[\\s_.-]*[\\d\\s_.-]*$`, 'iu');
const random = /^g\d+$|^[0-9a-f]{8}-[0-9a-f]{4}-|^[0-9a-f]{24,}$/;

const isGenerated = (name: string): boolean => name.length < 100 && (counted.test(name) || random.test(name));

/** Titles of pages and layers, which programs write. */
const pageTitle = /^(?:layer|page|sheet|background|ebene|seite|hintergrund|zeichenblatt|calque|capa)[\s_.-]*\d*$/i;

/** Letters that Illustrator writes as `_x5F_`. */
const unescaped = (id: string): string =>
  id.replace(/_x([0-9A-F]{2,6})_/g, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code > 0x10_ff_ff || (code >= 0xd8_00 && code < 0xe0_00) ? whole : String.fromCodePoint(code);
  });

const inkscapeOf = (element: Element, name: string): string | null =>
  element.getAttributeNS(inkscape, name) || element.getAttribute(`inkscape:${name}`);

/** True if an element is a layer of Inkscape: its name is no name of the shapes in it. */
export const isLayer = (element: Element): boolean => inkscapeOf(element, 'groupmode') === 'layer';

export const layerOf = (element: Element): string | undefined =>
  isLayer(element) ? (inkscapeOf(element, 'label') ?? undefined) : undefined;

/** The text of the first child with that name. */
export function childText(element: Element, name: string): string | undefined {
  for (const child of childElements(element))
    if (child.localName === name) return child.textContent?.trim().replace(/\s+/g, ' ').slice(0, titleMax);
  return undefined;
}

/** Attributes with names: of Illustrator, of screen readers, and of the maps of amCharts and simplemaps. */
const nameAttributes = ['data-name', 'aria-label', 'data-title', 'title', 'name'] as const;

/** Title, label of Inkscape, an attribute with a name, the identifier, or a class of its own, unless a program made it up. */
export function nameOf(element: Element): string | undefined {
  const title = titleOf(element);
  if (title) return title;
  const labels = [inkscapeOf(element, 'label'), ...nameAttributes.map((name) => element.getAttribute(name))];
  const id = unescaped(element.getAttribute('id') ?? '');
  const found = [...labels, id].map((label) => label?.trim()).find((label) => label && !isGenerated(label));
  return found || (id === '' ? ownClassOf(element) : undefined);
}

const shapeNames = new Set(['path', 'polygon', 'polyline', 'rect', 'circle', 'ellipse', 'line']);
/** Capitalized words: other classes say how a shape looks. */
const properName = /^[\p{Lu}\p{Lo}][\p{L}\p{M}\s'’.,()&-]*$/u;

interface Classes {
  readonly counts: ReadonlyMap<string, number>;
  /** Style sheets. */
  readonly sheets: string;
}
const classesByRoot = new WeakMap<Element, Classes>();

/** The class of a shape without an identifier, if no other element and no style sheet has it: some maps write names there. */
function ownClassOf(element: Element): string | undefined {
  const name = element.getAttribute('class')?.trim() ?? '';
  const root = element.ownerDocument?.documentElement;
  if (!root || !shapeNames.has(element.localName ?? '') || !properName.test(name) || isGenerated(name)) return undefined;
  const classes = classesByRoot.get(root) ?? classesIn(root);
  classesByRoot.set(root, classes);
  return classes.counts.get(name) === 1 && !classes.sheets.includes(`.${name}`) ? name : undefined;
}

function classesIn(root: Element): Classes {
  const counts = new Map<string, number>();
  let sheets = '';
  const open = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    const name = element.getAttribute('class')?.trim();
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (element.localName === 'style') sheets += element.textContent ?? '';
    for (const child of childElements(element)) open.push(child);
  }
  return { counts, sheets };
}

function titleOf(element: Element): string | undefined {
  const title = childText(element, 'title') || element.getAttribute('xlink:title')?.trim() || undefined;
  // Visio writes its own name of the shape as the title, and the text of the shape as the description.
  if (element.hasAttribute('v:mID')) return childText(element, 'desc') || undefined;
  return title === undefined || pageTitle.test(title) ? undefined : title;
}

/** Any name, also one that a program made up. */
export const anyNameOf = (element: Element): string | undefined =>
  nameOf(element) ?? (childText(element, 'title') || inkscapeOf(element, 'label') || element.getAttribute('id') || undefined);
