/** Compression and CORS through the API: clients with any Accept-Encoding get the same content. */
import t, { type Test } from 'tap';
import { fetchDescribed } from '../support/fetch.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { sized } from '../support/tier.ts';

const codings = ['br', 'gzip', 'identity'];

/** Asks as a browser would; what comes back is decoded. */
function fetched({ port, key }: Mapwright, at: string, coding: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'accept-encoding': coding,
    connection: 'close',
    ...init.headers,
  };
  return fetchDescribed(`http://127.0.0.1:${port}${at}`, { ...init, headers });
}

/** A project with an artboard, and this many objects in it. */
async function withObjects(mapwright: Mapwright, count: number): Promise<{ project: Shown; objects: string }> {
  const objects = Array.from({ length: count }, (_, i) => ({
    type: 'spot',
    name: `Spot ${i}, Zürich 東京`,
    x: i * 7,
    y: i * 13,
  }));
  const project = (await mapwright.post('/projects', { name: 'map', artboards: [{ name: 'a', objects }] })).shown;
  const [artboard] = project['artboards'] as Shown[];
  return { project, objects: `/projects/${project.id}/artboards/${artboard?.id}/objects` };
}

t.test('a decoded compressed response equals the uncompressed one', async (t) => {
  const mapwright = await startForRequests(t);
  await mapwright.post('/projects', {});
  // About 700 bytes each: one is short, two are coded on the spot, sixty by a thread, hundreds in pieces.
  for (const count of sized({ sample: [0, 2, 12, 60, 94, 400], all: [0, 1, 2, 11, 12, 13, 60, 93, 94, 400, 2500] })) {
    const { project, objects } = await withObjects(mapwright, count);
    const paths = [
      objects,
      `${objects}?limit=30`,
      `${objects}?fields=name,x`,
      `/projects/${project.id}`,
      '/projects',
      '/projects?limit=1',
    ];
    for (const at of paths) {
      const plain = await mapwright.get(at);
      const length = Buffer.byteLength(plain.text);
      // The second time a list is asked for it is kept, the third time it is taken from there.
      for (const coding of [...codings, ...codings]) {
        const answer = await fetched(mapwright, `/v1${at}`, coding);
        if ((await answer.text()) !== plain.text) t.fail(`${at} for ${coding}`);
        const coded = coding !== 'identity' && length >= 1024;
        t.equal(answer.headers.get('content-encoding'), coded ? coding : null, `${at}, ${length} bytes`);
        t.equal(
          answer.headers.get('etag'),
          coded ? String(plain.headers['etag']).replace(/"$/, `-${coding}"`) : plain.headers['etag'],
        );
        t.equal(answer.headers.get('link'), plain.headers['link'] ?? null);
      }
    }
  }
});

t.test('responses to writes, problem documents and metrics are compressed, and responses without content are not', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await withObjects(mapwright, 3);
  const send = (method: string, at: string, body: unknown): Promise<Response> =>
    fetched(mapwright, `/v1${at}`, 'br', { method, body: JSON.stringify(body) });
  const written = await send('POST', objects, { type: 'spot', name: 'x'.repeat(2000) });
  t.equal(written.status, 200);
  t.equal(written.headers.get('content-encoding'), 'br');
  const { id } = (await written.json()) as Shown;
  t.same(
    (await (await send('PATCH', `${objects}/${id}`, { x: 5 })).json()) as Shown,
    (await mapwright.get(`${objects}/${id}`)).json,
  );
  const wrong = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`unknown_${i}`, i]));
  const refused = await send('PATCH', `${objects}/${id}`, wrong);
  t.equal(refused.status, 400);
  for (const [name, value] of Object.entries({
    ...{ 'content-encoding': 'br', 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    vary: 'Accept-Encoding',
  }))
    t.equal(refused.headers.get(name), value, name);
  t.match(await refused.json(), { code: 'validation_failed', errors: { length: 60 } });
  const figures = await fetched(mapwright, '/metrics', 'gzip');
  t.equal(figures.headers.get('content-encoding'), 'gzip');
  const text = await figures.text();
  t.match(
    text,
    /mapwright_http_requests_total\{route="\/projects\/:project_id\/artboards\/:artboard_id\/objects",method="POST",status="200"\} 1/,
  );
  t.match(text, /mapwright_http_refusals_total\{status="400",reason="validation_failed"\} 1/);
  const empty = await fetched(mapwright, `/v1${objects}/${id}`, 'br', { method: 'DELETE' });
  t.strictSame(
    [empty.status, empty.headers.get('content-encoding'), empty.headers.get('vary')],
    [204, null, null],
    'without content',
  );
});

test.all('a compressed list that changes while it is read shows one version', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await withObjects(mapwright, 1500);
  const all = (await mapwright.get(objects)).list;
  const writes = (async () => {
    for (let i = 0; i < 40; i++) await mapwright.patch(`${objects}/${all[i * 30]?.id}`, { name: `new ${i}` });
  })();
  const read = async (coding: string): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      const list = (await (await fetched(mapwright, `/v1${objects}`, coding)).json()) as Shown[];
      const changed = Array.from({ length: 40 }, (_, j) => list[j * 30]?.['name'] === `new ${j}`);
      t.equal(list.length, 1500);
      t.same(changed, changed.slice().sort().reverse(), 'the first changes and none after them');
    }
  };
  await Promise.all([writes, ...codings.map(read)]);
});

t.test('equivalent spellings of a request share one entry of the compressed cache', async (t) => {
  const mapwright = await startForRequests(t);
  const { objects } = await withObjects(mapwright, 100);
  const figure = async (): Promise<number> =>
    Number(/^mapwright_cache_bytes\{cache="compressed"\} (\d+)$/m.exec((await mapwright.ask('GET', '/metrics')).text)?.[1]);
  const read = async (at: string, scheme = 'Bearer'): Promise<string> => {
    const headers = { authorization: `${scheme} ${mapwright.key}` };
    return (await fetched(mapwright, at, 'br', { headers })).text();
  };
  const list = `/v1${objects}?type=spot&fields=name,x`;
  const plain = await read(list);
  for (let i = 0; i < 2; i++) await read(list);
  const kept = await figure();
  t.ok(kept > 1000);
  for (const scheme of ['bearer', 'BEARER', 'bEARER']) t.equal(await read(list, scheme), plain);
  for (const at of [
    list.replace('-', '%2D'),
    list.replace('fields', 'f%69elds'),
    list.replace('?', '?&&'),
    list.replace('spot', 's%70ot'),
  ])
    t.equal(await read(at), plain, at);
  t.equal(await figure(), kept);
});

t.test('the compressed cache serves neither old versions nor keys that lost their access', async (t) => {
  const mapwright = await startForRequests(t);
  const { project, objects } = await withObjects(mapwright, 300);
  const at = `/v1/projects/${project.id}`;
  const [first] = (await mapwright.get(`${objects}?limit=1`)).list;
  const doomed = await mapwright.server.createKey('ann');
  const other = await mapwright.newKey('bob');
  const figure = async (): Promise<number> =>
    Number(/^mapwright_cache_bytes\{cache="compressed"\} (\d+)$/m.exec((await mapwright.ask('GET', '/metrics')).text)?.[1]);
  const before = await figure();
  for (let i = 0; i < sized({ sample: 6, all: 20 }); i++) {
    await mapwright.patch(`${objects}/${first?.id}`, { name: `new ${i}` });
    for (const coding of codings) {
      for (let j = 0; j < 3; j++) {
        const shown = (await (await fetched(mapwright, at, coding)).json()) as { artboards: { objects: Shown[] }[] };
        t.equal(shown.artboards[0]?.objects[0]?.['name'], `new ${i}`);
      }
    }
  }
  t.ok((await figure()) > before + 1000);
  const as = (key: string): Promise<Response> => fetched(mapwright, at, 'br', { headers: { authorization: `Bearer ${key}` } });
  for (let j = 0; j < 3; j++) {
    t.equal((await as(doomed.key)).status, 200);
    t.equal((await as(other)).status, 404);
  }
  await mapwright.server.revokeKey(doomed.id);
  t.equal((await as(doomed.key)).status, 401);
  await mapwright.delete(`/projects/${project.id}`);
  t.equal((await fetched(mapwright, at, 'br')).status, 404);
});

async function headersOf(t: Test, options: Parameters<typeof startForRequests>[1], coding: string): Promise<(string | null)[]> {
  const mapwright = await startForRequests(t, options);
  const { objects } = await withObjects(mapwright, 100);
  const answer = await fetched(mapwright, `/v1${objects}`, coding, { headers: { origin: 'https://a.example' } });
  await answer.text();
  return ['content-encoding', 'vary', 'access-control-allow-origin'].map((name) => answer.headers.get(name));
}

t.test('the options compression and cors set the headers of responses', async (t) => {
  t.same(await headersOf(t, {}, 'br'), ['br', 'Accept-Encoding', null]);
  t.same(await headersOf(t, { compression: false }, 'br'), [null, null, null]);
  t.same(await headersOf(t, { compression: false, cors: ['https://a.example'] }, 'br'), [null, 'Origin', 'https://a.example']);
  t.same(await headersOf(t, { cors: ['*'] }, 'br'), ['br', 'Accept-Encoding', '*']);
});
