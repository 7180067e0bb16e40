// tier: normal
/** Every command: help with examples that run, and JSON for results and errors. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { type CommandDeclaration, nameOf } from '../../src/cli/command-declaration.ts';
import { commandModules } from '../../src/cli/command-modules.ts';
import { allCommands } from '../../src/cli/commands.ts';
import { commandsFor } from '../../src/cli/load-commands.ts';
import { isBoolean, withListsJoined } from '../../src/cli/option-parsing.ts';
import { refusalOf, wordsOf } from '../support/command-lines.ts';
import { Command as Running, run, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { sampled } from '../support/tier.ts';

t.setTimeout(600_000);

/** Options that take several values, with commas or repeated. */
const listOptions = new Set(['project', 'cors', 'trust-proxy', 'data-hosts', 'oidc-domain', 'origins', 'map', 'fields', 'tiles']);

interface Found {
  readonly path: string;
  readonly command: CommandDeclaration;
}

/** Every command that does something, by all of its words. */
function leaves(list: readonly CommandDeclaration[], above = ''): Found[] {
  return list.flatMap((command) => {
    const path = `${above} ${nameOf(command)}`.trim();
    return command.commands.length > 0 ? leaves(command.commands, path) : [{ path, command }];
  });
}

const commands = await allCommands();
const all = leaves(commands);
const working = all.filter(({ path }) => !path.startsWith('config '));

t.test('a command line that begins with a command loads that one alone', async (t) => {
  for (const name of Object.keys(commandModules)) {
    const loaded = await commandsFor([name, '--json']);
    t.strictSame(
      loaded.map(({ command }) => command.split(' ')[0]),
      [name],
    );
  }
  const others = [
    ['--help', 'keys'],
    ['config'],
    ['completion'],
    ['sevre'],
    ['constructor'],
    ['keys', '--config'],
    ['keys', '--config=x'],
  ];
  for (const args of others) t.equal(await commandsFor(args), commands, args.join(' '));
  process.env['MAPWRIGHT_KEYYY'] = 'x';
  t.teardown(() => delete process.env['MAPWRIGHT_KEYYY']);
  for (const word of ['keys', '--help'])
    t.equal(await commandsFor([word]), commands, 'a variable that may be an option of another command');
});

t.test('help and version load no command, and help lists all commands', async (t) => {
  for (const args of [[], ['--help'], ['--version']]) {
    const outlines = await commandsFor(args);
    const shown = (list: readonly CommandDeclaration[]) => list.map(({ command, describe }) => [command, describe]);
    t.not(outlines, commands);
    t.strictSame(shown(outlines), shown(commands), args.join(' '));
  }
});

t.test('the helper of this test splits lines into words as a shell does', async (t) => {
  t.strictSame(wordsOf("keys create --label 'a b' --read-only"), ['keys', 'create', '--label', 'a b', '--read-only']);
  t.strictSame(wordsOf('export K=$(npx mapwright keys create acme)'), ['keys', 'create', 'acme']);
  t.strictSame(wordsOf('export x --out - | gzip > y'), ['export', 'x', '--out', '-']);
});

t.test('every command has examples, and the parser accepts each of them', async (t) => {
  t.ok(all.length > 30, `${all.length} commands`);
  const before = process.cwd();
  t.teardown(() => process.chdir(before));
  process.chdir(temporaryFolder(t));
  fs.writeFileSync('mapwright.json', '{"port":8071}');
  for (const { path, command } of all) {
    t.ok(command.examples.length > 0, path);
    for (const [line] of command.examples) {
      // A command deletes what is none of its business.
      process.env['MAPWRIGHT_KEY'] = 'mw_x';
      t.equal(await refusalOf(wordsOf(line)), undefined, line);
    }
  }
  delete process.env['MAPWRIGHT_KEY'];
});

t.test('no command keeps only one of two values of an option', async (t) => {
  const before = process.cwd();
  t.teardown(() => process.chdir(before));
  process.chdir(temporaryFolder(t));
  for (const { path, command } of working) {
    for (const [name, { type }] of Object.entries(command.options)) {
      // All commands are loaded here: a switch of another command may have the same name.
      if (type === 'boolean' || isBoolean(name)) continue;
      const words = [...path.split(' '), `--${name}`, '17', `--${name}`, '18'];
      const separator = name === 'tiles' ? '||' : ',';
      if (listOptions.has(name))
        t.strictSame(withListsJoined(words).slice(0, 1), [`--${name}=17${separator}18`], `${path} --${name}`);
      else t.match(await refusalOf(words), new RegExp(`^--${name} is given twice`), `${path} --${name}`);
    }
  }
});

t.test('the help of every command has its purpose and its examples', async (t) => {
  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');
  for (const { path, command } of sampled(working, 3, 8)) {
    const { code, stdout, stderr } = await run([...path.split(' '), '--help']);
    t.strictSame([code, stderr], [0, ''], path);
    t.match(stdout, new RegExp(`^npx mapwright ${path}`));
    t.ok(plain(stdout).includes(plain(command.describe)), `${path}: ${command.describe}`);
    for (const [line] of command.examples) t.ok(stdout.includes(line), line);
    t.ok(!stdout.includes('\u001b'), 'no colours in a pipe');
    t.ok(
      stdout.split('\n').every((line) => line.length <= 110),
      `${path}: as wide as a terminal`,
    );
  }
});

test.all('every command that prints something prints JSON with --json', async (t) => {
  const home = temporaryFolder(t);
  const data = path.join(home, 'data');
  const server = new Running(['serve', '--json', '--data', data, '--port', '0']);
  t.teardown(() => server.end('SIGKILL'));
  await server.printed(/\n/);
  const started = JSON.parse(server.stdout);
  t.match(started, { version: /^\d/, url: /^http:/, data, first_key: { account: 'default', key: /^mw_/ }, damage: [] });
  const env = { MAPWRIGHT_DATA: data, MAPWRIGHT_URL: started.url, MAPWRIGHT_KEY: started.first_key.key };
  // Standard output of `mcp` belongs to its protocol.
  const seen = new Set(['serve', 'completion', 'mcp']);
  // These need databases: test/cluster/move, test/cluster/operate.
  for (const { path } of working) if (path.startsWith('cluster ')) seen.add(path);
  /** Every document that it printed: one, or one on each line. */
  const documents = async (line: string, lines = false) => {
    const words = line.split(' ');
    const known = working.find(({ path }) => line === path || line.startsWith(`${path} `));
    seen.add(known?.path ?? '');
    const { code, stdout, stderr } = await run([...words, '--json'], { env, cwd: home });
    t.strictSame([code, stderr], [0, ''], line);
    return lines
      ? stdout
          .trim()
          .split('\n')
          .map((one) => JSON.parse(one))
      : [JSON.parse(stdout)];
  };
  const one = async (line: string) => (await documents(line))[0];

  const key = await one('keys create acme');
  t.match(await one('keys list'), [{ account: 'default' }, { id: key.id }]);
  t.match(await one('people list'), []);
  t.match(await one(`keys limit ${key.id} --rate 5/s`), { id: key.id, rate: '5/s' });
  const rotated = await one(`keys rotate ${key.id} --overlap 0`);
  t.match(await one(`keys revoke ${rotated.id}`), { id: rotated.id });
  t.match(await one('accounts rename acme anna'), { name: 'anna' });
  t.match(await one('accounts limit anna --projects 3'), { limits: { projects: 3 } });
  t.match(await one('accounts list'), [{ name: 'default', in_force: { rate: 'none' } }, { in_force: { projects: 3 } }]);
  t.match(await one('console'), { account: 'default', urls: [/^http:\S+\/console#code=/], opened: false });
  t.match(await one('accounts delete anna --yes'), { name: 'anna', projects: 0 });
  const { projects } = await one('demo');
  const office = projects.find(({ name }: { name: string }) => name === 'Examples/Office').id;
  t.match(await one(`evaluate ${office}`), { values: Object, created: Array, problems: Array });
  t.match(await one(`versions ${office} --keep now`), { name: 'now', kind: 'named' });
  t.match(await one(`publish ${projects[1].id}`), { version: 1, url: /^http:/ });
  t.match(await one(`unpublish ${projects[1].id}`), { id: projects[1].id, published: false });
  t.match(await one(`export ${projects[1].id} --out office.json`), { file: 'office.json', id: projects[1].id });
  t.match(await one('import office.json'), { projects: [{ name: projects[1].name }] });
  t.match(await one('backup copy.backup'), { path: path.join(home, 'copy.backup'), lsn: Number });
  t.match(await one('restore copy.backup --data restored'), { folder: path.join(home, 'restored') });
  t.match(await one('init --example mine'), {
    files: [/README\.md$/, /app\.mjs$/, /package\.json$/],
    next: [/./],
  });
  t.match(await one('doctor'), { folder: data, checks: [{ name: 'Node', verdict: 'ok' }] });
  t.match(await one('snapshot'), { lsn: Number, bytes: Number });
  t.match(await one('verify'), { in_use: true, findings: [], quarantined: [] });
  t.match(await one('verify copy.backup'), { file: path.join(home, 'copy.backup') });
  t.ok((await documents('log', true)).every(({ lsn, changes }) => lsn > 0 && changes.length > 0));
  t.match(await one('config'), { command: 'serve', options: { data: { value: data, from: 'environment' } } });
  const { stdout } = await server.end('SIGTERM');
  t.equal(stdout.trim().split('\n').length, 1, 'a server says nothing else on standard output');
  t.match(await one('repair --to repaired'), { folder: path.join(home, 'repaired'), losses: [] });
  t.strictSame(
    working.map(({ path }) => path).filter((path) => !seen.has(path)),
    [],
    'none was forgotten',
  );
});

t.test('with --json, errors are JSON on standard error', async (t) => {
  const cwd = temporaryFolder(t);
  const error = async (line: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await run(line.split(' '), { cwd, env });
    t.equal(stdout, '', line);
    const { error } = JSON.parse(stderr);
    t.equal(error.exit_code, code);
    return error;
  };
  const refusing = working.filter(({ path }) => path !== 'completion' && path !== 'mcp');
  for (const { path } of sampled(refusing, 3, 8))
    t.match(await error(`${path} --nonsense --json`, { MAPWRIGHT_KEY: 'mw_x' }), { code: 'usage', exit_code: 2 }, path);
  t.match(await error('sevre --json'), { code: 'usage', message: 'There is no command "sevre". Did you mean "serve"?' });
  t.match(await error('serve --json=yes --port x'), { code: 'usage' });
  t.match(await error('verify', { MAPWRIGHT_JSON: 'true' }), {
    code: 'failed',
    exit_code: 1,
    message: /The data folder .* does not exist/,
  });
  const unreachable = 'export x --url http://127.0.0.1:1 --key mw_abcdefghijklmnopqrstuvwxyz --json';
  t.match(await error(unreachable), { code: 'failed', message: /^Cannot reach a server/ });
  fs.writeFileSync(path.join(cwd, 'x.backup'), 'no backup');
  t.match(await error('verify x.backup --json'), { code: 'damaged', file: path.join(cwd, 'x.backup'), offset: 0 });
  const plain = await run(['verify', '--no-json'], { cwd, env: { MAPWRIGHT_JSON: 'true' } });
  t.match(plain.stderr, /^The data folder .* does not exist/, 'a flag wins over the environment');
});

t.test('the JSON of an error has the status of the response', async (t) => {
  const server = await serve(t, temporaryFolder(t), ['--segment-mb', '1']);
  const env = { MAPWRIGHT_KEY: server.key, MAPWRIGHT_URL: server.url };
  const { stderr } = await run(['export', 'none', '--json'], { env });
  t.match(JSON.parse(stderr).error, { code: 'failed', status: 404, message: `'${server.url}/api/v1/projects?fields=name'` });
});
