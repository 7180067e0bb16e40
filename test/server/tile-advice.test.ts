// tier: normal
/** The advice for an operator whose public maps have tiles of openstreetmap.org: in the log, once per start. */
import t from 'tap';
import { tileSourcesOf, validateTiles } from '../../src/api/pages/map-tiles.ts';
import { needsTileAdvice, tileWords } from '../../src/api/pages/tile-advice.ts';
import { startForRequests } from '../support/mapwright.ts';

const publicUrl = 'https://maps.example.com';
const other = 'https://tiles.example/{z}/{x}/{y}.png';

t.test('the advice is for public maps with tiles of openstreetmap.org', async (t) => {
  for (const [options, needs] of [
    [{}, false],
    [{ publicUrl }, true],
    [{ publicUrl: '/maps' }, true],
    [{ publicUrl: 'http://localhost:8070' }, false],
    [{ publicUrl: 'http://127.0.0.1/maps' }, false],
    [{ publicUrl: 'http://[::1]:8070' }, false],
    [{ publicUrl, tiles: 'none' }, false],
    [{ publicUrl, tiles: other }, false],
    [{ publicUrl, tiles: `Other=${other}` }, true],
    [{ publicUrl, tiles: `none||OSM=https://a.tile.openstreetmap.org/{z}/{x}/{y}.png` }, true],
    [{ publicUrl, tiles: 'https://openstreetmap.org.example/{z}/{x}/{y}.png' }, false],
    [{ publicUrl, tiles: 'https://notopenstreetmap.org/{z}/{x}/{y}.png' }, false],
    [{ publicUrl, tiles: '/openstreetmap.org/{z}/{x}/{y}.png' }, false],
  ] as const)
    t.equal(needsTileAdvice(options), needs, JSON.stringify(options));
});

t.test('the option in the advice is one that the server takes', async (t) => {
  const [, tiles = ''] = /--tiles '([^']+)'/.exec(tileWords.advice) ?? [];
  t.equal(validateTiles(tiles), undefined);
  t.match(tileSourcesOf(tiles), [{ attribution: /^© \[Stadia Maps\]/ }]);
  t.equal(needsTileAdvice({ publicUrl, tiles }), false);
});

t.test('the log says it once', async (t) => {
  for (const [tiles, count] of [
    [undefined, 1],
    [other, 0],
  ] as const) {
    const warned: unknown[] = [];
    const log = { info: () => undefined, error: () => undefined, warn: (...line: unknown[]) => void warned.push(line) };
    await startForRequests(t, { publicUrl, log, ...(tiles === undefined ? {} : { tiles }) });
    t.strictSame(warned, count === 0 ? [] : [[{ advice: tileWords.advice }, tileWords.found]]);
  }
});
