// tier: all, process: first
/** The commands and programs of README.md and docs/, run as printed against a real server. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { serveOptions } from '../../src/cli/commands/serve/serve-options.ts';
import { createServer } from '../../src/index.ts';
import { png } from '../api/pictures.ts';
import { refusalOf, wordsOf } from '../support/command-lines.ts';
import { blocksOf, documentNames, documentText } from '../support/documents.ts';
import { sameProject } from '../support/identities.ts';
import { silent } from '../support/mapwright.ts';
import { serve, temporaryFolder } from '../support/process.ts';

const run = promisify(execFile);
const api = 'docs/api.md';
const embedding = 'docs/embedding.md';

/** The first block of a language in a section. */
const blockIn = (document: string, heading: string, language: string): string =>
  blocksOf(document, heading, language)[0] as string;

/** The commands of the first map, whose variables the other examples use. */
const firstMap = blockIn('README.md', 'First map in four curls', 'sh');

t.test('the four curl commands of the README create the first map', async (t) => {
  t.equal(firstMap.match(/\bcurl -sS\b/g)?.length, 4);
  const stdout = await printed(t, `${firstMap}\ncurl -sS -H "$AUTH" $API/projects/$PROJECT`);
  const [popup, project] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.equal(popup.title, 'St. Stephen');
  t.match(project, { name: 'City walk', artboards: [{ type: 'osm', objects: [{ name: 'Cathedral' }] }], popups: [popup] });
  t.equal(popup.attachedTo, project.artboards[0].objects[0].id);
});

/** What a script prints, run against a server of its own. */
async function printed(t: Test, script: string, flags: string[] = [], cwd = temporaryFolder(t)): Promise<string> {
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  const server = await serve(t, folder, flags);
  const program = path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'mapwright.js');
  const npx = `npx() { shift; "${process.execPath}" "${program}" "$@"; }\n`;
  const here =
    npx + script.replace('mw_...', server.key).replaceAll(/http:\/\/127\.0\.0\.1:8070|https:\/\/maps\.example/g, server.url);
  const env = { ...process.env, MAPWRIGHT_DATA: folder, MAPWRIGHT_URL: server.url };
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', here], { cwd, env });
  t.equal(stderr, '');
  return stdout;
}

interface Around {
  readonly blocks?: readonly string[];
  readonly cwd?: string;
}

/** What the first block of a section in docs/api.md prints after the first map, or the given blocks. */
async function printedAfterMap(
  t: Test,
  heading: string,
  { blocks = [blockIn(api, heading, 'sh')], cwd }: Around = {},
): Promise<string> {
  const mark = '=== the map is there';
  const all = await printed(t, `${firstMap}\necho '${mark}'\n${blocks.join('\n')}`, [], cwd);
  return all.slice(all.indexOf(mark) + mark.length + 1);
}

t.test('the README commands for a map on any page print the shown HTML', async (t) => {
  const blocks = [blockIn('README.md', 'On any page', 'sh')];
  const lines = (await printedAfterMap(t, 'On any page', { blocks })).split('\n').map((line) => line.trim());
  const example = (line: string) =>
    line.replace(/http:\/\/127\.0\.0\.1:\d+/, 'https://maps.example').replace(/\/p\/[0-9a-z]{27}/, '/p/SLUG');
  const said = blockIn('README.md', 'On any page', 'html').split('\n').slice(0, 2);
  t.strictSame(
    lines.map(example).filter((line) => line.startsWith('<')),
    said,
  );
});

/** A printed line as a pattern: `...` and `…` stand for anything, and times, sizes and identifiers differ. */
const patternOf = (said: string): RegExp => {
  const any = said
    .replaceAll(/\b0kx3…|\.{3}|…|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{16}\.[0-9a-f]{16}-\w+/g, '\0')
    .replaceAll(/("(?:bytes|revision)":)\d+/g, '$1\0');
  return new RegExp(`^${any.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\0', '.*')}$`);
};

/** The lines that a block says it prints: comments in lines of their own, and numbers behind commands. */
const linesSaid = (block: string): string[] =>
  Array.from(block.matchAll(/^# (.*)$|^#()$| # (\d+)$/gm), ([, line, empty, number]) => line ?? empty ?? number ?? '');

t.test('all commands of docs/api.md work in their order, and print what they say', async (t) => {
  const cwd = temporaryFolder(t);
  fs.symlinkSync(path.join(import.meta.dirname, '..', '..', '..', 'docs'), path.join(cwd, 'docs'));
  const blocks = Array.from(documentText(api).matchAll(/\n```sh\n([\s\S]*?)```/g), ([, block = '']) => block);
  const mark = '=== the next block';
  const script = [firstMap, ...blocks].join(`\necho '${mark}'\n`);
  const [, ...printedBy] = (await printed(t, script, ['--cors', 'http://localhost:5173'], cwd)).split(`${mark}\n`);
  t.ok(blocks.length > 25, `${blocks.length} blocks`);
  for (const [i, block] of blocks.entries()) {
    const lines = (printedBy[i] ?? '').replaceAll('\r', '').split('\n');
    const missing = linesSaid(block).filter((said) => {
      const at = lines.findIndex((line) => patternOf(said).test(line));
      if (at !== -1) lines.splice(0, at + 1);
      return at === -1;
    });
    t.strictSame(missing.length === 0 ? [] : { missing, left: lines }, [], block.slice(0, 80));
  }
  const uploaded = printedBy[blocks.findIndex((block) => block.includes('/files?name='))] ?? '';
  // The picture is made again now and then.
  const others = { id: '', bytes: 0, url: '', created: '' };
  const file = (json: string) => JSON.stringify({ ...JSON.parse(json), ...others });
  t.equal(file(uploaded), file(blockIn(api, 'Files', 'json')));
});

t.test('the curl of a batch creates an object and its popup', async (t) => {
  const { results } = JSON.parse(await printedAfterMap(t, 'Batches')) as {
    results: { status: number; body: { id: string } }[];
  };
  t.match(results, [
    { status: 200, body: { name: 'Opera' } },
    { status: 200, body: { attachedTo: results[0]?.body.id } },
    { status: 200 },
  ]);
});

t.test('the curls of dangling references print the shown problems', async (t) => {
  const [ask = '', strict = ''] = blocksOf(api, 'Dangling references', 'sh');
  const [shown = '', refused = ''] = (await printedAfterMap(t, 'Dangling references', { blocks: [ask, strict] }))
    .trim()
    .split('\n');
  const without = (json: string) => JSON.parse(json.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id'));
  t.strictSame(without(shown), without(blockIn(api, 'Dangling references', 'json')));
  const [, start = '', end = ''] = /^# (.*),\.\.\.,(.*)$/m.exec(strict) ?? [];
  t.ok(start !== '' && refused.startsWith(start) && refused.endsWith(end), refused);
});

t.test('the curls of filtered lists print the shown lines', async (t) => {
  const lines = (await printedAfterMap(t, 'Lists')).split(/\r?\n/);
  for (const printed of blockIn(api, 'Lists', '').trim().split(/\n+/)) {
    const pattern = new RegExp(`^${printed.replace(/[\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.+')}$`);
    t.ok(
      lines.some((line) => pattern.test(line)),
      printed,
    );
  }
});

t.test('the curl of a copy prints the copied project', async (t) => {
  const copy = JSON.parse(await printedAfterMap(t, 'Copies'));
  t.match(copy, { name: 'City walk, next year', artboards: [{ objects: [{ name: 'Cathedral' }] }], popups: [{}] });
  t.equal(copy.popups[0].attachedTo, copy.artboards[0].objects[0].id);
});

t.test('the curls of export and import copy a project', async (t) => {
  const folder = temporaryFolder(t);
  const made = JSON.parse(await printedAfterMap(t, 'Export and import', { cwd: folder }));
  const { project } = JSON.parse(fs.readFileSync(path.join(folder, 'walk.json'), 'utf8'));
  t.match(made, { name: 'City walk', popups: [{ attachedTo: made.artboards[0].objects[0].id }] });
  t.ok(sameProject(made, project));
});

t.test('the commands of account limits print the shown responses', async (t) => {
  const lines = (text: string) =>
    text
      .trim()
      .replaceAll(/([tr]|After)(=|: )\d+/g, '$1$2n')
      .split('\n');
  t.strictSame(lines(await printedAfterMap(t, 'Account limits')), lines(blockIn(api, 'Account limits', 'text')));
});

/** A program as it is printed, but for where it stands: the package is not installed there, and a port may be taken. */
function programOf(t: Test, heading: string, { document = embedding, name = 'app.mjs' } = {}): string {
  const compiled = path.join(import.meta.dirname, '..', '..', 'src');
  const program = blockIn(document, heading, 'js')
    .replace("from 'mapwright'", `from ${JSON.stringify(path.join(compiled, 'index.js'))}`)
    .replace("from 'mapwright/client'", `from ${JSON.stringify(path.join(compiled, 'web/client/client.js'))}`)
    .replaceAll(
      /^(import.* )'(?!node:)([^'/][^']*)'/gm,
      (_, start: string, name: string) => `${start}'${import.meta.resolve(name)}'`,
    )
    .replace(
      "await app.listen(3000, '127.0.0.1');",
      "await app.listen(0, '127.0.0.1'); console.log(new URL(await app.getUrl()).port);",
    )
    .replace(".listen(3000, '127.0.0.1')", ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })")
    .replace('await app.listen({ port: 3000 });', 'console.log(new URL(await app.listen({ port: 0 })).port);')
    .replace("port: 3000, hostname: '127.0.0.1' }", "port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(port)");
  const file = path.join(temporaryFolder(t), name);
  fs.writeFileSync(file, program);
  return file;
}

for (const [document, heading] of [
  [embedding, ''],
  ['README.md', 'Embed it in ten lines'],
] as const)
  t.test(`the embedding example of ${document} serves the API within another program`, async (t) => {
    const file = programOf(t, heading, { document });
    const child = spawn(process.execPath, [file], { cwd: path.dirname(file), stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const printed = await lines(child.stdout, 2);
    const port = printed.find((line) => /^\d+$/.test(line));
    const key = printed.find((line) => line.startsWith('mw_'));
    const root = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${key}`, connection: 'close' };
    const prefixes = document === 'README.md' ? ['/api/v1'] : ['/api/v1', '/v1'];
    for (const prefix of prefixes) t.same(await (await fetch(`${root}${prefix}/projects`, { headers })).json(), []);
    t.equal(await (await fetch(`${root}/else`, { headers })).text(), 'my own program');
    child.kill('SIGTERM');
    t.same(await ended, [0, null], 'it ends on SIGTERM');
  });

for (const framework of ['Express', 'Fastify', 'NestJS', 'Hono']) {
  t.test(`the example inside ${framework} serves the API within its routes`, async (t) => {
    const file = programOf(t, `Inside ${framework}`);
    const data = path.join(path.dirname(file), 'maps');
    const seed = await createServer({ data, log: silent });
    const { key } = await seed.createKey('acme');
    await seed.close();
    const child = spawn(process.execPath, [file], { cwd: path.dirname(file), stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const [port = ''] = await lines(child.stdout, 1);
    const root = `http://127.0.0.1:${port}`;
    t.equal(await (await fetch(root)).text(), 'my own program');
    t.equal((await fetch(`${root}/maps/readyz`)).status, 200);
    const ask = (method: string, at: string, body?: string | Uint8Array, type = 'application/json') =>
      fetch(`${root}${at}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined ? {} : { body }),
      });
    const large = JSON.stringify({ name: 'Harbour', popups: [{ content: 'x'.repeat(3 * 1024 * 1024) }] });
    const made = (await (await ask('POST', '/maps/api/v1/projects', large)).json()) as { id: string; name: string };
    t.equal(made.name, 'Harbour', 'a body of more than frameworks take is there whole');
    t.equal((await ask('PATCH', `/maps/v1/projects/${made.id}`, '{"name":"Pier"}')).status, 200);
    t.equal((await ask('POST', '/maps/v1/projects', '{"name":')).status, 400);
    const refused = await ask('POST', '/maps/v1/projects', 'name=x', 'text/plain');
    t.same([refused.status, refused.headers.get('content-type')], [415, 'application/problem+json']);
    await ask('POST', '/maps/v1/projects', '{}');
    const page = await ask('GET', '/maps/v1/projects?limit=1');
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
    t.match(next, /^\/maps\/v1\/projects\?/);
    t.equal(((await (await ask('GET', next)).json()) as unknown[]).length, 1, 'the next page is where it says');
    for (const elsewhere of ['/v1/projects', '/else', '/maps/else'])
      t.equal((await ask('GET', elsewhere)).status, 404, 'and nothing is anywhere else');
    const picture = await ask('POST', `/maps/v1/projects/${made.id}/files?name=a.png`, png(), 'image/png');
    const { url } = (await picture.json()) as { url: string };
    t.match(url, /^\/f\//);
    t.same(Buffer.from(await (await fetch(`${root}/maps${url}`)).arrayBuffer()), png(), 'a picture is below the path');
    t.equal((await ask('DELETE', `/maps/v1/projects/${made.id}`)).status, 204);
    const stream = await ask('GET', '/maps/v1/events');
    t.equal(stream.headers.get('content-type'), 'text/event-stream');
    child.kill('SIGTERM');
    t.match(await stream.text(), /^id: /m, 'a stream of events ends with the server');
    t.same(await ended, [0, null], 'which ends at SIGTERM');
    const left = await createServer({ data, log: silent });
    t.equal((await left.client({ account: 'acme' }).get('/projects')).length, 1, 'what was acknowledged is there');
    await left.close();
  });
}

t.test('the test fixture of the documents passes and leaves no file', async (t) => {
  const file = programOf(t, 'In tests', { name: 'harbour.test.mjs' });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file], { cwd: path.dirname(file), env });
  t.match(stdout, /\n# pass 1\n# fail 0\n/);
  t.same(fs.readdirSync(path.dirname(file)), ['harbour.test.mjs'], 'it leaves nothing behind');
});

t.test('requests without a socket and custom schemas print what their comments say', async (t) => {
  for (const heading of ['Without a socket', 'Custom schemas']) {
    const file = programOf(t, heading);
    const { stdout } = await run(process.execPath, [file], { cwd: path.dirname(file) });
    const said = [...blockIn(embedding, heading, 'js').matchAll(/^(?:.*; )?\/\/ (.*)$/gm)].map(([, line = '']) => line);
    const printed = stdout.replaceAll(/\n +/g, ' ').replaceAll(/\n\]/g, ' ]').trim().split('\n');
    const like = (line: string) => line.replaceAll(/(id|detail): (['"]).*?\2(?=[, }])/g, '$1: ...');
    t.same(printed.map(like), said.map(like), heading);
  }
});

async function lines(stream: NodeJS.ReadableStream, count: number): Promise<string[]> {
  let text = '';
  for await (const part of stream) {
    text += part;
    if (text.split('\n').length > count) break;
  }
  return text.split('\n').slice(0, count);
}

t.test('the commands for the configuration in force and completion print the shown text', async (t) => {
  const home = temporaryFolder(t);
  const program = path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'mapwright.js');
  const npx = `npx() { shift; "${process.execPath}" "${program}" "$@"; }\n`;
  const shell = (script: string) =>
    run('bash', ['--norc', '-euo', 'pipefail', '-c', npx + script], { cwd: home, env: { ...process.env, HOME: home } });
  const { stdout } = await shell(blockIn('docs/configuration.md', '', 'sh'));
  t.equal(stdout.replaceAll(fs.realpathSync(home), '/home/maps'), blockIn('docs/configuration.md', '', 'text'));
  const completion = blockIn('docs/operations.md', 'Command line', 'sh').replace(/^source .*/m, '');
  await shell(`${completion}
    source ~/.local/share/bash-completion/completions/mapwright
    complete -p mapwright`);
  t.match(fs.readFileSync(path.join(home, '.mapwright-completion'), 'utf8'), /^#compdef mapwright/);
});

t.test('the parser accepts every mapwright command in the documents', async (t) => {
  const before = process.cwd();
  const key = process.env['MAPWRIGHT_KEY'];
  t.teardown(() => {
    process.chdir(before);
    if (key !== undefined) process.env['MAPWRIGHT_KEY'] = key;
  });
  process.chdir(temporaryFolder(t));
  fs.writeFileSync('mapwright.json', '{"port":8071}');
  let count = 0;
  for (const name of documentNames()) {
    for (const [, block = ''] of documentText(name).matchAll(/\n```sh\n([\s\S]*?)```/g)) {
      for (const call of callsIn(block)) {
        // A command removes the key from the environment.
        process.env['MAPWRIGHT_KEY'] = 'mw_x';
        t.equal(await refusalOf(wordsOf(call)), undefined, `${name}: ${call}`);
        count++;
      }
    }
  }
  delete process.env['MAPWRIGHT_KEY'];
  t.ok(count > 30, `${count} commands`);
});

t.test('the compose file of a cluster names options that exist, and the image that init --docker builds', async (t) => {
  const compose = documentText('data/templates/cluster/compose.yaml');
  const named = [...compose.matchAll(/\bMAPWRIGHT_(\w+):/g)].map(([, name = '']) => name.toLowerCase().replaceAll('_', '-'));
  t.strictSame([...new Set(named)].sort(), ['advertise', 'cluster', 'host', 'port']);
  for (const name of named) t.ok(Object.hasOwn(serveOptions, name), name);
  const { version } = JSON.parse(documentText('package.json')) as { version: string };
  t.ok(compose.includes(`FROM mapwright:${version}\n`));
  const [, calls = ''] = /command: \["(mapwright cluster .*)"\]/.exec(compose) ?? [];
  process.env['MAPWRIGHT_CLUSTER'] = 'postgres://maps@db1,db2/maps';
  t.teardown(() => delete process.env['MAPWRIGHT_CLUSTER']);
  t.strictSame(calls.split(' || '), ['mapwright cluster status', 'mapwright cluster init']);
  for (const call of calls.split(' || ')) t.equal(await refusalOf(wordsOf(`npx ${call}`)), undefined, call);
});

/** The calls of mapwright in a script, each in one line, without comments. */
const callsIn = (block: string): string[] =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/(^| +)#.*$| 2>.*$/gm, '')
    .split(/\n| \| /)
    .filter((line) => line.includes('npx mapwright '));
