/** The README's own lines, run as printed against a real server. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createServer } from '../../src/index.ts';
import { sameProject } from '../support/identities.ts';
import { silent } from '../support/mapwright.ts';
import { serve, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const run = promisify(execFile);
const root = projectRoot(import.meta.dirname);
const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** The first fenced block of a language after a heading, given by the words that it begins with. */
const blockAfter = (heading: string, language: string): string => blocksAfter(heading, language)[0] as string;

/** All of them from there on. */
function blocksAfter(heading: string, language: string): string[] {
  const section = readme.slice(readme.search(new RegExp(`\n###? ${heading}`)));
  const blocks = Array.from(
    section.matchAll(new RegExp(`\n\n\`\`\`${language}\n([^]*?)\`\`\``, 'g')),
    ([, block]) => block as string,
  );
  if (blocks.length === 0) throw new Error(`the README has no ${language} block after "${heading}"`);
  return blocks;
}

t.test('the five curls of the first map', async (t) => {
  const script = blockAfter('First map, in five curls', 'sh');
  t.equal(script.match(/\bcurl -sS\b/g)?.length, 5);
  const stdout = await printed(t, script);
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
  const npx = `npx() { shift; "${process.execPath}" "${program}" "$@" --data "${folder}"; }\n`;
  const here = npx + script.replace('mw_...', server.key).replaceAll('http://127.0.0.1:8070', server.url);
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', here], { cwd });
  t.equal(stderr, '');
  return stdout;
}

interface Around {
  readonly blocks?: readonly string[];
  /** Of the server. */
  readonly flags?: string[];
  readonly cwd?: string;
}

/** What a block, or the given ones, print that come after the first map. */
async function printedAfterMap(
  t: Test,
  heading: string,
  { blocks = [blockAfter(heading, 'sh')], flags, cwd }: Around = {},
): Promise<string> {
  const map = blockAfter('First map, in five curls', 'sh');
  const mark = '=== the map is there';
  const all = await printed(t, `${map}\necho '${mark}'\n${blocks.join('\n')}`, flags, cwd);
  return all.slice(all.indexOf(mark) + mark.length + 1);
}

t.test('the policy of the reference', async (t) => {
  const block = blockAfter('API reference', 'sh');
  t.strictSame([`# ${(await printed(t, block)).trim()}`], block.match(/^# .*/gm));
});

t.test('two editors', async (t) => {
  const block = blockAfter('Two editors', 'sh');
  const said = [...block.matchAll(/# (\d{3})$/gm)].map(([, status]) => status);
  t.strictSame((await printedAfterMap(t, 'Two editors')).trim().split('\n'), said);
  t.strictSame(said, ['304', '200', '412']);
});

t.test('several writes as one', async (t) => {
  const { results } = JSON.parse(await printedAfterMap(t, 'Several writes, all or none')) as {
    results: { status: number; body: { id: string } }[];
  };
  t.match(results, [
    { status: 200, body: { name: 'Opera' } },
    { status: 200, body: { attachedTo: results[0]?.body.id } },
    { status: 200 },
  ]);
});

t.test('sent twice, done once', async (t) => {
  const [first, tag, again, sameTag, replayed, ...more] = (await printedAfterMap(t, 'Sent twice, done once')).trim().split('\n');
  t.strictSame([first, again, replayed, more], ['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'Idempotency-Replayed: true', []]);
  t.equal(sameTag, tag);
});

t.test('dangling references', async (t) => {
  const [ask = '', strict = ''] = blocksAfter('Dangling references', 'sh');
  const [told = '', refused = ''] = (await printedAfterMap(t, 'Dangling references', { blocks: [ask, strict] }))
    .trim()
    .split('\n');
  const without = (json: string) => JSON.parse(json.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id'));
  t.strictSame(without(told), without(blockAfter('Dangling references', 'json')));
  const [, start = '', end = ''] = /^# (.*) …, (.*)$/m.exec(strict) ?? [];
  t.ok(start !== '' && refused.startsWith(start) && refused.endsWith(end), refused);
});

t.test('the list that is filtered and sorted', async (t) => {
  const lines = (await printedAfterMap(t, 'Lists')).split(/\r?\n/);
  for (const printed of blockAfter('Lists', '').trim().split(/\n+/)) {
    const pattern = new RegExp(`^${printed.replace(/[\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.+')}$`);
    t.ok(
      lines.some((line) => pattern.test(line)),
      printed,
    );
  }
});

t.test('what a browser is told', async (t) => {
  const flags = ['--cors', 'https://editor.example,http://localhost:5173'];
  const lines = (await printedAfterMap(t, 'From a browser', { flags })).split('\n');
  t.same(
    lines.filter((line) => line.startsWith('Access-Control-')).map((line) => `# ${line.trim()}`),
    blockAfter('From a browser', 'sh').match(/^# .*/gm),
  );
});

t.test('a copy', async (t) => {
  const copy = JSON.parse(await printedAfterMap(t, 'A copy of a project'));
  t.match(copy, { name: 'City walk, next year', artboards: [{ objects: [{ name: 'Cathedral' }] }], popups: [{}] });
  t.equal(copy.popups[0].attachedTo, copy.artboards[0].objects[0].id);
});

t.test('a project as a file', async (t) => {
  const folder = temporaryFolder(t);
  const made = JSON.parse(await printedAfterMap(t, 'A project as a file', { cwd: folder }));
  const { project } = JSON.parse(fs.readFileSync(path.join(folder, 'walk.json'), 'utf8'));
  t.match(made, { name: 'City walk', popups: [{ attachedTo: made.artboards[0].objects[0].id }] });
  t.ok(sameProject(made, project));
});

t.test('following what changes', async (t) => {
  const block = blockAfter('Following what changes', 'sh');
  const told = (await printedAfterMap(t, 'Following what changes')).trim().split('\n');
  const said = [...block.matchAll(/^#(?: (.*))?$/gm)].map(([, line = '']) => line);
  // All but identifiers, versions and what is left out there.
  const likeness = (line: string) => line.replace(/^data: .*/, 'data: {}').replace(/^id: .*/, 'id: 1');
  t.strictSame(told.map(likeness), said.map(likeness));
  const [data = ''] = told.flatMap((line) => /^data: (.*)/.exec(line)?.[1] ?? []);
  t.match(JSON.parse(data), { kind: 'popup', version: told.at(-1)?.slice(4), resource: { title: 'Told' } });
});

t.test('limits of an account', async (t) => {
  const lines = (text: string) =>
    text
      .trim()
      .replaceAll(/([tr]|After)(=|: )\d+/g, '$1$2n')
      .split('\n');
  t.strictSame(lines(await printedAfterMap(t, 'Limits of an account')), lines(blockAfter('Limits of an account', 'text')));
});

t.test('the API as it has become', async (t) => {
  const heading = 'The API as it has become';
  const shown = await printedAfterMap(t, heading, { flags: ['--compat', 'latest'] });
  const said = /^# (.*)$/m.exec(blockAfter(heading, 'sh'))?.[1] ?? '';
  const parts = said.split('...').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  t.match(shown, new RegExp(`^${parts.join('[^]+')}\n$`));
  t.match(JSON.parse(shown), { object_ids: [/^[0-9a-f-]{36}$/], popup_id: /^[0-9a-f-]{36}$/ });
});

/** A program as it is printed, but for where it stands: the package is not installed there, and a port may be taken. */
function programOf(t: Test, heading: string, name = 'app.mjs'): string {
  const entry = path.join(import.meta.dirname, '..', '..', 'src', 'index.js');
  const program = blockAfter(heading, 'js')
    .replaceAll(/from '(fastify|typebox)'/g, (_, module: string) => `from ${JSON.stringify(import.meta.resolve(module))}`)
    .replace("from 'mapwright'", `from ${JSON.stringify(entry)}`)
    .replace(".listen(3000, '127.0.0.1')", ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })")
    .replace('await app.listen({ port: 3000 });', 'console.log(new URL(await app.listen({ port: 0 })).port);');
  const file = path.join(temporaryFolder(t), name);
  fs.writeFileSync(file, program);
  return file;
}

t.test('the embedding example', async (t) => {
  const file = programOf(t, 'Embedding');
  const child = spawn(process.execPath, [file], { cwd: path.dirname(file), stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [port = '', key = ''] = await lines(child.stdout, 2);
  const root = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  for (const prefix of ['/api/v1', '/v1']) t.same(await (await fetch(`${root}${prefix}/projects`, { headers })).json(), []);
  t.equal(await (await fetch(`${root}/else`, { headers })).text(), 'my own program');
  child.kill('SIGTERM');
  t.same(await ended, [0, null], 'it ends when it is told to');
});

t.test('the example inside Fastify', async (t) => {
  const file = programOf(t, 'Inside Fastify');
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
  const ask = (method: string, at: string, body?: string, type = 'application/json') =>
    fetch(`${root}${at}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    });
  const large = JSON.stringify({ name: 'Harbour', popups: [{ content: 'x'.repeat(3 * 1024 * 1024) }] });
  const made = (await (await ask('POST', '/maps/api/v1/projects', large)).json()) as { id: string; name: string };
  t.equal(made.name, 'Harbour', 'a body of more than Fastify takes is there whole');
  t.equal((await ask('PATCH', `/maps/v1/projects/${made.id}`, '{"name":"Pier"}')).status, 200);
  t.equal((await ask('POST', '/maps/v1/projects', '{"name":')).status, 400);
  const refused = await ask('POST', '/maps/v1/projects', 'name=x', 'text/plain');
  t.same([refused.status, refused.headers.get('content-type')], [415, 'application/problem+json']);
  await ask('POST', '/maps/v1/projects', '{}');
  const page = await ask('GET', '/maps/v1/projects?limit=1');
  const [, next = ''] = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
  t.match(next, /^\/maps\/v1\/projects\?/);
  t.equal(((await (await ask('GET', next)).json()) as unknown[]).length, 1, 'the next page is where it says');
  t.equal((await ask('GET', '/v1/projects')).status, 404, 'and nothing is anywhere else');
  t.equal((await ask('DELETE', `/maps/v1/projects/${made.id}`)).status, 204);
  const stream = await ask('GET', '/maps/v1/events');
  t.equal(stream.headers.get('content-type'), 'text/event-stream');
  child.kill('SIGTERM');
  t.match(await stream.text(), /^id: /m, 'a stream of events ends with the server');
  t.same(await ended, [0, null], 'which ends when it is told to');
  const left = await createServer({ data, log: silent });
  t.equal((await left.projects.list('acme')).length, 1, 'what was acknowledged is there');
  await left.close();
});

t.test('the fixture of tests', async (t) => {
  const file = programOf(t, 'In your tests', 'harbour.test.mjs');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', file], { cwd: path.dirname(file), env });
  t.match(stdout, /\n# pass 1\n# fail 0\n/);
  t.same(fs.readdirSync(path.dirname(file)), ['harbour.test.mjs'], 'it leaves nothing behind');
});

t.test('the store without HTTP, and schemas of one\u2019s own: they print what they say', async (t) => {
  for (const heading of ['Without HTTP', 'Schemas of your own']) {
    const file = programOf(t, heading);
    const { stdout } = await run(process.execPath, [file], { cwd: path.dirname(file) });
    const said = [...blockAfter(heading, 'js').matchAll(/^(?:.*; )?\/\/ (.*)$/gm)].map(([, line = '']) => line);
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

t.test('what is in force, and completion', async (t) => {
  const home = temporaryFolder(t);
  const program = path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'mapwright.js');
  const npx = `npx() { shift; "${process.execPath}" "${program}" "$@"; }\n`;
  const shell = (script: string) =>
    run('bash', ['--norc', '-euo', 'pipefail', '-c', npx + script], { cwd: home, env: { ...process.env, HOME: home } });
  const { stdout } = await shell(blockAfter('Configuration', 'sh'));
  t.equal(stdout.replaceAll(fs.realpathSync(home), '/home/maps'), blockAfter('Configuration', 'text'));
  const completion = blockAfter('Command line', 'sh').replace(/^source .*/m, '');
  await shell(`${completion}
    source ~/.local/share/bash-completion/completions/mapwright
    complete -p mapwright`);
  t.match(fs.readFileSync(path.join(home, '.mapwright-completion'), 'utf8'), /^#compdef mapwright/);
});

const switches: Readonly<Record<string, string>> = { on: 'true', off: 'false' };

t.test('every flag of the configuration table exists, with the default it says', async (t) => {
  const { stdout } = await run(process.execPath, [
    path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'mapwright.js'),
    'serve',
    '--help',
  ]);
  const rows = readme.slice(readme.indexOf('\n## Configuration')).matchAll(/^\| `--(.*?)` \| (.*?) \|/gm);
  for (const [, flags = '', defaults = ''] of rows) {
    flags.split('`, `--').forEach((flag, i) => {
      const value = defaults.replaceAll('`', '').split(', ')[i] ?? '';
      t.match(stdout, new RegExp(`--${flag} [^]*?\\[default: "?${switches[value] ?? value}"?\\]`), flag);
    });
  }
});
