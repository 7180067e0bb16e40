// tier: normal
/** The office of the examples, published by a server: data that change are seen on pages of two origins. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { simulateOffice } from '../../src/lib/simulate-office.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { exampleText } from '../support/examples.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { element, open } from './element-page.ts';

t.setTimeout(300_000);

/** An office with a server of its own, and a page of another origin that shows it. */
async function openOffice(t: Test, options: object, change: (office: Record<string, unknown>) => void = () => undefined) {
  const mapwright = await startForRequests(t, options);
  const document = JSON.parse(exampleText('office.json')) as { project: Record<string, unknown> };
  change(document.project);
  const { id } = (await mapwright.post('/projects/import', document)).shown;
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${id}/publication`, { body: { refresh: 5 } })).shown;
  const root = `http://127.0.0.1:${mapwright.port}`;
  const text = `<!doctype html><title>Office</title><style>mapwright-map{display:block;height:600px}</style><script type="module" src="${root}/viewer.js"></script><mapwright-map src="${root}/p/${slug}"></mapwright-map>`;
  const other = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end(text));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    other.closeAllConnections();
    other.close();
  });
  const pages = [`${root}/p/${slug}`, `http://localhost:${(other.address() as AddressInfo).port}/`];
  return { mapwright, id, pages: await Promise.all(pages.map((address) => open(t, address))) };
}

/** Names of the objects on the artboard that is shown. */
const names = `${element}.shownArtboard.objects.map(({ name }) => name)`;

async function push(mapwright: Mapwright, id: string, seconds: number): Promise<void> {
  const { list } = await mapwright.get(`/projects/${id}/data-sources`);
  const simulated = simulateOffice(seconds) as Readonly<Record<string, unknown>>;
  for (const { id: source, name } of list) {
    const body = simulated[String(name)] as object;
    await mapwright.ask('PUT', `/v1/projects/${id}/data-sources/${source}/response`, { body });
  }
}

t.test('a push into the office reaches pages of two origins', { skip }, async (t) => {
  const { mapwright, id, pages } = await openOffice(t, {});
  for (const page of pages) {
    t.equal(await page.value(`${element}.show('Ground floor')`), true);
    t.equal(await page.value(`${names}.includes('Way to safety')`), false);
  }
  // Seconds 80 to 120 of each round are an evacuation.
  await push(mapwright, id, 90);
  for (const page of pages) {
    await page.until("events.some(([name]) => name === 'live')");
    await page.until(`${element}.shownArtboard.name === 'Ground floor' && ${names}.includes('Way to safety')`);
  }
  await push(mapwright, id, 10);
  for (const page of pages) {
    await page.until(`!${names}.includes('Way to safety')`);
    // On a machine that is busy with others an evaluation may take too long: the element asks again.
    const complaints = page.complaints.filter((text) => !text.includes('status of 503'));
    t.strictSame(complaints, []);
  }
});

test.all('data that the server fetches reach pages of two origins', { skip }, async (t) => {
  let seconds = 10;
  const sensors = createServer((req, res) => {
    const name = decodeURIComponent((req.url ?? '').slice(1));
    res.end(JSON.stringify((simulateOffice(seconds) as Readonly<Record<string, unknown>>)[name]));
  });
  await new Promise<void>((resolve) => sensors.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    sensors.closeAllConnections();
    sensors.close();
  });
  const host = `127.0.0.1:${(sensors.address() as AddressInfo).port}`;
  const { pages } = await openOffice(t, { dataHosts: host }, (office) => {
    for (const source of office['data_sources'] as Record<string, unknown>[])
      source['url'] = `http://${host}/${encodeURIComponent(String(source['name']))}`;
  });
  for (const page of pages) {
    await page.value(`${element}.show('Ground floor')`);
    await page.until(`${names}.length > 40`);
  }
  seconds = 90;
  for (const page of pages) await page.until(`${names}.includes('Way to safety')`);
});
