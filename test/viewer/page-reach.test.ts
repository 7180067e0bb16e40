// tier: normal
/** What a script in the page of a published map reaches: its maps, and nothing else of the server; at the public URL and at another name. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { connectSources } from '../../src/api/publish/page/connect-sources.ts';
import { FilesWorld } from '../api/files-world.ts';
import { svg } from '../api/pictures.ts';
import { Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { element, recordEvents } from './element-page.ts';
import { Site } from './site.ts';

t.setTimeout(300_000);

t.test('sources of requests are the maps at the public URL and at the name of the request', async (t) => {
  const at = (publicUrl: string, basePath: string, host?: string) => connectSources({ publicUrl, basePath }, host);
  t.equal(at('https://maps.example', '', 'maps.example'), 'https://maps.example/p/ http://maps.example/p/');
  t.equal(
    at('https://maps.example/a', '/a', '10.0.0.1:8070'),
    'https://maps.example/a/p/ http://10.0.0.1:8070/a/p/ https://10.0.0.1:8070/a/p/',
  );
  for (const host of [undefined, '', '*', 'a;b', "'self'", 'a b', 'a,b', 'a/b', '*.example', 'a:b', "x'y"])
    t.equal(at('https://maps.example', '', host), 'https://maps.example/p/', `${host}`);
  t.equal(at('https://maps.example', '', '[::1]:8070'), "'self'", 'a policy cannot name IPv6');
  for (const publicUrl of ['', '/maps']) t.equal(at(publicUrl, publicUrl, 'maps.example'), "'self'", publicUrl);
});

/** A proxy in front of the server, which gives it a name of its own, and removes no path. */
async function proxyTo(t: Test, port: () => number): Promise<string> {
  const proxy = http.createServer((req, res) => {
    const headers = { ...req.headers, host: 'inner.example' };
    const passed = http.request({ port: port(), host: '127.0.0.1', method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** Publishes a live map with an icon, a file, and tiles of another host; returns the path of its page. */
async function publish(mapwright: Mapwright): Promise<string> {
  const { id } = (await mapwright.post('/projects', { name: 'Map' })).shown;
  const file = String((await new FilesWorld(mapwright, id).uploaded(svg('<title>logo</title>'), 'logo.svg'))['url']);
  const objects = [
    { type: 'spot', name: 'Cafe', x: 400, y: 300, radius: 20, icon: 'maki:cafe' },
    { type: 'spot', name: 'Own', x: 500, y: 300, radius: 20, icon: file },
  ];
  const body = { artboards: [{ name: 'City', type: 'osm', osm_lat: 48, osm_lng: 16, osm_zoom: 12, objects }] };
  (await mapwright.patch(`/projects/${id}`, body)).shown;
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: { refresh: 5 } })).shown;
  return `/p/${slug}`;
}

/** What becomes of a request of a script in the page: a status, or `refused`. */
const asks = (page: Page, target: string): Promise<unknown> =>
  page.value(`fetch(${JSON.stringify(target)}).then(({ status }) => status, () => 'refused')`);

/** What becomes of a request from another document of the server, which a script opens in a window. */
const asksInWindow = (page: Page, document: string, target: string): Promise<unknown> =>
  page.value(`(async () => {
    const opened = open(${JSON.stringify(document)});
    const isLoaded = () => {
      try {
        return opened.document.readyState === 'complete' && opened.location.href !== 'about:blank';
      } catch {
        return true;
      }
    };
    while (!isLoaded()) await new Promise(requestAnimationFrame);
    try {
      return (await opened.fetch(${JSON.stringify(target)})).status;
    } catch {
      return 'refused';
    } finally {
      opened.close();
    }
  })()`);

t.test('a script in the page of a map gets no answer of the API; live data, icons, files, tiles work', { skip }, async (t) => {
  const tiles = await Site.open(t);
  let port = 0;
  const outer = await proxyTo(t, () => port);
  const mapwright = await startMapwright(t, { tiles: `${tiles.url}/tiles/{z}/{x}/{y}.png|© Test`, publicUrl: `${outer}/maps` });
  port = mapwright.port;
  const path = await publish(mapwright);
  for (const root of [`${outer}/maps`, `http://localhost:${port}/maps`]) {
    const page = await Page.open(t, root + path, { prepare: recordEvents });
    await page.until("events.some(([name, detail]) => name === 'live' && detail.state === 'fresh')");
    for (const part of ['/live.json', '/f/', `${tiles.url}/tiles/`])
      await until(part, () => page.asked.some((address) => address.includes(part)), 20_000);
    t.equal(await page.value(`${element}.refresh().then(() => true)`), true);
    t.strictSame(page.complaints, [], 'nothing of the map is refused');
    t.equal(await asks(page, `${root}${path}/map.json`), 200);
    for (const target of [
      `${root}/v1/me`,
      `${root}/api/v1/projects`,
      `${root}/openapi.json`,
      `${root}/console/session`,
      '/v1/me',
    ])
      t.equal(await asks(page, target), 'refused', target);
    t.equal(
      await page.value(`new Promise((done) => {
        const source = new EventSource('${root}/v1/events');
        source.onerror = () => done(source.readyState);
        source.onopen = () => done('open');
      })`),
      2,
      'no stream',
    );
    for (const target of [
      'openapi.json',
      'viewer.js',
      'healthz',
      'v1/projects',
      'nothing',
      `p/${'x'.repeat(70_000)}`,
      path.slice(1),
    ])
      t.equal(await asksInWindow(page, `${root}/${target}`, `${root}/v1/me`), 'refused', `from ${target.slice(0, 30)}`);
    await page.page.goto('about:blank');
  }
});

t.test('without a public URL, a page asks its whole origin, whatever a proxy calls it', { skip }, async (t) => {
  let port = 0;
  const outer = await proxyTo(t, () => port);
  const mapwright = await startMapwright(t, { tiles: 'none' });
  port = mapwright.port;
  const path = await publish(mapwright);
  const page = await Page.open(t, outer + path, { prepare: recordEvents });
  await page.until("events.some(([name, detail]) => name === 'live' && detail.state === 'fresh')");
  t.strictSame(page.complaints, []);
});
