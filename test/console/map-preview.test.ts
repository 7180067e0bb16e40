// tier: normal
/** The preview of a map in the console: what it shows, where it gets tiles, and what hostile content cannot do in it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { startForRequests } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

const red = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#f00"/></svg>';

/** A tile server that refuses pages that do not say where they come from, as that of OpenStreetMap does. */
async function startTiles(t: Test): Promise<{ readonly tiles: string; readonly refused: string[] }> {
  const refused: string[] = [];
  const server = http.createServer(({ url = '', headers }, response) => {
    if (headers.referer === undefined) refused.push(url);
    response.writeHead(headers.referer === undefined ? 403 : 200, {
      'Content-Type': 'image/svg+xml',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
    });
    response.end(red);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { tiles: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{z}/{x}/{y}.svg`, refused };
}

async function openSettings(t: Test, project: object, tiles = 'none') {
  const mapwright = await startForRequests(t, { tiles });
  const { id } = (await mapwright.post('/projects', project)).shown;
  const opened = await ConsolePage.open(t, { mapwright, project: id, width: 1400, height: 900 });
  await opened.page.locator('.map canvas').first().waitFor();
  await opened.page.getByRole('button', { name: 'Map settings' }).click();
  return { mapwright, opened, id, preview: opened.page.frameLocator('iframe[title="Preview"]') };
}

/** The policy of the frame lets Playwright wait for nothing there by itself. @param condition about the document in the frame */
const untilShown = (opened: ConsolePage, condition: string): Promise<void> =>
  until(condition, async () => {
    const shown = opened.page.frames()[1]?.evaluate(`document.querySelector('mapwright-map').map?.${condition}`);
    return (await shown?.catch(() => false)) === true;
  });

t.test('tiles that refuse the frame come from the console', { skip }, async (t) => {
  const { tiles, refused } = await startTiles(t);
  const artboards = [{ type: 'osm', osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 12, width: 600, height: 400 }];
  const { opened, preview } = await openSettings(t, { name: 'City', artboards }, tiles);
  await preview.locator('mapwright-map canvas').first().waitFor();
  // Pictures of an opaque origin cannot be read in the frame itself: a picture of the page shows them.
  const frame = opened.page.locator('iframe[title="Preview"]');
  await until('the middle of the map is red', async () => {
    const picture = (await frame.screenshot()).toString('base64');
    return opened.recorded.value(`(async () => {
      const image = new Image();
      image.src = 'data:image/png;base64,${picture}';
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const [r, g] = context.getImageData(image.width / 2, image.height / 2, 1, 1).data;
      return r > 200 && g < 60;
    })()`) as Promise<boolean>;
  });
  t.ok(refused.length > 0, 'the frame has tried');
  t.ok(
    opened.complaints.every((each) => /403/.test(each)),
    'nothing else went wrong',
  );
});

t.test('the preview follows the editor, and limits of the map are those of its view', { skip }, async (t) => {
  const artboards = [{ type: 'osm', osm_lat: 48.2, osm_lng: 16.37, osm_zoom: 12, width: 600, height: 400 }];
  const { opened, mapwright, id } = await openSettings(t, { name: 'City', artboards });
  const panel = opened.page.getByRole('dialog', { name: 'Map settings' });
  await panel.getByLabel('About the map').fill('All sights');
  await panel.getByLabel('About the map').press('Tab');
  await untilShown(opened, "settings.public_map?.description === 'All sights'");
  await panel.getByRole('button', { name: 'Only within this view' }).click();
  await panel.getByText('Only from 4').waitFor();
  await opened.waitUntilSaved();
  const { max_bounds: bounds } = (await mapwright.get(`/projects/${id}`)).shown['settings'] as {
    max_bounds: { south: number; west: number; north: number; east: number };
  };
  t.ok(bounds.south < 48.2 && bounds.north > 48.2 && bounds.west < 16.37 && bounds.east > 16.37);
  t.ok(bounds.north - bounds.south < 5);
  await panel.getByRole('button', { name: 'Remove the limits' }).click();
  await panel.getByText('over all of the Earth').waitFor();
  await opened.waitUntilSaved();
  t.notMatch((await mapwright.get(`/projects/${id}`)).shown['settings'], { max_bounds: {} });
  t.strictSame(opened.complaints, []);
});

t.test('hostile content of a project stays in the frame, and the frame stays where it is', { skip }, async (t) => {
  const ran = "parent.document.title='ran'";
  const content = `<a href="https://elsewhere.example/">out</a><a href="javascript:${ran}">run</a><img src=x onerror="${ran}">`;
  const objects = [
    { type: 'spot', name: 'Here', x: 100, y: 100, radius: 30 },
    {
      type: 'spot',
      name: 'Away',
      x: 300,
      y: 100,
      radius: 30,
      click_action: 'follow-link',
      click_action_url: 'https://elsewhere.example/',
    },
  ];
  const { opened, preview, mapwright, id } = await openSettings(t, { name: 'Trap', artboards: [{ name: 'Ground', objects }] });
  const artboards = (await mapwright.get(`/projects/${id}`)).shown['artboards'] as { objects: { id: string }[] }[];
  await mapwright.post(`/projects/${id}/popups`, { title: 'Trap', attachedTo: artboards[0]?.objects[0]?.id, content });
  await untilShown(opened, 'popups.length === 1');
  const frame = opened.page.frames()[1];
  await frame?.evaluate("document.querySelector('mapwright-map').open('Here')");
  await preview.getByText('out').click();
  await frame?.evaluate("document.querySelector('mapwright-map').open('Away')");
  await preview.getByText('out').waitFor({ state: 'hidden' });
  t.match(frame?.url(), /\/console\/preview$/);
  t.equal(await frame?.evaluate('location.origin === origin || origin'), 'null');
  // Messages of unknown kinds, about other hosts, or of this window itself change nothing.
  await opened.page.evaluate("postMessage({ kind: 'tile', address: 'https://elsewhere.example/1.png' }, '*')");
  await frame?.evaluate(`for (const message of [{ kind: 'tile', address: 'https://elsewhere.example/1.png' }, { kind: 'map', map: null }, null])
    parent.postMessage(message, '*')`);
  t.equal(await opened.page.title(), 'Trap – mapwright');
  t.strictSame(
    opened.recorded.asked.filter((each) => each.includes('elsewhere')),
    [],
  );
});
