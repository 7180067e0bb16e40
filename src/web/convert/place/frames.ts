/** The ways from the coordinates of a file to pixels of an artboard. */
import { extentOf } from '../../../lib/geo/extent.ts';
import { areaFor, type MapArea, type Pixel } from '../../../lib/geo/geo.ts';
import type { ConvertOptions, Placement, TargetArtboard } from '../conversion.ts';
import type { FileData, Position } from '../read/file-data.ts';
import { allPositions, isPlace } from './check-degrees.ts';
import { placementOn, placeOf } from './map-places.ts';

/** Part of width and height that stays empty on each side. */
const margin = 0.05;

/** Options with an artboard, which may be new. */
export type PlacementOptions = ConvertOptions & { readonly artboard: TargetArtboard };

export interface Frame {
  /** Whether the coordinates are degrees, which end at the edges of the map. */
  readonly isMap: boolean;
  /** Pixels of the artboard per unit of the file, for the radius of circles. */
  readonly scale: number;
  readonly artboard?: Pick<MapArea, 'osm_lat' | 'osm_lng' | 'osm_zoom'>;
  point(position: Position): Pixel;
  /** @returns the ring, then its holes */
  rings(ring: readonly Position[], holes: readonly (readonly Position[])[], isExact: boolean): Pixel[][];
  line(positions: readonly Position[], isExact: boolean): Pixel[];
}

/** The placement that applies: a given one that the data cannot have is the default. */
export function placementFor(data: FileData, { artboard, placement }: PlacementOptions): Placement {
  if (placement === 'pixels' || placement === 'fit') return placement;
  if (data.unit === 'pixels') return 'pixels';
  return artboard.type === 'osm' ? (placement ?? 'keep') : 'fit';
}

/** @param areDegrees of the coordinates of the file; others are planar, with y to the north */
export function frameFor(data: FileData, areDegrees: boolean, options: PlacementOptions): Frame {
  const { artboard } = options;
  const placement = placementFor(data, options);
  if (placement === 'pixels') return linear(1, 1, 0, 0);
  const positions = [...allPositions(data)];
  if (placement === 'fit' && !areDegrees) return fitted(positions, artboard, data.unit === 'pixels' ? 1 : -1, data.size);
  if (placement === 'keep') return mapFrame(artboard);
  const centred = areaFor(positions.filter(isPlace).map(placeOf), artboard);
  const map = mapFrame({ ...artboard, ...centred });
  return placement === 'fit' ? fittedMap(map, positions.filter(isPlace), artboard) : { ...map, artboard: centred };
}

const mapFrame = (area: MapArea): Frame => ({ isMap: true, scale: 1, ...placementOn(area) });

/** Web Mercator, enlarged until the data fills the artboard. */
function fittedMap(map: Frame, positions: readonly Position[], artboard: Pick<MapArea, 'width' | 'height'>): Frame {
  const pixels = positions.map((position): Position => {
    const { x, y } = map.point(position);
    return [x, y];
  });
  const inner = fitted(pixels, artboard, 1, undefined);
  const enlarged = (corners: readonly Pixel[]): Pixel[] => corners.map(({ x, y }) => inner.point([x, y]));
  return {
    ...map,
    point: (position) => {
      const { x, y } = map.point(position);
      return inner.point([x, y]);
    },
    rings: (ring, holes, isExact) => map.rings(ring, holes, isExact).map(enlarged),
    line: (positions, isExact) => enlarged(map.line(positions, isExact)),
  };
}

function linear(scale: number, flip: 1 | -1, left: number, top: number): Frame {
  const point = ([x, y]: Position): Pixel => ({ x: left + x * scale, y: top + y * scale * flip });
  const line = (positions: readonly Position[]): Pixel[] => positions.map(point);
  return { isMap: false, scale, point, rings: (ring, holes) => [ring, ...holes].map(line), line };
}

/** The box of the data, or the size of the document, in the middle of the artboard. */
function fitted(
  positions: readonly Position[],
  { width, height }: Pick<MapArea, 'width' | 'height'>,
  flip: 1 | -1,
  size: FileData['size'],
): Frame {
  const [west, east] = size === undefined ? extentOf(positions.map(([x]) => x)) : [0, size.width];
  const [south, north] = size === undefined ? extentOf(positions.map(([, y]) => y)) : [0, size.height];
  const share = 1 - 2 * margin;
  const least = Math.min((share * width) / (east - west), (share * height) / (north - south));
  const scale = Number.isFinite(least) ? least : 1;
  return linear(scale, flip, width / 2 - ((west + east) / 2) * scale, height / 2 - ((south + north) / 2) * scale * flip);
}
