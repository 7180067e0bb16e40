/** The tiles of a map below the picture on a card. */
import { centreOf, type MapArea, metresPerPixel, scaleOf } from '../../../lib/geo/geo.ts';
import { tileZoomMax } from '../../viewer/drawing/backdrop.ts';

/** A tile, and its place in the picture, in pixels. */
export interface PlacedTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

const tilePixels = 256;
/** A picture of an artboard that shows the world many times has no tiles. */
const tilesMax = 32;

/**
 * The tiles that a picture of an artboard shows. They are drawn at one to two times their size: that takes few of them, which the
 * servers of tiles ask for.
 *
 * @param width of the picture, in pixels
 */
export function tilesOf(area: MapArea, width: number, height: number): PlacedTile[] {
  const metres = (scaleOf(area) * Math.max(1, area.width)) / width;
  const z = Math.max(0, Math.min(tileZoomMax, Math.floor(Math.log2(metresPerPixel / metres))));
  const side = (tilePixels * metresPerPixel) / 2 ** z / metres;
  const centre = centreOf(area);
  const half = (tilePixels / 2) * metresPerPixel;
  const worldLeft = width / 2 - (centre.x + half) / metres;
  const worldTop = height / 2 - (half - centre.y) / metres;
  const count = 2 ** z;
  const columns = span(worldLeft, side, width);
  const rows = span(worldTop, side, height).filter((y) => y >= 0 && y < count);
  if (columns.length * rows.length > tilesMax) return [];
  return rows.flatMap((y) =>
    columns.map((column) => ({
      ...{ z, y, side },
      x: ((column % count) + count) % count,
      left: worldLeft + column * side,
      top: worldTop + y * side,
    })),
  );
}

/** The numbers of the tiles between 0 and a length; none if they are too many, or not to be numbered. */
function span(start: number, side: number, length: number): number[] {
  const first = Math.floor(-start / side);
  const size = Math.ceil((length - start) / side) - first;
  return size > 0 && size <= tilesMax ? Array.from({ length: size }, (_, at) => first + at) : [];
}
