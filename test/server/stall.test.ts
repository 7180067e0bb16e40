// process: own
/** A disk that stops answering: what is reported, what is answered, what is refused, and how the process ends. */
import http from 'node:http';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createServer } from '../../src/index.ts';
import { ask, type Json } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { must, type Served, serve, temporaryFolder } from '../support/process.ts';
import { stallableDisk } from '../support/stall.ts';
import { test } from '../support/test.ts';

/** A server on a disk that can stall, with a project. */
async function served(t: Pick<Test, 'teardown'>, flags: readonly string[]) {
  const folder = temporaryFolder(t);
  const disk = stallableDisk(folder);
  const data = path.join(folder, 'data');
  const server = await serve(t, data, flags, undefined, disk.run);
  t.teardown(() => disk.answer());
  const made = await must(server, 'POST', '/projects', { name: 'before' });
  return { disk, data, server, made };
}

/** A client on one connection of its own, which asks nothing at the same time as anything else. */
function loneClient(t: Pick<Test, 'teardown'>, { url, key }: Served) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  return { url, key, agent };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await isSo()); i++) {
    if (i === 1000) throw new Error(`this never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const readiness = async (server: { url: string }): Promise<Json> => (await ask(server, 'GET', '/readyz')).json;

t.test('during a disk stall reads are answered, and writes fail after the write timeout', async (t) => {
  const { disk, server, made, data } = await served(t, ['--write-timeout', '1']);
  const alarm = async () =>
    sampleOf(parseExposition((await ask(server, 'GET', '/metrics')).text), 'mapwright_alarm', { name: 'flush_stalled' });
  const lone = loneClient(t, server);
  await must(lone, 'GET', '/projects');
  await new Promise((resolve) => setTimeout(resolve, 150));
  disk.stall();
  const writing = ask(lone, 'POST', '/v1/projects', { name: 'during' });
  t.equal((await ask(server, 'GET', '/healthz')).status, 200, 'the event loop turns');
  t.strictSame(await must(server, 'GET', `/projects/${made.id}`), made, 'what is durable is read');
  const reading = ask(server, 'GET', '/v1/projects');
  t.match(await writing, { status: 503, json: { code: 'storage_stalled', detail: /may still become durable/ } });
  t.equal((await writing).headers['retry-after'], '5');
  t.match(await reading, { status: 503, json: { code: 'storage_stalled' } }, 'what is not durable is not shown');
  await until('not ready', async () => (await readiness(server)).status === 'stalled');
  t.match(await ask(server, 'GET', '/readyz'), {
    status: 503,
    json: { detail: /flush_stalled: the disk has not finished .* \d+ s$/ },
  });
  t.equal(await alarm(), 1);
  t.match(server.stderr, /"alarm":"flush_stalled","stalledS":\d+,"segment":".*\.segment"/);
  t.match(
    await ask(lone, 'POST', '/v1/projects', { name: 'refused' }),
    { status: 503, json: { code: 'storage_stalled', detail: /nothing was changed/ } },
    'nothing more is put behind it',
  );
  disk.answer();
  await until('ready', async () => (await readiness(server)).status === 'ready');
  t.equal(await alarm(), 0);
  await must(lone, 'POST', '/projects', { name: 'after' });
  const names = (await must(server, 'GET', '/projects')).map(({ name }: Json) => name);
  t.strictSame(names, ['before', 'during', 'after']);
  await server.end('SIGKILL');
  const again = await serve(t, data, [], server.key);
  t.strictSame(
    (await must(again, 'GET', '/projects')).map(({ name }: Json) => name),
    names,
  );
});

test.all('an import whose large record waits for a stalled disk is refused after the timeout and changes nothing', async (t) => {
  const { disk, server } = await served(t, ['--write-timeout', '1', '--segment-mb', '1']);
  const popups = Array.from({ length: 1000 }, () => ({ content: 'x'.repeat(2000) }));
  const document = { format: 'mapwright-project', version: 1, project: { name: 'large', popups } };
  const importing = () => ask(server, 'POST', '/v1/projects/import', document);
  // The mark after the last write is on the disk by then: only the import waits.
  await new Promise((resolve) => setTimeout(resolve, 500));
  disk.stall();
  t.match(await importing(), { status: 503, json: { code: 'storage_stalled', detail: /nothing was changed/ } });
  t.match(await readiness(server), { status: 'stalled', detail: /^flush_stalled/ });
  t.match(await ask(server, 'POST', '/v1/projects', { name: 'refused' }), { status: 503 });
  disk.answer();
  await until('ready', async () => (await readiness(server)).status === 'ready');
  t.equal((await importing()).status, 200);
  const names = (await must(server, 'GET', '/projects')).map(({ name }: Json) => name);
  t.strictSame(names, ['before', 'large']);
});

test.all('a request repeated with its Idempotency-Key after storage_stalled is executed once', async (t) => {
  const { disk, server } = await served(t, ['--write-timeout', '0.5']);
  const post = async (): Promise<{ status: number; json: Json }> => {
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', 'idempotency-key': 'k1' };
    const answer = await fetch(`${server.url}/v1/projects`, { method: 'POST', headers, body: '{"name":"once"}' });
    return { status: answer.status, json: await answer.json() };
  };
  disk.stall();
  t.match(await post(), { status: 503, json: { code: 'storage_stalled' } });
  t.match(await post(), { status: 503, json: { code: 'storage_stalled', detail: /may still become durable/ } });
  const waiting = post();
  disk.answer();
  const first = await waiting;
  t.equal(first.status, 200);
  t.strictSame(await post(), first);
  t.equal((await must(server, 'GET', '/projects')).length, 2);
});

for (const { what, flags, signals } of [
  { what: 'one signal', flags: ['--write-timeout', '0.5'], signals: 1 },
  { what: 'a second signal while a request waits', flags: [], signals: 2 },
]) {
  const declare = signals === 1 ? t.test : test.all;
  declare(`a process whose disk stalls ends after ${what}, and keeps every acknowledged write`, async (t) => {
    const { disk, data, server, made } = await served(t, flags);
    disk.stall();
    const writing = ask(server, 'POST', '/v1/projects', { name: 'unknown' }).catch(() => undefined);
    await until('the write is under way', async () => {
      const { text } = await ask(server, 'GET', '/metrics');
      return (sampleOf(parseExposition(text), 'mapwright_wal_queue_bytes') ?? 0) > 0;
    });
    server.child.kill('SIGTERM');
    await server.printed(/finishing requests in flight/);
    if (signals === 2) server.child.kill('SIGTERM');
    const { signal, stdout, stderr } = await server.ended;
    t.equal(signal, 'SIGKILL', 'no thread is waited for');
    t.match(stdout, /Every acknowledged write is durable; a write without a response may be/);
    if (signals === 1) t.match(stderr, /the disk does not respond; the process ends without waiting for it/);
    t.notMatch(stdout, /Goodbye/);
    await writing;
    disk.answer();
    const again = await serve(t, data, [], server.key);
    t.strictSame(await must(again, 'GET', `/projects/${made.id}`), made);
    await must(again, 'POST', '/projects', { name: 'after' });
  });
}

t.test('calls and close of an embedded server reject during a disk stall, and the folder is free after it', async (t) => {
  const folder = temporaryFolder(t);
  const disk = stallableDisk(folder);
  await disk.here();
  const data = path.join(folder, 'data');
  const { log } = recordingLog();
  const server = await createServer({ data, log, limits: { writeTimeoutMs: 200 } });
  t.teardown(() => disk.answer());
  await server.createAccount('ann');
  const client = server.client({ account: 'ann' });
  const made = await client.post('/projects', { body: { name: 'before' } });
  disk.stall();
  const late = client.post('/projects', { body: { name: 'late' } });
  await t.rejects(late, { code: 'storage_stalled', status: 503, retryAfter: 5 });
  // The wait may have begun a tick before the operation of the disk, which is found stalled a tick later then.
  await until('the stall is known', async () => (await server.fetch(new Request('http://in-process/readyz'))).status === 503);
  await t.rejects(server.createAccount('ben'), /The disk has not responded for .*\. Nothing was changed/);
  await t.rejects(server.close(), /its folder stays locked until the disk responds/);
  await t.rejects(createServer({ data, log }), /in use/, 'a write is still under way there');
  disk.answer();
  let again: Awaited<ReturnType<typeof createServer>> | undefined;
  await until('the folder is free', async () => {
    again = await createServer({ data, log }).catch(() => undefined);
    return again !== undefined;
  });
  t.teardown(() => again?.close());
  const names = (await again?.client({ account: 'ann' }).get('/projects'))?.map(({ name }) => name);
  t.strictSame(names, [made.name, 'late'], 'what was under way became durable');
});
