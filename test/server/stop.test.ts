/** How the process ends: after a signal, immediately after a second one, and by itself if it can no longer be durable. */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t from 'tap';
import { ask } from '../support/client.ts';
import { foldersIn } from '../support/engine.ts';
import { hooked } from '../support/hook.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const flags = ['--segment-mb', '1'];

/** A request that is half sent; the connection, once the server has read that half. */
async function halfSent(server: Served): Promise<{ socket: net.Socket; rest: string; received: () => string }> {
  const body = JSON.stringify({ name: 'in flight' });
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (part) => (received += part)).on('error', () => undefined);
  const head = `POST /v1/projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\ncontent-length: ${body.length}\r\n`;
  await new Promise((resolve) => socket.write(`${head}\r\n${body.slice(0, 4)}`, resolve));
  for (let i = 0; i < 3; i++) await ask(server, 'GET', '/healthz');
  return { socket, rest: body.slice(4), received: () => received };
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  const declare = signal === 'SIGTERM' ? t.test : test.all;
  declare(`${signal} finishes requests in flight, keeps every write, and exits with 0`, async (t) => {
    const folder = temporaryFolder(t);
    const server = await serve(t, folder, flags);
    const made = await must(server, 'POST', '/projects', { name: 'kept' });
    const { socket, rest, received } = await halfSent(server);
    const over = new Promise((resolve) => socket.once('close', resolve));
    server.child.kill(signal);
    await server.printed(/finishing requests in flight/);
    const { status, json } = await ask(server, 'GET', '/readyz');
    t.strictSame([status, json], [503, { status: 'draining' }]);
    t.match(
      await ask(server, 'POST', '/v1/projects', {}),
      { status: 503, headers: { 'retry-after': '5' } },
      'nothing new is begun',
    );
    t.equal((await ask(server, 'GET', '/healthz')).status, 200);
    socket.write(rest);
    await over;
    t.match(received(), /^HTTP\/1.1 200 /);
    const { code, signal: killed, stdout, stderr } = await server.ended;
    t.strictSame([code, killed], [0, null]);
    t.match(stdout, /Goodbye/);
    t.notMatch(stderr, /"level":[456]0/, 'nothing went wrong');
    t.notOk(fs.existsSync(path.join(folder, 'control.sock')));
    const verified = JSON.parse((await run(['verify', '--json', '--data', folder])).stdout);
    t.strictSame(verified.findings, []);
    t.equal(verified.restores.projects, 2);
    const again = await serve(t, folder, flags, server.key);
    t.strictSame(await must(again, 'GET', `/projects/${made.id}`), made);
  });
}

test.all('a client that reads a complete response during the stop gets all of it', async (t) => {
  const server = await serve(t, temporaryFolder(t), ['--body-mb', '8']);
  const { id } = await must(server, 'POST', '/projects', { popups: [{ content: 'x'.repeat(6_000_000) }] });
  const [popup] = await must(server, 'GET', `/projects/${id}/popups?fields=id`);
  const paths = [`/projects/${id}`, `/projects/${id}/popups`, `/projects/${id}/popups/${popup.id}`];
  const expected = new Map(await Promise.all(paths.map(async (path) => [path, await ask(server, 'GET', `/v1${path}`)] as const)));
  const readers = paths.map((path) => {
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`GET /v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n\r\n`);
    let text = '';
    const over = new Promise<void>((resolve) => socket.on('data', (part) => (text += part)).once('close', resolve));
    socket.once('data', () => socket.pause());
    return { path, socket, over, text: () => text };
  });
  // Each has its headers, and has stopped reading.
  while (readers.some(({ text }) => text() === '')) await new Promise((resolve) => setTimeout(resolve, 5));
  server.child.kill('SIGTERM');
  await server.printed(/finishing requests in flight/);
  for (const { socket } of readers) socket.resume();
  for (const { path, over, text } of readers) {
    await over;
    const { text: whole } = expected.get(path) as { text: string };
    // A stream comes in chunks, with their lengths between them.
    t.ok(
      text()
        .replaceAll(/(\r\n)?[0-9a-f]*\r\n/g, '')
        .endsWith(whole.slice(-20)),
      `${path}: ${text().length} characters`,
    );
    t.ok(text().length > 6_000_000);
  }
  t.equal((await server.ended).code, 0);
});

t.test('a second signal ends the process immediately, and no acknowledged write is lost', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, flags);
  const made = await must(server, 'POST', '/projects', { name: 'kept' });
  const { socket } = await halfSent(server);
  server.child.kill('SIGTERM');
  await server.printed(/finishing requests in flight/);
  const { code, stdout } = await server.end('SIGTERM');
  t.not(code, 0, 'the request in flight was not waited for');
  t.notMatch(stdout, /Goodbye/);
  socket.destroy();
  const again = await serve(t, folder, flags, server.key);
  t.strictSame(await must(again, 'GET', '/projects'), [made]);
});

t.test('a stop aborts a running snapshot', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, flags);
  await must(server, 'POST', '/projects', { popups: Array.from({ length: 2000 }, (_, i) => ({ name: `${i}` })) });
  const socket = net.connect(path.join(folder, 'control.sock'));
  socket.on('error', () => undefined).write('{"verb":"snapshot","args":{}}\n');
  // The log has been sealed when there is a second segment: the snapshot starts.
  const segments = () => fs.readdirSync(foldersIn(folder).journal).filter((name) => name.endsWith('.segment'));
  while (segments().length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
  const { code, stderr } = await server.end('SIGTERM');
  t.equal(code, 0);
  t.notMatch(stderr, /"level":50/);
  const again = await serve(t, folder, flags, server.key);
  t.equal((await must(again, 'GET', '/projects'))[0].popups.length, 2000);
  t.strictSame(
    fs.readdirSync(foldersIn(folder).snapshots).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

const eio = "throw Object.assign(new Error('EIO: i/o error, write'), { errno: -5, code: 'EIO', syscall: 'write' })";

/** What dies in the flusher's thread. */
const deaths = [
  { what: 'a sync fails', call: 'fdatasyncSync', how: eio },
  { what: 'a write fails', call: 'writeSync', how: eio },
  { what: 'the thread exits', call: 'fdatasyncSync', how: 'process.exit(0)' },
];

for (const { what, call, how } of deaths) {
  const declare = what === 'a sync fails' ? t.test : test.all;
  declare(`if ${what} in the flusher, the process ends, and a restart has every acknowledged write`, async (t) => {
    const folder = temporaryFolder(t);
    const sabotage = `import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { syncBuiltinESMExports } from 'node:module';
if (!isMainThread) {
  const called = fs.${call};
  let left = 40;
  fs.${call} = (...args) => {
    if (left-- <= 0) ${how};
    return called(...args);
  };
  syncBuiltinESMExports();
}
`;
    const data = path.join(folder, 'data');
    const server = await serve(t, data, flags, undefined, hooked(folder, 'hook', sabotage));
    const acknowledged: string[] = [];
    let refused = 0;
    const write = async (name: string): Promise<void> => {
      const answer = await ask(server, 'POST', '/v1/projects', { name }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(answer.json.id);
      else refused++;
    };
    for (let i = 0; i < 400 && refused === 0; i++) await Promise.all(Array.from({ length: 4 }, (_, n) => write(`${i} ${n}`)));
    t.ok(refused > 0, 'a write was not acknowledged');
    const { code, signal, stderr } = await server.ended;
    t.strictSame([code, signal], [1, null]);
    t.match(stderr, /the journal has failed/);
    t.ok(acknowledged.length > 0);
    const again = await serve(t, data, flags, server.key);
    const found = new Set((await must(again, 'GET', '/projects')).map(({ id }: { id: string }) => id));
    for (const id of acknowledged) t.ok(found.has(id), id);
    t.ok(found.size <= acknowledged.length + refused);
  });
}
