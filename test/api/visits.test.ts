// tier: normal
/** Visits of published maps over HTTP: what is counted, what is not, and how it is shown. */
import t, { type Test } from 'tap';
import { AddressLimit } from '../../src/api/publish/visits/address-limit.ts';
import { follow } from '../support/follower.ts';
import { type Answer, startForRequests } from '../support/mapwright.ts';

const now = Date.parse('2026-11-30T12:00:00Z');

interface Shown {
  readonly opened: number;
  readonly searches: number;
  readonly counted: boolean;
  readonly other: number;
  readonly days: readonly {
    readonly date: string;
    readonly opened: number;
    readonly places: number;
    readonly searches: number;
  }[];
  readonly places: readonly { readonly id: string; readonly name: string | null; readonly opened: number }[];
}

async function world(t: Test, options: object = {}) {
  const time = { now };
  const mapwright = await startForRequests(t, { clock: () => time.now, trustProxy: 'loopback', ...options });
  const objects = [
    { type: 'spot', name: 'Bakery' },
    { type: 'spot', name: '=HYPERLINK("x"), "a"' },
    { type: 'spot', name: '' },
  ];
  const { id } = (await mapwright.post('/projects', { name: 'Mall', artboards: [{ name: 'Floor', objects }] })).shown;
  const floors = (await mapwright.get(`/projects/${id}/artboards`)).shown as unknown as { objects: { id: string }[] }[];
  const at = `/v1/projects/${id}/publication`;
  const { slug } = (await mapwright.ask('PUT', at)).shown as unknown as { slug: string };
  const seen = `/p/${slug}/seen`;
  const beacon = (body: unknown, headers: Record<string, string> = {}, target = seen): Promise<Answer> =>
    mapwright.ask('POST', target, { body, key: '', headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers } });
  const visits = async (query = ''): Promise<Shown> =>
    (await mapwright.ask('GET', `${at}/visits${query}`)).shown as unknown as Shown;
  return { mapwright, time, id, at, slug, seen, places: floors[0]?.objects.map((object) => object.id) ?? [], beacon, visits };
}

t.test('openings of the map and of its places, and searches without a result, are counted by day', async (t) => {
  const { mapwright, time, at, places, beacon, visits } = await world(t);
  const [bakery = '', formula = ''] = places;
  t.strictSame((await visits('?from=2026-11-29')).days.length, 2, 'days without visits are listed, too');
  for (const body of [{ opened: true }, { opened: true }, { places: [bakery, formula] }]) await beacon(body);
  time.now += 86_400_000;
  await beacon({ opened: true, places: [bakery], searches: 2 }, { 'content-type': 'application/json' });
  const shown = await visits('?from=2026-11-30&to=2026-12-01');
  t.match(shown, {
    ...{ from: '2026-11-30', to: '2026-12-01', counted: true, opened: 3, searches: 2, other: 0 },
    days: [
      { date: '2026-11-30', opened: 2, places: 2, searches: 0 },
      { date: '2026-12-01', opened: 1, places: 1, searches: 2 },
    ],
    places: [
      { id: bakery, name: 'Bakery', opened: 2 },
      { id: formula, opened: 1 },
    ],
  });
  t.match(await visits(), { from: '2026-11-02', to: '2026-12-01', opened: 3 }, 'the last 30 days by default');
  t.match(await visits('?to=2026-11-30'), { from: '2026-11-01', opened: 2 });
  const csv = await mapwright.ask('GET', `${at}/visits.csv?from=2026-11-30`);
  t.match(csv.headers['content-type'], 'text/csv; charset=utf-8');
  t.equal(
    csv.text,
    [
      'date,what,id,name,count',
      '2026-11-30,opened,,,2',
      `2026-11-30,place,${bakery},Bakery,1`,
      `2026-11-30,place,${formula},"'=HYPERLINK(""x""), ""a""",1`,
      '2026-12-01,opened,,,1',
      '2026-12-01,searches,,,2',
      `2026-12-01,place,${bakery},Bakery,1`,
      '',
    ].join('\r\n'),
    'a name is no formula',
  );
});

t.test('a beacon gets the same answer whatever it is, and counts as a whole or not at all', async (t) => {
  const { mapwright, places, seen, slug, beacon, visits } = await world(t);
  const [bakery = ''] = places;
  const hostile: unknown[] = [
    ...['', '{', 'null', '[]', '7', '"opened"', '{"opened":true', '\ufeff{"opened":true}', '{"opened":true}{}'],
    ...['{"opened":1}', '{"opened":false}', '{"opened":true,"user":"anna"}', '{"opened":true,"__proto__":{}}', '{"searches":-1}'],
    ...['{"searches":1.5}', '{"searches":21}', '{"searches":"1"}', '{"places":"x"}', '{"places":[1]}', '{"places":{"length":1}}'],
    { opened: true, places: Array.from({ length: 21 }, () => bakery) },
    { opened: true, places: ['x'.repeat(2048)] },
    `{"opened":true}${' '.repeat(2048)}`,
    Buffer.from([0xff, 0xfe, 0x7b]),
    Buffer.alloc(70_000, 0x20),
  ];
  const refused = new Set<string>();
  for (const [i, body] of hostile.entries()) {
    const { status, text, headers } = await beacon(body, { 'x-forwarded-for': `198.51.100.${i}` });
    refused.add(JSON.stringify([status, text, headers['access-control-allow-origin'], headers['content-length']]));
  }
  const others: [unknown, Record<string, string>, string?][] = [
    [{ opened: true }, { 'sec-gpc': '1' }],
    [{ opened: true }, {}, '/p/03v8k2m9q4x7n5d1r6t0w8y3z5b/seen'],
    [{ opened: true }, {}, '/p/x/seen'],
    [{ opened: true }, { 'content-encoding': 'gzip' }, seen.replace(slug, '%00')],
  ];
  for (const [body, headers, target] of others) {
    const { status, text, headers: got } = await beacon(body, headers, target);
    refused.add(JSON.stringify([status, text, got['access-control-allow-origin'], got['content-length']]));
  }
  const good = await beacon({ opened: true, places: [bakery, bakery, places[1], 'made-up', bakery.replace(/.$/, 'x')] });
  refused.add(
    JSON.stringify([good.status, good.text, good.headers['access-control-allow-origin'], good.headers['content-length']]),
  );
  t.equal(refused.size, 1, [...refused].join());
  t.equal(good.status, 204);
  t.strictSame(good.text, '');
  t.notOk(good.headers['set-cookie']);
  t.match(await visits(), { opened: 1, searches: 0, other: 0 });
  t.strictSame(
    (await visits()).places.map(({ id, opened }) => [id, opened]).sort(),
    [
      [bakery, 1],
      [places[1], 1],
    ].sort(),
  );
  t.equal((await mapwright.ask('GET', seen, { key: '' })).status, 405, 'only to send');
});

t.test('an address counts sixty times a minute', async (t) => {
  const { time, beacon, visits } = await world(t);
  for (let i = 0; i < 70; i++) await beacon({ opened: true }, { 'x-forwarded-for': '2001:db8::1' });
  t.equal((await visits()).opened, 60);
  await beacon({ opened: true }, { 'x-forwarded-for': '2001:db8::ffff' });
  t.equal((await visits()).opened, 60, 'an address is a /64 of IPv6');
  await beacon({ opened: true }, { 'x-forwarded-for': '2001:db8:1::1' });
  time.now += 60_000;
  await beacon({ opened: true }, { 'x-forwarded-for': '2001:db8::1' });
  t.equal((await visits()).opened, 62, 'another address, and another minute');
});

t.test('the table of addresses is bounded, and forgets', async (t) => {
  const limit = new AddressLimit();
  let admitted = 0;
  for (let i = 0; i < 150_000; i++) if (limit.admits(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, now)) admitted++;
  t.strictSame([admitted, limit.size], [150_000, 100_000]);
  limit.admits('10.0.0.1', now + 60_000);
  t.equal(limit.size, 1);
});

t.test('only places of the newest published version count', async (t) => {
  const { mapwright, id, at, places, beacon, visits } = await world(t);
  const [bakery = ''] = places;
  const artboard = ((await mapwright.get(`/projects/${id}/artboards`)).list[0] as { id: string }).id;
  const added = (await mapwright.post(`/projects/${id}/artboards/${artboard}/objects`, { type: 'spot', name: 'New' })).shown.id;
  await mapwright.delete(`/projects/${id}/artboards/${artboard}/objects/${bakery}`);
  await beacon({ places: [bakery, added, artboard, id] });
  t.strictSame((await visits()).places, [{ id: bakery, name: 'Bakery', opened: 1 }], 'as published');
  await mapwright.ask('PUT', at);
  await beacon({ places: [bakery, added] });
  t.strictSame(
    (await visits()).places,
    [
      { id: added, name: 'New', opened: 1 },
      { id: bakery, name: null, opened: 1 },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

t.test('counting changes no version, tag, event, document or copy', async (t) => {
  const { mapwright, id, at, slug, beacon, visits } = await world(t);
  const follower = await follow(mapwright, `/projects/${id}/events`);
  t.teardown(() => follower.res.destroy());
  const routes = [
    at,
    `/v1/projects/${id}`,
    '/v1/projects',
    `/v1/projects/${id}/export`,
    '/v1/publications',
    `/p/${slug}/map.json`,
  ];
  const all = async () =>
    await Promise.all(
      routes.map(async (route) => {
        const { text, headers } = await mapwright.ask('GET', route);
        return [text, headers.etag];
      }),
    );
  const before = await all();
  await beacon({ opened: true, searches: 1 });
  t.equal((await visits()).opened, 1);
  t.strictSame(await all(), before);
  const copy = (await mapwright.post(`/projects/${id}/duplicate`, {})).shown.id;
  t.equal((await mapwright.ask('GET', `/v1/projects/${copy}/publication/visits`)).status, 404, 'a copy is not public');
  t.strictSame(follower.records, []);
});

t.test('visits are deleted when the map is made private', async (t) => {
  const { mapwright, at, beacon, visits } = await world(t);
  await beacon({ opened: true });
  await mapwright.ask('DELETE', at);
  t.match((await mapwright.ask('GET', `${at}/visits`)).problem, { status: 404, detail: /not public/ });
  t.equal((await beacon({ opened: true })).status, 204);
  await mapwright.ask('PUT', at);
  t.match(await visits(), { opened: 0, places: [] });
});

t.test('days must be dates, in order, and at most 400', async (t) => {
  const { mapwright, at } = await world(t);
  for (const query of [
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-1-1',
    'to=',
    'from=1969-12-31',
    'from=2026-12-01',
    'from=2025-10-26',
  ])
    t.match((await mapwright.ask('GET', `${at}/visits?${query}`)).problem, { status: 400, code: 'bad_request' }, query);
  t.equal((await mapwright.ask('GET', `${at}/visits?from=2025-10-27`)).status, 200, '400 days');
  t.equal((await mapwright.ask('GET', `${at}/visits?format=csv`)).status, 400);
  t.equal((await mapwright.ask('GET', '/v1/projects/019b76da-a800-7000-8000-000000000001/publication/visits')).status, 404);
  const other = await mapwright.newKey('bob');
  t.equal((await mapwright.ask('GET', `${at}/visits`, { key: other })).status, 404, 'not for another account');
});

t.test('visits of the readable address count, too', async (t) => {
  const { mapwright, at, beacon, visits } = await world(t);
  await mapwright.ask('PUT', at, { body: { name: 'lindenhof' } });
  await beacon({ opened: true }, {}, '/p/lindenhof/seen');
  t.match(await visits(), { opened: 1 });
});

t.test('map.json says where to count, unless that is disabled', async (t) => {
  const { mapwright, slug } = await world(t);
  t.match((await mapwright.ask('GET', `/p/${slug}/map.json`)).json, { seen: 'seen' });
  const off = await world(t, { counts: false });
  const pointer = await off.mapwright.ask('GET', `/p/${off.slug}/map.json`);
  t.notOk('seen' in (pointer.json as object));
  t.match(pointer.headers.etag, /-uncounted-/, 'another tag: browsers load it again');
  t.equal((await off.beacon({ opened: true })).status, 204);
  t.match(await off.visits(), { counted: false, opened: 0 });
});

t.test('made-up identifiers grow nothing', async (t) => {
  const { beacon, visits, places } = await world(t);
  for (let i = 0; i < 200; i++) {
    const ids = Array.from({ length: 20 }, (_, n) => `019b76da-a800-7000-8000-${String(i * 20 + n).padStart(12, '0')}`);
    await beacon({ places: ids }, { 'x-forwarded-for': `203.0.113.${i}` });
  }
  await beacon({ places });
  t.equal((await visits()).places.length, places.length);
});
