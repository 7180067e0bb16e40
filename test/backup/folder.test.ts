// tier: normal
/** The folder of scheduled backups: missing at startup, later, unmounted and restored; files that cannot be deleted. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createServer } from '../../src/index.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { readHistory } from '../../src/storage/backup/backup-history.ts';
import { planRestore } from '../../src/storage/backup/restore-backup.ts';
import { readSnapshotHeader } from '../../src/storage/snapshot/format/read-header.ts';
import { recordingLog } from '../support/engine.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

t.setTimeout(600_000);

/** A server that backs up into `dir` every second. */
async function backingUp(t: Test, dir: string, later = false) {
  const { log, logged } = recordingLog();
  const data = path.join(temporaryFolder(t), 'data');
  const options = { data, log, segmentBytes: 1024 * 1024, snapshotPauseMs: 0, backup: { dir, everyMs: 1000, keep: 9, later } };
  const server = await createServer(options);
  t.teardown(() => server.close());
  const until = async (holds: () => boolean) => {
    for (let i = 0; !holds(); i++) {
      if (i === 400) throw new Error(JSON.stringify(logged.slice(-5)));
      await delay(50);
    }
  };
  let written = 0;
  const write = async () => {
    await server.createKey('ann');
    written++;
  };
  return {
    server,
    until,
    write,
    /** Waits until a backup has all that was written. */
    backedUp: () => until(() => (server.schedule?.lastLsn ?? 0) >= written && !alarms(logged).failing),
    backups: () => fs.readdirSync(dir).filter((name) => name.endsWith('.backup')),
    alarms: () => alarms(logged),
    failed: () => logged.filter(([level, fields]) => level === 'error' && 'err' in fields).map(([, { err }]) => String(err)),
  };
}

/** How often the alarm for backups was raised, and whether it is. */
function alarms(logged: ReturnType<typeof recordingLog>['logged']) {
  const levels = logged.filter(([, fields]) => fields['alarm'] === 'backup_failing').map(([level]) => level);
  return { raised: levels.filter((level) => level === 'error').length, failing: levels.at(-1) === 'error' };
}

t.test('a backup folder that vanishes is not created again, and backups go on when it is back', async (t) => {
  const home = temporaryFolder(t);
  const dir = path.join(home, 'backups');
  fs.mkdirSync(dir);
  const { server, until, write, backedUp, backups, alarms, failed } = await backingUp(t, dir);
  await write();
  await backedUp();
  const before = backups();
  fs.renameSync(dir, `${dir}-away`);
  await write();
  await until(() => alarms().failing);
  await write();
  await delay(2500); // more than one look
  t.strictSame(fs.readdirSync(home), ['backups-away'], 'neither a file nor a folder');
  t.strictSame(failed(), [
    `FolderError: The backup folder ${dir} does not exist. Mount its disk or create the folder; no backup is written until then.`,
  ]);
  t.equal(server.schedule?.failures, 1, 'to see that it is still gone is no further failure');
  fs.renameSync(`${dir}-away`, dir);
  await until(() => !alarms().failing);
  await backedUp();
  t.ok(backups().length > before.length);
  t.ok(fs.statSync(path.join(dir, backups()[0] as string)).isFile());
  t.equal(alarms().raised, 1);
  const history = readHistory(nodeFiles, [dir]);
  t.equal(planRestore(nodeFiles, history, { lsn: 3 }).reached.lsn, 3);
});

t.test('a backup folder whose disk is unmounted is not written until the disk is back', async (t) => {
  const dir = temporaryFolder(t);
  const mount = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir]).status === 0;
  if (!mount()) return t.comment('no small disk can be mounted');
  t.teardown(() => spawnSync('umount', ['-l', dir]));
  const { until, write, backedUp, backups, alarms, failed } = await backingUp(t, dir);
  await write();
  await backedUp();
  t.equal(spawnSync('umount', ['-l', dir]).status, 0);
  await write();
  await until(() => alarms().failing);
  t.match(failed(), [/No disk is mounted at the backup folder .* any more/]);
  t.strictSame(fs.readdirSync(dir), [], 'the folder below the disk stays empty');
  // Another disk than before: there is nothing on it.
  t.ok(mount());
  await until(() => !alarms().failing);
  await backedUp();
  t.equal(backups().length, 1, 'a backup of everything');
});

t.test('a start refuses a missing backup folder, and creates nothing', async (t) => {
  const home = temporaryFolder(t);
  const [data, dir] = [path.join(home, 'data'), path.join(home, 'bakcups')];
  const backup = { dir, everyMs: 1000, keep: 9 };
  const outcome = await createServer({ data, log: recordingLog().log, backup }).then(
    (server) => server.close().then(() => 'started'),
    (error: Error) => `${error.name}: ${error.message}`,
  );
  t.match(outcome, `FolderError: The backup folder ${dir} does not exist.`);
  // A command that serves would not end.
  if (outcome === 'started') return;
  const flags = ['serve', '--data', data, '--port', '0', '--backup-dir', dir];
  const { code, stderr } = await run(flags);
  t.equal(code, 1);
  t.match(stderr, `The backup folder ${dir} does not exist. Check the path, or create it: mkdir -p ${dir}.`);
  t.match(stderr, /If its disk is mounted later, start with --backup-dir-later /);
  t.strictSame(fs.readdirSync(home), [], 'neither a data folder nor a backup folder');
  fs.writeFileSync(dir, 'in the way');
  t.match((await run(flags)).stderr, `${dir} is a file, not a folder.`);
});

t.test('with later, a server starts without its backup folder, and backs up when it is there', async (t) => {
  const home = temporaryFolder(t);
  const dir = path.join(home, 'disk', 'backups');
  const { server, until, write, backedUp, backups, alarms, failed } = await backingUp(t, dir, true);
  await write();
  await until(() => alarms().failing);
  t.match(failed(), [/The backup folder .*backups does not exist\. Mount its disk or create the folder; no backup is written/]);
  fs.mkdirSync(path.join(home, 'disk'));
  await delay(2500); // more than one look
  t.strictSame(fs.readdirSync(home, { recursive: true }), ['disk'], 'the folder is not created');
  t.equal(server.schedule?.failures, 1);
  fs.mkdirSync(dir);
  await backedUp();
  t.ok(backups().length > 0);
});

test.all('an old backup that cannot be deleted fails no backup and is deleted later', async (t) => {
  const dir = path.join(temporaryFolder(t), 'backups');
  const { log, logged } = recordingLog();
  const data = path.join(temporaryFolder(t), 'data');
  fs.mkdirSync(dir);
  const backup = { dir, everyMs: 1000, keep: 1 };
  let server = await createServer({ data, log, segmentBytes: 1024 * 1024, backup });
  t.teardown(() => server.close());
  const { lineage } = await server.createKey('ann').then(async () => {
    while ((server.schedule?.lastLsn ?? 0) === 0) await delay(50);
    const [name] = fs.readdirSync(dir).filter((listed) => listed.endsWith('.backup'));
    return readSnapshotHeader(nodeFiles, path.join(dir, name as string));
  });
  await server.close();
  // Left by a process that was killed, as far as its name says.
  const stuck = path.join(dir, `2026-01-01T00-00-00Z-1.backup.${lineage.slice(0, 8)}.tmp`);
  fs.mkdirSync(path.join(stuck, 'in'), { recursive: true });
  server = await createServer({ data, log, segmentBytes: 1024 * 1024, backup });
  const alarm = (level: string) => logged.some(([listed, fields]) => listed === level && fields['alarm'] === 'cleanup_failing');
  while (!alarm('error')) await delay(50);
  t.match(
    logged.find(([, fields]) => fields['alarm'] === 'cleanup_failing'),
    ['error', { path: stuck, reason: /EISDIR|EPERM/, files: 1 }],
  );
  await server.createKey('bea');
  while ((server.schedule?.lastLsn ?? 0) < 2) await delay(50);
  t.equal(server.schedule?.failures, 0);
  fs.rmSync(stuck, { recursive: true });
  while (!alarm('info')) await delay(50);
});
