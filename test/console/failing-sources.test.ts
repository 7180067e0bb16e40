// tier: normal
/** Data sources that fail, in a browser: what says so, with which words and colours, and until when. */
import t, { type Test } from 'tap';
import { startSource } from '../live/hostile-source.ts';
import { skipWithoutBrowser as skip } from '../support/browser.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { ConsolePage } from './console-page.ts';

t.setTimeout(600_000);

const path = (key: string) => ({ nodes: [{ id: 'a', key }], node_id: 'a', filters: [] });
const conditions = (variable_id: string) => [{ variable_id, operator: 'greater-than', value: 5 }];

/** Two data sources, of which one answers a page while it is broken; variables in a row, and an action for each source. */
async function rooms(t: Test) {
  const state = { isBroken: false };
  const source = await startSource(t, {
    '/rooms': (response) => void response.end(state.isBroken ? '<!doctype html>' : '{"taken":7}'),
    '/desks': (response) => void response.end('{"free":3}'),
    '/moved': (response) => void response.end('{"taken":7}'),
    '/error': (response) => void response.end('{"error":"no licence"}'),
    '/down': (response) => void response.writeHead(503).end(),
  });
  const mapwright = await startForRequests(t, { tiles: 'none', dataHosts: source.host });
  const { id: project } = (await mapwright.post('/projects', { name: 'Rooms' })).shown;
  const add = async (collection: string, body: object): Promise<string> =>
    (await mapwright.post(`/projects/${project}/${collection}`, body)).shown.id;
  const floor = await add('artboards', { name: 'Floor' });
  const room = await add(`artboards/${floor}/objects`, { type: 'spot', name: 'Hall', x: 50, y: 50, color: '#0000ff' });
  const sensors = await add('data-sources', { name: 'Sensors', url: source.url('/rooms') });
  const desks = await add('data-sources', { name: 'Desks', url: source.url('/desks') });
  const taken = await add('variables', { name: 'Taken', type: 'primitive', data_source_id: sensors, data_path: path('taken') });
  const share = await add('variables', { name: 'Share', type: 'expression', expression: '{Taken} * 10' });
  const free = await add('variables', { name: 'Free', type: 'primitive', data_source_id: desks, data_path: path('free') });
  const style = { name: 'color', type: 'custom', value: '#ff0000' };
  for (const [name, variable] of Object.entries({ Crowded: share, Roomy: free }))
    await add('actions', { name, type: 'modify-object', object_id: room, conditions: conditions(variable), style_color: style });
  const kept = { name: 'color', type: 'current-value', variable_id: taken };
  await add('actions', { name: 'Kept', type: 'modify-object', object_id: room, style_color: kept });
  const responseOf = (id: string) => `/v1/projects/${project}/data-sources/${id}/response`;
  const fetchNow = async (id: string) => (await mapwright.ask('POST', responseOf(id))).shown;
  return { source, state, mapwright, project, sensors, fetchNow };
}

const healthOf = async (opened: ConsolePage, list: string, name: string): Promise<string> => {
  await opened.showList(list);
  const sign = opened.row(name).locator('.health');
  if ((await sign.count()) === 0) return '';
  return `${(await sign.getAttribute('class'))?.replace('health ', '')}: ${await sign.textContent()}`;
};

for (const looks of [{ width: 1400 }, { width: 390, dark: true }]) {
  test.all(
    `what depends on a data source that fails is amber until it answers: ${JSON.stringify(looks)}`,
    { skip },
    async (t) => {
      const { state, mapwright, project, sensors, fetchNow } = await rooms(t);
      await fetchNow(sensors);
      const opened = await ConsolePage.open(t, { mapwright, project, ...looks });
      const { page } = opened;
      const toList = async () => {
        if (looks.width === 390) await page.locator('.panes').getByRole('button', { name: 'List' }).click();
      };
      const toMap = async () => {
        if (looks.width === 390) await page.locator('.panes').getByRole('button', { name: 'Map' }).click();
      };
      await toMap();
      await page.getByRole('switch', { name: 'Live' }).click();
      await page.getByText('1 changed').waitFor();
      t.equal(await page.locator('.health').count(), 0);
      state.isBroken = true;
      await fetchNow(sensors);
      const notice = page.locator('.live-health .health.stale');
      await notice.waitFor();
      t.match((await notice.textContent())?.trim(), /^A data source fails: data from \d\d:\d\d$/);
      t.match(await notice.getAttribute('title'), /^Sensors fails since \d\d:\d\d: .*JSON.* The last good response, from /);
      t.equal(await opened.fits(), true);
      t.strictSame(await opened.violations(), []);
      await toList();
      t.match(await healthOf(opened, 'data_source', 'Sensors'), /^stale: data from \d\d:\d\d$/);
      t.equal(await healthOf(opened, 'data_source', 'Desks'), '');
      t.match(await healthOf(opened, 'variable', 'Taken'), /^stale/);
      t.match(await healthOf(opened, 'variable', 'Share'), /^stale/, 'through another variable');
      t.equal(await healthOf(opened, 'variable', 'Free'), '');
      t.match(await healthOf(opened, 'action', 'Crowded'), /^stale: data from/);
      t.equal(await healthOf(opened, 'action', 'Roomy'), '');
      t.equal(await healthOf(opened, 'action', 'Kept'), '', 'a look that is kept reads no variable');
      t.match(await opened.listTab('problems').textContent(), /^Problems.*1 source fails$/);
      await toMap();
      await notice.click();
      const problem = page.locator('.problems .health.stale');
      await problem.waitFor();
      t.match(await problem.textContent(), /^Sensors.*JSON.*It fails since \d\d:\d\d\. The last good response, from \d\d:\d\d, /);
      t.equal(await page.getByText('Nothing to repair').count(), 0);
      t.equal(await opened.fits(), true);
      t.strictSame(await opened.violations(), []);
      await problem.click();
      await page.locator('.inspector h2').filter({ hasText: 'Sensors' }).waitFor();
      await page.locator('.response-status .problem').filter({ hasText: 'stays in use' }).waitFor();
      await page.evaluate("location.hash = '#/'");
      await page.locator('.card .health.stale').waitFor();
      t.match(await page.locator('.card .health').textContent(), /^Sensors fails since .*JSON.*The last good response/);
      t.equal(await opened.fits(), true);
      t.strictSame(await opened.violations(), []);
      state.isBroken = false;
      await fetchNow(sensors);
      await opened.edit(project);
      await toList();
      await opened.showList('problems');
      await page.getByText('Nothing to repair').waitFor();
      t.equal(await page.locator('.health').count(), 0);
      t.strictSame(opened.complaints, []);
    },
  );
}

async function withoutData(mapwright: Mapwright, project: string, url: string): Promise<void> {
  const { list } = await mapwright.get(`/projects/${project}/data-sources`);
  for (const { id } of list) await mapwright.patch(`/projects/${project}/data-sources/${id}`, { url });
}

test.all('a data source without any good response is red, and so is what depends on it', { skip }, async (t) => {
  const { source, mapwright, project, sensors, fetchNow } = await rooms(t);
  await withoutData(mapwright, project, source.url('/down'));
  await fetchNow(sensors);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  await page.locator('.live-health .health.failed').waitFor();
  t.equal((await page.locator('.live-health').textContent())?.trim(), 'A data source fails: no data', 'also while Live is off');
  t.equal(await healthOf(opened, 'data_source', 'Sensors'), 'failed: no data');
  t.equal(await healthOf(opened, 'action', 'Crowded'), 'failed: no data');
  t.strictSame(await opened.violations(), []);
  await page.evaluate("location.hash = '#/'");
  await page.locator('.card .health.failed').filter({ hasText: '503' }).waitFor();
  t.strictSame(opened.complaints, []);
});

test.all('a data source that answers an error in place of the data is red, one without an answer is not', { skip }, async (t) => {
  const { source, mapwright, project, sensors } = await rooms(t);
  await mapwright.patch(`/projects/${project}/data-sources/${sensors}`, { url: source.url('/error') });
  const { id: pushed } = (await mapwright.post(`/projects/${project}/data-sources`, { name: 'Pushed' })).shown;
  await mapwright.post(`/projects/${project}/variables`, { name: 'Later', data_source_id: pushed, data_path: path('later') });
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  await opened.showList('problems');
  const problem = page.locator('.problems .health.failed');
  await problem.waitFor();
  t.match(await problem.textContent(), /^Sensors.*find nothing in its answer.*There is no good response\./);
  t.equal((await page.locator('.live-health').textContent())?.trim(), 'A data source fails: no data');
  t.equal(await healthOf(opened, 'data_source', 'Sensors'), 'failed: no data');
  t.equal(await healthOf(opened, 'action', 'Crowded'), 'failed: no data');
  for (const name of ['Desks', 'Pushed']) t.equal(await healthOf(opened, 'data_source', name), '', name);
  await mapwright.patch(`/projects/${project}/data-sources/${sensors}`, { url: source.url('/moved') });
  await opened.showList('problems');
  await problem.waitFor({ state: 'detached' });
  await page.locator('.live-health .health').waitFor({ state: 'detached' });
  t.strictSame(opened.complaints, []);
});

test.all('a data source that fails as it was published is named, and its form says so', { skip }, async (t) => {
  const { source, state, mapwright, project, sensors, fetchNow } = await rooms(t);
  state.isBroken = true;
  const { slug } = (await mapwright.ask('PUT', `/v1/projects/${project}/publication`, { body: { refresh: 60 } })).shown;
  await fetch(`http://127.0.0.1:${mapwright.port}/p/${slug}/live.json`);
  await mapwright.patch(`/projects/${project}/data-sources/${sensors}`, { url: source.url('/moved') });
  await fetchNow(sensors);
  const opened = await ConsolePage.open(t, { mapwright, project });
  const { page } = opened;
  await opened.showList('problems');
  const problem = page.locator('.problems .health.failed').filter({ hasText: 'as it was published' });
  await problem.waitFor();
  t.match(await problem.textContent(), /Publish again/);
  t.equal(await page.locator('.live-health .health').count(), 0, 'the map of the editor has its data');
  t.equal(await healthOf(opened, 'action', 'Crowded'), '');
  await opened.showList('data_source');
  await opened.row('Sensors').click();
  await page.locator('.source-response .warning-text').filter({ hasText: 'as it was published' }).waitFor();
  await opened.showList('problems');
  await problem.click();
  await page.getByRole('dialog', { name: 'Publish' }).waitFor();
  t.strictSame(opened.complaints, []);
});
