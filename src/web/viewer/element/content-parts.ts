/**
 * Long content in parts of which a browser lays out only the visible ones: some scripts take seconds for 200 kB. Short content stays as it is,
 * because a part ends a paragraph.
 */
import { make } from './dom.ts';
import { textEnd } from './text-end.ts';

/** Characters of a part. Only an element with more than {@link partMost} is itself divided. */
const [partUsual, partMost] = [2000, 8000];

/** The same content; in parts if it is long. */
export function inParts(content: DocumentFragment): DocumentFragment {
  if (lengthOf(content) <= partMost) return content;
  const parts = document.createDocumentFragment();
  while (content.firstChild !== null) parts.append(make('div', { className: 'part' }, nextPart(content)));
  return parts;
}

const lengthOf = (node: Node): number => node.textContent?.length ?? 0;

/** Removes the next part from the beginning of the content. */
function nextPart(content: DocumentFragment): DocumentFragment {
  const part = document.createDocumentFragment();
  let length = 0;
  while (content.firstChild !== null) {
    const next = lengthOf(content.firstChild);
    if (length > 0 && length + next > partUsual) break;
    if (next > partMost) {
      part.append(beginningOf(content, content.firstChild));
      break;
    }
    length += next;
    part.append(content.firstChild);
  }
  return part;
}

/** Removes the first characters of a node. The rest has copies of the elements in which it is divided. */
function beginningOf(content: DocumentFragment, node: Node): DocumentFragment {
  const range = document.createRange();
  range.setStart(content, 0);
  range.setEndAfter(node);
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let length = 0;
  for (let text = node instanceof Text ? node : texts.nextNode(); text !== null; text = texts.nextNode()) {
    const { data } = text as Text;
    if (length + data.length > partUsual) {
      const end = textEnd(data, 0, partUsual - length);
      // A part is never empty.
      if (length + end > 0) {
        range.setEnd(text, end);
        break;
      }
    }
    length += data.length;
  }
  return range.extractContents();
}
