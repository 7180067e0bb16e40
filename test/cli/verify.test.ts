// tier: all, process: first
/** `mapwright snapshot` and `verify` on a sound folder, on a damaged one, and next to a running server. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ask } from '../support/client.ts';
import { foldersIn } from '../support/engine.ts';
import { must, run, serve, temporaryFolder } from '../support/process.ts';

t.setTimeout(600_000);

const flags = ['--segment-mb', '1'];

/** A folder with a snapshot and a record above it; its server was stopped. */
async function stopped(t: Pick<Test, 'teardown'>) {
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  const server = await serve(t, folder, flags);
  const made = await must(server, 'POST', '/projects', { name: 'verified', popups: [{ title: 'x' }] });
  const snapshotted = await run(['snapshot', '--data', folder]);
  await must(server, 'PATCH', `/projects/${made.id}`, { name: 'after' });
  await server.end('SIGTERM');
  const { journal, snapshots } = foldersIn(folder);
  const named = (of: string, ending: string) =>
    fs
      .readdirSync(of)
      .filter((name) => name.endsWith(ending))
      .map((name) => path.join(of, name));
  const last = named(journal, '.segment').at(-1) as string;
  return { folder, key: server.key, snapshotted, segment: last, snapshot: named(snapshots, '.snapshot')[0] as string };
}

function spoil(file: string, at: number): void {
  const bytes = fs.readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 8, at);
  fs.writeFileSync(file, bytes);
}

t.test('snapshot prints what it added, or that it is up to date', async (t) => {
  const { folder, snapshotted } = await stopped(t);
  t.equal(snapshotted.code, 0, snapshotted.stderr);
  t.match(snapshotted.stdout, /^Snapshot 2: 2 records added, \d+ chunks \(0 unchanged\), \d+ B\.$/m);
  const json = JSON.parse((await run(['snapshot', '--data', folder, '--json'])).stdout);
  t.match(json, { lsn: 3, records: 1, copied: Number });
  const nothing = await run(['snapshot', '--data', folder]);
  t.equal(nothing.code, 0);
  t.match(nothing.stdout, /Snapshot 3 is up to date: nothing was written since/);
  t.equal((await run(['snapshot', '--data', path.join(folder, 'none')])).code, 1);
});

t.test('verify names a snapshot that was quarantined, and finds no damage in it', async (t) => {
  const { snapshot, folder } = await stopped(t);
  fs.renameSync(snapshot, `${snapshot}.damaged`);
  const verified = await run(['verify', '--data', folder, '--json']);
  t.strictSame(JSON.parse(verified.stdout).quarantined, [`${snapshot}.damaged`]);
  t.match((await run(['verify', '--data', folder])).stdout, `${snapshot}.damaged was quarantined because of damage`);
});

t.test('verify reports a sound folder and the record up to which it restores', async (t) => {
  const { folder } = await stopped(t);
  const { code, stdout, stderr } = await run(['verify', '--data', folder]);
  t.equal(code, 0, stderr);
  t.match(stdout, /1 snapshots? and 2 segments? read/);
  t.match(stdout, /It restores up to record 3: 1 accounts?, 1 projects? with 1 members?\./);
  t.match(stdout, /Sound/);
  const json = JSON.parse((await run(['verify', '--data', folder, '--json'])).stdout);
  t.match(json, { in_use: false, findings: [], restores: { lsn: 3 } });
  t.equal((await run(['verify', '--data', path.join(folder, 'none')])).code, 1);
});

const mountReadOnly = (folder: string) => spawnSync('mount', ['--bind', '-o', 'ro', folder, folder], { encoding: 'utf8' });
const unmount = (folder: string): void => void spawnSync('umount', ['-l', folder]);

/** Why no folder can be mounted read-only here; `false` if one can. */
function whyNotReadOnly(): string | false {
  const folder = temporaryFolder(t);
  const { status, stderr, error } = mountReadOnly(folder);
  unmount(folder);
  return status === 0 ? false : `a folder cannot be mounted read-only: ${error?.message ?? stderr.trim()}`;
}

t.test(
  'verify and restore read a folder on a read-only file system; serve and backup refuse it',
  { skip: whyNotReadOnly() },
  async (t) => {
    const { folder } = await stopped(t);
    mountReadOnly(folder);
    t.teardown(() => unmount(folder));
    const { code, stdout, stderr } = await run(['verify', '--data', folder]);
    t.equal(code, 0, stderr);
    t.match(stdout, /Sound/);
    const advice = `the file system is read-only. Mount it for writing, or copy its data: npx mapwright restore --from ${folder} --data NEWDIR`;
    for (const refused of [
      ['serve', '--port', '0'],
      ['backup', `${temporaryFolder(t)}/`],
    ]) {
      const { code, stderr } = await run([...refused, '--data', folder]);
      t.equal(code, 1);
      t.ok(stderr.includes(advice), stderr);
    }
    const copy = path.join(temporaryFolder(t), 'copy');
    t.match(await run(['restore', '--from', folder, '--data', copy]), { code: 0 }, 'the advice works');
    t.match(await run(['backup', `${temporaryFolder(t)}/`, '--data', copy]), { code: 0 });
    const toReadOnly = await run(['backup', folder, '--data', copy]);
    t.match(toReadOnly, {
      code: 1,
      stderr: /the file system is read-only\. Mount it for writing, or name another folder for the backups \(EROFS: /,
    });
  },
);

t.test('verify lists all damage, ends with exit code 3 and changes nothing', async (t) => {
  const { folder, segment, snapshot } = await stopped(t);
  spoil(segment, 700);
  spoil(snapshot, 90);
  const before = [fs.readFileSync(segment), fs.readFileSync(snapshot)];
  const { code, stdout } = await run(['verify', '--data', folder]);
  t.equal(code, 3);
  t.match(stdout, `${segment} at byte 512: `);
  t.match(stdout, `${snapshot} at byte 64: `);
  t.match(stdout, /will not start/);
  t.strictSame([fs.readFileSync(segment), fs.readFileSync(snapshot)], before);
  const json = await run(['verify', '--data', folder, '--json']);
  t.equal(json.code, 3);
  t.strictSame(new Set(JSON.parse(json.stdout).findings.map(({ file }: { file: string }) => file)), new Set([snapshot, segment]));
});

t.test('verify reports a sound folder while a server writes and makes snapshots', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, [...flags, '--snapshot-mb', '1']);
  const agent = new http.Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  let writing = true;
  const name = 'x'.repeat(20_000);
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) {
      await ask({ ...server, agent }, 'POST', '/v1/projects', { name }).catch(() => undefined);
      await delay(10); // busy, not flat out: the log must not grow faster than it can be read
    }
  });
  for (let i = 0; i < 3; i++) {
    const { code, stdout, stderr } = await run(['verify', '--data', folder]);
    t.equal(code, 0, stdout + stderr);
    t.match(stdout, /A server has this folder open/);
    t.match(JSON.parse((await run(['verify', '--data', folder, '--json'])).stdout), { in_use: true, findings: [] });
  }
  writing = false;
  await Promise.all(writers);
  await run(['snapshot', '--data', folder]);
  const { snapshots } = foldersIn(folder);
  const oldest = path.join(snapshots, fs.readdirSync(snapshots)[0] as string);
  spoil(oldest, 90);
  const damaged = await run(['verify', '--data', folder]);
  t.equal(server.child.exitCode, null, server.stderr);
  t.equal(damaged.code, 3, 'and damage is damage');
  t.match(damaged.stdout, `${oldest} at byte 64: `);
  t.equal((await server.end('SIGTERM')).code, 0);
});
