// tier: normal
/** Places on the pixels of an artboard, against the projection of OpenLayers. */
import { fromLonLat, toLonLat } from 'ol/proj.js';
import t from 'tap';
import { extentOf } from '../../src/lib/geo/extent.ts';
import {
  areaFor,
  areaProblem,
  boundsOf,
  centreOf,
  drawnArea,
  drawnPlace,
  holesToPixels,
  latitudeMax,
  type MapArea,
  movePixels,
  type Place,
  ringToPixels,
  scaleOf,
  toPixels,
  toPlace,
} from '../../src/lib/geo/geo.ts';
import fc from '../support/fast-check.ts';

const area = (more: Partial<MapArea> = {}): MapArea => ({
  width: 800,
  height: 600,
  osm_lat: 52.52,
  osm_lng: 13.405,
  osm_zoom: 12,
  ...more,
});

const placesOn = (area: MapArea) => (lat: number, lng: number) => toPixels(drawnArea(area))(drawnPlace({ lat, lng }));

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

const size = fc.integer({ min: 1, max: 5000 });
const latitude = fc.double({ min: -latitudeMax, max: latitudeMax, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const zoom = fc.double({ min: 1, max: 22, noNaN: true });
const areas = fc.record({ width: size, height: size, osm_lat: latitude, osm_lng: longitude, osm_zoom: zoom });
const places = fc.record({ lat: latitude, lng: longitude });

/** What a double can tell apart: pixels of the world, which has up to a thousand million at zoom 22. */
const precision = ({ osm_zoom }: MapArea): number => 2 ** osm_zoom * 256 * 1e-14 + 1e-9;
const isAt = (a: { x: number; y: number }, b: { x: number; y: number }, most: number): boolean =>
  Math.abs(a.x - b.x) <= most && Math.abs(a.y - b.y) <= most;
const isSamePlace = (a: Place, b: Place): boolean => {
  const east = Math.abs(a.lng - b.lng) % 360;
  return Math.abs(a.lat - b.lat) < 1e-9 && Math.min(east, 360 - east) < 1e-9;
};

t.test('a place has a pixel, and the pixel this place', async (t) => {
  fc.assert(
    fc.property(areas, places, (area, place) => {
      const pixel = toPixels(area)(place);
      return isSamePlace(toPlace(area)(pixel), place) && isAt(toPixels(area)(toPlace(area)(pixel)), pixel, precision(area));
    }),
  );
  t.pass();
});

t.test('a pixel is on the copy of the world that is nearest to the centre', async (t) => {
  fc.assert(
    fc.property(areas, places, (area, place) => {
      const half = 128 * 2 ** area.osm_zoom;
      return Math.abs(toPixels(area)(place).x - area.width / 2) <= half * (1 + 1e-12);
    }),
  );
  t.pass();
});

t.test('a ring across the antimeridian stays in one piece, near the centre', async (t) => {
  const ring = [
    { lat: 0, lng: 170 },
    { lat: 0, lng: -170 },
    { lat: 10, lng: -170 },
    { lat: 10, lng: 170 },
  ];
  for (const [osm_lng, west] of [
    [180, -10],
    [-180, -10],
    [100, 70],
    [-100, -90],
  ] as const) {
    const at = area({ osm_lat: 0, osm_lng, osm_zoom: 2 });
    const xs = ringToPixels(at, ring).map(({ x }) => x - 400);
    const [first, second] = [(west / 360) * 1024, ((west + 20) / 360) * 1024];
    t.ok(near(xs[0] as number, first) && near(xs[1] as number, second), `${osm_lng}: ${xs.join()}`);
  }
  const wide = [100, -100, -100, 100].map((lng, i) => ({ lat: i < 2 ? 0 : 10, lng }));
  const [west, east] = ringToPixels(area({ osm_lat: 0, osm_lng: 180, osm_zoom: 2 }), wide).map(({ x }) => Math.round(x));
  t.strictSame([west, east], [400 - Math.round((80 / 360) * 1024), 400 + Math.round((80 / 360) * 1024)], 'sides of 160 degrees');
});

t.test('a hole is on the copy of the world that its ring is on', async (t) => {
  const at = area({ osm_lat: 0, osm_lng: 0, osm_zoom: 2 });
  const box = (west: number, east: number) => [west, east, east, west].map((lng, i) => ({ lat: i < 2 ? -5 : 5, lng }));
  const ring = ringToPixels(at, box(100, -100));
  const holes = [box(160, 170), box(-170, -160), []];
  const [near = [], beyond = [], none] = holesToPixels(at, ring, holes);
  t.strictSame(near, ringToPixels(at, holes[0] as Place[]));
  t.strictSame(
    beyond,
    ringToPixels(at, holes[1] as Place[]).map(({ x, y }) => ({ x: x + 1024, y })),
  );
  t.strictSame(none, []);
  t.strictSame(
    holesToPixels(at, [{ x: Number.NaN, y: 0 }], [box(1, 2)]),
    [ringToPixels(at, box(1, 2))],
    'a ring that is nowhere',
  );
});

t.test('a ring of the whole world, and one around a pole, keep their longitudes', async (t) => {
  const corners = (...lngs: number[]) => lngs.map((lng, i) => ({ lat: i % 2 === 0 ? -60 : -80, lng }));
  const at = area({ osm_lat: 0, osm_lng: 0, osm_zoom: 2 });
  for (const lngs of [
    [-180, 180, 180, -180],
    [-180, -90, 0, 90, 180, 180, -180],
    [-180, -90, 0, 90, 180, -180],
  ]) {
    const xs = ringToPixels(at, corners(...lngs)).map(({ x }) => Math.round(((x - 400) / 1024) * 360));
    t.strictSame(xs, lngs);
  }
});

t.test('a ring has the shape of its corners, whatever copy of the world it is on', async (t) => {
  const small = fc.array(
    fc.record({ lat: fc.double({ min: -2, max: 2, noNaN: true }), lng: fc.double({ min: -2, max: 2, noNaN: true }) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(areas, places, small, (area, { lng }, corners) => {
      const turned = corners.map((corner) => ({ lat: corner.lat, lng: ((((corner.lng + lng + 180) % 360) + 360) % 360) - 180 }));
      const ring = ringToPixels(area, turned);
      const perDegree = (256 * 2 ** area.osm_zoom) / 360;
      return ring.every(({ x }, i) => {
        const expected = ((corners[i] as Place).lng - (corners[0] as Place).lng) * perDegree;
        return Math.abs(x - (ring[0] as { x: number }).x - expected) <= precision(area) * 100;
      });
    }),
  );
  t.same(ringToPixels(area(), []), []);
});

t.test('an area without finite pixels, and a place beyond the map, are refused', async (t) => {
  const wrong: readonly [Partial<MapArea>, string][] = [
    [{ osm_lat: 91 }, 'its osm_lat is 91, of -85.0511 to 85.0511'],
    [{ osm_lat: Number.NaN }, 'its osm_lat is NaN, of -85.0511 to 85.0511'],
    [{ osm_lng: 180.5 }, 'its osm_lng is 180.5, of -180 to 180'],
    [{ osm_zoom: 1e308 }, 'at its osm_zoom, 1e+308, the world has no finite number of pixels'],
    [{ osm_zoom: Number.NaN }, 'at its osm_zoom, NaN, the world has no finite number of pixels'],
    [{ width: Number.POSITIVE_INFINITY }, 'its width is not finite'],
    [{ height: Number.NaN }, 'its height is not finite'],
  ];
  for (const [more, detail] of wrong) {
    const refused = { name: 'RangeError', message: `the artboard has no finite pixels: ${detail}` };
    t.strictSame(areaProblem(area(more)), { member: Object.keys(more)[0], detail });
    t.throws(() => toPixels(area(more)), refused);
    t.throws(() => toPlace(area(more)), refused);
    t.throws(() => movePixels(area(), area(more)), refused);
    t.throws(() => movePixels(area(more), area()), refused);
  }
  for (const [place, detail] of [
    [{ lat: 85.06, lng: 0 }, 'its lat is 85.06, of -85.0511 to 85.0511'],
    [{ lat: 0, lng: 181 }, 'its lng is 181, of -180 to 180'],
    [{ lat: Number.NaN, lng: 0 }, 'its lat is NaN, of -85.0511 to 85.0511'],
  ] as const) {
    const refused = { name: 'RangeError', message: `the place has no finite pixels: ${detail}` };
    t.throws(() => toPixels(area())(place), refused);
    t.throws(() => ringToPixels(area(), [place]), refused);
  }
  t.equal(areaProblem(drawnArea(area({ osm_lat: 90, osm_lng: 540 }))), undefined, 'an area that can be drawn has pixels');
});

t.test('a place half a world from the centre is on the side of its sign', async (t) => {
  const pixel = toPixels(area({ osm_lat: 0, osm_lng: 0, osm_zoom: 2 }));
  t.equal(pixel({ lat: 0, lng: 180 }).x, 400 + 512);
  t.equal(pixel({ lat: 0, lng: -180 }).x, 400 - 512);
});

t.test('the extent of numbers is from the least to the greatest', async (t) => {
  t.strictSame(extentOf([3, -1, 2]), [-1, 3]);
  t.strictSame(extentOf([]), [0, 0]);
});

t.test('the bounds of an area are the places of its corners', async (t) => {
  const at = area({ osm_lng: 179.9 });
  const { south, west, north, east } = boundsOf(at);
  const place = toPlace(at);
  t.ok(isSamePlace({ lat: north, lng: west }, place({ x: 0, y: 0 })));
  t.ok(isSamePlace({ lat: south, lng: east }, place({ x: 800, y: 600 })));
  t.ok(west < 180 && east > 180, 'they are not wrapped');
});

t.test('an area for places shows all of them at the greatest whole zoom, also across the antimeridian', async (t) => {
  fc.assert(
    fc.property(fc.array(places, { minLength: 1, maxLength: 8 }), fc.integer({ min: 300, max: 2000 }), (all, width) => {
      const made = areaFor(all, { width, height: 600 });
      const shown = (zoom: number) => {
        const pixel = toPixels({ ...made, osm_zoom: zoom, width, height: 600 });
        return all.map(pixel).every(({ x, y }) => x >= -1e-6 && x <= width + 1e-6 && y >= -1e-6 && y <= 600 + 1e-6);
      };
      const isWhole = Number.isInteger(made.osm_zoom);
      return isWhole && (made.osm_zoom === 1 || shown(made.osm_zoom)) && (made.osm_zoom === 17 || !shown(made.osm_zoom + 2));
    }),
  );
  t.same(
    areaFor(
      [
        { lat: 10, lng: 170 },
        { lat: 10, lng: -170 },
      ],
      { width: 800, height: 600 },
    ).osm_lng,
    180,
  );
  const along = (...lngs: number[]) => lngs.map((lng) => ({ lat: 10, lng }));
  t.equal(areaFor(along(10, 20, 21), { width: 800, height: 600 }).osm_lng, 15.5, 'beside the widest gap');
  t.equal(areaFor(along(-20, 10, 170), { width: 800, height: 600 }).osm_lng, 75);
  t.same(areaFor([], { width: 800, height: 600 }), { osm_lat: 0, osm_lng: 0, osm_zoom: 1 });
});

t.test('pixels that are moved to another area are at the same places, and back at the same pixels', async (t) => {
  fc.assert(
    fc.property(areas, areas, places, (from, to, place) => {
      const pixel = toPixels(from)(place);
      const [moved = pixel] = movePixels(from, to)([pixel]);
      const [back = pixel] = movePixels(to, from)([moved]);
      const most = precision(from) + precision(to);
      const world = 256 * 2 ** from.osm_zoom;
      const [x, expected] = [back.x - pixel.x, Math.round((back.x - pixel.x) / world) * world];
      return (
        isSamePlace(toPlace(to)(moved), place) && Math.abs(x - expected) <= 2 ** Math.abs(from.osm_zoom - to.osm_zoom) * most
      );
    }),
  );
  t.pass();
});

t.test('a shape on the copy of the world nearest to the centre is on it after a change of the area', async (t) => {
  const shape = fc.tuple(places, fc.double({ min: 0, max: 50, noNaN: true }));
  fc.assert(
    fc.property(areas, areas, shape, (from, to, [place, width]) => {
      const pixel = toPixels(from)(place);
      const moved = movePixels(from, to)([pixel, { x: pixel.x - width, y: pixel.y }, { x: pixel.x + width, y: pixel.y }]);
      const half = 128 * 2 ** to.osm_zoom;
      return Math.abs((moved[0] as { x: number }).x - to.width / 2) <= half * (1 + 1e-6) + precision(to);
    }),
  );
  t.pass();
});
