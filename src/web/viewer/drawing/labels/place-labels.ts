/** Which names are written on a map, and where: inside polygons and next to spots, so that none covers another one or is cut off. */
import { type Box, overlap } from '../../../../lib/geo/polygon.ts';
import type { Corner } from '../map-document.ts';
import { isRectangleInside } from './label-point.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An object with a name, in pixels of the screen from any origin. */
export interface Labelled extends Size {
  readonly id: string;
  /** The centre of a spot, a point inside of a polygon, or the middle of a line. */
  readonly at: Corner;
  /** Of a spot. */
  readonly radius: number;
  /** Of a polygon: the outer ring, and holes. */
  readonly rings?: readonly (readonly Corner[])[] | undefined;
  /** The scale of the distance between a spot and its name. */
  readonly gapScale?: number;
  /** True if the name is written in any case; `centred`: in its place, whatever is there. */
  readonly always?: boolean | 'centred';
  /** What is visible of the name, if that is less than the view. */
  readonly view?: Box | undefined;
}

export interface PlacedLabel {
  readonly id: string;
  /** From the point of the object to the corner of its name. */
  readonly dx: number;
  readonly dy: number;
}

/** Distance of a name from its spot, and of names from each other. */
const [spotGap, labelGap] = [4, 2];
/** Lines above and below the point of a polygon in which its name is tried. */
const lines = [0, -1, 1, -2, 2];
const roundingPx = 0.01;
const everywhere: Box = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
};

/**
 * Places of names, in the order of their importance. A name is left out where it covers another name or a spot, and where it does not fit into
 * the view and its polygon.
 *
 * @param mode `all`: every name is written, at its first free place or else at its first place
 * @param spots what no name may cover, by the identifier of its object
 * @param view what is visible
 */
export function placeLabels(
  labelled: readonly Labelled[],
  mode: 'auto' | 'all',
  spots: Iterable<readonly [string, Box]> = [],
  view: Box = everywhere,
): PlacedLabel[] {
  const taken = new TakenSpace();
  for (const [id, spot] of spots) taken.add(spot, id);
  // Names that are written in any case, before others take their places.
  for (const each of labelled) if (each.always === 'centred') taken.add(centred(each), each.id);
  const placed: PlacedLabel[] = [];
  for (const each of labelled) {
    const place = each.always === 'centred' ? centred(each) : placeOf(each, mode === 'all' || each.always === true, taken, view);
    if (place === undefined) continue;
    if (each.always !== 'centred') taken.add(place, each.id);
    placed.push({ id: each.id, dx: place.left - each.at.x, dy: place.top - each.at.y });
  }
  return placed;
}

/** @param isWritten whether the name is written where it covers something, too */
function placeOf(each: Labelled, isWritten: boolean, taken: TakenSpace, view: Box): Box | undefined {
  const visible = each.view ?? view;
  const places = placesOf(each);
  const moved = places.map((place) => movedInto(visible, place));
  const free = moved.find((place) => fits(each, place, visible) && !taken.has(place, each.id));
  if (free !== undefined || !isWritten) return free;
  // The name of a polygon that is in view only at its edge stays away from what else is there.
  return each.rings === undefined || overlap(places[0] as Box, visible) ? moved[0] : places[0];
}

const centred = ({ at: { x, y }, width, height }: Labelled): Box => ({
  ...{ left: x - width / 2, top: y - height / 2 },
  ...{ right: x + width / 2, bottom: y + height / 2 },
});

/** Whether a name is whole at a place, in its polygon or beside its spot. */
function fits({ rings, at: { x, y }, radius }: Labelled, place: Box, view: Box): boolean {
  // A name that was moved to an edge may exceed it by a rounding error.
  if (place.right - view.right > roundingPx || place.bottom - view.bottom > roundingPx) return false;
  if (rings !== undefined) return isRectangleInside(rings, place);
  return !overlap(place, { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius });
}

/** The rectangle, moved as little as needed to be in the view; a larger one begins there. */
function movedInto(view: Box, { left, top, right, bottom }: Box): Box {
  const x = Math.max(view.left, Math.min(left, view.right - (right - left)));
  const y = Math.max(view.top, Math.min(top, view.bottom - (bottom - top)));
  return { left: x, top: y, right: x + right - left, bottom: y + bottom - top };
}

/** Where a name may be, from the best place on. */
function placesOf({ at: { x, y }, width, height, radius, rings, gapScale = 1 }: Labelled): Box[] {
  const box = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + height });
  if (rings !== undefined) return lines.map((line) => box(x - width / 2, y - height / 2 + line * (height + labelGap)));
  const distance = radius + spotGap * gapScale;
  return [
    box(x + distance, y - height / 2),
    box(x - distance - width, y - height / 2),
    box(x - width / 2, y + distance),
    box(x - width / 2, y - distance - height),
  ];
}

/** Side of a square of the index. */
const squarePx = 64;
/** A rectangle that covers more squares than this is compared with everything. */
const squaresMax = 400;

/** Boxes by the squares of a grid that they touch. */
class TakenSpace {
  readonly #squares = new Map<string, [Box, string][]>();
  readonly #large: [Box, string][] = [];

  add(rectangle: Box, id: string): void {
    const entry: [Box, string] = [rectangle, id];
    const squares = squaresOf(rectangle);
    if (squares === undefined) this.#large.push(entry);
    for (const square of squares ?? []) {
      const entries = this.#squares.get(square);
      if (entries === undefined) this.#squares.set(square, [entry]);
      else entries.push(entry);
    }
  }

  /** Whether a rectangle, with a gap around it, covers one of another object. */
  has(wanted: Box, id: string): boolean {
    const { left, top, right, bottom } = wanted;
    const wide = { left: left - labelGap, top: top - labelGap, right: right + labelGap, bottom: bottom + labelGap };
    const covers = ([other, otherId]: [Box, string]): boolean => otherId !== id && overlap(other, wide);
    return this.#large.some(covers) || (squaresOf(wide) ?? []).some((square) => this.#squares.get(square)?.some(covers) === true);
  }
}

/** `undefined` for too many. */
function squaresOf({ left, top, right, bottom }: Box): string[] | undefined {
  const [x1, y1, x2, y2] = [left, top, right, bottom].map((side) => Math.floor(side / squarePx)) as [
    number,
    number,
    number,
    number,
  ];
  if (!((x2 - x1 + 1) * (y2 - y1 + 1) <= squaresMax)) return undefined;
  const squares: string[] = [];
  for (let x = x1; x <= x2; x++) for (let y = y1; y <= y2; y++) squares.push(`${x} ${y}`);
  return squares;
}
