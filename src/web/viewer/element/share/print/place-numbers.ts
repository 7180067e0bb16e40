/** Numbers of places on a map: each next to its place. A number that would cover another one is left out. */
import { type Box, overlap } from '../../../../../lib/geo/polygon.ts';
import type { Drawing } from '../../../drawing/drawing.ts';
import type { Annotation } from '../../../drawing/flat/flat-map.ts';

/** The size of the text, in CSS pixels. */
const fontPx = 9;
const [heightPx, digitPx, sidesPx] = [12, 5.5, 5];
/** Beside the icon of a polygon. */
const iconPx = 14;
/** A polygon of this height has its number above its middle, where its name is. */
const highPx = 48;

/** With more places, the list has their names, and the map has the numbers alone. */
const namedMax = 40;

interface PlaceNumber {
  readonly text: string;
  readonly box: Box;
}

export interface PlaceNumbers extends Annotation {
  /** The number of a place; `undefined` for one that has none. */
  readonly numberOf: ReadonlyMap<string, number>;
}

/** Numbers from 1 on. @param ids of the places, in the order of the list */
export function placeNumbers(drawing: Drawing, ids: readonly string[]): PlaceNumbers {
  const numbers: PlaceNumber[] = [];
  const numberOf = new Map<string, number>();
  for (const id of ids) {
    const text = `${numbers.length + 1}`;
    const boxes = boxesFor(drawing, id, text.length * digitPx + sidesPx);
    const box = boxes.find((each) => numbers.every((other) => !overlap(each, other.box)));
    if (box === undefined) continue;
    numbers.push({ text, box });
    numberOf.set(id, numbers.length);
  }
  return {
    numberOf,
    boxes: numbers.map(({ box }) => box),
    ...(ids.length > namedMax && { labels: 'none' }),
    paint: (context) => {
      Object.assign(context, { font: `700 ${fontPx}px system-ui, sans-serif`, textAlign: 'center', textBaseline: 'middle' });
      for (const { text, box } of numbers) drawNumber(context, text, box);
    },
  };
}

function drawNumber(context: CanvasRenderingContext2D, text: string, { left, top, right, bottom }: Box): void {
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, heightPx / 2);
  Object.assign(context, { fillStyle: '#0f172a', strokeStyle: '#fff', lineWidth: 1 });
  context.fill();
  context.stroke();
  context.fillStyle = '#fff';
  context.fillText(text, (left + right) / 2, (top + bottom) / 2 + 0.5);
}

/** The places of a number, the best one first. */
function boxesFor(drawing: Drawing, id: string, width: number): Box[] {
  const shape = drawing.boxOf(id);
  const anchor = drawing.anchorOf(id);
  const [x, y] = (anchor && (drawing.map.getPixelFromCoordinate(anchor) as number[] | null)) ?? [];
  if (shape === undefined || x === undefined || y === undefined) return [];
  const around = (atX: number, atY: number): Box => ({
    ...{ left: atX - width / 2, top: atY - heightPx / 2 },
    ...{ right: atX + width / 2, bottom: atY + heightPx / 2 },
  });
  const { left, top, right, bottom } = shape;
  const { type, icon } = drawing.featureOf(id)?.object ?? {};
  if (type !== 'spot') {
    if (icon) return [around(x + iconPx, y - iconPx), around(x - iconPx, y - iconPx), around(x + iconPx, y + iconPx)];
    const up = bottom - top >= highPx ? (3 * heightPx) / 2 : 0;
    return [around(x, y - up), around(x, y + up), around(x - width, y - up), around(x + width, y - up)];
  }
  return [
    ...[around(right, top), around(left, top), around(right, bottom), around(left, bottom)],
    ...[around(x, top - heightPx / 2), around(x, bottom + heightPx / 2)],
    ...[around(right + width / 2, y), around(left - width / 2, y)],
  ];
}
