/** Which data sources fail, over HTTP: as the project has them, and as they were published. */
import t, { type Test } from 'tap';
import { type HostileSource, sent, startSource } from '../live/hostile-source.ts';
import { type Mapwright, startForRequests } from '../support/mapwright.ts';

/** A source that answers JSON until it is switched to a page. */
async function sensor(t: Test) {
  let isPage = false;
  const source: HostileSource = await startSource(t, {
    '/data?token=secret': (response) => void response.end(isPage ? '<!doctype html>' : '{"taken":7}'),
    '/other': sent('{"taken":1}'),
    '/down': (response) => void response.writeHead(500).end(),
  });
  const fail = (fails: boolean) => {
    isPage = fails;
  };
  return { source, fail };
}

interface Made {
  readonly id: string;
  readonly at: string;
  readonly responses: string;
}

async function project(mapwright: Mapwright, url: string): Promise<Made> {
  const { id } = (await mapwright.post('/projects', { name: 'Office' })).shown;
  const made = (await mapwright.post(`/projects/${id}/data-sources`, { name: 'Sensor', url })).shown.id;
  await mapwright.post(`/projects/${id}/variables`, { name: 'All', type: 'iterator', data_source_id: made });
  const at = `/v1/projects/${id}/data-sources/${made}`;
  return { id, at, responses: `${at}/response` };
}

const listed = async (mapwright: Mapwright, query = '', key?: string) =>
  (await mapwright.ask('GET', `/v1/failing-sources${query}`, key === undefined ? {} : { key })).list;

t.test('a data source that fails is listed with the reason and its last good time until it answers', async (t) => {
  const { source, fail } = await sensor(t);
  const mapwright = await startForRequests(t, { dataHosts: source.host });
  const made = await project(mapwright, source.url('/data?token=secret'));
  t.strictSame(await listed(mapwright), []);
  const { at: goodAt } = (await mapwright.ask('POST', made.responses)).shown;
  t.strictSame(await listed(mapwright), []);
  fail(true);
  const { at: firstAt } = (await mapwright.ask('POST', made.responses)).shown;
  await mapwright.ask('POST', made.responses);
  const [found, ...others] = await listed(mapwright);
  t.match(found, { project_id: made.id, data_source_id: made.at.split('/').at(-1), name: 'Sensor', published: false });
  t.match(found, { code: 'invalid_json', detail: String, since: firstAt, body_at: goodAt });
  t.strictSame(others, []);
  t.notMatch(JSON.stringify(found), /secret/);
  fail(false);
  await mapwright.ask('POST', made.responses);
  t.strictSame(await listed(mapwright), []);
});

t.test('a data source without any good response has no last good time, and a push ends the failure', async (t) => {
  const { source } = await sensor(t);
  const mapwright = await startForRequests(t, { dataHosts: source.host });
  const made = await project(mapwright, source.url('/down'));
  await mapwright.ask('POST', made.responses);
  t.match(await listed(mapwright), [{ code: 'http_status', body_at: null }]);
  await mapwright.ask('PUT', made.responses, { body: { taken: 1 } });
  t.strictSame(await listed(mapwright), []);
  const { at } = (await mapwright.ask('GET', made.responses)).shown;
  await mapwright.ask('POST', made.responses);
  t.match(await listed(mapwright), [{ body_at: at }], 'the push stays in use');
});

t.test('the list has the projects that the key may read, or one of them', async (t) => {
  const { source } = await sensor(t);
  const mapwright = await startForRequests(t, { dataHosts: source.host });
  const one = await project(mapwright, source.url('/down'));
  const two = await project(mapwright, source.url('/down'));
  for (const { responses } of [one, two]) await mapwright.ask('POST', responses);
  const ids = async (query?: string, key?: string) => (await listed(mapwright, query, key)).map((each) => each['project_id']);
  t.strictSame(await ids(), [one.id, two.id].sort());
  t.strictSame(await ids(`?project_id=${two.id}`), [two.id]);
  t.strictSame(await ids('?project_id=none'), []);
  const { key } = await mapwright.server.createKey('ann', { projects: [one.id], readOnly: true });
  t.strictSame(await ids('', key), [one.id]);
  t.strictSame(await ids(`?project_id=${two.id}`, key), []);
  const { key: foreign } = await mapwright.server.createKey('eve');
  t.strictSame(await ids(`?project_id=${one.id}`, foreign), []);
  await mapwright.delete(`/projects/${one.id}`);
  t.strictSame(await ids(), [two.id]);
});

t.test('settings that nothing uses any more are not listed, those of the public map are', async (t) => {
  const { source } = await sensor(t);
  const mapwright = await startForRequests(t, { dataHosts: source.host });
  const made = await project(mapwright, source.url('/down'));
  const slug = async () =>
    (await mapwright.ask('PUT', `/v1/projects/${made.id}/publication`, { body: { refresh: 60 } })).shown['slug'];
  const live = `http://127.0.0.1:${mapwright.port}/p/${await slug()}/live.json`;
  await fetch(live);
  t.match(await listed(mapwright), [{ published: false, code: 'http_status' }], 'both have the same settings');
  await mapwright.ask('PATCH', made.at, { body: { url: source.url('/other'), name: 'Corrected' } });
  t.match(await listed(mapwright), [{ published: true, name: 'Sensor' }], 'the public map still asks the former address');
  await mapwright.ask('DELETE', made.at);
  t.match(await listed(mapwright), [{ published: true, name: 'Sensor' }]);
  await mapwright.ask('DELETE', `/v1/projects/${made.id}/publication`);
  t.strictSame(await listed(mapwright), []);
});

t.test('of many failing data sources of a project, the first hundred are listed', async (t) => {
  const mapwright = await startForRequests(t);
  const { id } = (await mapwright.post('/projects', { name: 'Many' })).shown;
  const operations = Array.from({ length: 120 }, (_, at) => ({
    method: 'POST',
    path: '/data-sources',
    body: { name: `Sensor ${at}`, url: 'http://127.0.0.1:1/' },
  }));
  const { shown } = await mapwright.post(`/projects/${id}/batch`, { operations });
  for (const { body } of shown['results'] as { readonly body: { readonly id: string } }[])
    await mapwright.ask('POST', `/v1/projects/${id}/data-sources/${body.id}/response`);
  const other = await project(mapwright, 'http://127.0.0.1:1/');
  await mapwright.ask('POST', other.responses);
  const found = await listed(mapwright);
  t.equal(found.filter(({ project_id }) => project_id === id).length, 100);
  t.equal(found.filter(({ project_id }) => project_id === other.id).length, 1);
});

t.test('a server without live maps lists nothing', async (t) => {
  const mapwright = await startForRequests(t, { live: false });
  t.strictSame(await listed(mapwright), []);
});
