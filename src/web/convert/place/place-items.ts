/** Shapes of a file become shapes of objects, in pixels of the artboard. */
import { latitudeMax, type Pixel } from '../../../lib/geo/geo.ts';
import { ConvertError } from '../conversion.ts';
import { conversionDefaults } from '../conversion-defaults.ts';
import type { Notes } from '../notes.ts';
import type { FileData, Item, Position, Shape } from '../read/file-data.ts';
import type { Slices } from '../slices.ts';
import { areAxesSwapped, isPlace, mostlyPlaces, positionsOf, swapShape } from './check-degrees.ts';
import { type Frame, frameFor, type PlacementOptions, placementFor } from './frames.ts';
import { crossesItself } from './self-crossing.ts';
import { thinPolygon } from './thin-polygon.ts';

/** Objects of one import; a multi-geometry has many. */
const objectsMax = 100_000;

export type PlacedShape =
  | { readonly kind: 'spot'; readonly at: Pixel; readonly radius?: number }
  | { readonly kind: 'poly'; corners: readonly Pixel[]; readonly isLine: boolean };

export interface PlacedItem {
  readonly item: Item;
  readonly shapes: readonly PlacedShape[];
}

export interface Placed {
  readonly items: readonly PlacedItem[];
  readonly areSwapped: boolean;
  readonly artboard: Frame['artboard'];
}

export async function placeItems(read: FileData, options: PlacementOptions, notes: Notes, slices: Slices): Promise<Placed> {
  const count = read.items.reduce((sum, { shapes }) => sum + shapes.length, 0);
  if (count > objectsMax)
    throw new ConvertError(
      'too-large',
      `The file has ${count} points and shapes, at most ${objectsMax} can be imported. Split it.`,
    );
  const data = options.swapAxes === true ? { ...read, items: read.items.map(swapItem) } : read;
  const { artboard } = options;
  const placement = placementFor(data, options);
  const isMap = placement === 'keep' || placement === 'centre';
  const areSwapped = isMap && areAxesSwapped(data, placement === 'keep' ? artboard : undefined);
  const areDegrees = isMap || (data.unit === 'degrees' && mostlyPlaces(data));
  const frame = frameFor(data, areDegrees, options);
  const items: PlacedItem[] = [];
  for (const [i, item] of data.items.entries()) {
    const shapes = item.shapes
      .map((shape) => placeShape(shape, item, frame, options.lineWidth ?? conversionDefaults.lineWidth, notes))
      .filter((shape) => shape !== undefined);
    const finite = shapes.filter(hasPixels);
    if (finite.length < shapes.length) notes.leaveOut('bad-geometry', item.at, 'Its coordinates are too large for pixels.');
    items.push({ item, shapes: finite });
    await slices.next(i / data.items.length);
  }
  return { items, areSwapped, artboard: frame.artboard };
}

const hasPixels = (shape: PlacedShape): boolean =>
  shape.kind === 'spot'
    ? [shape.at.x, shape.at.y, shape.radius ?? 0].every(Number.isFinite)
    : shape.corners.every(({ x, y }) => Number.isFinite(x + y));

const swapItem = (item: Item): Item => ({ ...item, shapes: item.shapes.map(swapShape) });

function placeShape(shape: Shape, item: Item, frame: Frame, lineWidth: number, notes: Notes): PlacedShape | undefined {
  const positions = positionsOf(shape);
  if (frame.isMap && !isOnMap(shape, positions, item, notes)) return undefined;
  if (shape.kind === 'point') return { kind: 'spot', at: frame.point(shape.at) };
  if (shape.kind === 'circle') return { kind: 'spot', at: frame.point(shape.at), radius: shape.radius * frame.scale };
  if (shape.kind === 'line') return placeLine(shape, item, frame, lineWidth, notes);
  if (shape.holes > 0) {
    const detail = `Its ${shape.holes === 1 ? 'hole is' : `${shape.holes} holes are`} filled: polygons of an artboard have no holes.`;
    notes.add('holes', item.at, detail);
  }
  const isExported = item.members !== undefined;
  const corners = frame.path(shape.ring, isExported);
  if (!isExported && crossesItself(corners))
    notes.add('crosses-itself', item.at, 'Its outline crosses itself. Check the shape on the map.');
  return { kind: 'poly', corners, isLine: false };
}

function placeLine(
  { line, width }: Shape & { kind: 'line' },
  item: Item,
  frame: Frame,
  lineWidth: number,
  notes: Notes,
): PlacedShape | undefined {
  if (lineWidth <= 0) {
    notes.leaveOut('line', item.at, 'Lines are left out.');
    return undefined;
  }
  const corners = thinPolygon(frame.path(line), width === undefined ? lineWidth : width * frame.scale);
  if (corners === undefined) notes.leaveOut('line', item.at, 'The line has no length.');
  return corners && { kind: 'poly', corners, isLine: true };
}

/** Notes what is outside the map. Points are left out, the corners of others are moved to its edge. */
function isOnMap(shape: Shape, positions: readonly Position[], item: Item, notes: Notes): boolean {
  const outside = positions.find((position) => !isPlace(position));
  if (outside !== undefined) {
    const [lng, lat] = outside;
    const detail = `Latitude ${lat}, longitude ${lng}: latitudes are from -90 to 90, longitudes from -180 to 180.`;
    notes.leaveOut(Math.abs(lat) > 90 ? 'latitude' : 'longitude', item.at, detail);
    return false;
  }
  if (positions.every(([, lat]) => Math.abs(lat) <= latitudeMax)) return true;
  if (shape.kind === 'point' || shape.kind === 'circle') {
    notes.leaveOut('pole', item.at, `Latitude ${shape.at[1]}: the map ends at ${latitudeMax} degrees north and south.`);
    return false;
  }
  notes.add('pole', item.at, `Corners beyond ${latitudeMax} degrees north or south are moved to the edge of the map.`);
  return true;
}
