/** During the recovery of a folder: the port is open, probes see the progress, and other requests get 503. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { CorruptError, createServer, type ServerOptions } from '../../src/index.ts';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { StartupListener } from '../../src/server/lifecycle/startup-listener.ts';
import { openServer } from '../../src/server/server.ts';
import { ask } from '../support/client.ts';
import { foldersIn, recordingLog } from '../support/engine.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const mebibyte = 1024 * 1024;

/** One in which everybody waits until the test lets them in. */
class HeldListener extends StartupListener {
  readonly opened = new Deferred<string>();
  readonly goOn = new Deferred<void>();

  constructor() {
    super(0, '127.0.0.1');
  }

  override async open(...args: Parameters<StartupListener['open']>): Promise<void> {
    await super.open(...args);
    this.opened.resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
    await this.goOn.promise;
  }
}

const optionsFor = (data: string): ServerOptions => ({ data, segmentBytes: mebibyte, log: recordingLog().log });

/** A folder with a project and some segments of log above no snapshot. */
async function filled(t: Pick<Test, 'teardown'>): Promise<{ data: string; key: string; project: string }> {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await createServer(optionsFor(data));
  const { url } = await server.listen(0);
  const { key } = await server.createKey('ann');
  const popups = Array.from({ length: 2000 }, (_, i) => ({ title: `popup ${i}`, content: 'x'.repeat(150) }));
  let project = '';
  for (let i = 0; i < 10; i++) project = (await ask({ url, key }, 'POST', '/v1/projects', { popups })).json.id;
  await server.close();
  return { data, key, project };
}

test.all('every path is answered during the recovery, and the server uses the same port afterwards', async (t) => {
  const { data, key, project } = await filled(t);
  const startup = new HeldListener();
  const opening = openServer({ ...optionsFor(data), cors: ['https://editor.example'] }, startup);
  t.teardown(async () => {
    startup.goOn.resolve();
    await (await opening).close();
  });
  const url = await startup.opened.promise;
  const at = { url, key };

  t.match(await ask({ url }, 'GET', '/healthz'), { status: 200, json: { status: 'ok' } });
  const ready = await ask({ url }, 'GET', '/readyz');
  t.strictSame([ready.status, ready.json], [503, { status: 'restoring', progress: 0 }]);
  const refused = { status: 503, headers: { 'retry-after': '1' }, json: { code: 'unavailable' } };
  const asked: [method: string, path: string, body?: object][] = [
    ['GET', `/v1/projects/${project}`],
    ['GET', '/api/v1/projects?limit=5'],
    ['POST', '/v1/projects', { name: 'too early' }],
    ['PATCH', `/v1/projects/${project}`, {}],
    ['DELETE', `/v1/projects/${project}`],
    ['GET', '/metrics'],
    ['GET', '/openapi.json'],
    ['GET', '/nothing/is/here'],
  ];
  for (const [method, target, body] of asked) t.match(await ask(at, method, target, body), refused, `${method} ${target}`);
  t.match((await ask({ url }, 'GET', '/v1/projects')).json, { code: 'unavailable' }, 'with any key: keys are not known yet');

  startup.counter.expect(1000);
  startup.counter.add(426);
  t.strictSame((await ask({ url }, 'GET', '/readyz')).json, { status: 'restoring', progress: 0.42 });

  const early = net.connect(Number(new URL(url).port), '127.0.0.1');
  await new Promise((resolve) => early.once('connect', resolve));
  await ask({ url }, 'GET', '/healthz');
  startup.goOn.resolve();
  const server = await opening;
  t.match(await ask(at, 'GET', `/v1/projects/${project}`), refused, 'restored, and not begun yet');
  t.strictSame((await server.handOver()).url, url);
  t.match(await ask({ url }, 'GET', '/readyz'), { status: 200, json: { status: 'ready' } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(at, 'GET', `/v1/projects/${project}`)));
  t.ok(answers.every(({ status, json }) => status === 200 && json.id === project));

  let received = '';
  early.setEncoding('utf8').on('data', (text: string) => (received += text));
  early.on('error', () => undefined).write('GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => early.once('close', resolve));
  t.notMatch(received, /restoring/, 'an early client gets no response of the recovery');

  await server.close();
  await t.rejects(ask({ url }, 'GET', '/healthz'), { code: 'ECONNREFUSED' }, 'closed with the server');
});

t.test('a recovery yields to the event loop and reports its progress', async (t) => {
  const { data } = await filled(t);
  const startup = new StartupListener(0, '127.0.0.1');
  const seen: number[] = [];
  const turns: number[] = [];
  let turn = 0;
  let over = false;
  const count = () => {
    turn++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  startup.counter.onAdd = () => {
    seen.push(startup.progress);
    turns.push(turn);
  };
  const server = await openServer(optionsFor(data), startup);
  over = true;
  t.teardown(() => server.close());
  t.ok(seen.length >= 4, `${seen.length} segments`);
  t.strictSame(seen, seen.toSorted(), 'it never goes back');
  t.equal(startup.counter.done, startup.counter.expected);
  t.equal(startup.progress, 1);
  t.ok((turns.at(-1) as number) > (turns[0] as number), 'others had their turns meanwhile');
  const { url } = await server.handOver();
  await server.snapshot();
  await server.close();
  await t.rejects(ask({ url }, 'GET', '/healthz'));

  const again = new StartupListener(0, '127.0.0.1');
  const second = await openServer(optionsFor(data), again);
  t.teardown(() => second.close());
  t.ok(second.recovery.snapshotLsn > 0);
  t.equal(again.counter.done, again.counter.expected, 'of a snapshot as well');
});

t.test('a failed recovery frees its port', async (t) => {
  const { data } = await filled(t);
  damage(data);
  const startup = new HeldListener();
  const opening = openServer(optionsFor(data), startup);
  const url = await startup.opened.promise;
  t.equal((await ask({ url }, 'GET', '/readyz')).status, 503);
  startup.goOn.resolve();
  await t.rejects(opening, CorruptError);
  await t.rejects(ask({ url }, 'GET', '/healthz'), { code: 'ECONNREFUSED' });
});

test.all('a port in use is reported before the folder is read', async (t) => {
  const { data } = await filled(t);
  damage(data);
  const busy = http.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  t.teardown(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const taken = await run(['serve', '--data', data, '--port', `${port}`]);
  t.strictSame([taken.code, taken.stdout], [1, '']);
  t.match(taken.stderr, `Port ${port} on 127.0.0.1 is in use. Try another`);
  const free = await run(['serve', '--data', data, '--port', '0']);
  t.equal(free.code, 3, 'where it is not, the damage');
});

/** Spoils a record of the first segment. */
function damage(data: string): void {
  const { journal } = foldersIn(data);
  const [first] = fs.readdirSync(journal).filter((name) => name.endsWith('.segment'));
  const file = path.join(journal, first as string);
  const bytes = fs.readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(600) ^ 1, 600);
  fs.writeFileSync(file, bytes);
}
