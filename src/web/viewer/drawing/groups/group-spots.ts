/** Groups spots that are close together. The groups depend on the spots and the radius only, so a view that moves does not change them. */
import type { Corner } from '../map-document.ts';

/** From this number of spots in one view on, they are grouped. */
export const groupedFrom = 200;
/** Within this distance of each other, in pixels. */
const radiusPx = 64;

/** A wheel zooms in small steps: the groups stay for about a factor of 1.4. @param resolution units of the view per pixel */
export const levelOf = (resolution: number): number => Math.round(2 * Math.log2(resolution)) / 2;

/** Distance within which spots are grouped, in units of the view. */
export const groupRadius = (resolution: number): number => radiusPx * 2 ** levelOf(resolution);

/** Rows of squares that have numbers of their own. */
const rowsMax = 2 ** 25;

export interface SpotGroup<Item> extends Corner {
  /** At least two. `x` and `y` are the mean of their places. */
  readonly members: readonly Item[];
}

/**
 * Groups of spots: each takes those within a radius of its first one. Spots that are alone are in no group.
 *
 * @param spots in their order, in any unit
 * @param radius in the same unit
 */
export function groupSpots<Item extends Corner>(spots: readonly Item[], radius: number): SpotGroup<Item>[] {
  if (!(radius > 0)) return [];
  const squares = new Map<number, Item[]>();
  const squareOf = (value: number): number => Math.floor(value / radius);
  // A number is found faster than a text. Far away, two squares may share one: distances are compared all the same.
  const keyOf = (column: number, row: number): number => column * rowsMax + row;
  for (const spot of spots) {
    const square = keyOf(squareOf(spot.x), squareOf(spot.y));
    const items = squares.get(square);
    if (items === undefined) squares.set(square, [spot]);
    else items.push(spot);
  }
  const taken = new Set<Item>();
  /** Takes the spots around one, and removes them from their squares: no spot is compared again after it was taken. */
  const takeAround = ({ x, y }: Item): Item[] => {
    const members: Item[] = [];
    for (let column = squareOf(x) - 1; column <= squareOf(x) + 1; column++) {
      for (let row = squareOf(y) - 1; row <= squareOf(y) + 1; row++) {
        const square = keyOf(column, row);
        const items = squares.get(square);
        if (items === undefined || items.length === 0) continue;
        const left: Item[] = [];
        for (const item of items) ((item.x - x) ** 2 + (item.y - y) ** 2 <= radius ** 2 ? members : left).push(item);
        squares.set(square, left);
      }
    }
    return members;
  };
  const groups: SpotGroup<Item>[] = [];
  for (const spot of spots) {
    if (taken.has(spot)) continue;
    const members = takeAround(spot);
    for (const member of members) taken.add(member);
    if (members.length > 1) groups.push({ ...meanOf(members), members });
  }
  return groups;
}

function meanOf(spots: readonly Corner[]): Corner {
  let [x, y] = [0, 0];
  for (const spot of spots) {
    x += spot.x / spots.length;
    y += spot.y / spots.length;
  }
  return { x, y };
}
