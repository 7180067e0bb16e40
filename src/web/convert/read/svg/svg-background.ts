/** The picture that remains of an SVG: without the shapes that became objects, scripts, and links to other hosts. */
import { type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import type { Notes } from '../../notes.ts';
import { childElements } from '../xml/parse-xml.ts';

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

/** The target of a link of an element, with `href` of SVG 2 before that of 1.1. */
export const linkOf = (element: Element): string | null => element.getAttribute('href') ?? element.getAttributeNS(xlink, 'href');

/** Whether a link leads neither to an element of the document nor to a picture in it. */
export const isForeign = (link: string): boolean => !/^\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,])/i.test(link);

/** Whether a style loads something from elsewhere. */
const loads = (style: string): boolean =>
  /@import|\\|\b(?:image-set|image|src)\s*\(/i.test(style) ||
  /url\(\s*['"]?\s*(?!['"#]|data:image\/(?:png|jpeg|gif|webp)[;,])[^)]/i.test(style);

/**
 * Removes from the document what must not be shown, and names it.
 *
 * @param root whose tree is changed
 */
export function cleanSvg(root: Element, notes: Notes): void {
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const name = element.localName ?? '';
    const where = placeOf(element);
    if (active.has(name) || element.namespaceURI === xhtml) {
      notes.leaveOut('script', where, `<${name}> is left out: the picture may not run or load anything.`);
      element.parentNode?.removeChild(element);
      continue;
    }
    if (isUnsafeStyle(element) || (name !== 'a' && isForeign(linkOf(element) ?? '#'))) {
      const detail =
        name === 'style'
          ? 'A style sheet that loads other files is left out.'
          : `<${name}> refers to another file and is left out.`;
      notes.leaveOut('foreign-link', where, detail);
      element.parentNode?.removeChild(element);
      continue;
    }
    cleanAttributes(element);
    for (const child of childElements(element)) waiting.push(child);
  }
}

const isUnsafeStyle = (element: Element): boolean => element.localName === 'style' && loads(element.textContent ?? '');

function cleanAttributes(element: Element): void {
  for (const { name, value, localName } of [...element.attributes]) {
    const isLink = localName === 'href' && isForeign(value);
    const isHandler = /^on/i.test(localName ?? name);
    if (isLink || isHandler || (isStyle(name) && loads(value)))
      element.removeAttributeNode(element.getAttributeNode(name) as NonNullable<ReturnType<Element['getAttributeNode']>>);
  }
}

/** Whether the value of an attribute may be read as CSS, in which a backslash hides letters. */
const isStyle = (name: string): boolean => !/^(?:d|points|id|class|data-.*|.*:.*)$/.test(name);

const placeOf = (element: Element): string => {
  const id = element.getAttribute('id');
  return id === null || id === '' ? `line ${element.lineNumber ?? '?'}` : `line ${element.lineNumber ?? '?'}, ${id.slice(0, 60)}`;
};

/** The rest of a cleaned document as text, once `converted` are removed; `undefined` if nothing drawn remains. */
export function backgroundOf(
  document: Document,
  converted: Iterable<Element>,
  size: { readonly width: number; readonly height: number },
): string | undefined {
  const root = document.documentElement;
  if (root === null) return undefined;
  for (const element of converted) element.parentNode?.removeChild(element);
  if (!draws(root)) return undefined;
  root.setAttribute('width', String(size.width));
  root.setAttribute('height', String(size.height));
  return new XMLSerializer().serializeToString(root);
}

function draws(root: Element): boolean {
  const waiting: Element[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (drawn.has(element.localName ?? '')) return true;
    for (const child of childElements(element)) if (!stored.has(child.localName ?? '')) waiting.push(child);
  }
  return false;
}
