/** The outlines of land and borders below the tiles on a card, loaded for the first card with a map. */
import { centreOf, type MapArea, scaleOf } from '../../../lib/geo/geo.ts';
import { outlines } from '../map/map-outlines.ts';

/** Draws them on the whole canvas. Rejects if they cannot be loaded. */
export async function drawOutlines(context: CanvasRenderingContext2D, area: MapArea): Promise<void> {
  const { width, height } = context.canvas;
  const { x, y } = centreOf(area);
  const across = (scaleOf(area) * Math.max(1, area.width)) / 2;
  const up = (across * height) / width;
  const paint = await outlines();
  paint(context, {
    ...{ box: { left: 0, top: 0, right: width, bottom: height }, extent: [x - across, y - up, x + across, y + up] },
    ...{ pixelRatio: 1, isDark: false },
  });
}
