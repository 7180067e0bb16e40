// tier: all, process: first
/** Backups of a server under load: restored responses, schedules, and unsuitable targets. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { createServer, type MapwrightServer } from '../../src/index.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { readHistory } from '../../src/storage/backup/backup-history.ts';
import { parseBackupName } from '../../src/storage/backup/backup-names.ts';
import { planRestore } from '../../src/storage/backup/restore-backup.ts';
import { readSnapshotHeader } from '../../src/storage/snapshot/format/read-header.ts';
import { recoverWal } from '../../src/storage/wal/recovery/recover-wal.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { ProblemError } from '../../src/web/client/client.ts';
import { ask, type Json } from '../support/client.ts';
import { foldersIn, recordingLog } from '../support/engine.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { skipWithoutSmallDisk as skip, smallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

t.setTimeout(600_000);

const flags = ['--segment-mb', '1'];
/** No snapshot is made meanwhile, so that the whole log is there for comparison. */
const noSnapshots = [...flags, '--snapshot-mb', '65536', '--snapshot-minutes', '1000000'];
const collections = ['artboards', 'popups', 'data_sources', 'variables', 'actions'];

/** Writes to a project of its own, one request after the other, and keeps what a GET of it answers after each. */
class Author {
  readonly answers: string[] = [];
  id = '';
  writing = true;
  readonly #server: Served;

  constructor(server: Served) {
    this.#server = server;
  }

  async run(name: string): Promise<void> {
    const artboards = [{ name: 'one', objects: [{ type: 'spot' }, { type: 'poly' }] }, {}];
    const made = await must(this.#server, 'POST', '/projects', { name, artboards, popups: [{}, { title: 'x' }] });
    this.id = made.id;
    await this.#note();
    for (let i = 0; this.writing; i++) {
      const body = [
        { settings: { i }, name: `${name} ${i}` },
        { popups: [{ title: `${i}` }, ...made.popups.slice(i % 2).map(({ id }: Json) => ({ id }))] },
        { variables: Array.from({ length: i % 9 }, (_, n) => ({ name: `${i}.${n}` })) },
      ][i % 3];
      const shown = await must(this.#server, 'PATCH', `/projects/${this.id}`, body);
      made.popups = shown.popups;
      await this.#note();
    }
  }

  async #note(): Promise<void> {
    this.answers.push((await ask(this.#server, 'GET', `/v1/projects/${this.id}`)).text);
  }
}

/** How many records up to `to` changed each project, without those of versions. */
function changesPerProject(data: string, to: number): Map<string, number> {
  const counts = new Map<string, number>();
  recoverWal(nodeFiles, foldersIn(data).journal, {
    after: 0,
    onRecord: (lsn, bytes) => {
      const [change] = decodeRecord(bytes).changes;
      if (lsn > to || change === undefined || ('path' in change && change.path.collection === 'versions')) return;
      const id = change.op === 'put-project' ? change.value.id : 'path' in change ? change.path.projectId : '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    },
  });
  return counts;
}

t.test('a backup made during writes is restored to the responses at its record', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data, noSnapshots);
  const authors = Array.from({ length: 4 }, () => new Author(server));
  const running = authors.map((author, i) => author.run(`author ${i}`));
  while (authors.some(({ answers }) => answers.length < 8)) await delay(20);
  const asked = await run(['backup', path.join(home, 'one.backup'), '--data', data, '--json']);
  t.equal(asked.code, 0, asked.stderr);
  const { lsn, path: file, bytes } = JSON.parse(asked.stdout);
  t.equal(bytes, fs.statSync(file).size);
  t.equal(fs.statSync(file).mode & 0o777, 0o600);
  const then = Math.max(...authors.map(({ answers }) => answers.length));
  while (authors.some(({ answers }) => answers.length < then + 3)) await delay(20);
  for (const author of authors) author.writing = false;
  await Promise.all(running);
  const newest = (await ask(server, 'GET', '/v1/projects')).text;
  await server.end('SIGTERM');

  const restored = path.join(home, 'restored');
  const { code, stdout, stderr } = await run(['restore', file, '--data', restored]);
  t.equal(code, 0, stderr);
  t.match(stdout, `Restored up to record ${lsn}, written `);
  const again = await serve(t, restored, flags, server.key);
  const counts = changesPerProject(data, lsn);
  const wanted = authors.map(({ id, answers }) => ({ id, text: answers[(counts.get(id) as number) - 1] as string }));
  t.ok(
    authors.every(({ id, answers }) => (counts.get(id) as number) < answers.length),
    'writes came after it',
  );
  const get = async (route: string) => (await ask(again, 'GET', `/v1${route}`)).text;
  for (const { id, text } of wanted) {
    t.equal(await get(`/projects/${id}`), text);
    const project = JSON.parse(text);
    for (const name of collections)
      t.equal(await get(`/projects/${id}/${name.replace('_', '-')}`), JSON.stringify(project[name]));
    const [artboard] = project.artboards;
    t.equal(await get(`/projects/${id}/artboards/${artboard.id}/objects`), JSON.stringify(artboard.objects));
    for (const popup of project.popups) t.equal(await get(`/projects/${id}/popups/${popup.id}`), JSON.stringify(popup));
  }
  const ids = new Set(wanted.map(({ id }) => id));
  const listed = (JSON.parse(await get('/projects')) as Json[]).map(({ id }) => id);
  t.same(new Set(listed), ids);
  t.strictSame(listed, [...listed].sort(), 'in the order in which they were made');
  const next = await must(again, 'POST', '/projects', { name: 'after' });
  t.ok(next.id > (listed.at(-1) as string));
  await again.end('SIGTERM');

  const whole = path.join(home, 'whole');
  t.equal((await run(['restore', '--from', data, '--data', whole])).code, 0);
  const third = await serve(t, whole, flags, server.key);
  t.equal((await ask(third, 'GET', '/v1/projects')).text, newest, 'and without a backup, to the newest record');
});

t.test('scheduled backups keep a number of backups and their log, and no other file is deleted', async (t) => {
  const home = temporaryFolder(t);
  const [data, dir] = [path.join(home, 'data'), path.join(home, 'backups')];
  fs.mkdirSync(dir);
  const { log, logged } = recordingLog();
  const options = { data, log, segmentBytes: 1024 * 1024, snapshotPauseMs: 0 };
  const backups = () =>
    fs
      .readdirSync(dir)
      .filter((name) => name.endsWith('.backup'))
      .sort();
  let server = await createServer({ ...options, backup: { dir, everyMs: 1000, keep: 2 } });
  t.teardown(() => server.close());
  const oldest = await server.createKey('ann');
  for (let i = 0, last = 0; i < 4; i++) {
    await server.createKey(`account ${i}`);
    while ((server.schedule?.lastLsn ?? 0) <= last || (server.schedule?.lastLsn ?? 0) < i + 2) await delay(50);
    last = server.schedule?.lastLsn ?? 0;
    if (i === 0) {
      fs.writeFileSync(path.join(dir, 'mine.backup'), 'a file of another program');
      fs.copyFileSync(path.join(dir, backups()[0] as string), path.join(dir, 'kept-by-hand.backup'));
    }
  }
  const tidied = () => {
    const written = logged.findIndex(([, { lsn }]) => lsn === 5);
    return written !== -1 && logged.slice(written).some(([, , message]) => message === 'older backups removed');
  };
  while (!tidied()) await delay(50);
  t.equal(server.schedule?.failures, 0, JSON.stringify(logged));
  t.equal(backups().filter((name) => parseBackupName(name) !== undefined).length, 2);
  t.ok(
    ['mine.backup', 'kept-by-hand.backup'].every((name) => backups().includes(name)),
    'what has another name stays',
  );
  const newest = backups()
    .filter((name) => parseBackupName(name) !== undefined)
    .at(-1) as string;
  t.equal(parseBackupName(newest)?.lsn, 5);
  const { lineage } = readSnapshotHeader(nodeFiles, path.join(dir, newest));
  const oldestKept = backups().map((name) => parseBackupName(name)?.lsn ?? Number.POSITIVE_INFINITY);
  const history = readHistory(nodeFiles, [dir]);
  for (let lsn = Math.min(...oldestKept); lsn <= 5; lsn++)
    t.equal(planRestore(nodeFiles, history, { lsn }, lineage).reached.lsn, lsn);
  const segments = fs.readdirSync(path.join(dir, 'log', lineage)).map((name) => Number.parseInt(name, 16));
  t.ok(Math.min(...segments) > Math.min(...oldestKept), 'the log that only older backups needed is gone');

  const before = backups();
  await server.close();
  server = await createServer({ ...options, backup: { dir, everyMs: 3_600_000, keep: 2 } });
  await server.revokeKey(oldest.id);
  while (server.schedule?.lastGoodAtMs === undefined) await delay(50);
  await delay(1500); // more than one look
  t.strictSame(backups(), before, 'the newest one is not an hour old');
  t.equal(server.schedule?.lastLsn, 5);
  t.ok(Date.now() - (server.schedule?.lastGoodAtMs ?? 0) < 60_000);
});

t.test('log segments are kept until they are copied to the backups, also through a restart', async (t) => {
  const home = temporaryFolder(t);
  const [data, dir] = [path.join(home, 'data'), path.join(home, 'backups')];
  fs.mkdirSync(dir);
  const { log, logged } = recordingLog();
  const options = { data, log, segmentBytes: 1024 * 1024, snapshotPauseMs: 0, backup: { dir, everyMs: 3_600_000, keep: 5 } };
  let server = await createServer(options);
  t.teardown(() => server.close());
  await server.createKey('ann');
  while ((server.schedule?.lastLsn ?? 0) === 0 && (server.schedule?.failures ?? 0) === 0) await delay(50);
  while (server.schedule?.lastGoodAtMs === undefined) await delay(50);
  // The first one may have come before the key; what follows it is what counts.
  const base = readHistory(nodeFiles, [dir]).bases.at(-1)?.lsn ?? 0;
  const copied = path.join(dir, 'log');
  // No more copies: a file stands where they would go.
  fs.rmSync(copied, { recursive: true, force: true });
  fs.writeFileSync(copied, '');
  for (let i = 0; i < 4; i++) {
    await server.createKey(`account ${i}`);
    await server.snapshot();
  }
  while ((server.schedule?.failures ?? 0) === 0) await delay(50);
  t.ok(logged.some(([level, , message]) => level === 'error' && message.includes('backup failed')));
  await server.close();
  server = await createServer(options);
  await run(['snapshot', '--data', data]);
  await server.close();
  t.equal((await run(['keys', 'list', '--data', data])).code, 0, 'a command that opens the folder deletes nothing either');
  fs.rmSync(copied);
  server = await createServer(options);
  const last = base + 4;
  while (!readHistory(nodeFiles, [dir]).segments.some(({ firstLsn }) => firstLsn === last)) await delay(100);
  const history = readHistory(nodeFiles, [dir]);
  for (let lsn = Math.max(base, 1); lsn <= last; lsn++) t.equal(planRestore(nodeFiles, history, { lsn }).reached.lsn, lsn);
});

t.test('an unsuitable backup target is refused with the reason and left unchanged', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = await serve(t, data, flags);
  const file = path.join(home, 'taken.backup');
  fs.writeFileSync(file, 'mine');
  fs.mkdirSync(path.join(home, 'link'));
  fs.symlinkSync(data, path.join(home, 'link', 'data'));
  const cases: readonly (readonly [target: string, says: RegExp])[] = [
    [file, /The file .*taken\.backup exists already/],
    [data, /is inside the data folder/],
    [path.join(data, 'journal', 'x.backup'), /is inside the data folder/],
    [path.join(home, 'link', 'data', 'x.backup'), /is inside the data folder/],
    [path.join(home, 'none', 'x.backup'), /the folder .*none does not exist/i],
    [`${path.join(home, 'none', 'deeper')}/`, /cannot be created, because .*none does not exist/],
    [`${file}/`, /is a file, not a folder/],
    [`${path.join(data, 'inside')}/`, /is inside the data folder/],
    [path.join(file, 'x.backup'), /the folder .*taken.* does not exist/],
  ];
  const names = () =>
    fs
      .readdirSync(home, { recursive: true })
      .map(String)
      .filter((name) => /backup|tmp/.test(name));
  const before = names();
  for (const [target, says] of cases) {
    const { code, stderr } = await run(['backup', target, '--data', data]);
    t.equal(code, 1, target);
    t.match(stderr, says);
    t.notMatch(stderr, /at .*\.js:\d/, 'no stack');
  }
  t.equal(fs.readFileSync(file, 'utf8'), 'mine');
  t.strictSame(names(), before);
  await server.end('SIGTERM');
  const without = await run(['backup', `${path.join(home, 'made')}/`, '--data', data]);
  t.equal(without.code, 0, 'without a server it opens the folder itself');
  // The account with its key, and the link to the console.
  const made = /record 2: (\S+),/.exec(without.stdout)?.[1] as string;
  t.ok(parseBackupName(path.basename(made)));
  const sound = await run(['verify', made]);
  t.equal(sound.code, 0);
  t.match(sound.stdout, /a backup up to record 2, .*1 account, 0 projects with 0 members\.\nSound/);
  t.equal((await run(['restore', made, '--data', data])).code, 1, 'a folder in which there is something stays as it is');
  t.equal((await run(['verify', '--data', data])).code, 0);
});

t.test('a backup to a full disk fails with the reason, and the server goes on', { skip }, async (t) => {
  const disk = smallDisk(t, 1);
  const data = path.join(temporaryFolder(t), 'data');
  const server = await serve(t, data);
  const popups = Array.from({ length: 150 }, () => ({ content: 'x'.repeat(5000) }));
  const made = await must(server, 'POST', '/projects', { name: 'large', popups });
  for (let n = 0; n < 3; n++) await must(server, 'POST', '/projects', { popups });
  const { code, stderr } = await run(['backup', disk, '--data', data]);
  t.equal(code, 1);
  t.match(stderr, /the disk is full/);
  t.strictSame(fs.readdirSync(disk), []);
  t.equal((await must(server, 'GET', `/projects/${made.id}?fields=name`)).name, 'large');
  t.equal((await server.end('SIGTERM')).code, 0);
});

t.test('a data folder reset to an older state does not overwrite the newer backups', async (t) => {
  const home = temporaryFolder(t);
  const [data, copy, dir] = ['data', 'copy', 'backups'].map((name) => path.join(home, name)) as [string, string, string];
  fs.mkdirSync(dir);
  const { log, logged } = recordingLog();
  const options = { data, log, segmentBytes: 1024 * 1024, snapshotPauseMs: 0, backup: { dir, everyMs: 1000, keep: 9 } };
  const contents = () =>
    fs
      .readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, fs.readFileSync(path.join(entry.parentPath, entry.name)).toString('base64')]);
  const write = async (server: MapwrightServer, times: number) => {
    for (let i = 0; i < times; i++) await server.createKey('ann');
  };
  let server = await createServer(options);
  t.teardown(() => server.close());
  await write(server, 3);
  await until('a backup', () => (server.schedule?.lastLsn ?? 0) >= 3);
  await server.close();
  fs.cpSync(data, copy, { recursive: true });
  server = await createServer(options);
  await write(server, 20);
  await until('a backup of everything', () => (server.schedule?.lastLsn ?? 0) >= 23);
  await server.close();
  fs.rmSync(data, { recursive: true });
  fs.renameSync(copy, data);

  const before = contents();
  server = await createServer(options);
  await until('a backup fails', () => (server.schedule?.failures ?? 0) > 0);
  // The alarm for it may have come meanwhile.
  const failed = logged.findLast(([level, fields]) => level === 'error' && 'err' in fields);
  t.match(failed, ['error', { err: { message: /holds record 23, but this data folder ends with record 3: / } }, /backup/]);
  t.equal(server.schedule?.lastGoodAtMs, undefined, 'nothing is called a success');
  await write(server, 30);
  const failures = server.schedule?.failures ?? 0;
  await until('another one fails', () => (server.schedule?.failures ?? 0) > failures);
  t.strictSame(contents(), before, 'also when it has as many records again');
});

t.test('a data folder reset to an older state does not overwrite the newer log in the backups', async (t) => {
  const home = temporaryFolder(t);
  const [data, copy, dir] = ['data', 'copy', 'backups'].map((name) => path.join(home, name)) as [string, string, string];
  fs.mkdirSync(dir);
  const { log, logged } = recordingLog();
  const options = { data, log, segmentBytes: 1024 * 1024, snapshotPauseMs: 0, backup: { dir, everyMs: 3_600_000, keep: 9 } };
  const kept = (): string[] =>
    (fs.readdirSync(dir, { recursive: true }) as string[]).filter((name) => name.endsWith('.segment')).sort();
  let server = await createServer(options);
  t.teardown(() => server.close());
  await server.createAccount('ann');
  const write = async (name: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const project = { name, settings: { text: name.padEnd(200_000) } };
      // Five of them fill a segment, and the first segments after a start take longer than that.
      for (;;) {
        try {
          await server.client({ account: 'ann' }).post('/projects', { body: project });
          break;
        } catch (error) {
          if (!(error instanceof ProblemError) || error.status !== 503) throw error;
          await delay(50);
        }
      }
    }
  };
  await server.close();
  server = await createServer(options);
  for (let i = 0; (server.schedule?.lastLsn ?? 0) === 0 && i < 600; i++) await delay(50);
  await server.close();
  fs.cpSync(data, copy, { recursive: true });

  server = await createServer(options);
  await write('lost', 20);
  for (let i = 0; kept().length < 3 && i < 600; i++) await delay(50);
  await server.close();
  const before = kept();
  t.ok(before.length >= 3, `${before}`);
  fs.rmSync(data, { recursive: true });
  fs.renameSync(copy, data);

  server = await createServer(options);
  for (let i = 0; (server.schedule?.failures ?? 0) === 0 && i < 600; i++) await delay(50);
  t.ok((server.schedule?.failures ?? 0) > 0);
  const failed = logged.findLast(([level, fields]) => level === 'error' && 'err' in fields);
  t.match(failed, [
    'error',
    { err: { message: /^The log archive in .* holds record \d+, but this data folder ends with record \d+: / } },
    /backup/,
  ]);
  await write('new', 40);
  t.strictSame(kept(), before, 'also when it has as many records again');
  await server.close();

  // The next start has as many records: only the salts of the segments differ.
  server = await createServer(options);
  for (let i = 0; (server.schedule?.failures ?? 0) === 0 && i < 600; i++) await delay(50);
  const again = logged.findLast(([level, fields]) => level === 'error' && 'err' in fields);
  t.match(again, ['error', { err: { message: /\.segment does not belong to the log of this data folder/ } }, /backup/]);
  t.strictSame(kept(), before);
});

t.test('a backup folder inside the data folder is refused before anything is created', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const serving = await run(['serve', '--data', data, '--port', '0', '--backup-dir', path.join(data, 'backups')]);
  t.equal(serving.code, 1, 'it ends');
  t.match(serving.stderr, /is inside the data folder/);
  t.notOk(fs.existsSync(data));
});
