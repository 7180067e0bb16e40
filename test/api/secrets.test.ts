// tier: normal
/** Secret members: no response and no event shows them to a key for reading, and a key for writing sees them. */
import t, { type Test } from 'tap';
import { follow } from '../support/follower.ts';
import { type Answer, type Mapwright, startForRequests } from '../support/mapwright.ts';
import { everyOperation, type Operation } from '../support/operations.ts';
import { resourceNamed, resources } from '../support/resources.ts';

const secret = 'swordfish-of-the-data-source';
const headers = [{ name: 'Authorization', value: secret }];

interface World {
  readonly mapwright: Mapwright;
  /** Its key is for reading. */
  readonly reader: string;
  /** A key for reading this project only. */
  readonly narrow: string;
  readonly at: string;
  /** Values of path parameters. */
  readonly ids: Readonly<Record<string, string>>;
}

const made = async (mapwright: Mapwright, path: string, body: object): Promise<string> =>
  (await mapwright.post(path, body)).shown.id;

/** A published project with a secret, of which a version has another one, and one of everything that paths name. */
async function makeWorld(t: Test): Promise<World> {
  const mapwright = await startForRequests(t);
  const project_id = await made(mapwright, '/projects', { name: 'Office' });
  const at = `/projects/${project_id}`;
  const make = (path: string, body: object) => made(mapwright, `${at}${path}`, body);
  const artboard_id = await make('/artboards', { type: 'osm' });
  const data_source_id = await make('/data-sources', { url: '', headers: [{ name: 'X', value: `${secret} before` }] });
  const version_id = await make('/versions', {});
  await mapwright.patch(`${at}/data-sources/${data_source_id}`, { headers });
  // A header whose name is a whole header: the problem of its fetch says so.
  const wrong = { url: 'http://127.0.0.1:1/', headers: [{ name: `Authorization: ${secret}`, value: 'x' }] };
  const wrong_id = await make('/data-sources', wrong);
  const ids = {
    ...{ project_id, artboard_id, data_source_id, version_id },
    object_id: await make(`/artboards/${artboard_id}/objects`, { type: 'spot' }),
    popup_id: await make('/popups', {}),
    variable_id: await make('/variables', { type: 'primitive', data_source_id: wrong_id }),
    action_id: await make('/actions', {}),
    file_id: 'none',
  };
  await mapwright.ask('PUT', `/v1${at}/publication`, { body: { refresh: 60 } });
  t.match((await mapwright.post(`${at}/data-sources/${wrong_id}/response`, undefined)).shown, {
    problem: { pointer: '/headers/0/name' },
  });
  await mapwright.ask('PUT', `/v1${at}/data-sources/${data_source_id}/response`, { body: { taken: 1 } });
  const createKey = async (terms: object) => (await mapwright.server.createKey('ann', { readOnly: true, ...terms })).key;
  return {
    mapwright,
    reader: await createKey({}),
    narrow: await createKey({ projects: [project_id] }),
    at,
    ids: { ...ids, wrong_id },
  };
}

/** The forms in which a list or a resource can be requested. */
function queriesOf({ query }: Operation): string[] {
  const values = (name: string): string[] => {
    if (name === 'fields') return ['headers', 'id,headers', 'data_sources', 'name,data_sources'];
    if (name === 'sort') return ['headers', '-headers', 'url', '-name'];
    if (name === 'limit') return ['1', '100'];
    return name === 'files' || name === 'places' ? ['true'] : [];
  };
  return [
    '',
    ...query.flatMap((name) => values(name).map((value) => `?${name}=${value}`)),
    ...(query.includes('sort') ? ['?headers=x'] : []),
  ];
}

async function answersOf({ mapwright, ids }: World, operation: Operation, key: string): Promise<Answer[]> {
  const { slug = 'no-map' } = ids;
  const path = operation.prefix + operation.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? slug);
  const body = operation.method === 'GET' ? {} : { body: {} };
  const answers: Answer[] = [];
  for (const query of queriesOf(operation)) answers.push(await mapwright.ask(operation.method, path + query, { key, ...body }));
  return answers;
}

/** Operations that show secrets to a key for writing, and so, without this suite's subject, to every key. */
const showing = [
  'compareVersion',
  'exportProject',
  'getDataSource',
  'getProject',
  'getVersion',
  'listDataSources',
  'listProjects',
];

t.test(
  'no operation of openapi.json shows a secret to a key for reading, and those expected show it to a key for writing',
  async (t) => {
    const world = await makeWorld(t);
    const { mapwright, reader, narrow } = world;
    // Streams are followed below.
    const operations = everyOperation.filter(({ isStream }) => !isStream);
    t.ok(operations.length > 70);
    const shown = async (operation: Operation, key: string) =>
      (await answersOf(world, operation, key)).some(({ text }) => text.includes(secret));
    // Twice: JSON is cached at the first or the second request.
    for (const key of [reader, narrow, reader]) {
      for (const operation of operations) t.notOk(await shown(operation, key), operation.id);
      const seen: string[] = [];
      for (const operation of operations)
        if (operation.method === 'GET' && (await shown(operation, mapwright.key))) seen.push(operation.id);
      t.strictSame(seen.toSorted(), showing);
    }
  },
);

t.test('a key for reading gets everything else as a key for writing does', async (t) => {
  const { mapwright, reader, at, ids } = await makeWorld(t);
  const one = `${at}/data-sources/${ids['data_source_id']}`;
  const without = (text: string) => JSON.parse(text.replaceAll(/"headers":\[[^\]]*\]/g, '"headers":[]')) as unknown;
  await mapwright.patch(at, { thumb: 'https://example.com/not-public.png' });
  t.match((await mapwright.get(`${at}/publication`, { key: reader })).shown, { stale: true, changed: false });
  const paths = [
    one,
    `${at}/data-sources`,
    `${at}/data-sources?sort=-id`,
    at,
    '/projects',
    `${at}/export`,
    `${at}/versions/${ids['version_id']}`,
  ];
  for (const path of [...paths, `${one}?fields=headers`, `${at}?fields=data_sources`, `${at}/popups`, `${at}/publication`]) {
    const [whole, read] = [await mapwright.get(path), await mapwright.get(path, { key: reader })];
    t.strictSame(read.json, without(whole.text), path);
  }
  const evaluated = (key: string) => mapwright.post(`${at}/evaluate`, { now: '2026-11-24T09:30:00Z', seed: 'a' }, { key });
  t.strictSame((await evaluated(reader)).json, (await evaluated(mapwright.key)).json);
  const changes = `${at}/versions/${(await mapwright.post(`${at}/versions`, {})).shown.id}/changes`;
  for (const key of [mapwright.key, reader])
    t.match((await mapwright.get(changes, { key })).json, { counts: { created: 0, changed: 0, deleted: 0 } }, 'nothing changed');
  const wrong = `${at}/data-sources/${ids['wrong_id']}/response`;
  t.strictSame((await mapwright.get(wrong, { key: reader })).json, (await mapwright.get(wrong)).json);
  t.notOk((await mapwright.get(wrong)).text.includes(secret), 'a problem names a header by its place');
});

t.test('the two forms have entity tags of their own, and conditions hold for both', async (t) => {
  const { mapwright, reader, narrow, at, ids } = await makeWorld(t);
  const one = `${at}/data-sources/${ids['data_source_id']}`;
  for (const path of [one, `${at}/data-sources`, at, `${at}/versions/${ids['version_id']}`, `${one}?fields=headers`]) {
    const keys = [mapwright.key, reader, narrow];
    const tags: string[] = [];
    for (const key of keys) tags.push(String((await mapwright.get(path, { key })).headers['etag']));
    t.equal(new Set(tags).size, path.includes('versions') ? 2 : 3, path);
    for (const [i, key] of keys.entries()) {
      for (const tag of tags) {
        const isOwn = tag === tags[i];
        t.equal((await mapwright.get(path, { key, headers: { 'if-none-match': tag } })).status, isOwn ? 304 : 200, path);
        t.equal((await mapwright.get(path, { key, headers: { 'if-match': tag } })).status, isOwn ? 200 : 412, path);
      }
    }
  }
  const tag = String((await mapwright.get(one, { key: reader })).headers['etag']);
  const change = (name: string) => mapwright.patch(one, { name }, { headers: { 'if-match': tag } });
  t.equal((await change('first')).status, 200, 'a write compares versions, so the tag of a reader is a condition, too');
  t.equal((await change('second')).status, 412);
});

t.test('no event shows a secret to a key for reading, live, from the log, or of a large record', async (t) => {
  const { mapwright, reader, at } = await makeWorld(t);
  const begun = async (key: string, path: string) => await (await follow(mapwright, path, { key })).begun();
  const live = [
    await begun(reader, '/events'),
    await begun(reader, `${at}/events`),
    await begun(mapwright.key, '/events'),
  ] as const;
  const after = live[0].id;
  const source = await made(mapwright, `${at}/data-sources`, { headers });
  await mapwright.patch(`${at}/data-sources/${source}`, { headers: [...headers, ...headers] });
  const create = (path: string, body: object) => ({ method: 'POST', path, body });
  await mapwright.post(`${at}/batch`, {
    operations: [create('/data-sources', { headers }), create('/popups', { title: 'After it' })],
  });
  const many = Array.from({ length: 3000 }, (_, i) => ({ name: `${i} ${'x'.repeat(900)}`, headers }));
  t.equal((await mapwright.patch(at, { data_sources: many, name: 'Larger than a live broadcast' })).status, 200);
  await mapwright.patch(at, { name: 'Last' });
  const resumed = [
    await follow(mapwright, '/events', { key: reader, after }),
    await follow(mapwright, '/events', { key: mapwright.key, after }),
  ] as const;
  const texts: string[] = [];
  for (const followed of [...live, ...resumed]) {
    const events: unknown[] = [];
    for (let name = ''; name !== 'Last'; ) {
      const record = await followed.next();
      events.push(...record.events);
      name = record.events[0]?.data.resource?.name ?? '';
    }
    texts.push(JSON.stringify(events));
  }
  const [account, project, whole, read, wholeRead] = texts as [string, string, string, string, string];
  for (const text of [account, project, read]) t.notOk(text.includes(secret));
  t.equal(whole.split(secret).length - 1, 4 + many.length);
  t.ok(account === project && account === read && whole === wholeRead, 'from the log as live');
  // Compared as texts: the difference of two long lists takes minutes to show.
  t.ok(whole.replaceAll(/"headers":\[[^\]]*\]/g, '"headers":[]') === account, 'and nothing else differs');
});

t.test('secret members are where versions hide them: in collections of the project itself, with a default', async (t) => {
  const all = [...resources.values()].filter(({ secrets }) => secrets.length > 0);
  t.strictSame(
    all.map(({ title, secrets }) => [title, secrets.map((secret) => secret.name)]),
    [['DataSource', ['headers']]],
  );
  for (const { title, secrets, scalars } of all) {
    t.ok(resourceNamed('Project').collections.some(({ resource }) => resource.title === title));
    t.ok(secrets.every(({ fallback, isOptional }) => fallback !== undefined && !isOptional));
    t.notOk(
      scalars.some((scalar) => secrets.includes(scalar)),
      'no list is filtered or sorted by one',
    );
  }
});
