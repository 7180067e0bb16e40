/** The events that a server emits for its host program. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createServer, type MapwrightServer, type ServerEvents, type ServerOptions } from '../../src/index.ts';
import { type Logged, recordingLog } from '../support/engine.ts';
import { serverOfTier } from '../support/mapwright.ts';
import { temporaryFolder } from '../support/process.ts';

async function started(
  t: Pick<Test, 'teardown'>,
  options: Partial<ServerOptions> = {},
): Promise<{ server: MapwrightServer; logged: Logged }> {
  const { log, logged } = recordingLog();
  const server = await serverOfTier({ data: path.join(temporaryFolder(t), 'data'), log, segmentBytes: 1024 * 1024, ...options });
  t.teardown(() => server.close());
  return { server, logged };
}

t.test('"ready" is emitted once, after createServer returned, with the report of the recovery', async (t) => {
  const { server } = await started(t);
  const emitted: unknown[] = [];
  server.on('ready', (recovery) => emitted.push(recovery));
  const [recovery] = (await once(server, 'ready')) as ServerEvents['ready'];
  t.equal(recovery, server.recovery);
  await new Promise(setImmediate);
  t.strictSame(emitted, [server.recovery]);
});

t.test('"durable" names only durable LSNs, in ascending order, up to the last one', async (t) => {
  for (const { server } of [await started(t), { server: await createServer({ inMemory: true, log: recordingLog().log }) }]) {
    t.teardown(() => server.close());
    const emitted: number[] = [];
    const heard = new Promise<void>((resolve) => {
      server.on('durable', ({ lsn, version }) => {
        emitted.push(lsn);
        if (!version.endsWith(`-${lsn.toString(36)}`)) t.fail(`${version} is not ${lsn}`);
        if (lsn === 22) resolve();
      });
    });
    let calls = 0;
    server.once('durable', () => calls++);
    await server.createAccount('ann');
    const client = server.client({ account: 'ann' });
    const { id: project_id } = await client.post('/projects', { body: {} });
    const create = () => client.post('/projects/{project_id}/popups', { params: { path: { project_id } }, body: {} });
    const popups = Array.from({ length: 20 }, create);
    await Promise.all(popups);
    await heard;
    t.strictSame(
      emitted,
      [...new Set(emitted)].sort((a, b) => a - b),
    );
    void create();
    await server.close();
    t.equal(emitted.at(-1), 23, 'before the server is closed');
    t.ok(emitted.length < 22, 'records that become durable together give one event');
    t.equal(calls, 1, 'of a listener that is called once');
  }
});

t.test('"snapshot" is emitted with the report of the snapshot', async (t) => {
  const { server } = await started(t);
  await server.createAccount('ann');
  const heard = once(server, 'snapshot');
  const report = await server.snapshot();
  t.strictSame(await heard, [report]);
  t.match(report, { lsn: 1, records: 1 });
});

t.test('"fault" and "cleared" are emitted for an alarm, with its remedy', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const { server, logged } = await started(t, { data });
  await server.createAccount('ann');
  await server.snapshot();
  await server.createAccount('ben');
  // Where snapshots are is something else now.
  const folder = path.join(data, 'snapshots');
  fs.renameSync(folder, `${folder}.away`);
  fs.writeFileSync(folder, '');
  const heard = once(server, 'alarm');
  await t.rejects(server.snapshot());
  const [fault] = (await heard) as ServerEvents['alarm'];
  const saidOf = (alarm: string) => logged.filter(([, fields]) => fields['alarm'] === alarm).map(([, , message]) => message);
  t.match(fault, { name: 'snapshot_failing', details: { failures: 1 } });
  t.strictSame([fault.message], saidOf('snapshot_failing'), 'as in the log');
  fs.rmSync(folder);
  fs.renameSync(`${folder}.away`, folder);
  const over = once(server, 'cleared');
  await server.snapshot();
  const [cleared] = (await over) as ServerEvents['cleared'];
  t.strictSame(cleared, { name: 'snapshot_failing', message: saidOf('snapshot_failing')[1] });
});

t.test('a failing listener does not affect writes or other listeners', async (t) => {
  const { server, logged } = await started(t);
  const emitted: number[] = [];
  // @ts-expect-error a misspelt event would never be emitted
  server.off('durabel', () => undefined);
  server.on('durable', () => {
    throw new Error('mine');
  });
  server.on('durable', () => Promise.reject(new Error('late')) as never);
  const heard = new Promise<void>((resolve) => {
    server.on('durable', ({ lsn }) => {
      emitted.push(lsn);
      if (lsn === 2) resolve();
    });
  });
  await server.createAccount('ann');
  t.match(await server.client({ account: 'ann' }).post('/projects', { body: {} }), { name: 'Untitled Project' });
  await heard;
  await new Promise(setImmediate);
  t.strictSame(emitted, [1, 2]);
  const failures = logged.filter(([, , message]) => message.startsWith('a listener for "durable" threw an error'));
  t.strictSame(
    failures.map(([level, { err }]) => [level, (err as Error).message]),
    [
      ['error', 'mine'],
      ['error', 'late'],
      ['error', 'mine'],
      ['error', 'late'],
    ],
  );
});

/** A program whose log is taken away from it: prints its events, and ends as it should. */
const program = `
import fs from 'node:fs';
import { createServer } from ${JSON.stringify(new URL('../../src/index.js', import.meta.url).href)};
const data = process.argv[1];
const log = { info() {}, warn() {}, error: (fields, message) => console.log('log', message) };
const onFatal = () => {
  console.log('onFatal');
  Promise.allSettled([writing, client.get('/projects')]).then(([wrote, read]) => {
    console.log('refused', wrote.reason.code, read.reason.code, read.reason.detail);
    process.exit(1);
  });
};
const server = await createServer({ data, log, segmentBytes: 1024 * 1024, onFatal });
await server.createAccount('ann');
server.on('alarm', ({ name, message, details }) => console.log(name, message, details.error instanceof Error));
for (const fd of fs.readdirSync('/proc/self/fd')) {
  const name = '/proc/self/fd/' + fd;
  if (fs.existsSync(name) && fs.readlinkSync(name).startsWith(data + '/journal')) fs.closeSync(Number(fd));
}
const client = server.client({ account: 'ann' });
const writing = client.post('/projects', { body: {} });
`;

t.test(
  'a fatal error emits "fatal" and calls onFatal before the process ends',
  { skip: process.platform !== 'linux' && 'finds descriptors in /proc' },
  async (t) => {
    const data = path.join(temporaryFolder(t), 'data');
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, data]);
    const { code, stdout } = (await ended.catch((error: unknown) => error)) as { code: number; stdout: string };
    const message = 'the journal has failed: nothing is acknowledged any more, the process must end';
    t.strictSame(stdout.trim().split('\n'), [
      `log ${message}`,
      `fatal ${message} true`,
      'onFatal',
      'refused unavailable unavailable The server has failed and must be restarted.',
    ]);
    t.equal(code, 1);
  },
);
