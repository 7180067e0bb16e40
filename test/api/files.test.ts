/** Files of a project: uploads, lists, changes, refusals, and their public bytes, over real HTTP. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import t from 'tap';
import { follow } from '../support/follower.ts';
import { startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { filesWorld } from './files-world.ts';
import { gif, jpeg, png, svg } from './pictures.ts';

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

t.test('an upload answers with what the bytes are, and its address serves them without a key', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const bytes = png(640, 480, 'pixels');
  const answer = await world.upload(bytes, 'plan é.png');
  t.match(answer.shown, { name: 'plan é.png', type: 'image/png', bytes: bytes.length, width: 640, height: 480 });
  t.match(answer.shown['url'], /^\/f\/0[\w-]{21,}\/plan%20%C3%A9\.png$/);
  t.match(answer.shown['created'], /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.notOk(answer.text.includes(digestOf(bytes)), 'the digest is in no body');
  const url = String(answer.shown['url']);
  const served = await world.fetch(url);
  t.ok(served.bytes.equals(bytes));
  t.strictSame(
    [
      'content-type',
      'cache-control',
      'x-content-type-options',
      'cross-origin-resource-policy',
      'access-control-allow-origin',
      'content-security-policy',
    ].map((name) => served.headers.get(name)),
    ['image/png', 'public, max-age=31536000, immutable', 'nosniff', 'cross-origin', '*', policy],
  );
  const etag = served.headers.get('etag') as string;
  t.equal((await world.fetch(url, { 'if-none-match': etag })).status, 304);
  const other = url.replace(/[^/]+$/, 'any-other-name');
  t.ok((await world.fetch(other)).bytes.equals(bytes), 'any name leads to the same bytes');
  const head = await world.fetch(url, {}, 'HEAD');
  t.equal(head.headers.get('content-length'), String(bytes.length));
  t.equal(head.bytes.length, 0);
  t.equal((await world.fetch(`/f/0${'A'.repeat(22)}/plan.png`)).status, 404);
});

t.test('files are listed with filters, sort orders, fields and pages', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  for (const [bytes, name] of [
    [png(10, 10), 'c.png'],
    [gif(), 'a.gif'],
    [svg(), 'b.svg'],
    [jpeg(9, 4), 'd.jpg'],
  ] as const)
    await world.uploaded(bytes, name);
  const names = async (query: string) => (await world.list(query)).map(({ name }) => name);
  t.strictSame(await names(''), ['c.png', 'a.gif', 'b.svg', 'd.jpg']);
  t.strictSame(await names('?sort=name'), ['a.gif', 'b.svg', 'c.png', 'd.jpg']);
  t.strictSame(await names('?sort=-width'), ['c.png', 'd.jpg', 'a.gif', 'b.svg']);
  t.strictSame(await names('?type=image/gif'), ['a.gif']);
  t.strictSame(await names('?width=9&name=d.jpg'), ['d.jpg']);
  const [first] = await world.list('?fields=name,url&limit=1');
  t.strictSame(Object.keys(first ?? {}), ['id', 'name', 'url']);
  t.equal((await mapwright.get(`${at}/files?digest=x`)).status, 400, 'the digest is no filter');
  t.equal((await mapwright.get(`${at}/files?fields=digest`)).status, 400);
  t.equal((await mapwright.get(`${at}/files?sort=digest`)).status, 400);
  const page = await mapwright.get(`${at}/files?limit=3`);
  t.equal(page.list.length, 3);
  const next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1] as string;
  const rest = await mapwright.ask('GET', next.replace(/^https?:\/\/[^/]+/, ''));
  t.strictSame(
    rest.list.map(({ name }) => name),
    ['d.jpg'],
  );
});

t.test('a file is renamed and deleted with entity tags; its address stays the same and then ends', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const file = await world.uploaded();
  const one = `${at}/files/${file.id}`;
  const read = await mapwright.get(one);
  t.strictSame(read.json, file);
  const etag = String(read.headers['etag']);
  t.equal((await mapwright.get(one, { headers: { 'if-none-match': etag } })).status, 304);
  const renamed = await mapwright.patch(one, { name: 'new.png' }, { headers: { 'if-match': etag } });
  t.strictSame(renamed.shown, { ...file, name: 'new.png' });
  t.equal((await mapwright.patch(one, { name: 'x' }, { headers: { 'if-match': etag } })).status, 412);
  for (const body of [{ url: '/f/x/y' }, { bytes: 1 }, { digest: 'x' }, { type: 'image/gif' }])
    t.equal((await mapwright.patch(one, body)).status, 400, JSON.stringify(body));
  t.equal((await world.fetch(file['url'])).status, 200);
  t.equal((await mapwright.delete(one, { headers: { 'if-match': etag } })).status, 412);
  t.equal((await mapwright.delete(one)).status, 204);
  t.equal((await mapwright.get(one)).status, 404);
  t.equal((await world.fetch(file['url'])).status, 404);
});

t.test('the feed has an event for each change of a file, without its digest', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const feed = await (await follow(mapwright, `${at}/events`)).begun();
  const file = await world.uploaded();
  const created = await feed.next();
  t.strictSame(created.events[0]?.name, 'file.created');
  t.strictSame(created.events[0]?.data.resource, file);
  await mapwright.patch(`${at}/files/${file.id}`, { name: 'b.png' });
  const updated = await feed.next();
  t.strictSame(updated.events[0]?.data.resource, { ...file, name: 'b.png' });
  await mapwright.delete(`${at}/files/${file.id}`);
  t.match((await feed.next()).events, [{ name: 'file.deleted', data: { id: file.id, resource: null } }]);
});

t.test('a batch renames and deletes files, and creates none', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const [a, b] = [await world.uploaded(png(), 'a.png'), await world.uploaded(gif(), 'b.gif')];
  const operations = [
    { method: 'PATCH', path: `/files/${a.id}`, body: { name: 'c.png' } },
    { method: 'DELETE', path: `/files/${b.id}` },
  ];
  const answer = await mapwright.post(`${at}/batch`, { operations });
  t.equal(answer.status, 200);
  t.notOk(answer.text.includes('digest'));
  t.strictSame(await world.list(), [{ ...a, name: 'c.png' }]);
  t.equal((await world.fetch(b['url'])).status, 404);
  const create = { method: 'POST', path: '/files', body: { name: 'd.png' } };
  t.equal((await mapwright.post(`${at}/batch`, { operations: [create] })).status, 400);
  const hidden = { method: 'PATCH', path: `/files/${a.id}`, body: { digest: 'x' } };
  t.equal((await mapwright.post(`${at}/batch`, { operations: [hidden] })).status, 400);
  t.equal((await world.list()).length, 1);
});

t.test('an upload that is repeated with its Idempotency-Key gets the first file', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright } = world;
  const headers = { 'idempotency-key': '"upload 1"' };
  const first = await world.upload(png(), 'a.png', { headers });
  const again = await world.upload(png(), 'a.png', { headers });
  t.strictSame(again.shown, first.shown);
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.equal((await world.upload(png(9, 9), 'a.png', { headers })).status, 422, 'other bytes under the same key');
  t.equal((await world.upload(png(), 'b.png', { headers })).status, 422, 'another name under the same key');
  await mapwright.crash();
  t.strictSame((await world.upload(png(), 'a.png', { headers })).shown, first.shown);
  t.equal((await world.list()).length, 1);
  await mapwright.delete(world.at);
  t.equal((await world.upload(png(), 'a.png', { headers })).status, 404, 'no other POST forgets its answer with its project');
});

t.test('keys that are read-only, of another project or of another account upload nothing', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const { server } = mapwright;
  const file = await world.uploaded();
  const reader = (await server.createKey('ann', { readOnly: true })).key;
  t.equal((await world.upload(gif(), 'a.gif', { key: reader })).status, 403);
  t.strictSame((await mapwright.get(`${at}/files/${file.id}`, { key: reader })).json, file);
  t.equal((await mapwright.delete(`${at}/files/${file.id}`, { key: reader })).status, 403);
  t.equal((await world.upload(gif(), 'a.gif', { key: '' })).status, 401);
  const bob = await mapwright.newKey('bob');
  const textOf = ({ text }: { text: string }): string => text.replace(/"request_id":"[^"]*"/, '');
  const known = await world.upload(png(), 'a.png', { key: bob });
  const unknown = await world.upload(svg('<g/>'), 'a.png', { key: bob });
  t.equal(known.status, 404);
  t.equal(textOf(known), textOf(unknown), 'the same answer whether the bytes exist or not');
  const his = await filesWorld(mapwright, { key: bob });
  const copy = (await his.upload(png(), 'plan.png', { key: bob })).shown;
  t.notSame(copy['url'], file['url']);
  for (const request of ['get', 'delete'] as const)
    t.equal((await mapwright[request](`${at}/files/${file.id}`, { key: bob })).status, 404);
  await mapwright.delete(`${his.at}/files/${copy.id}`, { key: bob });
  t.equal((await world.fetch(file['url'])).status, 200);
  t.equal((await world.list()).length, 1);
});

t.test('the quota of bytes counts files; an upload beyond it adds nothing', async (t) => {
  const mapwright = await startMapwright(t, { quotas: { bytes: 10_000 } });
  const world = await filesWorld(mapwright);
  await world.uploaded(png(1, 1, 'x'.repeat(6000)));
  const before = await mapwright.get(world.at);
  const beyond = await world.upload(png(1, 1, 'y'.repeat(6000)));
  t.equal(beyond.status, 403);
  t.match(beyond.problem.detail, /bytes/);
  t.equal((await world.list()).length, 1);
  t.equal((await mapwright.get(world.at)).text, before.text);
  const copy = await mapwright.post(`${world.at}/duplicate`, {});
  t.equal(copy.status, 200, 'the files of a copy have equal bytes');
  const [file] = await world.list();
  const version = (await mapwright.post(`${world.at}/versions`, { name: 'with the picture' })).shown;
  await mapwright.delete(`${world.at}/files/${file?.id}`);
  await mapwright.delete(`/projects/${copy.shown['id']}`);
  t.equal((await world.upload(png(1, 1, 'y'.repeat(6000)))).status, 403, 'a version has the bytes of a deleted file');
  await mapwright.delete(`${world.at}/versions/${version['id']}`);
  t.equal((await world.upload(png(1, 1, 'y'.repeat(6000)))).status, 200);
  await mapwright.restart();
  t.equal((await world.upload(png(1, 1, 'z'.repeat(6000)))).status, 403, 'after a restart as well');
});

t.test('an upload whose Content-Length exceeds the quota is refused before its bytes arrive', async (t) => {
  const mapwright = await startMapwright(t, { quotas: { bytes: 10_000 } });
  const world = await filesWorld(mapwright);
  const path = `/v1${world.at}/files?name=a.png`;
  const headers = { authorization: `Bearer ${mapwright.key}`, 'content-type': 'image/png', 'content-length': 10_001 };
  const sent = http.request({ port: mapwright.port, host: '127.0.0.1', method: 'POST', path, headers });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  const [answer] = (await once(sent, 'response')) as [http.IncomingMessage];
  t.equal(answer.statusCode, 403);
  t.match(JSON.parse((await answer.toArray()).join('')), { code: 'quota_exceeded' });
  sent.destroy();
  t.strictSame(world.blobs(), { digests: [], uploads: [] });
});

t.test('uploads, versions, maps and imports that are refused leave no bytes', async (t) => {
  const mapwright = await startMapwright(t, { quotas: { bytes: 18_000 } });
  const world = await filesWorld(mapwright);
  const noise = (seed: string) => Array.from({ length: 157 }, (_, i) => digestOf(Buffer.from(`${seed}${i}`))).join('');
  const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5000, 'x')]);
  t.equal((await world.upload(broken)).status, 415);
  t.equal((await world.upload(png(), 'a.png', { headers: { 'content-type': 'image/gif' } })).status, 415);
  t.equal((await world.upload(Buffer.alloc(10_000, 'x'))).status, 415);
  t.match((await world.upload('')).problem, { status: 415, detail: /^The body is empty: send the bytes of the picture/ });
  const picture = { url: `/f/0${'a'.repeat(26)}/a.png`, content: png().toString('base64'), name: 'a.png' };
  const document = { format: 'mapwright-project', version: 1, project: { name: 'p' } };
  for (const wrong of [{ digest: '0'.repeat(64) }, { bytes: 3 }, { type: 'image/gif' }]) {
    const answer = await mapwright.post('/projects/import', {
      ...document,
      files: [picture, { ...picture, url: `/f/0${'b'.repeat(26)}/b.png`, ...wrong }],
    });
    t.equal(answer.status, 400, answer.text);
  }
  const unknown = { ...document, project: { name: 7 }, files: [picture] };
  t.equal((await mapwright.post('/projects/import', unknown)).status, 400);
  await until('refused bytes are gone', () => world.blobs().digests.length === 0);
  await mapwright.post(`${world.at}/popups`, { title: 'a', content: noise('popup') });
  await world.uploaded(png(1, 1, 'x'.repeat(4000)));
  await until('refused bytes are gone', () => world.blobs().digests.length === 1);
  t.equal((await mapwright.post(`${world.at}/versions`, {})).status, 403);
  t.equal((await mapwright.ask('PUT', `/v1${world.at}/publication`, { body: {} })).status, 403);
  await until('refused bytes are gone', () => world.blobs().digests.length === 1);
  t.strictSame(world.blobs().uploads, []);
});

t.test('a copy of a project has the same bytes at other addresses, and refers to them', async (t) => {
  const publicUrl = 'https://maps.example.org';
  const world = await filesWorld(await startMapwright(t, { publicUrl }));
  const { mapwright, at } = world;
  const bytes = png(3, 2, 'background');
  const url = String((await world.uploaded(bytes, 'a b.png'))['url']);
  const other = String((await (await filesWorld(mapwright)).uploaded())['url']);
  const html = (address: string) => `<p>${url}</p><img alt="x" src="${address}"><a href='${address}'>b</a><a href=${other}>c</a>`;
  await mapwright.patch(at, { thumb: url });
  await mapwright.post(`${at}/artboards`, { image_url: publicUrl + url });
  await mapwright.post(`${at}/artboards`, { image_url: other });
  await mapwright.post(`${at}/popups`, { image: url, content: html(url), title: url });
  await mapwright.post(`${at}/actions`, { type: 'create-spot', popup_image: url, popup_content: html(url) });
  const before = await mapwright.get(at);
  const copy = (await mapwright.post(`${at}/duplicate`, {})).shown as unknown as {
    id: string;
    thumb: string;
    artboards: { image_url: string }[];
    popups: unknown[];
    actions: unknown[];
  };
  const [file, ...more] = (await mapwright.get(`/projects/${copy.id}/files`)).list;
  t.equal(more.length, 0);
  const made = String(file?.['url']);
  t.not(made, url);
  t.match(made, /\/a%20b\.png$/);
  t.equal(copy.thumb, made);
  t.strictSame(
    copy.artboards.map(({ image_url: image }) => image),
    [publicUrl + made, other],
  );
  const wanted = html(made).replace(`<p>${made}`, `<p>${url}`).replace(`<p>${url}`, `<p>${url}`);
  t.match(copy.popups, [{ image: made, content: wanted, title: url }]);
  t.match(copy.actions, [{ popup_image: made, popup_content: wanted }]);
  t.equal((await mapwright.get(at)).text, before.text, 'the original is as it was');
  t.equal(world.blobs().digests.length, 2, 'the bytes are stored once');
  await mapwright.delete(at);
  t.equal((await world.fetch(url)).status, 404);
  t.ok((await world.fetch(made)).bytes.equals(bytes));
  await mapwright.crash();
  t.ok((await world.fetch(made)).bytes.equals(bytes), 'after a crash as well');
});
