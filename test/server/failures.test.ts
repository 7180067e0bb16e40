/**
 * Failures, and what a start does with a damaged folder: the rows of the tables in
 * docs/architecture.md and docs/reliability.md that no other test shows on a real server, each on one. Kernels that really fail are in test/chaos.
 */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { type CorruptError, createServer, type MapwrightServer } from '../../src/index.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { readSegment, type Segment } from '../../src/storage/wal/read/read-segment.ts';
import { ask } from '../support/client.ts';
import { foldersIn, recordingLog } from '../support/engine.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { flip } from '../support/flip.ts';
import { hooked } from '../support/hook.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

t.setTimeout(600_000);

const mebibyte = 1024 * 1024;
const flags = ['--segment-mb', '1'];

async function metric(server: { url: string }, name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  return sampleOf(parseExposition((await ask({ url: server.url }, 'GET', '/metrics')).text), `mapwright_${name}`, labels);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await holds()); i++) {
    if (i === 1000) throw new Error('it never came to hold');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test.all('without space for a spare segment writes are 507 before any decision, and resume when space is free', async (t) => {
  const data = temporaryFolder(t);
  const server = await serve(t, data, flags);
  const block = path.join(foldersIn(data).journal, 'spare.tmp');
  // A folder of that name stands for a disk on which no file can be made. The spare that is there already is used up first.
  fs.mkdirSync(block);
  const acknowledged: string[] = [];
  const write = () => ask(server, 'POST', '/v1/projects', { popups: [{ content: 'x'.repeat(100_000) }] });
  let answer = await write();
  for (let i = 0; i < 100 && answer.status !== 507; i++) {
    if (answer.status === 200) acknowledged.push(answer.json.id);
    else await new Promise((resolve) => setTimeout(resolve, 20));
    answer = await write();
  }
  t.match(answer, { status: 507, json: { code: 'insufficient_storage', detail: /no free space/ } });
  const ids = async () => (await must(server, 'GET', '/projects?fields=id')).map(({ id }: { id: string }) => id);
  t.strictSame(await ids(), acknowledged, 'reads go on, and what was refused is not there');
  t.equal((await ask(server, 'GET', '/readyz')).status, 200);
  t.equal(await metric(server, 'alarm', { name: 'disk_full' }), 1);
  t.ok(((await metric(server, 'http_refusals_total', { status: '507', reason: 'disk_full' })) ?? 0) > 0);
  fs.rmdirSync(block);
  await until(async () => (await write()).status === 200);
  t.equal(await metric(server, 'alarm', { name: 'disk_full' }), 0);
  await server.end('SIGKILL');
  const again = await serve(t, data, flags, server.key);
  const restored = (await must(again, 'GET', '/projects?fields=id')).map(({ id }: { id: string }) => id);
  t.strictSame(restored.slice(0, acknowledged.length), acknowledged);
});

test.all('if no thread can start, writes without a segment are 507 with the reason, and resume later', async (t) => {
  const folder = temporaryFolder(t);
  const trouble = path.join(folder, 'trouble');
  fs.writeFileSync(trouble, '');
  // The first is the flusher's, without which there is no server.
  const sabotage = `import fs from 'node:fs';
import { threadId } from 'node:worker_threads';
if (threadId > 1 && fs.existsSync(${JSON.stringify(trouble)})) throw new Error('made up');
`;
  const server = await serve(t, path.join(folder, 'data'), flags, undefined, hooked(folder, 'hook', sabotage));
  const write = () => ask(server, 'POST', '/v1/projects', { popups: [{ content: 'x'.repeat(100_000) }] });
  let answer = await write();
  for (let i = 0; i < 20 && answer.status === 200; i++) answer = await write();
  t.match(answer, { status: 507, json: { code: 'insufficient_storage' } });
  await until(async () => /a thread for segments died: made up/.test(server.stderr));
  t.equal((await ask(server, 'GET', '/v1/projects?fields=id')).status, 200);
  fs.unlinkSync(trouble);
  await until(async () => (await write()).status === 200);
  t.equal((await server.end('SIGTERM')).code, 0);
});

t.test('a server that can start no thread exits with the reason', async (t) => {
  const folder = temporaryFolder(t);
  const sabotage = `import { isMainThread } from 'node:worker_threads';\nif (!isMainThread) throw new Error('made up');`;
  // The server of the quick start may run meanwhile.
  const args = ['serve', '--data', path.join(folder, 'data'), '--port', '0'];
  const { code, stderr } = await run(args, hooked(folder, 'hook', sabotage));
  t.equal(code, 1);
  t.match(stderr, /a thread for the log died: made up/);
});

const threadDeaths = {
  dies: { how: 'process.exit(1)', env: '' },
  throws: { how: "throw new Error('made up')", env: '' },
  'never gets ready': { how: '', env: '', early: true },
  'runs out of memory': {
    how: 'const all = []; for (;;) all.push(new Array(100_000).fill(all.length + 0.5))',
    env: '--max-old-space-size=100',
  },
};

/** A server whose snapshots fail as the test chooses, until `repair` is called. */
async function withFailingSnapshots(
  t: Pick<Test, 'teardown'>,
  { how, env, early = false }: { how: string; env: string; early?: boolean },
) {
  const folder = temporaryFolder(t);
  const trouble = path.join(folder, 'trouble');
  // A snapshot run lowers the priority of its thread first; nothing else does that.
  const code = `import fs from 'node:fs';
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
if (${early} && !isMainThread && fs.existsSync(${JSON.stringify(trouble)})) throw new Error('made up');
const { setPriority } = os;
os.setPriority = (...args) => {
  if (fs.existsSync(${JSON.stringify(trouble)})) { ${how} }
  setPriority(...args);
};
syncBuiltinESMExports();
`;
  if (!early) fs.writeFileSync(trouble, '');
  const data = path.join(folder, 'data');
  const server = await serve(t, data, flags, undefined, hooked(folder, 'hook', code, env));
  // Then all threads except that of the snapshot exist.
  fs.writeFileSync(trouble, '');
  return { server, data, repair: () => fs.unlinkSync(trouble) };
}

test.all('a snapshot thread that dies is logged, counted and retried, and requests are not affected', async (t) => {
  // At once, since each waits for ten seconds before it tries again.
  await Promise.all(
    Object.entries(threadDeaths).map(async ([what, death]) => {
      const { server, data, repair } = await withFailingSnapshots(t, death);
      await must(server, 'POST', '/projects', { name: 'kept' });
      await t.rejects(askServer(data, 'snapshot', {}), what);
      t.strictSame(fs.readdirSync(foldersIn(data).snapshots), []);
      t.equal(await metric(server, 'snapshot_failures_total'), 1);
      t.equal(await metric(server, 'alarm', { name: 'snapshot_failing' }), 1);
      t.equal((await must(server, 'GET', '/projects')).length, 1);
      await must(server, 'POST', '/projects', { name: 'meanwhile' });
      repair();
      await until(async () => (await metric(server, 'snapshots_total')) === 1);
      t.equal(await metric(server, 'alarm', { name: 'snapshot_failing' }), 0);
      const { code, stderr } = await server.end('SIGTERM');
      t.equal(code, 0);
      t.equal(stderr.match(/cannot write a snapshot; nothing is lost/g)?.length, 1, what);
    }),
  );
});

t.test('clock jumps change times, but not the order of records and identifiers', async (t) => {
  const day = 24 * 3600 * 1000;
  let now = Date.UTC(2026, 5, 1);
  const data = path.join(temporaryFolder(t), 'data');
  const { log } = recordingLog();
  const open = () => createServer({ data, log, segmentBytes: mebibyte, clock: () => now });
  let server = await open();
  t.teardown(() => server.close());
  let at = { url: (await server.listen(0)).url, key: (await server.createKey('ann')).key };
  const made: { id: string; created: string }[] = [];
  for (const jump of [0, -2 * 3600 * 1000, 400 * day, -1000 * day, 0]) {
    now += jump;
    const { json } = await ask(at, 'POST', '/v1/projects', {});
    t.equal(json.created, new Date(now).toISOString());
    made.push(json);
    // Also across a restart, for which the clock may have jumped as well.
    if (jump === 400 * day) {
      await server.close();
      now -= 30 * day;
      server = await open();
      at = { url: (await server.listen(0)).url, key: at.key };
    }
  }
  t.strictSame((await ask(at, 'GET', '/v1/projects')).json, made);
  t.strictSame(
    made.map(({ id }) => id).sort(),
    made.map(({ id }) => id),
    'identifiers ascend',
  );
  t.equal(new Set(made.map(({ id }) => id)).size, made.length);
  t.ok(await server.snapshot());
});

/** A folder with a snapshot, a sealed segment above it and an open one, of a server that was killed. */
async function killed(t: Pick<Test, 'teardown'>): Promise<{ data: string; key: string; projects: unknown[] }> {
  const data = temporaryFolder(t);
  const server = await serve(t, data, flags);
  await fill(server);
  for (let i = 0; i < 2; i++) {
    await askServer(data, 'snapshot', {});
    await fill(server);
  }
  // Past the end of the segment, so that a sealed one stands above the newest snapshot.
  for (let i = 0; i < 14; i++) {
    while ((await ask(server, 'POST', '/v1/projects', { name: 'y'.repeat(90_000) })).status === 503);
  }
  await must(server, 'POST', '/projects', { name: 'last' });
  const projects = await must(server, 'GET', '/projects');
  await server.end('SIGKILL');
  return { data, key: server.key, projects };
}

async function fill(server: Served): Promise<void> {
  for (let i = 0; i < 3; i++) await must(server, 'POST', '/projects', { name: `${i}`, popups: [{ title: 'x'.repeat(100) }] });
}

interface Found {
  readonly data: string;
  /** Oldest first. */
  readonly segments: readonly Segment[];
  readonly snapshots: readonly string[];
}

const zero = (file: string, from: number): void => {
  const bytes = fs.readFileSync(file);
  fs.writeFileSync(file, bytes.fill(0, from));
};
const sealed = ({ segments }: Found) => segments.at(-2) as Segment;
const open = ({ segments }: Found) => segments.at(-1) as Segment;
/** Not a mark, which has no payload to damage: the server writes one when it is idle. */
const lastBatch = (segment: Segment) => segment.frames.findLast(({ type }) => type === 'batch') as Segment['frames'][number];
const frameOf = (segment: Segment, at: number) => segment.frames.at(at) as Segment['frames'][number];

interface Row {
  readonly found: string;
  readonly damage: (found: Found) => void;
  /** Everything is there but so many of the newest projects; or the refusal: the file that it names and what it says. */
  readonly outcome: { readonly missing: number } | { readonly file: (found: Found) => string; readonly says: RegExp };
  readonly torn?: boolean;
}

const rows: Row[] = [
  { found: 'no damage', damage: () => undefined, outcome: { missing: 0 } },
  {
    found: 'an invalid frame at the end of the last segment',
    damage: (found) => {
      const batch = lastBatch(open(found));
      zero(open(found).path, batch.offset + batch.bytes);
      flip(open(found).path, batch.offset + 70);
    },
    outcome: { missing: 1 },
    torn: true,
  },
  {
    found: 'an invalid frame before a valid one in the last segment',
    damage: (found) => flip(open(found).path, frameOf(open(found), 0).offset + 70),
    outcome: { file: (found) => open(found).path, says: /payload does not match/ },
  },
  {
    found: 'an unfinished rotation: an unsealed segment and a blank successor',
    damage: (found) => {
      zero(open(found).path, 512);
      zero(sealed(found).path, frameOf(sealed(found), -1).offset);
    },
    outcome: { missing: Number.NaN },
  },
  {
    found: 'an unsealed segment whose successor has frames',
    damage: (found) => zero(sealed(found).path, frameOf(sealed(found), -1).offset),
    outcome: { file: (found) => sealed(found).path, says: /./ },
  },
  {
    found: 'a sealed segment without its successor',
    damage: (found) => fs.unlinkSync(open(found).path),
    outcome: { file: (found) => sealed(found).path, says: /which does not exist/ },
  },
  {
    found: 'missing LSNs above the snapshot',
    damage: (found) => fs.unlinkSync(sealed(found).path),
    outcome: { file: (found) => open(found).path, says: /./ },
  },
  {
    found: 'a bad segment header',
    damage: (found) => flip(open(found).path, 20),
    outcome: { file: (found) => open(found).path, says: /./ },
  },
  {
    found: 'a bad frame in a sealed segment above the snapshot',
    damage: (found) => flip(sealed(found).path, lastBatch(sealed(found)).offset + 70),
    outcome: { file: (found) => sealed(found).path, says: /./ },
  },
  {
    found: 'a damaged newest snapshot, and the log from the previous one',
    damage: ({ snapshots }) => flip(snapshots.at(-1) as string, 200),
    outcome: { missing: 0 },
  },
  {
    found: 'two damaged snapshots',
    damage: ({ snapshots }) => {
      for (const file of snapshots) flip(file, 200);
    },
    outcome: { file: ({ snapshots }) => snapshots.at(-1) as string, says: /does not verify/ },
  },
];

t.test('a start serves or refuses each state of a folder as the documents say', async (t) => {
  const { data: source, key, projects } = await killed(t);
  for (const { found: name, damage, outcome, torn } of rows) {
    await t.test(`a start ${'missing' in outcome ? 'serves' : 'refuses'} a folder with ${name}`, async (t) => {
      const data = path.join(temporaryFolder(t), 'data');
      fs.cpSync(source, data, { recursive: true, filter: (file) => !file.endsWith('.sock') });
      const folders = foldersIn(data);
      const found: Found = {
        data,
        segments: listSegments(nodeFiles, folders.journal).map((file) => readSegment(nodeFiles, file)),
        snapshots: fs
          .readdirSync(folders.snapshots)
          .sort()
          .map((file) => path.join(folders.snapshots, file)),
      };
      t.equal(found.snapshots.length, 2);
      t.equal(sealed(found).end.kind, 'sealed');
      damage(found);
      const opening = createServer({ data, log: recordingLog().log, segmentBytes: mebibyte });
      if ('file' in outcome) {
        const before = contents(data);
        const error = (await opening.then(
          (server) => server.close(),
          (thrown) => thrown,
        )) as CorruptError;
        t.match(error, { name: 'CorruptError', file: outcome.file(found), found: outcome.says });
        t.ok(error.offset >= 0);
        t.match(error.message, `corrupt: ${error.file} at byte ${error.offset}: `);
        t.strictSame(contents(data), before, 'nothing was changed');
        return;
      }
      const server: MapwrightServer = await opening;
      t.teardown(() => server.close());
      const { url } = await server.listen(0);
      const { json } = await ask({ url, key }, 'GET', '/v1/projects');
      if (Number.isNaN(outcome.missing)) t.ok(json.length > 9, 'what the sealed segment held');
      else t.equal(json.length, projects.length - outcome.missing);
      t.strictSame(json, projects.slice(0, json.length), 'a prefix of all that was written');
      t.equal((await ask({ url, key }, 'POST', '/v1/projects', {})).status, 200, 'and it goes on');
      const kept = fs.readdirSync(folders.journal).filter((file) => file.endsWith('.torn'));
      t.equal(kept.length, torn === true ? 1 : 0);
    });
  }
});

/** Names and bytes of everything but the lock. */
function contents(folder: string): [name: string, bytes: string][] {
  return (fs.readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => name !== 'lock' && fs.statSync(path.join(folder, name)).isFile())
    .sort()
    .map((name) => [name, fs.readFileSync(path.join(folder, name)).toString('base64').slice(0, 200_000)]);
}
