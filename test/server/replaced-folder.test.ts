// tier: normal
/**
 * The data folder is replaced or deleted while a server uses it: the server stops, what it acknowledged is in the folder that it opened, and
 * it changes nothing in the folder that has taken its place.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createServer } from '../../src/index.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const flags = ['--segment-mb', '1'];
const writers = 8;
/** Writes after the replacement that would fill several segments: a server that still acknowledges then has not noticed. */
const enough = 5_000;
const padding = 'x'.repeat(1_500);

const options = () => ({ segmentBytes: 1024 * 1024, log: recordingLog().log });

/** A data folder with three projects, and a copy of it to put in its place. */
async function prepared(t: Pick<Test, 'teardown'>) {
  const folder = temporaryFolder(t);
  const [data, old, restored] = ['store', 'old', 'restored'].map((name) => path.join(folder, name)) as [string, string, string];
  const server = await createServer({ data, ...options() });
  const { key } = await server.createKey('ann');
  for (const name of ['a', 'b', 'c']) await server.client({ account: 'ann' }).post('/projects', { body: { name } });
  await server.close();
  fs.cpSync(data, restored, { recursive: true, preserveTimestamps: true });
  return { folder, data, old, restored, key };
}

/** Everything in a folder: names, sizes, times and digests. */
function contents(folder: string): Record<string, unknown> {
  const entries = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    entries.map((name) => {
      const file = path.join(folder, name);
      const { size, mtimeMs } = fs.statSync(file);
      const digest = fs.statSync(file).isFile() ? createHash('sha256').update(fs.readFileSync(file)).digest('hex') : 'folder';
      return [name, { size, mtimeMs, digest }];
    }),
  );
}

/** Writes with several clients, does something to the folder in the middle, and goes on until the server ends; the names acknowledged. */
async function writeThrough(server: Served, happens: () => void) {
  const acknowledged: string[] = [];
  let after = Number.POSITIVE_INFINITY;
  let ended = false;
  void server.ended.then(() => {
    ended = true;
  });
  const write = async (writer: number) => {
    for (let i = 0; !ended && acknowledged.length < after + enough; i++) {
      const name = `${writer}-${i} ${padding}`;
      const answer = await ask(server, 'POST', '/v1/projects', { name }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(name);
      if (acknowledged.length === 400 && after === Number.POSITIVE_INFINITY) {
        after = acknowledged.length;
        happens();
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, i) => write(i)));
  const late = acknowledged.length - after;
  const noticed = late < enough;
  const { code, stderr } = noticed ? await server.ended : await server.end('SIGKILL');
  return { acknowledged, late, noticed, code, stderr };
}

/** Opens a folder: the names of the projects in it. */
async function names(data: string): Promise<string[]> {
  const server = await createServer({ data, ...options() });
  const projects = await server.client({ account: 'ann' }).get('/projects', { params: { query: { fields: 'name' } } });
  await server.close();
  return projects.map(({ name }) => name);
}

/** Checks that every acknowledged name is there; more may be, from requests that were cut off. */
function holdsAll(t: Test, found: readonly string[], acknowledged: readonly string[]): void {
  const there = new Set(found);
  t.strictSame(
    ['a', 'b', 'c', ...acknowledged].filter((name) => !there.has(name)),
    [],
    `all of ${acknowledged.length} acknowledged writes are in the folder that was opened`,
  );
}

t.test('a server stops if its folder is replaced, and both folders open', async (t) => {
  const { data, old, restored, key } = await prepared(t);
  const before = contents(restored);
  const server = await serve(t, data, flags, key);
  const { ino } = fs.statSync(data);
  const result = await writeThrough(server, () => {
    fs.renameSync(data, old);
    fs.renameSync(restored, data);
  });
  t.ok(result.noticed, `${result.late} writes were acknowledged after the replacement`);
  t.equal(result.code, 1);
  for (const part of [
    `The data folder ${data} was replaced`,
    `inode ${ino} (now ${old})`,
    `inode ${fs.statSync(data).ino}. Nothing`,
  ])
    t.ok(result.stderr.includes(part), part);
  t.strictSame(contents(data), before, 'nothing was changed in the new folder');
  t.strictSame(await names(data), ['a', 'b', 'c']);
  holdsAll(t, await names(old), result.acknowledged);
});

test.all('a server stops if the symbolic link to its folder is changed, and both folders open', async (t) => {
  const { folder, data, restored, key } = await prepared(t);
  const link = path.join(folder, 'link');
  fs.symlinkSync(data, link);
  const before = contents(restored);
  const server = await serve(t, link, flags, key);
  const result = await writeThrough(server, () => {
    fs.symlinkSync(restored, `${link}.new`);
    fs.renameSync(`${link}.new`, link);
  });
  t.ok(result.noticed, `${result.late} writes were acknowledged after the switch`);
  t.equal(result.code, 1);
  t.ok(result.stderr.includes(`The data folder ${link} was replaced`));
  t.strictSame(contents(restored), before, 'nothing was changed in the new folder');
  t.strictSame(await names(restored), ['a', 'b', 'c']);
  holdsAll(t, await names(data), result.acknowledged);
});

test.all('a server stops with a message if its folder is deleted', async (t) => {
  const { data, key } = await prepared(t);
  const server = await serve(t, data, flags, key);
  const result = await writeThrough(server, () => fs.rmSync(data, { recursive: true, maxRetries: 10 }));
  t.ok(result.noticed, `${result.late} writes were acknowledged after the deletion`);
  t.equal(result.code, 1);
  t.match(result.stderr, /was (replaced or deleted|deleted or replaced) while this process .*mapwright restore --help/);
  t.notOk(fs.existsSync(data), 'and makes no new one');
});

test.all('a server stops at the next check if its newest segment is deleted', async (t) => {
  const { data, key } = await prepared(t);
  const server = await serve(t, data, flags, key);
  const journal = path.join(data, 'journal');
  const result = await writeThrough(server, () => {
    const segment = fs.readdirSync(journal).findLast((name) => name.endsWith('.segment')) as string;
    fs.unlinkSync(path.join(journal, segment));
  });
  t.equal(result.code, 1);
  t.match(result.stderr, /The segment \S+\.segment was deleted or replaced while this process wrote it/);
});

test.all('an idle server stops if its folder is replaced, and takes no lock in the new one', async (t) => {
  const { data, old, restored, key } = await prepared(t);
  const before = contents(restored);
  const server = await serve(t, data, flags, key);
  fs.renameSync(data, old);
  fs.renameSync(restored, data);
  const { code, stderr } = await server.ended;
  t.equal(code, 1);
  t.ok(stderr.includes(`The data folder ${data} was replaced`));
  t.strictSame(contents(data), before);
});

t.test('an embedded server with a replaced folder reports it, refuses writes and does not touch the new one', async (t) => {
  const folder = temporaryFolder(t);
  const [data, old] = [path.join(folder, 'store'), path.join(folder, 'old')];
  let report: (error: unknown) => void;
  const fatal = new Promise((resolve) => {
    report = resolve;
  });
  const first = await createServer({ data, ...options(), onFatal: (error) => report(error) });
  t.teardown(() => first.close().catch(() => undefined));
  const { key } = await first.createKey('ann');
  const { url } = await first.listen(0);
  await must({ url, key }, 'POST', '/projects', { name: 'kept' });
  fs.renameSync(data, old);
  const second = await createServer({ data, ...options() });
  t.teardown(() => second.close());
  t.match(await fatal, { message: new RegExp(`data folder ${data} was replaced`) });
  t.match(await ask({ url, key }, 'POST', '/v1/projects', { name: 'late' }), { status: 503 });
  // A line for the audit log, and a use to save.
  await ask({ url, key: 'mw_nobody' }, 'GET', '/v1/projects');
  await t.rejects(first.close(), /the journal has stopped: The data folder/);
  t.strictSame(fs.readdirSync(data).sort(), ['blobs', 'control.sock', 'format', 'journal', 'lock', 'snapshots']);
  const listed = await run(['accounts', 'list', '--json', '--data', data]);
  t.strictSame(JSON.parse(listed.stdout), [], 'commands still reach the server of the new folder');
  await second.close();
  const third = await createServer({ data: old, ...options() });
  t.teardown(() => third.close());
  t.match(await third.client({ account: 'ann' }).get('/projects'), [{ name: 'kept' }]);
});

test.all('a folder that is moved away and back is the same folder', async (t) => {
  const folder = temporaryFolder(t);
  const [data, old] = [path.join(folder, 'store'), path.join(folder, 'old')];
  const { log, logged } = recordingLog();
  const server = await createServer({ data, log, onFatal: (error) => t.fail(String(error)) });
  t.teardown(() => server.close());
  fs.renameSync(data, old);
  fs.renameSync(old, data);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await server.createKey('ann');
  t.strictSame(
    logged.filter(([level]) => level !== 'info'),
    [],
  );
});

t.test('a command changes nothing in a folder that replaces the one it opened', async (t) => {
  const { data, old, restored } = await prepared(t);
  const before = contents(restored);
  // The folders are exchanged when the command has the lock, and looks what the folder is.
  const hook = path.join(path.dirname(data), 'hook.mjs');
  fs.writeFileSync(
    hook,
    `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const open = fs.openSync;
fs.openSync = (file, ...rest) => {
  if (String(file).endsWith('format')) {
    fs.openSync = open;
    syncBuiltinESMExports();
    fs.renameSync(${JSON.stringify(data)}, ${JSON.stringify(old)});
    fs.renameSync(${JSON.stringify(restored)}, ${JSON.stringify(data)});
  }
  return open(file, ...rest);
};
syncBuiltinESMExports();`,
  );
  const { code, stderr } = await run(['snapshot', '--data', data], { env: { NODE_OPTIONS: `--import ${hook}` } });
  t.equal(code, 1);
  t.ok(stderr.includes(`The data folder ${data} was replaced`), stderr);
  t.strictSame(contents(data), before);
  t.strictSame(await names(old), ['a', 'b', 'c']);
});
