/** A start that fails after the log is open: everything is closed, the process ends, and the folder is free. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { openEngine } from '../../src/engine/open-engine.ts';
import { createServer } from '../../src/index.ts';
import { ask } from '../support/client.ts';
import { foldersIn, recordingLog } from '../support/engine.ts';
import { Command, must, run, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const segmentBytes = 1024 * 1024;

t.test('after a failed start another server opens the folder once the cause is gone', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const { log } = recordingLog();
  const dir = temporaryFolder(t);
  let late = 0;
  // Looked at once more when the log, the backups and the control socket are there.
  const options = {
    data,
    log,
    segmentBytes,
    backup: { dir, everyMs: 3_600_000, keep: 2 },
    get rateLimit(): string {
      if (fs.existsSync(path.join(data, 'journal')) && late++ >= 0) throw new Error('made up');
      return '100/s';
    },
  };
  for (let i = 0; i < 2; i++) await t.rejects(createServer(options), { message: 'made up' });
  t.ok(late >= 2, 'it failed late');
  t.ok(fs.existsSync(path.join(data, 'format')), 'after the log was open');
  const server = await createServer({ data, log, segmentBytes });
  t.teardown(() => server.close());
  t.ok((await server.createKey('ann')).key);
});

t.test('a failed start of the engine closes the log again', async (t) => {
  const data = temporaryFolder(t);
  const { log } = recordingLog();
  const options = { log, segmentBytes, onFatal: (error: unknown) => t.fail(String(error)) };
  const schemas = { popups: { type: 'no type' } } as never;
  for (let i = 0; i < 2; i++) await t.rejects(openEngine(foldersIn(data), { ...options, schemas }));
  const { engine } = await openEngine(foldersIn(data), options);
  t.equal(engine.journal.nextLsn, 1);
  await engine.close();
});

/** Has a server fail when it makes its metrics: the log, the backups and the port are open by then. */
const failing = `
import { createRequire, syncBuiltinESMExports } from 'node:module';
const hooks = createRequire(import.meta.url)('node:perf_hooks');
hooks.monitorEventLoopDelay = () => {
  throw new Error('made up');
};
syncBuiltinESMExports();
`;

test.all('a failed serve exits with 1 and the reason, and the next one serves', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const hook = path.join(home, 'failing.mjs');
  fs.writeFileSync(hook, failing);
  const flags = ['--backup-dir', temporaryFolder(t)];
  const command = new Command(['serve', '--data', data, '--port', '0', ...flags], {
    env: { NODE_OPTIONS: `--import=${hook}` },
  });
  t.teardown(() => command.end('SIGKILL'));
  const { code, stderr } = await command.ended;
  t.equal(code, 1);
  t.match(stderr, /^made up$/m);
  t.ok(fs.existsSync(path.join(data, 'format')), 'it failed after the log was open');
  const server = await serve(t, data, flags);
  await must(server, 'POST', '/projects', {});
  t.equal((await server.end('SIGTERM')).code, 0);
});

test.all('a server starts with an alarm if a folder is in place of an old snapshot', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const first = await serve(t, data);
  for (let i = 0; i < 3; i++) {
    await must(first, 'POST', '/projects', { name: `${i}` });
    t.equal((await run(['snapshot', '--data', data])).code, 0);
  }
  await first.end('SIGTERM');
  const { snapshots } = foldersIn(data);
  const stuck = path.join(snapshots, '0000000000000001.snapshot');
  fs.mkdirSync(path.join(stuck, 'in'), { recursive: true });
  const server = await serve(t, data, [], first.key);
  t.equal((await must(server, 'GET', '/projects')).length, 3);
  t.match((await ask(server, 'GET', '/metrics')).text, /^mapwright_alarm\{name="cleanup_failing"\} 1$/m);
  await must(server, 'POST', '/projects', {});
  const { code, stdout } = await run(['snapshot', '--data', data]);
  t.equal(code, 0);
  t.match(stdout, /1 record added/);
  t.ok(fs.existsSync(stuck));
  t.equal((await run(['verify', '--data', data])).code, 3, 'verify reports what cannot be read');
});

t.test('a start does not wait for a named pipe in place of a file, and names it', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const { log, logged } = recordingLog();
  const start = () => createServer({ data, log, segmentBytes });
  const server = await start();
  await server.createKey('ann');
  await server.snapshot();
  await server.close();
  const { journal, snapshots, marker } = foldersIn(data);
  const newest = (folder: string) => path.join(folder, fs.readdirSync(folder).findLast((name) => /^\d/.test(name)) as string);
  const lock = path.join(data, 'lock');
  for (const file of [newest(journal), marker, lock]) {
    fs.renameSync(file, `${data}.aside`);
    execFileSync('mkfifo', [file]);
    await t.rejects(start(), { message: new RegExp(`${file}.*it is a named pipe, not a file`) }, file);
    fs.renameSync(`${data}.aside`, file);
  }
  const [snapshot, lastUse] = [newest(snapshots), path.join(data, 'last-use.json')];
  for (const file of [snapshot, lastUse]) {
    fs.rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
  }
  const again = await start();
  t.teardown(() => again.close());
  t.match(again.recovery.damaged, [{ file: snapshot }], 'the log from its beginning is used instead');
  t.ok(logged.some(([, fields]) => fields['file'] === lastUse));
});
