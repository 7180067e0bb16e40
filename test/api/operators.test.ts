// tier: normal
/** Operators of filters, boxes, times and counts. What each operator selects is a part of the model (model.test.ts). */
import t from 'tap';
import { type Shown, startForRequests } from '../support/mapwright.ts';
import { makeWorld } from './world.ts';

const mapwright = await startForRequests(t);

const text = (each: Shown, member: string) => each[member] as string;
const number = (each: Shown, member: string) => each[member] as number;

t.test('a box selects the objects whose own box touches it', async (t) => {
  const world = await makeWorld(mapwright);
  const corners = (...pairs: [number, number][]) => pairs.map(([x, y]) => ({ x, y }));
  const objects: [name: string, body: object][] = [
    ['in', { type: 'spot', x: 50, y: 50, radius: 1 }],
    ['reaches the left side', { type: 'spot', x: -10, y: 50, radius: 10 }],
    ['ends before it', { type: 'spot', x: -11, y: 50, radius: 10 }],
    ['below', { type: 'spot', x: 50, y: 131, radius: 30 }],
    ['around it', { type: 'poly', coords: corners([-500, -500], [500, -500], [500, 500], [-500, 500]) }],
    ['beside it', { type: 'poly', coords: corners([101, 0], [200, 0], [200, 50]) }],
    ['touches a corner', { type: 'poly', coords: corners([100, 100], [200, 100], [200, 200]) }],
    ['without corners', { type: 'poly', x: 50, y: 50 }],
  ];
  for (const [name, body] of objects) await world.make('Object', { name, ...body });
  const named = async (query: string) => (await mapwright.get(`${world.at('Object')}?${query}`)).list.map((each) => each['name']);
  t.strictSame(await named('bbox=0,0,100,100'), ['in', 'reaches the left side', 'around it', 'touches a corner']);
  t.strictSame(await named('bbox=-11,40,-10,60'), ['reaches the left side', 'ends before it', 'around it']);
  t.strictSame(await named('bbox=50,101,50,101&type=spot'), ['below']);
  t.strictSame(await named('bbox=0,0,100,100&sort=-name&limit=2'), ['touches a corner', 'reaches the left side']);
  const osm = (await mapwright.post(world.at('Artboard'), { type: 'osm', osm_lat: 52.5, osm_lng: 13.4, osm_zoom: 12 })).shown;
  const at = `/projects/${world.projectId}/artboards/${osm.id}/objects`;
  const placed = (await mapwright.post(at, { type: 'spot', lat: 52.5, lng: 13.4 })).shown;
  const near = `${number(placed, 'x') - 1},${number(placed, 'y') - 1},${number(placed, 'x') + 1},${number(placed, 'y') + 1}`;
  t.equal((await mapwright.get(`${at}?bbox=${near}&places=true`)).list.length, 1, 'in pixels, also on a map');
  for (const wrong of ['', '1,2,3', '1,2,3,4,5', '1,2,3,x', '3,2,1,4', '1,4,3,2', '1,2,3,1e999', '0x1,2,3,4']) {
    const { status, problem } = await mapwright.get(`${at}?bbox=${wrong}`);
    t.match({ status, problem }, { status: 400, problem: { errors: [{ parameter: 'bbox' }] } }, wrong);
  }
  t.equal((await mapwright.get(`${world.at('Popup')}?bbox=0,0,1,1`)).status, 400, 'popups have no place');
});

t.test('times are compared as times', async (t) => {
  const key = await mapwright.newKey('time');
  const made: Shown[] = [];
  for (let i = 0; i < 3; i++) {
    made.push((await mapwright.post('/projects', { name: `${i}` }, { key })).shown);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const [, second] = made as [Shown, Shown, Shown];
  const created = text(second, 'created');
  const there = new Date(Date.parse(created) + 3_600_000).toISOString().replace('Z', '+01:00');
  const named = async (query: string) => (await mapwright.get(`/projects?${query}`, { key })).list.map((each) => each['name']);
  for (const time of [created, encodeURIComponent(there), there]) {
    t.strictSame(await named(`created[gt]=${time}`), ['2'], time);
    t.strictSame(await named(`created[gte]=${time}`), ['1', '2'], time);
    t.strictSame(await named(`created[lt]=${time}`), ['0'], time);
    t.strictSame(await named(`created[lte]=${time}`), ['0', '1'], time);
  }
  t.strictSame(await named('created[gte]=2020-01-01'), ['0', '1', '2']);
  for (const wrong of [
    '',
    'yesterday',
    '2020-13-01',
    '2020-02-30',
    '9999-12-31T23:59:59-01:00',
    '2020-01-01T00:00:00',
    '1600000000',
  ])
    t.match(
      (await mapwright.get(`/projects?created[gt]=${wrong}`, { key })).problem,
      { errors: [{ parameter: 'created[gt]' }] },
      wrong,
    );
});

t.test('an operator that does not exist is refused with those that do', async (t) => {
  const world = await makeWorld(mapwright);
  const refused = async (query: string) => {
    const { status, problem } = await mapwright.get(`${world.at('Object')}?${query}`);
    t.equal(status, 400, query);
    return problem.detail;
  };
  t.equal(
    await refused('name[start]=A'),
    '"name" has no such operator; it has "name[contains]", "name[starts]", "name[in]", and "name=..." for equal values. Did you mean "starts"?',
  );
  t.match(await refused('x[contains]=1'), /it has "x\[in\]", "x\[gt\]", "x\[gte\]", "x\[lt\]", "x\[lte\]"/);
  t.match(await refused('pin[in]=true'), /"pin" can only be filtered by its value/);
  t.match(await refused('coords[gt]=1'), /Unknown query parameter "coords\[gt\]"/);
  t.match(await refused('toString[gt]=1'), /Unknown query parameter/);
  t.match(await refused('type[in]=spot,spit'), /"type\[in\]" must be one of "spot", "poly"\. Did you mean "spot"\?/);
  t.match(await refused('x[gt]=one'), /"x\[gt\]" must be a JSON number/);
  t.match(await refused(`x[in]=${Array.from({ length: 101 }, (_, i) => i).join()}`), /at most 100 values/);
  t.match(await refused(`name[contains]=${'x'.repeat(201)}`), /"name\[contains\]" must be a text of at most 200 characters/);
  t.match(await refused('count=yes'), /"count" must be true or false/);
});

t.test('a cursor is valid only with the operators and values it was made for', async (t) => {
  const world = await makeWorld(mapwright);
  for (let x = 0; x < 4; x++) await world.make('Object', { x });
  const at = `/v1${world.at('Object')}`;
  const next = async (query: string) => (await mapwright.ask('GET', `${at}?${query}&limit=1`)).headers['link'] as string;
  const cursor = new URL(/<(.*)>/.exec(await next('x[gt]=0&x[lt]=3'))?.[1] ?? '', 'http://h').searchParams.get('cursor');
  t.equal((await mapwright.ask('GET', `${at}?x[lt]=3&x[gt]=0&limit=1&cursor=${cursor}`)).status, 200, 'in another order');
  for (const other of ['x[gte]=0&x[lt]=3', 'x[gt]=0&x[lt]=4', 'x[gt]=0', 'bbox=0,0,3,3'])
    t.equal((await mapwright.ask('GET', `${at}?${other}&limit=1&cursor=${cursor}`)).status, 400, other);
});

t.test('a count is of all pages of what the key reaches', async (t) => {
  const key = await mapwright.newKey('counter');
  const made: Shown[] = [];
  for (let i = 0; i < 5; i++) made.push((await mapwright.post('/projects', { name: i < 2 ? 'a' : 'b' }, { key })).shown);
  const { key: few } = await mapwright.server.createKey('counter', { projects: made.slice(1, 3).map(({ id }) => id) });
  const total = async (query: string, asking = key) =>
    (await mapwright.get(`/projects?${query}`, { key: asking })).headers['x-total-count'];
  t.strictSame(
    [await total('count=true'), await total('count=true&limit=2'), await total('count=true&name=b&limit=1')],
    ['5', '5', '3'],
  );
  t.strictSame([await total('count=true&limit=1', few), await total('count=true&name=a', few)], ['2', '1']);
  t.strictSame([await total('limit=2'), await total('count=false&limit=2')], [undefined, undefined]);
  const list = `/projects/${made[0]?.id}/popups`;
  for (let i = 0; i < 3; i++) await mapwright.post(list, {}, { key });
  const page = await mapwright.get(`${list}?limit=2&count=true`, { key });
  t.strictSame([page.headers['x-total-count'], page.list.length], ['3', 2]);
  const next = /<(.*)>/.exec(page.headers['link'] as string)?.[1] as string;
  t.equal((await mapwright.ask('GET', next, { key })).headers['x-total-count'], '3', 'on the last page, too');
  t.equal((await mapwright.get(`/projects/${made[0]?.id}/variables?count=true`, { key })).headers['x-total-count'], '0');
});
