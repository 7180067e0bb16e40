// tier: normal
/** Map tiles of a published map on a real server: none without tiles, and other ones after a restart with another option. */
import type { Page as PlaywrightPage } from 'playwright-core';
import t, { type Test } from 'tap';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { element, inside, recordEvents } from './element-page.ts';

t.setTimeout(300_000);

const origin = 'http://maps.test';
const grey = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="#808080"/></svg>';

/** Opens the page of a map at an address that stays when the server starts again, and gives tiles in place of other hosts. */
async function openMap(t: Test, mapwright: Mapwright, path: string): Promise<Page> {
  const prepare = async (page: PlaywrightPage): Promise<void> => {
    await recordEvents(page);
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (!url.startsWith(origin)) return route.fulfill({ contentType: 'image/svg+xml', body: grey });
      // A page sends beacons, too, while the server restarts.
      const response = await route
        .fetch({ url: url.replace(origin, `http://127.0.0.1:${mapwright.port}`) })
        .catch(() => undefined);
      return response === undefined ? route.abort() : route.fulfill({ response });
    });
  };
  const page = await Page.open(t, origin + path, { prepare });
  await page.until("events.some(([name]) => name === 'ready')");
  return page;
}

const foreign = ({ asked }: Page): string[] => asked.filter((each) => !each.startsWith(`GET ${origin}/`));
const outlines = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/viewer/outlines-'))`;

t.test('an open page follows another option of the server, and asks no other host without tiles', { skip }, async (t) => {
  const mapwright = await startMapwright(t, { tiles: 'none' });
  const artboards = [
    { name: 'City', type: 'osm', osm_lat: 48, osm_lng: 16, osm_zoom: 12, objects: [{ type: 'spot', name: 'A' }] },
  ];
  const { id } = (await mapwright.post('/projects', { name: 'Map', artboards })).shown;
  const { url } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: {} })).shown;
  const page = await openMap(t, mapwright, String(url));
  await page.until(outlines);
  t.strictSame(foreign(page), []);
  t.equal(await page.value(`${inside('.credit')}.hidden`), true);
  await mapwright.restart({ tiles: 'https://tiles.test/{z}/{x}/{y}.png|© Test' });
  t.equal(await page.value(`${element}.refresh()`), false, 'the map is the same');
  await page.until(`${inside('.credit')}.textContent === '© Test'`);
  await page.until(`performance.getEntriesByType('resource').some(({ name }) => name.startsWith('https://tiles.test/'))`);
  await mapwright.restart({ tiles: 'none' });
  await page.value(`${element}.refresh()`);
  await page.until(`${inside('.credit')}.hidden`);
  const before = foreign(page).length;
  await page.value(`${element}.fit()`);
  t.equal(foreign(page).length, before);
  t.strictSame(page.complaints, []);
});
