/** A disk that fills up: writes are refused, reads work, and writes resume when space is free. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createServer } from '../../src/index.ts';
import { ask } from '../support/client.ts';
import { foldersIn, recordingLog } from '../support/engine.ts';
import { must, run, serve } from '../support/process.ts';
import { signIn } from '../support/signed-in.ts';
import { fill, mebibyte, skipWithoutSmallDisk as skip, smallDisk } from '../support/small-disk.ts';
import { test } from '../support/test.ts';

t.test('on a full disk writes are 507 and reads work, and writes resume when space is free', { skip }, async (t) => {
  const disk = smallDisk(t, 8);
  const data = path.join(disk, 'data');
  const filler = path.join(disk, 'filler');
  const server = await serve(t, data, ['--segment-mb', '1']);
  // Two segments and the spare are there, at most; no other fits.
  fs.writeFileSync(filler, Buffer.alloc(5 * mebibyte));
  const acknowledged = new Map<string, string>();
  const write = async (size: number) => {
    for (;;) {
      const name = `${acknowledged.size} ${'x'.repeat(size)}`;
      const answer = await ask(server, 'POST', '/v1/projects', { name });
      if (answer.status === 200) acknowledged.set(answer.json.id, name);
      if (answer.status !== 503) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  // To the last sector: a small record may still fit where a large one does not.
  let refused = await write(60_000);
  for (const size of [60_000, 5000, 0]) {
    for (let i = 0; (i === 0 || refused.status === 200) && i < 1000; i++) refused = await write(size);
    t.equal(refused.status, 507, `${size} bytes`);
  }
  t.match(refused.headers['content-type'], /problem\+json/);
  t.notMatch(refused.text, /ENOSPC|\/journal|\/tmp/, 'no word about the server\u2019s insides');
  t.ok(acknowledged.size > 10);
  const [first] = acknowledged.keys();

  const list = async () => (await must(server, 'GET', '/projects?fields=name')).map(({ id }: { id: string }) => id);
  t.strictSame(await list(), [...acknowledged.keys()], 'reads go on, and show nothing that was refused');
  // A deletion needs a record too.
  t.equal((await ask(server, 'DELETE', `/v1/projects/${first}`)).status, 507);
  t.equal((await ask(server, 'PATCH', `/v1/projects/${first}`, {})).status, 200, 'what needs no record is answered');
  t.equal((await ask(server, 'GET', '/readyz')).status, 200);
  t.not((await run(['snapshot', '--data', data])).code, 0, 'a snapshot of everything is not possible either');
  // The server may be writing a snapshot itself.
  const half = () => fs.readdirSync(foldersIn(data).snapshots).some((name) => name.endsWith('.tmp'));
  while (half()) await new Promise((resolve) => setTimeout(resolve, 20));

  fs.unlinkSync(filler);
  let resumed = await write(60_000);
  for (let i = 0; resumed.status === 507 && i < 200; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    resumed = await write(60_000);
  }
  t.equal(resumed.status, 200, 'there is room: writes are taken again');
  t.strictSame(await list(), [...acknowledged.keys()]);
  await server.end('SIGKILL');
  const again = await serve(t, data, ['--segment-mb', '1'], server.key);
  const found = await must(again, 'GET', '/projects');
  t.strictSame(new Map(found.map(({ id, name }: { id: string; name: string }) => [id, name])), acknowledged);
});

test.all('a disk that the log has filled is freed by a snapshot that the server starts itself', { skip }, async (t) => {
  const data = path.join(smallDisk(t, 8), 'data');
  const server = await serve(t, data, ['--segment-mb', '1']);
  const { id } = await must(server, 'POST', '/projects', { name: 'small' });
  let last = '';
  /** Writes until there is no room, or until there is. */
  const writeUntil = async (wanted: number) => {
    for (let i = 0, status = 0; status !== wanted; i++) {
      if (i === 2000) throw new Error(`no ${wanted}`);
      const name = `${i} ${'x'.repeat(60_000)}`;
      ({ status } = await ask(server, 'PATCH', `/v1/projects/${id}`, { name }));
      if (status === 200) last = name;
      else await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await writeUntil(507);
  const { code, stderr } = await run(['snapshot', '--data', data]);
  t.equal(code, 0, stderr);
  await writeUntil(200);
  await writeUntil(507);
  await writeUntil(200);
  await server.end('SIGKILL');
  const again = await serve(t, data, ['--segment-mb', '1'], server.key);
  t.equal((await must(again, 'GET', `/projects/${id}`)).name, last);
});

test.all('a server starts and serves reads on a disk without space for a spare segment', { skip }, async (t) => {
  const disk = smallDisk(t, 8);
  const data = path.join(disk, 'data');
  const server = await serve(t, data, ['--segment-mb', '1']);
  const made = await must(server, 'POST', '/projects', { name: 'kept' });
  await server.end('SIGKILL');
  // Without the spare, which would take another megabyte.
  for (const name of fs.readdirSync(foldersIn(data).journal)) {
    if (name.startsWith('spare')) fs.unlinkSync(path.join(foldersIn(data).journal, name));
  }
  const filler = fs.openSync(path.join(disk, 'filler'), 'w');
  try {
    for (;;) fs.writeSync(filler, Buffer.alloc(64 * 1024));
  } catch (error) {
    t.match(error, { code: 'ENOSPC' });
  }
  fs.closeSync(filler);
  const again = await serve(t, data, ['--segment-mb', '1'], server.key);
  t.strictSame(await must(again, 'GET', '/projects'), [made]);
  t.equal((await ask(again, 'POST', '/v1/projects', {})).status, 507);
  fs.unlinkSync(path.join(disk, 'filler'));
  let status = 507;
  for (let i = 0; status !== 200 && i < 200; i++) {
    status = (await ask(again, 'POST', '/v1/projects', {})).status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  t.equal(status, 200);
  t.equal((await again.end('SIGTERM')).code, 0);
});

t.test('a new data folder that does not fit is refused with a message, and opens once space is free', { skip }, async (t) => {
  const disk = smallDisk(t, 1);
  const data = path.join(disk, 'data');
  await t.rejects(serve(t, data, ['--segment-mb', '1']), { message: /ended \(1\)/ });
  t.equal(spawnSync('mount', ['-o', 'remount,size=8m', disk]).status, 0);
  const server = await serve(t, data, ['--segment-mb', '1']);
  await must(server, 'POST', '/projects', {});
  t.equal((await server.end('SIGTERM')).code, 0);
});

t.test('people read with their sessions while a full disk keeps the server from extending these', { skip }, async (t) => {
  const disk = smallDisk(t, 8);
  const time = { now: Date.UTC(2030, 0, 1) };
  const quiet = { snapshotPauseMs: 0, auditLog: false, log: recordingLog().log };
  const server = await createServer({ data: path.join(disk, 'data'), segmentBytes: mebibyte, clock: () => time.now, ...quiet });
  t.teardown(() => server.close());
  await server.createKey('ann');
  const { port } = await server.listen(0);
  const browser = await signIn({ port, server });
  const expires = async (): Promise<string> => (await browser.ask('GET', '/console/session')).json.expires;
  fs.closeSync(fill(disk));
  const write = () => browser.ask('POST', '/v1/projects', { name: 'x'.repeat(60_000) });
  const writeUntil = async (wanted: number) => {
    for (let i = 0; (await write()).status !== wanted; i++) {
      if (i === 500) throw new Error(`no ${wanted}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await writeUntil(507);
  // A record of a session is smaller.
  while ((await browser.ask('POST', '/v1/projects', {})).status === 200);
  time.now += 2 * 24 * 3_600_000;
  t.equal((await browser.ask('GET', '/v1/projects')).status, 200);
  t.equal(await expires(), '2030-01-31T00:00:00.000Z');
  fs.unlinkSync(path.join(disk, 'filler'));
  await writeUntil(200);
  time.now += 3_600_000;
  t.equal(await expires(), '2030-02-02T01:00:00.000Z', 'extended as soon as there is room');
});
