// process: own
/** A server in memory: it answers like any other, needs no folder and leaves nothing behind. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createServer, FolderError, type InMemoryServerOptions, type ServerOptions, StoppedError } from '../../src/index.ts';
import type { PopupCreate } from '../../src/web/client/client.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { temporaryFolder } from '../support/process.ts';

const quiet = () => ({ inMemory: true, log: recordingLog().log }) as const;

t.test('a server in memory has no folder, thread or file, and no socket after close', async (t) => {
  const here = process.cwd();
  const empty = temporaryFolder(t);
  process.chdir(empty);
  t.teardown(() => process.chdir(here));
  const isLinux = process.platform === 'linux';
  const threads = isLinux ? fs.readdirSync('/proc/self/task').length : 0;
  const server = await createServer(quiet());
  t.strictSame(server.recovery, { accounts: 0, projects: 0, records: 0, snapshotLsn: 0, damaged: [] });
  const { key } = await server.createKey('ann');
  const { url, port } = await server.listen(0);
  const made = await ask({ url, key }, 'POST', '/v1/projects', { name: 'nowhere', popups: [{}] });
  t.equal((await ask({ url, key }, 'GET', `/v1/projects/${made.json.id}`)).text, made.text);
  t.equal((await ask({ url }, 'GET', '/readyz')).status, 200);
  t.match((await ask({ url }, 'GET', '/metrics')).text, /\nmapwright_wal_records_total 2\n/);
  if (isLinux) t.equal(fs.readdirSync('/proc/self/task').length, threads, 'threads');
  await server.close();
  t.strictSame(fs.readdirSync(empty), []);
  await t.rejects(new Promise((resolve, reject) => net.connect(port, '127.0.0.1', () => resolve('open')).once('error', reject)), {
    code: 'ECONNREFUSED',
  });
  await t.rejects(server.createKey('late'), StoppedError);
});

t.test('a program that does not close its server in memory exits', async (t) => {
  const entry = JSON.stringify(new URL('../../src/index.js', import.meta.url).href);
  const program = `
    import { createServer } from ${entry};
    const server = await createServer({ inMemory: true });
    await server.createAccount('ann');
    console.log((await server.client({ account: 'ann' }).post('/projects', { body: {} })).name);`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  t.strictSame([stdout, stderr], ['Untitled Project\n', '']);
});

t.test('two servers in memory share no data', async (t) => {
  const [one, other] = [await createServer(quiet()), await createServer(quiet())];
  t.teardown(() => Promise.all([one.close(), other.close()]));
  const { key } = await one.createKey('ann');
  const { url } = await other.listen(0);
  t.equal((await ask({ url, key }, 'GET', '/v1/projects')).status, 401);
  t.strictSame(await other.accounts(), []);
});

t.test('options and calls that need a folder are refused by a server in memory', async (t) => {
  const refused: [Partial<ServerOptions>, RegExp][] = [
    [{ data: 'maps' }, /"data" of createServer requires a data folder, which "inMemory" does not have: omit one of them/],
    [{ backup: { dir: 'backups', everyMs: 1000, keep: 1 } }, /"backup"/],
    [{ auditLog: true }, /"auditLog"/],
    [{ sync: 'never' }, /"sync"/],
    [{ segmentBytes: 1024 * 1024 }, /"segmentBytes"/],
    [{ snapshotBytes: 1 }, /"snapshotBytes"/],
    [{ snapshotMinutes: 1 }, /"snapshotMinutes"/],
    [{ snapshotPauseMs: 1 }, /"snapshotPauseMs"/],
  ];
  for (const [options, message] of refused) {
    const wrong = { ...quiet(), ...options } as unknown as InMemoryServerOptions;
    await t.rejects(createServer(wrong), { name: 'TypeError', message });
  }
  const server = await createServer(quiet());
  t.teardown(() => server.close());
  await server.createAccount('ann');
  await t.rejects(server.snapshot(), FolderError);
  await t.rejects(server.snapshot(), { message: /keeps everything in memory/ });
  await t.rejects(server.backup('backups'), FolderError);
  t.notOk(fs.existsSync('backups'));
  t.equal(server.schedule, undefined);
});

t.test('the change feed resumes from the log in memory, or sends a reset', async (t) => {
  const { server, key, url, id, create } = await withProject(t);
  const version = async () => String((await ask({ url, key }, 'GET', `/v1/projects/${id}`)).headers.etag).slice(1, -1);
  const early = await version();
  const { id: popup_id } = await create({ title: 'one' });
  await create({ title: 'two' });
  const received = await follow(url, key, early, /event: popup\.created[\s\S]*event: popup\.created[\s\S]*\nid: .*\n/);
  t.strictSame(
    Array.from(received.matchAll(/"title":"(\w+)"/g), ([, title]) => title),
    ['one', 'two'],
  );
  t.notMatch(received, /event: reset/);
  // A record of more than all that the log keeps: a few megabytes for each of some popups.
  for (let i = 0; i < 6; i++)
    await server.client({ account: 'ann' }).patch('/projects/{project_id}/popups/{popup_id}', {
      params: { path: { project_id: id, popup_id } },
      body: { content: `${i}`.repeat(3 * 1024 * 1024) },
    });
  const reset = await follow(url, key, early, /event: reset\ndata: .*\nid: .*\n/);
  t.match(reset, /event: reset\ndata: \{"reason":"too_old","version":".*"\}/, 'it says so where it does not');
  const elsewhere = await follow(url, key, '0123456789abcdef-1', /event: reset\ndata: .*\n/);
  t.match(elsewhere, /"reason":"unknown"/, 'and of another server nothing is known');
});

t.test('subscribers of a server in memory get a large record completely', async (t) => {
  const { key, url, create } = await withProject(t);
  const following = follow(url, key, '', /event: popup\.created[\s\S]*"title":"after"[\s\S]*\nid: .*\n/, () =>
    create({ title: 'long', content: 'x'.repeat(3 * 1024 * 1024) }).then(() => create({ title: 'after' })),
  );
  const received = await following;
  t.strictSame(
    Array.from(received.matchAll(/"title":"(\w+)"/g), ([, title]) => title),
    ['long', 'after'],
  );
});

/** A server with a project in it. */
async function withProject(t: Test) {
  const server = await createServer(quiet());
  t.teardown(() => server.close());
  const { key } = await server.createKey('ann');
  const { url } = await server.listen(0);
  const client = server.client({ account: 'ann' });
  const { id } = await client.post('/projects', { body: {} });
  const create = (body: PopupCreate) =>
    client.post('/projects/{project_id}/popups', { params: { path: { project_id: id } }, body });
  return { server, key, url, id, create };
}

/** The text of a subscription until it matches. @param begun called once the stream has begun */
async function follow(url: string, key: string, after: string, wanted: RegExp, begun?: () => Promise<unknown>): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, ...(after === '' ? {} : { 'last-event-id': after }) };
  const stop = new AbortController();
  const { body } = await fetchDescribed(`${url}/v1/events`, { headers, signal: stop.signal });
  let text = '';
  let writing: Promise<unknown> | undefined;
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
    if (/^id: /m.test(text)) writing ??= begun?.();
    if (wanted.test(text)) break;
  }
  await writing;
  stop.abort();
  return text;
}
