// tier: normal
/** A published map that loses the network, its server, its data source or its evaluations: what its page says then, and afterwards. */
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import t, { type Test } from 'tap';
import { type Page, skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { element, inside, open, recordEvents } from './element-page.ts';

t.setTimeout(300_000);

const lost = 'The live data could not be loaded.';

/** A data source whose answers fail while `isBroken`. */
async function startSource(t: Test) {
  const source = { host: '', isBroken: false };
  const server = createServer((_, res) => res.end(source.isBroken ? '<!doctype html>' : '{"taken":7}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  source.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return source;
}

/** An address that leads to the server, also after a restart on another port. */
async function startWay(t: Test, mapwright: Mapwright): Promise<string> {
  const way = createTcpServer((socket) => {
    const other = connect(mapwright.port, '127.0.0.1');
    socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    other.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  t.teardown(() => way.close());
  return `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
}

/** A floor with a room, whose name is a number of the source. A push of long texts makes its evaluation endless. */
async function publishRoom(mapwright: Mapwright, url: string) {
  const project = (await mapwright.post('/projects', { name: 'Office' })).shown.id;
  const make = async (path: string, body: object): Promise<string> =>
    (await mapwright.post(`/projects/${project}${path}`, body)).shown.id;
  const artboard = await make('/artboards', { name: 'Floor' });
  const room = await make(`/artboards/${artboard}/objects`, { name: 'Room', type: 'spot' });
  const sensor = await make('/data-sources', { name: 'Sensor', url });
  const pushed = await make('/data-sources', { name: 'Texts' });
  const nodes = [{ id: 'a', key: 'taken' }];
  const variable = { name: 'Taken', type: 'primitive', data_source_id: sensor, data_path: { nodes, node_id: 'a' } };
  await make('/variables', variable);
  const value = `${'a'.repeat(250)}b${'a'.repeat(250)}`;
  const data_path = { nodes: [], filters: [{ key: '', operator: 'contains', value }] };
  const operations = Array.from({ length: 500 }, (_, i) => ({
    ...{ method: 'POST', path: '/variables' },
    body: { name: `Search ${i}`, type: 'iterator', data_source_id: pushed, data_path },
  }));
  await mapwright.post(`/projects/${project}/batch`, { operations });
  const title = { popup_title: '{Taken} taken', popup_content: '' };
  const popup = await make('/popups', { title: 'Room', attachedTo: room });
  await make('/actions', { name: 'Title', type: 'modify-popup', popup_id: popup, ...title });
  const push = (body: unknown) =>
    mapwright.ask('PUT', `/v1/projects/${project}/data-sources/${pushed}/response`, { body: JSON.stringify(body) });
  await push(['short']);
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${project}/publication`, { body: { refresh: 5 } })).shown;
  return { slug: String(slug), push };
}

const said = `${inside('.data')}.textContent`;
const last = "events.findLast(([name]) => name === 'live')[1]";

/** Lets time of the page pass, in small steps because answers take time of their own, until it says a text with the time of its data. */
async function passUntil(page: Page, isSaid: (text: string, time: string) => boolean): Promise<void> {
  await until(`a page that says ${isSaid}`, async () => {
    const [{ state, since }, text] = (await page.value(`[${last}, ${said}]`)) as [{ state: string; since?: string }, string];
    const time = since === undefined ? '' : new Date(since).toTimeString().slice(0, 5);
    if (isSaid(text, time) && state === (text === '' ? 'fresh' : 'stale')) return true;
    await page.page.clock.runFor(300);
    return false;
  });
}

t.test(
  'without network, server, source or evaluation a page says how old its data are, until they are fresh',
  { skip },
  async (t) => {
    const source = await startSource(t);
    const mapwright = await startMapwright(t, { dataHosts: source.host });
    const { slug, push } = await publishRoom(mapwright, `http://${source.host}/`);
    const way = await startWay(t, mapwright);
    const page = await open(t, `${way}/p/${slug}`, {
      prepare: async (page) => {
        await recordEvents(page);
        // A day has one date here.
        await page.clock.install({ time: new Date().setHours(12, 0, 0, 0) });
      },
    });
    await page.until("events.some(([name]) => name === 'live')");
    await page.value(`${element}.open('Room')`);
    const isFresh = (text: string): boolean => text === '';
    const title = `${inside('.popup h2')}.textContent`;
    await page.until(`${title} === '7 taken'`);
    await passUntil(page, isFresh);

    await page.page.context().setOffline(true);
    await passUntil(page, (text, time) => text === `${lost} Data from ${time}`);
    t.equal(await page.value(title), '7 taken', 'the last data stay');
    await page.page.context().setOffline(false);
    await passUntil(page, isFresh);

    await mapwright.close();
    await passUntil(page, (text, time) => text === `${lost} Data from ${time}`);
    await mapwright.start();
    await push(['short']);
    await page.value("dispatchEvent(new Event('online'))");
    await passUntil(page, isFresh);

    source.isBroken = true;
    await passUntil(page, (text, time) => text.endsWith(`Data from ${time}`) || text.includes(`Data from ${time},`));
    t.equal(await page.value(`${said}.includes('${lost}')`), false, 'the server answers');
    source.isBroken = false;
    await passUntil(page, isFresh);

    await push(['a'.repeat(1_900_000)]);
    await passUntil(page, (text, time) => text.includes(`Data from ${time}`));
    t.equal(await page.value(`${said}.includes('${lost}')`), false);
    t.equal(await page.value(title), '7 taken');
    await push(['short']);
    await passUntil(page, isFresh);
  },
);
