// tier: normal
/** `mapwright log`, `restore --at` and `repair` after a mistaken deletion or damage of the disk. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { must, run, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

t.setTimeout(600_000);

const flags = ['--segment-mb', '1'];

test.all('a mistaken write is found in the log and left out of a restore, while the server runs', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data, flags);
  const harbour = await must(server, 'POST', '/projects', { name: 'Harbour', popups: [{}, {}, {}] });
  await must(server, 'POST', '/projects', { name: 'Other' });
  await must(server, 'DELETE', `/projects/${harbour.id}`);
  await must(server, 'POST', '/projects', { name: 'Later' });

  const log = await run(['log', '--data', data, '--project', harbour.id]);
  t.equal(log.code, 0, log.stderr);
  const lines = log.stdout.trimEnd().split('\n');
  t.equal(lines.length, 3);
  t.match(lines[0], /^ +3 {2}\S+Z {2}default {2}created project "Harbour"$/);
  t.match(lines[1], /^ +created 3 popups \(.*\) in project "Harbour"$/);
  t.equal(lines[1]?.indexOf('created'), lines[0]?.indexOf('created'), 'below the first change');
  const [, lsn = '', time = ''] =
    /^ +(\d+) {2}(\S+Z) {2}default {2}deleted project "Harbour" \(3 members\)$/.exec(lines[2] ?? '') ?? [];
  t.equal(lsn, '5', log.stdout);
  const json = (await run(['log', '--data', data, '--from', lsn, '--to', lsn, '--json'])).stdout;
  t.match(JSON.parse(json), {
    lsn: 5,
    time,
    changes: [{ account: 'default', project_id: harbour.id, what: /^deleted project "Harbour"/ }],
  });
  const refused = await run(['log', '--data', data, '--account', 'defualt']);
  t.strictSame([refused.code, refused.stdout], [1, '']);
  t.equal(refused.stderr, 'There is no account "defualt" in this log. Did you mean "default"?\n');
  t.equal((await run(['log', '--data', data, '--since', '2999-01-01T00:00Z'])).stdout, '');
  t.equal((await run(['log', '--data', home])).code, 1);

  const before = path.join(home, 'before');
  const restored = await run(['restore', '--at', '4', '--from', data, '--data', before]);
  t.equal(restored.code, 0, restored.stderr);
  t.match(restored.stdout, `Not restored: record 5, written ${time}, and later ones.`);
  const again = await serve(t, before, flags, server.key);
  t.strictSame(await must(again, 'GET', `/projects/${harbour.id}`), harbour, 'there it is');
  t.equal((await must(again, 'GET', '/projects')).length, 2);

  const at = new Date(Date.parse(time) - 1).toISOString();
  const [one, other] = [path.join(home, 'one'), path.join(home, 'other')];
  const byTime = await run(['restore', '--at', at, '--from', data, '--data', one, '--json']);
  t.match(JSON.parse(byTime.stdout), { lsn: 4, next_time: time, projects: 2, damage: null });
  const local = await run(['restore', '--at', '2999-01-01T00:00', '--from', data, '--data', other], {
    env: { TZ: 'Europe/Vienna' },
  });
  t.match(local.stdout, '2999-01-01T00:00 (local time) is 2998-12-31T23:00:00.000Z.');
  t.match(local.stdout, 'Restored up to record 6');
  const early = await run(['restore', '--at', '2000-01-01T00:00Z', '--from', data, '--data', path.join(home, 'none')]);
  t.equal(early.code, 1);
  t.match(early.stderr, /not reachable\.\nReachable:\n {2}records 1 to 6, from the beginning to the newest/);
  t.notOk(fs.existsSync(path.join(home, 'none')), 'nothing is made for a point out of reach');
  t.equal((await run(['restore', '--at', '4', '--from', data, '--data', data])).code, 1, 'never into a folder that is in use');
  const operations = Array.from({ length: 12 }, (_, i) => ({ method: 'POST', path: '/popups', body: { title: `p${i}` } }));
  const present = (await must(server, 'GET', '/projects'))[0].id;
  await must(server, 'POST', `/projects/${present}/batch`, { operations });
  const batch = (await run(['log', '--data', data, '--from', '7'])).stdout.trimEnd().split('\n');
  t.equal(batch.length, 11);
  t.match(batch[10], /^ +and 2 more changes\. To see them, add --json\.$/);
  t.equal((await server.end('SIGTERM')).code, 0);
});

test.all('a damaged backup is refused before anything is created', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data, flags);
  await must(server, 'POST', '/projects', { name: 'x', popups: [{}, {}] });
  const file = path.join(home, 'x.backup');
  t.equal((await run(['backup', file, '--data', data])).code, 0);
  const bytes = fs.readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(200) ^ 16, 200);
  fs.writeFileSync(file, bytes);
  for (const args of [
    ['verify', file],
    ['restore', file, '--data', path.join(home, 'new')],
  ]) {
    const { code, stderr } = await run(args);
    t.equal(code, 3, args.join(' '));
    t.match(stderr, `corrupt: ${file} at byte`);
  }
  t.notOk(fs.existsSync(path.join(home, 'new')));
  for (const args of [
    ['restore', path.join(home, 'none'), '--data', path.join(home, 'new')],
    ['restore', home, '--data', path.join(home, 'new')],
  ]) {
    const { code, stderr } = await run(args);
    t.equal(code, 1);
    t.match(stderr, /The backup .* does not exist|is a folder/);
  }
  const other = path.join(home, 'notes.txt');
  fs.writeFileSync(other, 'no backup');
  for (const args of [
    ['verify', other],
    ['restore', other, '--data', path.join(home, 'new')],
  ]) {
    const { code, stderr } = await run(args);
    t.equal(code, 1, args.join(' '));
    t.match(stderr, /notes\.txt is not a backup: it has the wrong header/);
    t.notMatch(stderr, /corrupt/);
  }
});

t.test('repair lists what is kept and lost, and a server starts with its folder', async (t) => {
  const home = temporaryFolder(t);
  const [data, to] = [path.join(home, 'data'), path.join(home, 'repaired')];
  const server = await serve(t, data, flags);
  const running = await run(['repair', '--data', data, '--to', to]);
  t.equal(running.code, 1);
  t.match(running.stderr, /A server has .* open, .* To repair it anyway, stop the server first/);
  for (const name of ['one', 'two', 'three']) await must(server, 'POST', '/projects', { name });
  await server.end('SIGTERM');
  const sound = await run(['repair', '--data', data, '--to', path.join(home, 'sound')]);
  t.equal(sound.code, 0, sound.stderr);
  t.match(sound.stdout, 'There was no damage, and nothing is lost.');

  const segment = path.join(data, 'journal', '0000000000000001.segment');
  const bytes = fs.readFileSync(segment);
  const at = bytes.indexOf('two');
  bytes.write('TWO', at);
  fs.writeFileSync(segment, bytes);
  const refused = await run(['serve', '--data', data, '--port', '0']);
  t.equal(refused.code, 3);
  t.match(refused.stderr, `npx mapwright repair --data ${data} --to NEWDIR`);
  const before = fs
    .readdirSync(data, { recursive: true })
    .map((name) => [name, fs.statSync(path.join(data, String(name))).mtimeMs]);
  const { code, stdout } = await run(['repair', '--data', data, '--to', to]);
  t.equal(code, 3, 'something is lost');
  t.match(stdout, /^Kept up to record 3, /);
  t.match(stdout, `${segment} at byte ${Math.floor(at / 512) * 512}`);
  t.match(stdout, /records 4 to 5: /);
  t.match(stdout, /record 5, .*created project "three"/);
  t.strictSame(
    fs.readdirSync(data, { recursive: true }).map((name) => [name, fs.statSync(path.join(data, String(name))).mtimeMs]),
    before,
    'nothing was touched',
  );
  const json = JSON.parse((await run(['repair', '--data', data, '--to', path.join(home, 'again'), '--json'])).stdout);
  t.match(json, {
    lsn: 3,
    projects: 1,
    losses: [
      { kind: 'records', from: 4, to: 5 },
      { kind: 'record', lsn: 5 },
    ],
  });
  t.equal((await run(['repair', '--data', data, '--to', to])).code, 1, 'a folder in which there is something stays as it is');
  const again = await serve(t, to, flags, server.key);
  t.match(await must(again, 'GET', '/projects?fields=name'), [{ name: 'one' }]);
  t.equal((await run(['repair', '--data', home, '--to', path.join(home, 'x')])).code, 1);
});

test.all('repair and restore refuse targets inside the data folder, unknown formats and pipes', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data, flags);
  const name = 'a\u202eb\u009bc';
  await must(server, 'POST', '/projects', { name });
  await server.end('SIGTERM');
  t.match((await run(['log', '--data', data])).stdout, 'a\ufffdb\ufffdc', 'no character that a terminal would obey');

  const inside = await run(['repair', '--data', data, '--to', path.join(data, 'in')]);
  t.equal(inside.code, 1);
  t.match(inside.stderr, /in is inside the data folder .*a repair must not change it/);
  t.notOk(fs.existsSync(path.join(data, 'in')));

  const marker = path.join(data, 'format');
  fs.writeFileSync(marker, 'mapwright data folder, format 7\n');
  for (const args of [
    ['repair', '--data', data, '--to', path.join(home, 'new')],
    ['restore', '--from', data, '--data', path.join(home, 'new')],
  ]) {
    const { code, stderr } = await run(args);
    t.equal(code, 1, args.join(' '));
    t.match(stderr, /format says format version 7; this mapwright reads versions 1 to 3/);
  }
  t.notOk(fs.existsSync(path.join(home, 'new')));
  fs.writeFileSync(marker, 'no marker');
  t.equal((await run(['repair', '--data', data, '--to', path.join(home, 'mended')])).code, 0, 'a damaged marker loses nothing');

  const pipe = path.join(home, 'pipe');
  if (spawnSync('mkfifo', [pipe]).status !== 0) return;
  for (const args of [
    ['verify', pipe],
    ['restore', pipe, '--data', path.join(home, 'new')],
  ]) {
    const { code, stderr } = await run(args);
    t.equal(code, 1, args.join(' '));
    t.match(stderr, /is a pipe or a device, not a file/);
  }
});
