/**
 * Content of a popup as the text view edits it, and back. The text view knows fewer elements than a popup may have: `lostParts` finds what a
 * change there would lose.
 */

import { contentAddress } from '../../viewer/element/content-address.ts';
import { isPlainText } from '../../viewer/element/popup-card.ts';
import { sanitized } from '../../viewer/element/safe-content.ts';

/** Other names of the same mark. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['b', 'strong'],
  ['i', 'em'],
]);
/** Elements that parsers and the editor add or leave out without a change to the look. */
const unnoticed: ReadonlySet<string> = new Set(['p', 'thead', 'tbody', 'tfoot', 'span']);
/** Elements of which each is one thing, even if it is empty. */
const counted = 'li, tr, td, th, table, h1, h2, h3, h4, h5, h6, blockquote, pre, div, figure, dl, dt, dd, caption, hr, img, br';

/** The content as visitors see it, with addresses as they are. Line breaks of plain text become elements. */
export function editableContent(html: string): DocumentFragment {
  const fragment = sanitized(html);
  for (const link of fragment.querySelectorAll('a'))
    if (contentAddress('link', link.getAttribute('href') ?? '') === undefined) link.replaceWith(...link.childNodes);
  for (const picture of fragment.querySelectorAll('img'))
    if (contentAddress('web picture', picture.getAttribute('src') ?? '') === undefined) picture.remove();
  if (isPlainText(fragment)) {
    const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    for (const node of found) {
      const lines = node.data.split(/\r\n?|\n/);
      node.replaceWith(...lines.flatMap((line, at) => (at === 0 ? [line] : [document.createElement('br'), line])));
    }
  }
  return fragment;
}

/** The HTML of edited content: no paragraph where an item or a cell is one text. */
export function htmlOf(root: Element): string {
  for (const paragraph of root.querySelectorAll('li > p:first-child, td > p:only-child, th > p:only-child'))
    if (paragraph.nextElementSibling?.localName !== 'p') paragraph.replaceWith(...paragraph.childNodes);
  const only = root.firstElementChild;
  return root.childElementCount === 1 && only?.localName === 'p' && only.childNodes.length === 0 ? '' : root.innerHTML;
}

function labelOf(element: Element): string {
  const name = synonyms.get(element.localName) ?? element.localName;
  const attributes = [...element.attributes].map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`);
  return unnoticed.has(name) && attributes.length === 0 ? '' : `<${name}${attributes.sort().join('')}>`;
}

/** How often each combination of elements surrounds a character, and how often each element exists. */
function profileOf(root: ParentNode & Node): Map<string, number> {
  const profile = new Map<string, number>();
  const add = (key: string, count: number) => {
    if (count > 0) profile.set(key, (profile.get(key) ?? 0) + count);
  };
  const visit = (node: Node, labels: ReadonlySet<string>): void => {
    if (node instanceof Text) {
      const length = node.data.replace(/\s+/g, '').length;
      for (const label of labels) add(label, length);
      add('text', length);
    }
    const label = node instanceof Element ? labelOf(node) : '';
    const inner = label === '' ? labels : new Set([...labels, label]);
    for (const child of node.childNodes) visit(child, inner);
  };
  visit(root, new Set());
  for (const element of root.querySelectorAll(counted)) {
    const name = synonyms.get(element.localName) ?? element.localName;
    if (!unnoticed.has(name)) add(`one ${labelOf(element)}`, 1);
  }
  return profile;
}

/** Names of elements and attributes that content has and its edited form has not, such as `<figure>`. */
export function lostParts(content: ParentNode & Node, edited: ParentNode & Node): readonly string[] {
  const after = profileOf(edited);
  const lost = [...profileOf(content)].filter(([key, count]) => (after.get(key) ?? 0) < count).map(([key]) => key);
  return [...new Set(lost.map((key) => key.replace(/^one /, '')))];
}
