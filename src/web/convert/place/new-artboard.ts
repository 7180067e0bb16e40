/** The artboard that a file gets where there is none yet. */
import { extentOf } from '../../../lib/geo/extent.ts';
import type { Placement, TargetArtboard } from '../conversion.ts';
import type { FileData } from '../read/file-data.ts';
import { allPositions } from './check-degrees.ts';

/** Pixels of an artboard for data that has no size of its own. */
const sizeDefault = { width: 1200, height: 800 };
const sizeMax = 20_000;
const nowhere = { osm_lat: 0, osm_lng: 0, osm_zoom: 1 };

/**
 * A map for degrees, unless they are to be placed as pixels or to fill the artboard; the picture of an SVG; or an empty ground.
 *
 * @param keepsArea whether exported objects keep their pixels, on an artboard of the same area
 */
export function newArtboard(data: FileData, keepsArea: boolean, placement: Placement | undefined): TargetArtboard {
  if (keepsArea && data.artboard !== undefined) return { ...data.artboard, type: data.artboard.type === 'osm' ? 'osm' : 'color' };
  if (data.unit === 'degrees' && placement === 'fit') return { type: 'color', ...sizeDefault, ...nowhere };
  if (data.unit === 'degrees' && placement !== 'pixels') return { type: 'osm', ...sizeDefault, ...nowhere };
  return { type: data.background === undefined ? 'color' : 'image', ...(data.size ?? sizeOf(data)), ...nowhere };
}

/** The size that shows all pixels: the default one at least. */
function sizeOf(data: FileData): Pick<TargetArtboard, 'width' | 'height'> {
  const positions = [...allPositions(data)];
  const size = (values: readonly number[], least: number): number =>
    Math.max(least, Math.min(sizeMax, Math.ceil(extentOf(values)[1])));
  const width = size(
    positions.map(([x]) => x),
    sizeDefault.width,
  );
  const height = size(
    positions.map(([, y]) => y),
    sizeDefault.height,
  );
  return { width, height };
}
