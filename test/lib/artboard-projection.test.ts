// tier: normal
/** Places on the pixels of an artboard, against the projection of OpenLayers. */
import { fromLonLat, toLonLat } from 'ol/proj.js';
import t from 'tap';
import { centreOf, placesOn, scaleOf } from '../../src/lib/geo/artboard-projection.ts';
import fc from '../support/fast-check.ts';

const area = (more: Partial<Parameters<typeof placesOn>[0]> = {}) => ({
  width: 800,
  height: 600,
  osm_lat: 52.52,
  osm_lng: 13.405,
  osm_zoom: 12,
  ...more,
});

const near = (a: number, b: number, scale = 1): boolean =>
  Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b)) * scale;

t.test('the centre of an artboard is its place, whatever its size and zoom', async (t) => {
  for (const osm_zoom of [1, 12, 19.5, 24]) {
    const { x, y } = placesOn(area({ osm_zoom }))(52.52, 13.405);
    t.ok(near(x, 400) && near(y, 300), `${x}, ${y}`);
  }
});

t.test('a pixel is where OpenLayers draws the place', async (t) => {
  const latitude = fc.double({ min: -85, max: 85, noNaN: true });
  const longitude = fc.double({ min: -179, max: 179, noNaN: true });
  const artboard = fc.record({
    width: fc.integer({ min: 1, max: 5000 }),
    height: fc.integer({ min: 1, max: 5000 }),
    osm_lat: latitude,
    osm_lng: longitude,
    osm_zoom: fc.double({ min: 0, max: 20, noNaN: true }),
  });
  fc.assert(
    fc.property(artboard, latitude, longitude, (artboard, lat, lng) => {
      fc.pre(Math.abs(lng - artboard.osm_lng) < 179.9);
      const { x, y } = placesOn(artboard)(lat, lng);
      const centre = centreOf(artboard);
      const metres = scaleOf(artboard);
      const view = [centre.x + (x - artboard.width / 2) * metres, centre.y - (y - artboard.height / 2) * metres];
      const [east = 0, north = 0] = fromLonLat([lng, lat]);
      return (
        near(view[0] as number, east, 10) && near(view[1] as number, north, 10) && near(toLonLat(view)[1] as number, lat, 10)
      );
    }),
  );
  t.pass();
});

t.test('a place has the copy of its longitude that is nearest to the centre', async (t) => {
  const { x } = placesOn(area({ osm_lat: 0, osm_lng: 179, osm_zoom: 2, width: 100 }))(0, -179);
  t.ok(near(x, 50 + (2 / 360) * 1024), `${x}`);
  t.ok(near(placesOn(area({ osm_lng: 0 }))(0, 370).x, placesOn(area({ osm_lng: 0 }))(0, 10).x), 'also of one beyond 180 degrees');
});

t.test('a latitude beyond the edge of the map is at the edge', async (t) => {
  const place = placesOn(area({ osm_lat: 0, osm_lng: 0, osm_zoom: 0, width: 256, height: 256 }));
  t.ok(near(place(90, 0).y, 0));
  t.ok(near(place(-90, 0).y, 256));
});
