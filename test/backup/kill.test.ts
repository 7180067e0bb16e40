// tier: all, process: own
/** Servers and commands killed during a backup or a restore leave only complete results. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { ProgressCounter } from '../../src/lib/threads/progress-counter.ts';
import { checkBackup } from '../../src/storage/backup/restore-backup.ts';
import { Command, must, run, type Served, serve, temporaryFolder } from '../support/process.ts';

t.setTimeout(600_000);

const projects = 8;
const namesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);

/** Six megabytes, so that there is a middle. */
async function fill(server: Served): Promise<void> {
  const popups = Array.from({ length: 150 }, () => ({ content: 'x'.repeat(5000) }));
  for (let n = 0; n < projects; n++) await must(server, 'POST', '/projects', { name: `${n}`, popups });
}

t.test('a server killed during backups leaves only complete backups, and the next one removes the rest', async (t) => {
  const home = temporaryFolder(t);
  const [data, dir] = [path.join(home, 'data'), path.join(home, 'backups')];
  let server = await serve(t, data);
  await fill(server);
  let torn = 0;
  for (let i = 0; i < 5; i++) {
    const before = namesIn(dir).length;
    const backing = run(['backup', `${dir}/`, '--data', data]);
    while (namesIn(dir).length === before) await delay(1);
    await delay(i * 25);
    await server.end('SIGKILL');
    // Without the server the command does it by itself, or says that it was left alone.
    await backing;
    const names = namesIn(dir);
    torn += names.some((name) => name.endsWith('.tmp')) ? 1 : 0;
    for (const name of names.filter((listed) => listed.endsWith('.backup')))
      checkBackup(nodeFiles, path.join(dir, name), new ProgressCounter());
    server = await serve(t, data, [], server.key);
  }
  t.ok(torn > 0, `${torn} were cut short`);
  await server.end('SIGTERM');
  server = await serve(t, data, ['--backup-dir', dir, '--backup-every', '1s', '--backup-keep', '3'], server.key);
  await must(server, 'POST', '/projects', { name: 'one more' });
  while (!server.stderr.includes('backup written')) await delay(20);
  t.strictSame(
    namesIn(dir).filter((name) => name.endsWith('.tmp')),
    [],
  );
  await server.end('SIGTERM');
  const whole = path.join(home, 'whole');
  const { code, stderr } = await run(['restore', '--from', dir, '--log', data, '--data', whole]);
  t.equal(code, 0, stderr);
  const again = await serve(t, whole, [], server.key);
  t.equal((await must(again, 'GET', '/projects?fields=name')).length, projects + 1, 'everything is there');
});

t.test('a killed restore leaves a complete folder or none that a server accepts', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data);
  await fill(server);
  const file = path.join(home, 'whole.backup');
  t.equal((await run(['backup', file, '--data', data])).code, 0);
  await server.end('SIGTERM');
  const counts = { whole: 0, empty: 0, unfinished: 0 };
  for (let i = 0; i < 6; i++) {
    const folder = path.join(home, `r${i}`);
    const restoring = new Command(['restore', file, '--data', folder]);
    while (restoring.child.exitCode === null && namesIn(folder).length < 2) await delay(1);
    await delay(i * 12);
    await restoring.end('SIGKILL');
    const names = namesIn(folder);
    const second = await run(['restore', file, '--data', folder]);
    if (names.includes('journal')) {
      counts.whole++;
      t.equal(second.code, 1);
      const { code, stdout } = await run(['verify', '--data', folder]);
      t.equal(code, 0, stdout);
    } else if (names.some((name) => name !== 'lock')) {
      counts.unfinished++;
      t.equal(second.code, 1);
      t.match(second.stderr, /was interrupted.*Delete the folder and run the command again/);
      const { code, stderr } = await run(['serve', '--data', folder, '--port', '0']);
      t.equal(code, 1, 'no server takes it for a data folder');
      t.match(stderr, /was interrupted: its contents are incomplete/);
    } else {
      counts.empty++;
      t.equal(second.code, 0, second.stderr);
    }
  }
  t.comment(counts);
  t.ok(counts.unfinished > 0, 'one was hit in the middle');
});
