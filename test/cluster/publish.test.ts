// tier: all, process: own
/** Publishing in a cluster: what is public is served through any node. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ask } from '../support/client.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { newCluster, startNode } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

/**
 * Nodes hand over without waiting for the lease. A short one ends if this process, which has all the nodes, stalls on a busy machine: then the
 * former owner may own again, and a test that waits for the next one would wait forever.
 */
const options = { leaseMs: 60_000 };

let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

/** Two nodes of a cluster; the first owns it. */
async function started(t: Test) {
  const folder = temporaryFolder(t);
  const database = await newCluster(t, pair);
  const a = await startNode(t, database.text, path.join(folder, 'a'), options);
  const { key } = await (await a.owned()).createKey('acme');
  const b = await startNode(t, database.text, path.join(folder, 'b'), options);
  const { id } = (await ask({ url: a.url, key }, 'POST', '/api/v1/projects', { name: 'Harbour' })).json;
  return { database, a, b, key, id };
}

t.test('published maps are served by every node and by the next owner', async (t) => {
  const { database, a, b, key, id } = await started(t);
  const { slug } = (await ask({ url: b.url, key }, 'PUT', `/api/v1/projects/${id}/publication`, {})).json;
  const read = async (url: string, route: string) => {
    const response = await fetch(`${url}/p/${slug}${route}`);
    const { 'x-request-id': _, date, connection, 'keep-alive': alive, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, text: await response.text(), headers };
  };
  const pointer = JSON.parse((await read(a.url, '/map.json')).text);
  const routes = ['', '/map.json', `/${pointer.map}`, '/nothing.json'];
  const before = await Promise.all(routes.map((route) => read(a.url, route)));
  t.strictSame(before.map(({ status }) => status), [200, 200, 200, 404]); // biome-ignore format: one line
  for (const [i, route] of routes.slice(0, 3).entries()) t.strictSame(await read(b.url, route), before[i], `forwarded: ${route}`);
  for (const { url } of [a, b])
    t.match((await ask({ url, key }, 'GET', '/api/v1/publications')).json, [{ project_id: id, slug }]);
  t.equal((await run(['cluster', 'release', '--cluster', database.text])).code, 0);
  await b.owned();
  while (a.node.role !== 'following') await delay(20);
  for (const url of [b.url, a.url])
    for (const [i, route] of routes.slice(0, 3).entries()) t.strictSame(await read(url, route), before[i], 'after a hand-over');
});

t.test('visits are counted by the owner through any node, and kept at a hand-over', async (t) => {
  const { database, a, b, key, id } = await started(t);
  const at = `/api/v1/projects/${id}/publication`;
  const { slug } = (await ask({ url: b.url, key }, 'PUT', at, {})).json;
  for (const { url } of [a, b]) {
    const { status } = await fetch(`${url}/p/${slug}/seen`, { method: 'POST', body: '{"opened":true}' });
    t.equal(status, 204);
  }
  for (const { url } of [a, b]) t.match((await ask({ url, key }, 'GET', `${at}/visits`)).json, { opened: 2 });
  t.equal((await run(['cluster', 'release', '--cluster', database.text])).code, 0);
  await b.owned();
  while (a.node.role !== 'following') await delay(20);
  for (const { url } of [a, b]) t.match((await ask({ url, key }, 'GET', `${at}/visits`)).json, { opened: 2 });
});

t.test('a live map is evaluated by the owner, and pushed to through any node', async (t) => {
  const { database, a, b, key, id } = await started(t);
  const make = async (route: string, body: object): Promise<string> =>
    (await ask({ url: b.url, key }, 'POST', `/api/v1/projects/${id}${route}`, body)).json.id;
  const quay = await make('/artboards', { name: 'Quay' });
  const source = await make('/data-sources', { name: 'Crane' });
  const data_path = { nodes: [{ id: 'a', key: 'x' }], node_id: 'a' };
  const x = await make('/variables', { name: 'x', type: 'primitive', data_source_id: source, data_path });
  await make('/actions', {
    ...{ type: 'create-spot', create_object_target_artboard_id: quay, create_object_name: 'Crane' },
    ...{ create_spot_x_source_type: 'variable', create_spot_x_variable_id: x, create_spot_y_custom_value: '1' },
  });
  const response = `/api/v1/projects/${id}/data-sources/${source}/response`;
  const push = async (url: string, value: number) =>
    t.equal((await ask({ url, key }, 'PUT', response, { x: value })).status, 204);
  await push(b.url, 7);
  const { slug } = (await ask({ url: a.url, key }, 'PUT', `/api/v1/projects/${id}/publication`, {})).json;
  const placeAt = async (url: string): Promise<unknown> => {
    const { created } = (await (await fetch(`${url}/p/${slug}/live.json`)).json()) as { created: { object: { x: number } }[] };
    return created[0]?.object.x;
  };
  t.strictSame([await placeAt(a.url), await placeAt(b.url)], [7, 7]);
  t.equal((await run(['cluster', 'release', '--cluster', database.text])).code, 0);
  await b.owned();
  t.equal(await placeAt(a.url), undefined, 'the next owner has no response yet');
  await push(a.url, 8);
  await until('the push is evaluated', async () => (await placeAt(a.url)) === 8);
  t.equal(await placeAt(b.url), 8);
});
