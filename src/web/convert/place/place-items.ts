/** Shapes of a file become shapes of objects, in pixels of the artboard. */
import { latitudeMax, type Pixel } from '../../../lib/geo/geo.ts';
import { doubleArea } from '../../../lib/geo/polygon.ts';
import { ConvertError } from '../conversion.ts';
import { conversionDefaults } from '../conversion-defaults.ts';
import type { Notes } from '../notes.ts';
import type { FileData, Item, Position, Shape } from '../read/file-data.ts';
import { otherSystem } from '../read/read-geojson.ts';
import type { Slices } from '../slices.ts';
import { coordinatesOf, isPlace, positionsOf, swapShape } from './check-degrees.ts';
import { type Frame, frameFor, type PlacementOptions, placementFor } from './frames.ts';
import { crossesItself } from './self-crossing.ts';

/** Objects of one import; a multi-geometry has many. */
const objectsMax = 100_000;
/** Holes of one object. */
const holesMax = 100;

export type PlacedShape =
  | { readonly kind: 'spot'; readonly at: Pixel; readonly radius?: number }
  | { readonly kind: 'poly'; readonly corners: readonly Pixel[]; readonly holes: readonly (readonly Pixel[])[] }
  /** `width` in pixels. */
  | { readonly kind: 'line'; readonly corners: readonly Pixel[]; readonly width: number };

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
  const arePixels = data.unit === 'pixels' || placement === 'pixels';
  const coordinates = arePixels ? undefined : coordinatesOf(data, placement === 'keep' ? artboard : undefined);
  if (coordinates?.are === 'other') refuseOrNote(coordinates.example, isMap, notes);
  const areDegrees = isMap || coordinates?.are === 'places';
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
  return { items, areSwapped: coordinates?.are === 'swapped places', artboard: frame.artboard };
}

/** @throws {ConvertError} "coordinates" on a map; elsewhere planar coordinates of any system can be drawn */
function refuseOrNote(example: Position | undefined, isMap: boolean, notes: Notes): void {
  const reason = `they are no degrees, for example ${example?.[0]}, ${example?.[1]}`;
  if (isMap) throw otherSystem(reason);
  const detail = `The coordinates are in another system: ${reason}. They are drawn to scale, without a map. For a map, export the file in degrees (WGS 84, EPSG:4326).`;
  notes.add('planar', '', detail);
}

const hasPixels = (shape: PlacedShape): boolean =>
  shape.kind === 'spot'
    ? [shape.at.x, shape.at.y, shape.radius ?? 0].every(Number.isFinite)
    : ringsOf(shape).every((ring) => ring.every(({ x, y }) => Number.isFinite(x + y)));

/** The corners of a line, or of a polygon and of its holes. */
export const ringsOf = (shape: PlacedShape & { readonly kind: 'poly' | 'line' }): readonly (readonly Pixel[])[] =>
  shape.kind === 'line' ? [shape.corners] : [shape.corners, ...shape.holes];

const swapItem = (item: Item): Item => ({ ...item, shapes: item.shapes.map(swapShape) });

function placeShape(shape: Shape, item: Item, frame: Frame, lineWidth: number, notes: Notes): PlacedShape | undefined {
  const positions = positionsOf(shape);
  if (frame.isMap && !isOnMap(shape, positions, item, notes)) return undefined;
  if (shape.kind === 'point') return { kind: 'spot', at: frame.point(shape.at) };
  if (shape.kind === 'circle') return { kind: 'spot', at: frame.point(shape.at), radius: shape.radius * frame.scale };
  if (shape.kind === 'line') return placeLine(shape, item, frame, lineWidth, notes);
  const isExported = item.members !== undefined;
  const [corners = [], ...holes] = frame.rings(shape.ring, shape.holes, isExported);
  if (!isExported && crossesItself(corners))
    notes.add('crosses-itself', item.at, 'Its outline crosses itself. Check the shape on the map.');
  return { kind: 'poly', corners, holes: largest(holes, item, notes) };
}

/** As many holes as an object may have; smaller ones are filled. */
function largest(holes: Pixel[][], item: Item, notes: Notes): readonly (readonly Pixel[])[] {
  if (holes.length <= holesMax) return holes;
  const filled = holes.length - holesMax;
  const detail = `It has ${holes.length} holes, and an object at most ${holesMax}: the smallest ${filled === 1 ? 'one is' : `${filled} are`} filled.`;
  notes.leaveOut('holes', item.at, detail);
  const areas = new Map(holes.map((hole) => [hole, Math.abs(doubleArea(hole))]));
  const kept = new Set(holes.toSorted((a, b) => (areas.get(b) as number) - (areas.get(a) as number)).slice(0, holesMax));
  return holes.filter((hole) => kept.has(hole));
}

/** The width of a line that the file says, in pixels; `undefined` if the file says none. */
export function ownWidthOf({ width }: Shape & { kind: 'line' }, { style }: Item, scale: number): number | undefined {
  if (width !== undefined) return width * scale;
  const given = Number(style?.['stroke_width']);
  return given > 0 ? given : undefined;
}

function placeLine(
  shape: Shape & { kind: 'line' },
  item: Item,
  frame: Frame,
  lineWidth: number,
  notes: Notes,
): PlacedShape | undefined {
  const isExported = item.members !== undefined;
  if (!isExported && lineWidth <= 0) {
    notes.leaveOut('line', item.at, 'Lines are left out.');
    return undefined;
  }
  const corners = frame.line(shape.line, isExported);
  const [first] = corners;
  if (!isExported && corners.every(({ x, y }) => x === first?.x && y === first.y)) {
    notes.leaveOut('line', item.at, 'The line has no length.');
    return undefined;
  }
  return { kind: 'line', corners, width: ownWidthOf(shape, item, frame.scale) ?? lineWidth };
}

/** Notes what is outside the map. Points are left out, the corners of others are moved to its edge. */
function isOnMap(shape: Shape, positions: readonly Position[], item: Item, notes: Notes): boolean {
  const outside = positions.find((position) => !isPlace(position));
  if (outside !== undefined) {
    const [lng, lat] = outside;
    const detail = `Latitude ${lat}, longitude ${lng}: latitudes are from -90 to 90, longitudes from -360 to 360.`;
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
