/** The picture that remains of an SVG: without the shapes that became objects, scripts, and links to other hosts. */
import { type Element, type Node, XMLSerializer } from '@xmldom/xmldom';
import type { Notes } from '../../notes.ts';
import { childElements } from '../xml/parse-xml.ts';
import { declarationTexts, sheetWithout } from './svg-sheet.ts';
import type { Picture } from './svg-size.ts';

/** Elements that run something, or show other documents. */
const active = new Set(
  'script foreignObject iframe object embed audio video handler listener animate animateTransform animateMotion set'.split(' '),
);
/** Elements that are drawn, if they remain. */
const drawn = new Set('path rect circle ellipse line polyline polygon text image use'.split(' '));
/** Elements whose content is drawn only where something refers to it. */
const stored = new Set('defs symbol clipPath mask pattern marker linearGradient radialGradient filter'.split(' '));

const xlink = 'http://www.w3.org/1999/xlink';
/** Elements of HTML load their pictures also where they are not drawn. */
const xhtml = 'http://www.w3.org/1999/xhtml';

/** The target of a link of an element, with `href` of SVG 2 before that of 1.1, whose prefix some files do not declare. */
export const linkOf = (element: Element): string | null =>
  element.getAttribute('href') ?? element.getAttributeNS(xlink, 'href') ?? element.getAttribute('xlink:href');

/** Whether a link leads neither to an element of the document nor to a picture in it. */
export const isForeign = (link: string): boolean => !/^\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,])/i.test(link);

/** Whether a style loads something from elsewhere. */
const loads = (style: string): boolean =>
  /@import|\\|\b(?:image-set|image|src)\s*\(/i.test(style) ||
  /url\(\s*['"]?\s*(?!['"#]|data:image\/(?:png|jpeg|gif|webp)[;,])[^)]/i.test(style);

/**
 * Removes from the attributes and style sheets of a document what must not be shown, and names it.
 *
 * @param root whose tree is changed
 * @returns the elements that the background must not have
 */
export function cleanSvg(root: Element, notes: Notes): Set<Element> {
  const removed = new Set<Element>();
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const name = element.localName ?? '';
    if (active.has(name) || element.namespaceURI === xhtml) {
      // The reader tells which texts of HTML it left out.
      if (name !== 'foreignObject')
        notes.leaveOut('script', placeOf(element), `<${name}> is left out: the picture may not run or load anything.`);
      removed.add(element);
      continue;
    }
    if (name !== 'a' && isForeign(linkOf(element) ?? '#')) {
      notes.leaveOut('foreign-link', placeOf(element), `<${name}> refers to another file and is left out.`);
      removed.add(element);
      continue;
    }
    if (name === 'style') cleanSheet(element, notes);
    cleanAttributes(element);
    for (const child of childElements(element)) waiting.push(child);
  }
  return removed;
}

function cleanSheet(element: Element, notes: Notes): void {
  const sheet = element.textContent ?? '';
  if (!loads(sheet)) return;
  const { kept, refused } = sheetWithout(sheet, loads);
  element.textContent = loads(kept) ? '' : kept;
  const detail = `A style sheet loads other files: ${refused === 1 ? 'one rule is' : `${refused} rules are`} left out of the background.`;
  notes.leaveOut('foreign-link', placeOf(element), detail);
}

function cleanAttributes(element: Element): void {
  for (const { name, value, localName } of [...element.attributes]) {
    const isLink = (localName === 'href' || name === 'xlink:href') && isForeign(value);
    const isHandler = /^on/i.test(localName ?? name);
    if (isLink || isHandler || (isStyle(name) && loads(value))) {
      const kept = name === 'style' ? [...declarationTexts(value)].filter((text) => !loads(text)).join(';') : '';
      element.removeAttributeNode(element.getAttributeNode(name) as NonNullable<ReturnType<Element['getAttributeNode']>>);
      if (kept !== '' && !loads(kept)) element.setAttribute('style', kept);
    }
  }
}

/** Whether the value of an attribute may be read as CSS, in which a backslash hides letters. */
const isStyle = (name: string): boolean => !/^(?:d|points|id|class|data-.*|.*:.*)$/.test(name);

export const placeOf = (element: Element): string => {
  const id = element.getAttribute('id');
  return id === null || id === '' ? `line ${element.lineNumber ?? '?'}` : `line ${element.lineNumber ?? '?'}, ${id.slice(0, 60)}`;
};

/** The rest of a cleaned document as text, without the elements `removed`; `undefined` if nothing drawn remains. */
export function backgroundOf(root: Element, removed: ReadonlySet<Node>, { size, viewBox }: Picture): string | undefined {
  if (!draws(root, removed)) return undefined;
  root.setAttribute('width', String(size.width));
  root.setAttribute('height', String(size.height));
  if (viewBox !== undefined) root.setAttribute('viewBox', viewBox);
  return new XMLSerializer().serializeToString(root, (node) => (removed.has(node) ? undefined : node));
}

function draws(root: Element, removed: ReadonlySet<Node>): boolean {
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (drawn.has(element.localName ?? '')) return true;
    for (const child of childElements(element))
      if (!stored.has(child.localName ?? '') && !removed.has(child)) waiting.push(child);
  }
  return false;
}
