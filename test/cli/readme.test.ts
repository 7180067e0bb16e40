/** The README's own lines, run as printed against a real server. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { sameProject } from '../support/identities.ts';
import { startMapwright } from '../support/mapwright.ts';
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
  const here = npx + script.replace('mw_...', server.key).replace('http://127.0.0.1:8070', server.url);
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', here], { cwd });
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

t.test('the reader for browsers', async (t) => {
  const mapwright = await startMapwright(t);
  const source = blockAfter('Following what changes', 'js');
  type Told = { readonly name: string; readonly resource: { readonly name: string } };
  const follow = new Function(`${source}; return follow;`)() as (
    url: string,
    key: string,
    onRecord: (told: Told[]) => void,
  ) => Promise<never>;
  const names: string[] = [];
  let look: () => void = () => undefined;
  const heard = async (count: number) => {
    while (names.length < count) {
      await new Promise<void>((resolve) => {
        look = resolve;
      });
    }
  };
  const { id, key } = await mapwright.server.createKey('ann');
  // Somebody else's server, whose connections can be cut.
  const front = http.createServer(mapwright.server.handler).listen(0, '127.0.0.1');
  t.teardown(() => front.close());
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const following = follow(`http://127.0.0.1:${port}/v1/events`, key, (told) => {
    names.push(...told.map(({ name, resource }) => `${name} ${resource.name}`));
    look();
  });
  const open = async () => (await mapwright.ask('GET', '/metrics')).text.includes('mapwright_feed_streams 1\n');
  while (!(await open())) await new Promise(setImmediate);
  await mapwright.post('/projects', { name: 'one' });
  await heard(1);
  front.closeAllConnections();
  await mapwright.post('/projects', { name: 'two' });
  await heard(2);
  t.strictSame(names, ['project.created one', 'project.created two']);
  await mapwright.server.revokeKey(id);
  await t.rejects(following, /key/);
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

t.test('the embedding example', async (t) => {
  const folder = temporaryFolder(t);
  const entry = path.join(import.meta.dirname, '..', '..', 'src', 'index.js');
  // As printed, except where it stands: the package is not installed here, and the port may be taken.
  const program = blockAfter('Embedding', 'js')
    .replace("from 'mapwright'", `from ${JSON.stringify(entry)}`)
    .replace('.listen(3000)', ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })");
  const file = path.join(folder, 'app.mjs');
  fs.writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [key = '', port = ''] = await twoLines(child.stdout);
  const root = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${key}`, connection: 'close' };
  for (const prefix of ['/api/v1', '/v1']) t.same(await (await fetch(`${root}${prefix}/projects`, { headers })).json(), []);
  t.equal(await (await fetch(`${root}/else`, { headers })).text(), 'my own program');
  child.kill('SIGTERM');
  t.same(await ended, [0, null], 'it ends when it is told to');
});

async function twoLines(stream: NodeJS.ReadableStream): Promise<string[]> {
  let text = '';
  for await (const part of stream) {
    text += part;
    if (text.split('\n').length > 2) break;
  }
  return text.split('\n').slice(0, 2);
}

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
