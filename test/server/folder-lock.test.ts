/** One process at a time has a data folder, by any path, and also after its file `lock` was deleted. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { createServer } from '../../src/index.ts';
import { recordingLog } from '../support/engine.ts';
import { must, run, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const flags = ['--segment-mb', '1'];
const second = (data: string) => run(['serve', '--data', data, '--port', '0', ...flags]);

t.test('a second server on a folder is refused immediately with the process that holds it', async (t) => {
  const data = temporaryFolder(t);
  const server = await serve(t, data, flags);
  const link = path.join(temporaryFolder(t), 'link');
  fs.symlinkSync(data, link);
  for (const name of [data, link]) {
    const { code, stderr } = await second(name);
    t.equal(code, 1);
    t.match(stderr, new RegExp(`in use by process ${server.child.pid} on .*Stop that process`));
  }
  // A killed process leaves its text, and no lock.
  await server.end('SIGKILL');
  const next = await serve(t, data, flags, server.key);
  t.match(fs.readFileSync(path.join(data, 'lock'), 'utf8'), new RegExp(`^process ${next.child.pid} on [^\n]*\n$`));
  t.strictSame(await must(next, 'GET', '/projects'), []);
  t.equal((await next.end('SIGTERM')).code, 0);
});

test.all('a second server is refused after the file "lock" was deleted, and the file is created again', async (t) => {
  const data = temporaryFolder(t);
  const lock = path.join(data, 'lock');
  const server = await serve(t, data, flags);
  for (let i = 0; i < 60; i++) {
    if (i % 20 === 0) {
      fs.rmSync(lock, { force: true });
      const { code, stderr } = await second(data);
      t.equal(code, 1);
      t.match(stderr, /is in use by (a )?process/);
    }
    await must(server, 'POST', '/projects', { name: `${i} ${'x'.repeat(50_000)}` });
  }
  fs.rmSync(lock, { force: true });
  const isSigned = () => fs.existsSync(lock) && fs.readFileSync(lock, 'utf8').startsWith(`process ${server.child.pid} on `);
  while (!isSigned()) await new Promise((resolve) => setTimeout(resolve, 20));
  t.match((await second(data)).stderr, new RegExp(`in use by process ${server.child.pid} on`));
  t.match(server.stderr, /the lock file of the data folder was deleted while this process/);
  t.equal((await must(server, 'GET', '/projects?fields=name')).length, 60);
  const { code, stdout } = await run(['verify', '--data', data]);
  t.equal(code, 0, stdout);
  t.equal((await server.end('SIGTERM')).code, 0);
  const again = await serve(t, data, flags, server.key);
  t.equal((await must(again, 'GET', '/projects?fields=name')).length, 60);
});

t.test('immediately after the file "lock" was deleted, the log shows that another process writes it', async (t) => {
  const options = { data: temporaryFolder(t), segmentBytes: 1024 * 1024, log: recordingLog().log };
  const first = await createServer(options);
  await first.createKey('ann');
  fs.unlinkSync(path.join(options.data, 'lock'));
  await t.rejects(createServer(options), /in use by a process whose file "lock" was deleted/);
  await first.createKey('bob');
  await first.close();
  const next = await createServer(options);
  t.equal((await next.keys()).length, 2);
  await next.close();
});

t.test('a symbolic link in place of the file "lock" is refused and its target is not written', async (t) => {
  const [data, victim] = [temporaryFolder(t), path.join(temporaryFolder(t), 'victim')];
  fs.writeFileSync(victim, 'mine');
  fs.symlinkSync(victim, path.join(data, 'lock'));
  await t.rejects(createServer({ data, log: recordingLog().log }), /replaces the file "lock": delete it/);
  t.equal(fs.readFileSync(victim, 'utf8'), 'mine');
});
