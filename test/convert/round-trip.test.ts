// tier: normal, process: shared
/** An exported document gives the same objects again: members exactly, pixels within 0.001. */
import t from 'tap';
import { type MapArea, type Pixel, type Place, toPlace } from '../../src/lib/geo/geo.ts';
import fc from '../support/fast-check.ts';
import { convertText } from './support.ts';

interface Spot extends Pixel {
  readonly type: 'spot';
}

interface Poly {
  readonly type: 'poly';
  readonly coords: readonly Pixel[];
}

const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Artboards whose frame is a part of one copy of the world. */
const areas = fc.record<MapArea>({
  width: fc.integer({ min: 100, max: 2000 }),
  height: fc.integer({ min: 100, max: 2000 }),
  osm_lat: finite(-60, 60),
  osm_lng: finite(-180, 180),
  osm_zoom: finite(5, 20),
});
const pixels = fc.record({ x: finite(-500, 2500), y: finite(-500, 2500) });
const styles = fc.record({
  name: fc.string({ unit: 'grapheme', maxLength: 50 }),
  color: fc.string(),
  opacity: finite(0, 1),
  pin: fc.boolean(),
  key: fc.string({ maxLength: 20 }),
});
const objects = fc.array(
  fc.tuple(
    fc.oneof(
      pixels.map((pixel): Spot => ({ type: 'spot', ...pixel })),
      fc.array(pixels, { minLength: 3, maxLength: 12 }).map((coords): Poly => ({ type: 'poly', coords })),
    ),
    styles,
  ),
  { minLength: 1, maxLength: 8 },
);

/** A document as the export writes it. */
function documentOf(list: readonly (readonly [Spot | Poly, object])[], unit: 'degrees' | 'pixels', area: MapArea): object {
  const place = toPlace(area);
  const position = (pixel: Pixel): number[] => {
    const { lng, lat }: Place = place(pixel);
    return unit === 'degrees' ? [lng, lat] : [pixel.x, pixel.y];
  };
  const features = list.map(([shape, style], i) => ({
    type: 'Feature',
    id: `id-${i}`,
    geometry:
      shape.type === 'spot'
        ? { type: 'Point', coordinates: position(shape) }
        : { type: 'Polygon', coordinates: [[...shape.coords, shape.coords[0] as Pixel].map(position)] },
    properties: { type: shape.type, ...style, popup: { title: `<${i}>`, content: '<b>x</b>' } },
  }));
  return { type: 'FeatureCollection', mapwright: { version: 1, unit, artboard: {} }, features };
}

const near = (a: Pixel, b: Pixel | undefined): boolean =>
  Math.abs(a.x - (b?.x ?? 1e9)) < 0.001 && Math.abs(a.y - (b?.y ?? 1e9)) < 0.001;

for (const [unit, type] of [
  ['degrees', 'osm'],
  ['pixels', 'color'],
] as const)
  t.test(`objects exported in ${unit} are the same after an import`, async (t) => {
    await fc.assert(
      fc.asyncProperty(areas, objects, async (area, list) => {
        const conversion = await convertText(documentOf(list, unit, area), { artboard: { ...area, type } });
        if (conversion.objects.length !== list.length || conversion.popups.length !== list.length) return false;
        return list.every(([shape, style], i) => {
          const { x, y, coords, ...members } = { ...conversion.objects[i]?.body } as Record<string, unknown>;
          if (JSON.stringify(members) !== JSON.stringify({ type: shape.type, ...style })) return false;
          if (shape.type === 'spot') return near(shape, { x: Number(x), y: Number(y) });
          return (
            shape.coords.every((corner, j) => near(corner, (coords as Pixel[])[j])) &&
            shape.coords.length === (coords as Pixel[]).length
          );
        });
      }),
      { numRuns: 200 },
    );
    t.pass();
  });
