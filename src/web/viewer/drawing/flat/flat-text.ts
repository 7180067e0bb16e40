/** Draws the names and groups of a map, which are elements, onto a canvas. */

/** Part of the size of a text by which its halo reaches beyond it. */
const haloPart = 0.3;

/** A line of a text, in CSS pixels of the screen. */
interface Line {
  text: string;
  readonly box: DOMRect;
}

/** @param origin the corner of the map on the screen; the context draws in CSS pixels from there */
export function drawName(context: CanvasRenderingContext2D, element: HTMLElement, origin: DOMRect): void {
  const { font, color, fontSize } = getComputedStyle(element);
  Object.assign(context, { font, textAlign: 'left', textBaseline: 'middle', lineJoin: 'round' });
  for (const { text, box } of linesOf(element)) {
    const [x, y] = [box.left - origin.left, box.top + box.height / 2 - origin.top];
    Object.assign(context, { strokeStyle: '#fff', lineWidth: Number.parseFloat(fontSize) * haloPart, fillStyle: color });
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}

/** A disc with the number of spots. @param fill its colour */
export function drawGroup(context: CanvasRenderingContext2D, element: HTMLElement, origin: DOMRect, fill: string): void {
  if (element.style.visibility === 'hidden') return;
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left - origin.left + width / 2, top - origin.top + height / 2];
  context.beginPath();
  context.arc(x, y, width / 2 - 1, 0, 2 * Math.PI);
  Object.assign(context, { fillStyle: fill, strokeStyle: '#fff', lineWidth: 2 });
  context.fill();
  context.stroke();
  const { font, color } = getComputedStyle(element);
  Object.assign(context, { font, textAlign: 'center', textBaseline: 'middle', fillStyle: color });
  context.fillText(element.textContent ?? '', x, y);
}

/** The lines in which the browser has set a text: words whose boxes have one height on the screen. */
function linesOf(element: HTMLElement): Line[] {
  const node = element.firstChild;
  if (!(node instanceof Text)) return [];
  const lines: Line[] = [];
  const range = document.createRange();
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const [box] = range.getClientRects();
    if (box === undefined) continue;
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.box.top - box.top) < box.height / 2) last.text += ` ${word}`;
    else lines.push({ text: word, box });
  }
  return lines;
}
