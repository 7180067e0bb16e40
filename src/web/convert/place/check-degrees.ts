/** Finds out what coordinates are: degrees in one order or the other, or another system. */
import type { MapArea } from '../../../lib/geo/geo.ts';
import type { FileData, Position, Shape } from '../read/file-data.ts';
import { placementOn } from './map-places.ts';

/** Longitudes up to 360 are accepted: some programs count to the east only, or across the antimeridian. */
export const isPlace = ([lng, lat]: Position): boolean => Math.abs(lng) <= 360 && Math.abs(lat) <= 90;

/** In degrees: south of it are research stations only. */
const antarctica = -65;

export function positionsOf(shape: Shape): readonly Position[] {
  if (shape.kind === 'ring') return shape.holes.length === 0 ? shape.ring : [shape.ring, ...shape.holes].flat();
  return shape.kind === 'line' ? shape.line : [shape.at];
}

export function* allPositions(data: FileData): Generator<Position> {
  for (const { shapes } of data.items) for (const shape of shapes) yield* positionsOf(shape);
}

const swapped = ([x, y]: Position): Position => [y, x];

export function swapShape(shape: Shape): Shape {
  if (shape.kind === 'ring')
    return { ...shape, ring: shape.ring.map(swapped), holes: shape.holes.map((hole) => hole.map(swapped)) };
  if (shape.kind === 'line') return { ...shape, line: shape.line.map(swapped) };
  return { ...shape, at: swapped(shape.at) };
}

/** The kind that coordinates of a file without a declared system seem to be. `example`: one that is no place. */
export type Coordinates =
  | { readonly are: 'places' | 'swapped places' }
  | { readonly are: 'other'; readonly example: Position | undefined };

/**
 * Places are swapped if latitudes are beyond ±90 or all in Antarctica, or the data is outside the frame and would be inside.
 *
 * @param frame of an artboard on a map; `undefined` elsewhere
 */
export function coordinatesOf(data: FileData, frame: MapArea | undefined): Coordinates {
  let count = 0;
  let places = 0;
  let swappedPlaces = 0;
  let polar = 0;
  let inside = 0;
  let swappedInside = 0;
  let example: Position | undefined;
  const placement = frame && placementOn(frame);
  const isInside = (position: Position): boolean => {
    if (placement === undefined || frame === undefined) return false;
    const { x, y } = placement.point(position);
    return x >= 0 && y >= 0 && x <= frame.width && y <= frame.height;
  };
  for (const position of allPositions(data)) {
    count++;
    const [isOne, isOther] = [isPlace(position), isPlace(swapped(position))];
    if (isOne) places++;
    else example ??= position;
    if (position[1] < antarctica) polar++;
    if (isOther) swappedPlaces++;
    if (isOne && isInside(position)) inside++;
    if (isOther && isInside(swapped(position))) swappedInside++;
  }
  if (places < count / 2 && swappedPlaces < count / 2) return { are: 'other', example };
  // Some latitudes are none, or all are in Antarctica, and all would be places in the other order.
  const isDoubtful = swappedPlaces === count && (places < count || (polar === count && count > 1));
  const areSwapped =
    isDoubtful || (places < count / 2 && swappedPlaces > places) || (inside === 0 && swappedInside > count * 0.8);
  return { are: areSwapped ? 'swapped places' : 'places' };
}
