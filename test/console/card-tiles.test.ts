/** Which tiles a picture on a card shows, and where. */
import t from 'tap';
import { tilesOf } from '../../src/web/console/cards/card-tiles.ts';

const area = (members = {}) => ({ width: 800, height: 600, osm_lat: 0, osm_lng: 0, osm_zoom: 3, ...members });

t.test('the tiles cover the picture without gaps', async (t) => {
  for (const osm_zoom of [2.5, 7, 12.25, 19, 24])
    for (const [osm_lat, osm_lng] of [
      [0, 0],
      [47.37, 8.54],
      [-33.9, 179.9],
    ] as const) {
      const tiles = tilesOf(area({ osm_zoom, osm_lat, osm_lng }), 480, 360);
      const side = tiles[0]?.side ?? 0;
      const name = `${osm_zoom} ${osm_lat} ${osm_lng}`;
      t.ok(osm_zoom > 19 || (side >= 256 && side < 512), `${name}: ${side} pixels`);
      t.ok(tiles.length <= 9, `${name}: ${tiles.length} tiles`);
      for (const [x, y] of [
        [1, 1],
        [479, 1],
        [241, 181],
        [479, 359],
      ] as const) {
        const covering = tiles.filter(({ left, top }) => left <= x && x < left + side && top <= y && y < top + side);
        t.equal(covering.length, 1, `${name}: a tile at ${x}, ${y}`);
      }
    }
});

t.test('the middle of the picture is the centre of the artboard, and columns continue around the world', async (t) => {
  const tiles = tilesOf(area({ osm_zoom: 2, width: 512, height: 256 }), 512, 256);
  t.strictSame(
    tiles.map(({ z, x, y, left, top }) => [z, x, y, left, top]),
    [
      [2, 1, 1, 0, -128],
      [2, 2, 1, 256, -128],
      [2, 1, 2, 0, 128],
      [2, 2, 2, 256, 128],
    ],
  );
  t.strictSame(
    tilesOf(area({ osm_zoom: 2, osm_lng: 180, width: 512, height: 256 }), 512, 256).map(({ x }) => x),
    [3, 0, 3, 0],
  );
});

t.test('a picture of many worlds, or beyond numbers, has no tiles', async (t) => {
  t.strictSame(tilesOf(area({ osm_zoom: 0, width: 1e9, height: 1e9 }), 480, 480), []);
  t.strictSame(tilesOf(area({ osm_lng: Number.NaN }), 480, 480), []);
});
