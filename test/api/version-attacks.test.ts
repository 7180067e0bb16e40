// tier: normal
/** Versions under attack: too many, at once, with damaged blobs, while the project changes or goes. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import t, { type Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { follow } from '../support/follower.ts';
import { type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';
import { test } from '../support/test.ts';
import { sized } from '../support/tier.ts';
import { until } from '../support/until.ts';
import { Pages } from './pages.ts';
import { png } from './pictures.ts';

t.setTimeout(600_000);

async function world(t: Test, options: Partial<ServerOptions> = {}) {
  const mapwright = await startMapwright(t, options);
  const { shown } = await mapwright.post('/projects', { name: 'Office', artboards: [{ objects: [{ type: 'spot' }] }] });
  const at = `/projects/${shown.id}`;
  const list = async (): Promise<Shown[]> => (await mapwright.get(`${at}/versions`)).list;
  const restore = (id: string) => mapwright.post(`${at}/versions/${id}/restore`, {});
  return { mapwright, at, list, restore };
}

/** Paths of all blobs. */
function blobsOf({ data }: Mapwright): string[] {
  const folder = path.join(data, 'blobs');
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\b[0-9a-f]{64}$/.test(name))
    .map((name) => path.join(folder, name));
}

t.test('an account has the most versions that it may have, also when the last ones are kept at once', async (t) => {
  const { mapwright, at, list, restore } = await world(t, { quotas: { versions: 20 } });
  const answers = await Promise.all(Array.from({ length: 30 }, () => mapwright.post(`${at}/versions`, {})));
  t.equal(answers.filter(({ status }) => status === 200).length, 20);
  t.ok(answers.every(({ status }) => status === 200 || status === 403));
  const kept = await list();
  t.equal(kept.length, 20);
  const blobs = blobsOf(mapwright).length;
  await mapwright.patch(at, { name: 'now' });
  const { problem } = await mapwright.post(`${at}/versions`, {});
  t.match(problem, { status: 403, detail: /Quota exceeded: your account may have 20 versions; it has 20/ });
  t.equal(blobsOf(mapwright).length, blobs, 'nothing is stored for it');
  const { shown: other } = await mapwright.post('/projects', {});
  t.equal((await mapwright.post(`/projects/${other.id}/versions`, {})).status, 403, 'in any project of the account');
  const before = (await mapwright.get(at)).text;
  t.equal((await restore(kept[0]?.id ?? '')).status, 403, 'the state before a restore is one more');
  t.equal((await mapwright.get(at)).text, before);
  t.equal((await mapwright.delete(`${at}/versions/${kept[1]?.id}`)).status, 204);
  t.equal((await restore(kept[0]?.id ?? '')).status, 200);
  await mapwright.server.setLimits('ann', { versions: 21 });
  t.equal((await mapwright.post(`${at}/versions`, {})).status, 200, 'an account may have a limit of its own');
});

test.all('an account may have 10,000 versions: they are listed in pages, survive a kill, and one more is refused', async (t) => {
  const { mapwright, at, restore } = await world(t);
  const most = 10_000;
  let count = 0;
  const client = async (): Promise<void> => {
    while (count < most) if ((await mapwright.post(`${at}/versions`, { name: `${count++}` })).status !== 200) t.fail('refused');
  };
  await Promise.all(Array.from({ length: 16 }, client));
  t.equal((await mapwright.post(`${at}/versions`, {})).status, 403);
  await mapwright.crash();
  t.equal((await mapwright.post(`${at}/versions`, {})).status, 403);
  const ids = (await new Pages(mapwright).collect(`/v1${at}/versions?limit=1000`)).map(({ id }) => id);
  t.equal(new Set(ids).size, most);
  t.equal((await mapwright.get(`${at}/versions/${ids.at(-1)}`)).status, 200);
  t.equal((await mapwright.delete(`${at}/versions/${ids[0]}`)).status, 204);
  t.equal((await restore(ids.at(-1) ?? '')).status, 200);
});

t.test('at the limit the oldest automatic version of the account makes room', async (t) => {
  const { mapwright, at, list, restore } = await world(t, { quotas: { versions: 3 }, versions: true });
  const { shown: other } = await mapwright.post('/projects', {});
  const otherAt = `/projects/${other.id}`;
  const replace = async (where: string, title: string) => {
    const count = async () => (await mapwright.get(`${where}/versions`)).list.map(({ id }) => id).join();
    const before = await count();
    await mapwright.patch(where, { popups: [{ title }] });
    await until('an automatic version', async () => (await count()) !== before);
  };
  await replace(otherAt, 'a');
  await replace(at, 'b');
  const { id } = (await mapwright.post(`${at}/versions`, { name: 'kept' })).shown;
  await replace(at, 'c');
  t.strictSame((await mapwright.get(`${otherAt}/versions`)).list, [], 'that of the other project was the oldest');
  t.equal((await restore(id)).status, 200);
  t.strictSame(
    (await list()).map(({ kind }) => kind),
    ['before-restore', 'automatic', 'named'],
  );
  await mapwright.delete(`${at}/versions/${(await list())[1]?.id}`);
  t.equal((await mapwright.post(`${at}/versions`, {})).status, 200);
  t.equal((await restore(id)).status, 403, 'none of those that are left may go');
});

t.test('a version larger than a request and a segment may be can be compared and restored', async (t) => {
  // Six batches have more objects and arrays than one document of a request.
  const batches = sized({ sample: 3, all: 6 });
  const { mapwright, at, restore } = await world(t);
  const { list } = await mapwright.get(`${at}/artboards`);
  const artboard = `/artboards/${list[0]?.id}`;
  const coords = Array.from({ length: 9000 }, (_, i) => ({ x: i % 7, y: i }));
  const post = { method: 'POST', path: `${artboard}/objects`, body: { type: 'poly', coords } };
  const operations = Array.from({ length: 10 }, () => post);
  for (let i = 0; i < batches; i++) t.equal((await mapwright.post(`${at}/batch`, { operations })).status, 200);
  const before = (await mapwright.get(at)).text;
  const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
  t.equal((await mapwright.delete(at + artboard)).status, 204);
  t.match((await mapwright.get(`${at}/versions/${id}/changes`)).shown['counts'], { deleted: 2 + 10 * batches });
  t.equal((await restore(id)).status, 200);
  t.equal((await mapwright.get(at)).text, before);
  await mapwright.crash();
  t.equal((await mapwright.get(at)).text, before);
});

t.test('two restores at once are one after the other, and each keeps the state before it', async (t) => {
  const { mapwright, at, list, restore } = await world(t);
  const ids: string[] = [];
  for (const name of ['first', 'second']) {
    await mapwright.patch(at, { name });
    ids.push((await mapwright.post(`${at}/versions`, { name })).shown.id);
  }
  await mapwright.patch(at, { name: 'now' });
  const answers = await Promise.all(ids.map(restore));
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const kept = (await list()).filter(({ kind }) => kind === 'before-restore');
  const names = await Promise.all(kept.map(async ({ id }) => (await mapwright.get(`${at}/versions/${id}`)).shown['name']));
  const { name: last } = (await mapwright.get(at)).shown;
  t.strictSame(names.sort(), ['now', last === 'first' ? 'second' : 'first'].sort());
});

t.test('a restore succeeds while other clients write all the time, and keeps one state', async (t) => {
  const { mapwright, at, list, restore } = await world(t);
  const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
  let isOver = false;
  const written: number[] = [];
  const writing = [1, 2, 3].map(async (client) => {
    for (let i = 0; !isOver; i++) written.push((await mapwright.patch(at, { name: `${client} ${i}` })).status);
  });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await restore(id)).status);
  isOver = true;
  await Promise.all(writing);
  t.ok(written.every((status) => status === 200));
  t.strictSame(statuses, [200, 200, 200, 200, 200]);
  t.equal((await list()).filter(({ kind }) => kind === 'before-restore').length, 5);
});

t.test('a restore that is repeated with its Idempotency-Key is made once', async (t) => {
  const { mapwright, at, list } = await world(t);
  const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
  await mapwright.patch(at, { name: 'now' });
  const again = () =>
    mapwright.ask('POST', `/v1${at}/versions/${id}/restore`, { body: {}, headers: { 'idempotency-key': '"once"' } });
  const first = await again();
  await mapwright.patch(at, { name: 'later' });
  const second = await again();
  t.strictSame([second.status, second.text], [200, first.text]);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.equal((await mapwright.get(at)).shown['name'], 'later');
  t.equal((await list()).length, 2);
});

t.test('a version and a restore of a project that is deleted meanwhile answer 404, or were first', async (t) => {
  const mapwright = await startMapwright(t);
  for (let i = 0; i < 8; i++) {
    const { shown } = await mapwright.post('/projects', { name: 'x' });
    const at = `/projects/${shown.id}`;
    const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
    const [kept, restored, deleted] = await Promise.all([
      mapwright.post(`${at}/versions`, {}),
      mapwright.post(`${at}/versions/${id}/restore`, {}),
      mapwright.delete(at),
    ]);
    t.equal(deleted.status, 204);
    t.ok([200, 404].includes(kept.status), `${kept.status}`);
    t.ok([200, 404].includes(restored.status), `${restored.status}`);
    t.equal((await mapwright.get(`${at}/versions`)).status, 404);
  }
});

for (const [what, damage] of [
  ['deleted', (file: string) => fs.rmSync(file)],
  ['cut off', (file: string) => fs.truncateSync(file, 10)],
  ['overwritten', (file: string) => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 0xff))],
] as const) {
  t.test(`a version whose blob was ${what} is a 500 that says so, and changes nothing`, async (t) => {
    const { mapwright, at, list, restore } = await world(t);
    const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
    for (const file of blobsOf(mapwright)) damage(file);
    await mapwright.patch(at, { name: 'now' });
    const before = (await mapwright.get(at)).text;
    const answer = await restore(id);
    t.match(answer.problem, { status: 500, detail: /The version cannot be read: a file of the server is damaged/ });
    t.equal((await mapwright.get(`${at}/versions/${id}`)).status, 500);
    t.equal((await mapwright.get(at)).text, before);
    t.equal((await list()).length, 1);
    t.equal((await mapwright.post(`${at}/versions`, {})).status, 200, 'others can be kept');
  });
}

t.test('a version with one wrong byte is a 500, and so is a file in its list', async (t) => {
  const { mapwright, at, restore } = await world(t);
  // Random text is stored as it is: a wrong byte is another character, which brotli does not notice.
  await mapwright.patch(at, { name: crypto.randomBytes(300).toString('base64') });
  const file = (
    await mapwright.ask('POST', `/v1${at}/files?name=a.png`, { body: png(), headers: { 'content-type': 'image/png' } })
  ).shown;
  const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
  const blob = blobsOf(mapwright).find((each) => textOf(fs.readFileSync(each)) !== undefined) ?? '';
  const wrong = flipped(fs.readFileSync(blob));
  t.ok(wrong, 'a flipped bit that brotli does not notice');
  fs.writeFileSync(blob, wrong ?? '');
  for (const read of ['', '/changes', `/files/${file.id}`]) {
    const { problem } = await mapwright.get(`${at}/versions/${id}${read}`);
    t.match(problem, { status: 500, detail: /The version cannot be read: a file of the server is damaged/ }, read);
  }
  t.equal((await restore(id)).status, 500);
});

/** The text of a version's blob; `undefined` for other bytes. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return zlib.brotliDecompressSync(bytes).toString();
  } catch {
    return undefined;
  }
}

/** The bytes with one bit flipped, so that they still are a version of the same length. */
function flipped(bytes: Buffer): Buffer | undefined {
  const { length } = textOf(bytes) ?? '';
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const other = Buffer.from(bytes);
    other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
    const text = textOf(other);
    if (text?.length !== length) continue;
    try {
      for (const line of text.split('\n')) JSON.parse(line);
      return other;
    } catch {}
  }
  return undefined;
}

t.test('a version survives a kill before its restore', async (t) => {
  const { mapwright, at, restore } = await world(t);
  const before = (await mapwright.get(at)).text;
  const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
  await mapwright.patch(at, { name: 'now' });
  await mapwright.crash();
  t.equal((await restore(id)).text, before);
  await mapwright.crash();
  t.equal((await mapwright.get(at)).text, before);
});

t.test('neither an event nor a list shows the digest of a version', async (t) => {
  const { mapwright, at, list } = await world(t);
  const followed = await (await follow(mapwright, `${at}/events`)).begun();
  await mapwright.post(`${at}/versions`, { name: 'x' });
  const { events } = await followed.next();
  t.match(events, [{ name: 'version.created', data: { resource: { name: 'x' } } }]);
  t.notMatch(JSON.stringify(events), /digest|[0-9a-f]{64}/);
  t.notMatch(JSON.stringify(await list()), /digest|[0-9a-f]{64}/);
});
