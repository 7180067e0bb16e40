// tier: normal
/** `mapwright export` and `mapwright import`, run as commands against real servers and against one that misbehaves. */
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { sameProject } from '../support/identities.ts';
import { must, run, temporaryFolder } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';

const flagsFor = ({ url, key }: Pick<ServedHere, 'url' | 'key'>): string[] => ['--url', url, '--key', key];

const sample = (name: string) => ({
  name,
  artboards: [{ name: 'a', objects: [{ type: 'spot', name: 'o' }] }],
  popups: Array.from({ length: 300 }, (_, i) => ({ title: `${name} ${i}`, content: 'é'.repeat(300) })),
});

test.all('a project exported as a file is imported with equal content', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const made = await must(server, 'POST', '/projects', sample('Café'));
  const exported = await run(['export', made.id, ...flagsFor(server)], { cwd });
  t.match(exported, { code: 0, stdout: 'Exported Cafe.mapwright.json.\n', stderr: '' });
  t.strictSame(fs.readdirSync(cwd), ['Cafe.mapwright.json'], 'and nothing beside it');
  const file = path.join(cwd, 'Cafe.mapwright.json');
  t.equal(fs.statSync(file).mode & 0o777, 0o600, 'as private as the data folder');
  const text = fs.readFileSync(file, 'utf8');
  t.strictSame(JSON.parse(text), { format: 'mapwright-project', version: 1, project: made });
  t.notOk(text.includes(server.key) || text.includes('"default"'), 'neither key nor account');
  const again = await run(['export', made.id, '--out', 'other.json', '--json'], {
    cwd,
    env: { MAPWRIGHT_KEY: server.key, MAPWRIGHT_URL: `${server.url}/api/v1/` },
  });
  t.match(again, { code: 0, stderr: '' });
  t.strictSame(JSON.parse(again.stdout), { file: 'other.json', id: made.id });
  t.equal(fs.readFileSync(path.join(cwd, 'other.json'), 'utf8'), text, 'the same bytes');
  fs.mkdirSync(path.join(cwd, 'folder'));
  t.equal((await run(['export', made.id, '--out', 'folder', ...flagsFor(server)], { cwd })).code, 0);
  t.strictSame(fs.readdirSync(path.join(cwd, 'folder')), ['Cafe.mapwright.json', 'manifest.json']);

  const imported = await run(['import', 'Cafe.mapwright.json', 'other.json', '--json', ...flagsFor(server)], { cwd });
  t.match(imported, { code: 0, stderr: '' });
  const { projects } = JSON.parse(imported.stdout);
  t.match(projects, [
    { file: 'Cafe.mapwright.json', name: 'Café' },
    { file: 'other.json', name: 'Café' },
  ]);
  for (const { id } of projects) t.ok(sameProject(await must(server, 'GET', `/projects/${id}`), made));
  const said = await run(['import', 'other.json', ...flagsFor(server)], { cwd });
  t.match(said, { code: 0, stdout: /^Imported other\.json as [\da-f-]{36}\.\n$/, stderr: '' });
});

test.all('a file with several documents, as the console saves them, is imported as several projects', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const document = (name: string, version = 1) => ({ format: 'mapwright-project', version, project: { name } });
  fs.writeFileSync(path.join(cwd, 'two.json'), `[\n${JSON.stringify(document('A'))},\n${JSON.stringify(document('B'))}\n]\n`);
  const { code, stdout } = await run(['import', 'two.json', '--json', ...flagsFor(server)], { cwd });
  t.equal(code, 0);
  t.match(JSON.parse(stdout).projects, [{ name: 'A' }, { name: 'B' }]);
  fs.writeFileSync(path.join(cwd, 'bad.json'), JSON.stringify([document('C'), document('D', 99)]));
  const refused = await run(['import', 'bad.json', ...flagsFor(server)], { cwd });
  t.not(refused.code, 0);
  t.match(refused.stderr, /Project 2 of 2 was refused; those before it were imported/);
});

test.all('a project is exported to standard output and imported from standard input', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const made = await must(server, 'POST', '/projects', sample('Café'));
  const exported = await run(['export', made.id, '--out', '-', ...flagsFor(server)], { cwd });
  t.match(exported, { code: 0, stderr: '' });
  t.strictSame(JSON.parse(exported.stdout).project, made);
  fs.writeFileSync(path.join(cwd, 'p.json'), exported.stdout);
  const input = (file: string) => ({ cwd, under: ['sh', '-c', `exec "$@" < ${file}`, 'sh'] });
  const imported = await run(['import', '-', '--json', ...flagsFor(server)], input('p.json'));
  t.match(imported, { code: 0, stderr: '' });
  const [{ id, file }] = JSON.parse(imported.stdout).projects;
  t.equal(file, '/dev/stdin');
  t.ok(sameProject(await must(server, 'GET', `/projects/${id}`), made));
  const nothing = await run(['import', '-', ...flagsFor(server)], input('/dev/null'));
  t.match(nothing, { code: 1, stdout: '', stderr: /The file is empty/ });
  t.strictSame(fs.readdirSync(cwd), ['p.json']);
  const received: string[] = [];
  const url = await pretending(t, async (req, res) => {
    received.push(await bodyOf(req));
    if (received.length < 2) res.writeHead(503, { 'retry-after': '0' }).end('{"detail":"busy"}');
    else res.end('{"id":"i","name":"n","artboards":[]}');
  });
  t.match(await run(['import', '-', '--url', url, '--key', 'k'], input('p.json')), { code: 0 });
  t.strictSame(received, [exported.stdout, exported.stdout], 'what came once can be sent twice');
});

t.test('export --all writes a folder from which all projects are imported', async (t) => {
  const [here, there] = [await serveHere(t), await serveHere(t)];
  const cwd = temporaryFolder(t);
  const names = ['B', 'B', '東京', ...Array.from({ length: 8 }, (_, i) => `p${i}`)];
  for (const name of names) await must(here, 'POST', '/projects', { ...sample(name), popups: [{}] });
  const exported = await run(['export', '--all', '--out', 'maps', ...flagsFor(here)], { cwd });
  t.match(exported, { code: 0, stdout: 'Exported 11 projects into maps.\n', stderr: '' });
  const files = fs.readdirSync(path.join(cwd, 'maps'));
  t.equal(files.length, 12);
  t.match(files.slice(0, 3), ['01-B.mapwright.json', '02-B.mapwright.json', '03-project.mapwright.json']);
  const imported = await run(['import', 'maps', ...flagsFor(there)], { cwd });
  t.match(imported, { code: 0, stderr: '' });
  const before = await must(here, 'GET', '/projects');
  const after = await must(there, 'GET', '/projects');
  t.equal(after.length, names.length);
  for (const [i, project] of before.entries()) t.ok(sameProject(after[i], project), `${i}, in their order`);

  const full = await run(['export', '--all', '--out', 'maps', ...flagsFor(here)], { cwd });
  t.match(full, { code: 1, stderr: /maps is not empty/ });
  fs.rmSync(path.join(cwd, 'maps', '05-p1.mapwright.json'));
  const missing = await run(['import', 'maps', ...flagsFor(there)], { cwd });
  t.match(missing, { code: 1, stdout: '', stderr: /The file maps\/05-p1.* does not exist/ });
  t.equal((await must(there, 'GET', '/projects')).length, names.length, 'none of them was made');
  for (const projects of [[{ file: '../secret.json' }], [{ file: '/etc/passwd' }], [{}], 5, undefined]) {
    const manifest = { format: 'mapwright-account', version: 1, projects };
    fs.writeFileSync(path.join(cwd, 'maps', 'manifest.json'), JSON.stringify(manifest));
    t.match(await run(['import', 'maps', ...flagsFor(there)], { cwd }), { code: 1, stderr: /manifest/ });
  }
});

t.test('export and import refuse wrong arguments, files and projects, and leave no files', async (t) => {
  const server = await serveHere(t);
  const cwd = temporaryFolder(t);
  const flags = flagsFor(server);
  fs.writeFileSync(path.join(cwd, 'bad.json'), '{"format":"mapwright-project","version":1,"project":{"nam":1,"popups":[5]}}');
  fs.writeFileSync(path.join(cwd, 'cut.json'), '{"format":"mapwright-project","version":1,"project":{');
  const { id } = await must(server, 'POST', '/projects', {});
  t.equal((await run(['export', id, '--out', 'good.json', ...flags], { cwd })).code, 0);
  type Case = [args: string[], code: number, stderr: RegExp];
  const refusals: Case[] = [
    [['export', ...flags], 2, /^No project given/],
    [['export', 'x', '--all', ...flags], 2, /^Export one project or all of them\?/],
    [['export', '--all', ...flags], 2, /^--all needs a folder/],
    [['export', 'x', 'y', ...flags], 2, /y/],
    [['export', 'x', '--url', server.url], 2, /^This command needs an API key, in MAPWRIGHT_KEY/],
    [['export', 'none', ...flags], 1, /returned 404/],
    [['export', '../projects', ...flags], 1, /returned 404/],
    [['export', 'x', '--url', server.url, '--key', 'mw_nobody'], 1, /rejected the key/],
    [['export', 'x', '--url', 'nowhere', '--key', 'k'], 2, /must be the address of a server/],
    [['export', 'x', '--url', 'http://127.0.0.1:1', '--key', 'k'], 1, /Cannot reach a server/],
    [['import', ...flags], 2, /^No file given/],
    [['import', 'none.json', ...flags], 1, /The file none\.json does not exist/],
    [['import', 'bad.json', ...flags], 1, /bad\.json: .*returned 400: [\s\S]*\n {2}\/project\/nam: is not a member/],
    [['import', 'cut.json', ...flags], 1, /cut\.json: .*ends in the middle/],
    [['import', cwd, ...flags], 1, /has no manifest\.json, so export --all did not write it completely/],
    [['export', id, '--out', 'bad.json', ...flags], 1, /The file bad\.json exists already/],
  ];
  const partial: Case = [
    ['import', 'good.json', 'bad.json', 'cut.json', ...flags],
    1,
    /^bad\.json: [\s\S]*\nImported 1 of 3 files\. To import the rest: npx mapwright import bad\.json cut\.json\n$/,
  ];
  for (const [args, code, stderr] of [...sampled(refusals, 3), partial]) {
    const finished = await run(args, { cwd });
    t.equal(finished.code, code, args.slice(0, 3).join(' '));
    t.match(finished.stderr, stderr);
    t.notMatch(finished.stderr, server.key);
    t.match(finished.stdout, args.includes('good.json') ? /^Imported good\.json as / : /^$/);
  }
  t.strictSame(fs.readdirSync(cwd).sort(), ['bad.json', 'cut.json', 'good.json'], 'nothing was left behind');
  t.equal((await must(server, 'GET', '/projects')).length, 2, 'what was there, and the good one');
  const { code, stdout, stderr } = await run(['import', 'good.json', 'bad.json', '--json', ...flags], { cwd });
  t.equal(code, 1);
  t.match(JSON.parse(stdout).projects, [{ file: 'good.json' }], 'a program knows which one is there');
  t.match(JSON.parse(stderr).error, { code: 'failed', status: 400, message: /Imported 1 of 2 files/ });
  t.strictSame(
    JSON.parse(stderr).error.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/project/popups/0', '/project/nam'],
  );

  const popups = Array.from({ length: 8 }, () => 5);
  fs.writeFileSync(path.join(cwd, 'many.json'), JSON.stringify({ format: 'mapwright-project', version: 1, project: { popups } }));
  const many = await run(['import', 'many.json', ...flags], { cwd });
  t.match(
    many.stderr,
    /returned 400: 8 errors in the document\.\n( {2}\/project\/popups\/\d: .*\n){5} {2}and 3 more\. To see them, add --json\.\n$/,
  );
  const all = await run(['import', 'many.json', '--json', ...flags], { cwd });
  t.equal(JSON.parse(all.stderr).error.errors.length, 8);
});

/** A server with the given handler, for `http://...` of a command. */
async function pretending(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

t.test('an export that breaks off leaves the existing file unchanged', async (t) => {
  const cwd = temporaryFolder(t);
  const url = await pretending(t, (_, res) => {
    res.write(`{"format":"mapwright-project",${' '.repeat(100_000)}`, () => res.destroy());
  });
  fs.writeFileSync(path.join(cwd, 'p.json'), 'as it was');
  const finished = await run(['export', 'x', '--out', 'p.json', '--url', url, '--key', 'k'], { cwd });
  t.equal(finished.code, 1);
  t.match(finished.stderr, /\w/);
  t.strictSame(fs.readdirSync(cwd), ['p.json']);
  t.equal(fs.readFileSync(path.join(cwd, 'p.json'), 'utf8'), 'as it was');
});

t.test('an import into a busy server is retried with the whole file', async (t) => {
  const cwd = temporaryFolder(t);
  const received: string[] = [];
  const url = await pretending(t, async (req, res) => {
    received.push(await bodyOf(req));
    if (received.length < 3) res.writeHead(503, { 'retry-after': '0' }).end('{"detail":"busy"}');
    else res.end('{"id":"i","name":"n","artboards":[{"objects":[{"id":"o"}]}],"popups":[]}');
  });
  const text = JSON.stringify({ format: 'mapwright-project', version: 1, project: sample('x') });
  fs.writeFileSync(path.join(cwd, 'p.json'), text);
  const finished = await run(['import', 'p.json', '--url', url, '--key', 'k'], { cwd });
  t.match(finished, { code: 0, stdout: 'Imported p.json as i.\n', stderr: /^busy Retrying in 0 s\.\n$/ });
  t.equal(received.length, 3);
  t.ok(received.every((one) => one === text));
});

/** Spots enough for a file of several MiB, more than the buffers of a connection take. */
const large = JSON.stringify({
  format: 'mapwright-project',
  version: 1,
  project: {
    artboards: [{ objects: Array.from({ length: 60_000 }, (_, i) => ({ type: 'spot', name: 'spot '.repeat(20), x: i })) }],
  },
});

t.test('an import refused in its middle is retried from the beginning of the file', async (t) => {
  const cwd = temporaryFolder(t);
  fs.writeFileSync(path.join(cwd, 'p.json'), large);
  for (const input of ['p.json', '-']) {
    const received: number[] = [];
    const url = await pretending(t, async (req, res) => {
      if (received.length < 2) {
        const [piece] = (await once(req, 'data')) as [Buffer];
        req.pause();
        received.push(piece.length);
        res.writeHead(received.length === 1 ? 429 : 503, { 'retry-after': '0' }).end('{"detail":"busy"}', () => res.destroy());
        return;
      }
      received.push((await bodyOf(req)).length);
      res.end('{"id":"i","name":"n","artboards":[]}');
    });
    const under = input === '-' ? { under: ['sh', '-c', 'exec "$@" < p.json', 'sh'] } : {};
    const finished = await run(['import', input, '--url', url, '--key', 'k'], { cwd, ...under });
    t.match(finished, { code: 0, stderr: 'busy Retrying in 0 s.\n' }, input);
    t.equal(received.length, 3);
    t.ok(received.slice(0, 2).every((bytes) => bytes < large.length));
    t.equal(received[2], large.length);
  }
});

test.all('an import above the size limit is refused once, with the message of the server', async (t) => {
  const server = await serveHere(t, { limits: { bodiesBytesMax: 10 * 1024 * 1024 } });
  const cwd = temporaryFolder(t);
  fs.writeFileSync(path.join(cwd, 'p.json'), large);
  const finished = await run(['import', 'p.json', ...flagsFor(server)], { cwd });
  t.match(finished, {
    code: 1,
    stdout: '',
    stderr: /^p\.json: POST \/projects\/import returned 413: .* more than 5242880 bytes/,
  });
  t.strictSame(await must(server, 'GET', '/projects'), []);
});

t.test('an import reports a server that closes the connection without a response', async (t) => {
  const cwd = temporaryFolder(t);
  fs.writeFileSync(path.join(cwd, 'p.json'), large);
  const url = await pretending(t, (req) => void req.once('data', () => req.destroy()));
  const finished = await run(['import', 'p.json', '--url', url, '--key', 'k'], { cwd });
  t.match(finished, { code: 1, stderr: /^p\.json: The server at .* closed the connection without a response/ });
});

t.test('an export does not write through links at its file names', async (t) => {
  const cwd = temporaryFolder(t);
  const victim = path.join(cwd, 'victim');
  fs.writeFileSync(victim, 'mine');
  const url = await pretending(t, (_, res) => void res.end('{}'));
  fs.symlinkSync(victim, path.join(cwd, 'map.json.tmp'));
  const { code, stderr } = await run(['export', 'x', '--out', 'map.json', '--url', url, '--key', 'k'], { cwd });
  t.equal(code, 0, stderr);
  t.equal(fs.readFileSync(victim, 'utf8'), 'mine');
  const written = fs.lstatSync(path.join(cwd, 'map.json'));
  t.strictSame([written.isFile(), written.mode & 0o777], [true, 0o600]);
  // One of the final name that leads nowhere is replaced.
  fs.symlinkSync(path.join(cwd, 'nowhere'), path.join(cwd, 'other.json'));
  t.equal((await run(['export', 'x', '--out', 'other.json', '--url', url, '--key', 'k'], { cwd })).code, 0);
  t.ok(fs.lstatSync(path.join(cwd, 'other.json')).isFile());
  t.strictSame(fs.readdirSync(cwd).sort(), ['map.json', 'map.json.tmp', 'other.json', 'victim'], 'nothing else is left');
});

t.test('file names of devices are refused from servers and manifests', async (t) => {
  const cwd = temporaryFolder(t);
  const url = await pretending(t, (_, res) => {
    res.setHeader('content-disposition', 'attachment; filename="CON.mapwright.json"').end('{}');
  });
  t.equal((await run(['export', 'x', '--url', url, '--key', 'k'], { cwd })).code, 0);
  t.strictSame(fs.readdirSync(cwd), ['project.mapwright.json']);
  const projects = [{ file: 'nul.json', id: 'x', name: 'x' }];
  fs.writeFileSync(path.join(cwd, 'manifest.json'), JSON.stringify({ format: 'mapwright-account', version: 1, projects }));
  t.match(await run(['import', '.', '--url', url, '--key', 'k'], { cwd }), {
    code: 1,
    stderr: /manifest\.json is not a valid export manifest/,
  });
});

t.test('a file name from a server cannot leave the current folder', async (t) => {
  const cwd = temporaryFolder(t);
  const url = await pretending(t, (_, res) => {
    res.setHeader('content-disposition', 'attachment; filename="../../evil.mapwright.json"').end('{}');
  });
  t.equal((await run(['export', 'x', '--url', url, '--key', 'k'], { cwd })).code, 0);
  t.strictSame(fs.readdirSync(cwd), ['project.mapwright.json']);
});
