// tier: normal
/** The files of `mapwright init`: their commands run, as far as possible without Docker and systemd. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { shellWord } from '../../src/cli/output/format-values.ts';
import { Command, run, serve, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';
import { test } from '../support/test.ts';

const execute = promisify(execFile);
const root = projectRoot(import.meta.dirname);
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const program = path.join(root, 'dist', 'bin', 'mapwright.js');
/** Whether services do not see what this runs with: Node and the program. */
const isHidden = [process.execPath, program].some((file) => /^\/(home|root|run\/user|tmp|var\/tmp)\//.test(file));

/** What a kind of files consists of, and what was printed. */
async function written(t: Test, kind: string, ...more: string[]) {
  const cwd = temporaryFolder(t);
  const { code, stdout, stderr } = await run(['init', `--${kind}`, 'deploy', ...more], { cwd });
  t.equal(code, 0, stderr);
  const folder = path.join(cwd, 'deploy');
  const text = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
  return { cwd, folder, stdout, text };
}

/** Whether a program is there; tests of what it says of our files are left out where it is not. */
async function without(...command: string[]): Promise<string | false> {
  const [name = '', ...args] = command;
  return execute(name, args).then(
    () => false,
    () => `there is no ${name} here`,
  );
}

t.test('init --docker writes its files and prints the next steps', async (t) => {
  const { folder, stdout, text } = await written(t, 'docker');
  t.strictSame(fs.readdirSync(folder).sort(), ['.dockerignore', 'Dockerfile', 'compose.yaml']);
  for (const name of fs.readdirSync(folder)) t.notMatch(text(name), /\{\{|undefined/, name);
  const tarball = `mapwright-${version}.tgz`;
  t.match(text('Dockerfile'), `ARG PACKAGE=./${tarball}\n`);
  const kept = /^!(.*)$/m.exec(text('.dockerignore'))?.[1]?.replace('*', version);
  t.equal(kept, tarball, 'the package is in what is sent to Docker');
  t.match(stdout, 'deploy/Dockerfile\n');
  t.match(stdout, `cd deploy\n  npm pack --ignore-scripts ${shellWord(root)}\n`);
});

test.all('the health check of the image fails when the server is stopped', async (t) => {
  const { text } = await written(t, 'docker');
  const [, json = ''] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(text('Dockerfile')) ?? [];
  const [name, ...args] = JSON.parse(json) as string[];
  t.equal(name, 'node');
  const check = (url: string) =>
    execute(process.execPath, args, { env: { MAPWRIGHT_PORT: new URL(url).port } }).then(
      () => 0,
      ({ code }) => code,
    );
  const server = await serve(t, path.join(temporaryFolder(t), 'data'));
  t.equal(await check(server.url), 0);
  await server.end('SIGTERM');
  t.equal(await check(server.url), 1);
});

test.all('a server accepts the variables of image and compose file, and the key of its first start', async (t) => {
  const { text } = await written(t, 'docker');
  const variables = (from: string, pattern: RegExp) =>
    Object.fromEntries([...from.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]));
  const image = variables(text('Dockerfile'), /(MAPWRIGHT_\w+)=(\S+)/g);
  t.strictSame(Object.keys(image), ['MAPWRIGHT_DATA', 'MAPWRIGHT_HOST', 'MAPWRIGHT_PORT']);
  const composed = variables(text('compose.yaml'), /(MAPWRIGHT_\w+): "?([^"\n]*)/g);
  t.strictSame(Object.keys(composed), ['MAPWRIGHT_TRUST_PROXY', 'MAPWRIGHT_PUBLIC_URL', 'MAPWRIGHT_BACKUP_DIR']);
  t.match(text('compose.yaml'), `127.0.0.1:${image['MAPWRIGHT_PORT']}:${image['MAPWRIGHT_PORT']}\n`);
  const [, subnet = '', gateway] = /- subnet: (\S+)\n\s+gateway: (\S+)\n/.exec(text('compose.yaml')) ?? [];
  t.equal(composed['MAPWRIGHT_TRUST_PROXY'], gateway, 'one fixed address is trusted, and no neighbour');
  const [network = '', bits] = subnet.split('/');
  const range = new net.BlockList();
  range.addSubnet(network, Number(bits));
  t.ok(range.check(gateway ?? ''));
  const folder = temporaryFolder(t);
  const data = path.join(folder, 'data');
  const env = {
    ...image,
    ...composed,
    MAPWRIGHT_DATA: data,
    MAPWRIGHT_PORT: '0',
    MAPWRIGHT_HOST: '127.0.0.1',
    MAPWRIGHT_BACKUP_DIR: path.join(folder, 'backups'),
  };
  fs.mkdirSync(env.MAPWRIGHT_BACKUP_DIR);
  t.match((await run(['keys', 'create', 'default'], { env })).stdout, /mw_\S+/);
  const server = new Command(['serve'], { env });
  t.teardown(() => server.end('SIGKILL'));
  await server.printed(/^Public address: https:\/\/maps\.example\.com,/m);
  const { code, stdout } = await server.end('SIGTERM');
  t.equal(code, 0);
  t.notMatch(stdout, 'mw_', 'no key is where the logs are');
});

t.test('init overwrites files only with --force', async (t) => {
  const cwd = temporaryFolder(t);
  const file = path.join(cwd, 'Dockerfile');
  fs.writeFileSync(file, 'mine');
  const refused = await run(['init', '--docker'], { cwd });
  t.equal(refused.code, 1);
  t.match(
    refused.stderr,
    `Dockerfile is already in ${cwd}. Nothing was written. Name another folder, or overwrite it with --force.`,
  );
  t.strictSame(fs.readdirSync(cwd), ['Dockerfile']);
  t.equal(fs.readFileSync(file, 'utf8'), 'mine');
  t.equal((await run(['init', '--docker', '--force'], { cwd })).code, 0);
  t.match(fs.readFileSync(file, 'utf8'), 'FROM node:');
  const again = await run(['init', '--docker'], { cwd });
  t.match(again.stderr, /^\.dockerignore, Dockerfile, compose\.yaml are already in/);
});

t.test('init --force replaces a link and does not write through it', async (t) => {
  const cwd = temporaryFolder(t);
  const victim = path.join(cwd, 'victim');
  fs.writeFileSync(victim, 'mine');
  fs.symlinkSync(victim, path.join(cwd, 'mapwright.service'));
  t.equal((await run(['init', '--systemd', '--force'], { cwd })).code, 0);
  t.equal(fs.readFileSync(victim, 'utf8'), 'mine');
  t.ok(fs.lstatSync(path.join(cwd, 'mapwright.service')).isFile());
  t.match(fs.readFileSync(path.join(cwd, 'mapwright.service'), 'utf8'), '[Service]');
  t.strictSame(fs.readdirSync(cwd).sort(), ['mapwright.service', 'victim']);
});

t.test('init does not overwrite a dangling link', async (t) => {
  const cwd = temporaryFolder(t);
  fs.symlinkSync(path.join(cwd, 'elsewhere'), path.join(cwd, 'mapwright.service'));
  t.equal((await run(['init', '--systemd'], { cwd })).code, 1);
  t.notOk(fs.existsSync(path.join(cwd, 'elsewhere')));
});

t.test('init reports a file in place of its folder', async (t) => {
  const cwd = temporaryFolder(t);
  fs.writeFileSync(path.join(cwd, 'deploy'), '');
  const { code, stderr } = await run(['init', '--docker', 'deploy'], { cwd });
  t.equal(code, 1);
  t.match(stderr, /^Cannot write the files to .*deploy: /);
});

t.test('init --json lists the files and the next steps', async (t) => {
  const { stdout, folder } = await written(t, 'example', '--json');
  const { files, next, warning } = JSON.parse(stdout);
  t.strictSame(
    files,
    ['README.md', 'app.mjs', 'package.json'].map((name) => path.join(folder, name)),
  );
  t.strictSame(next, ['cd deploy', `npm pack --ignore-scripts ${shellWord(root)}`, 'npm install', 'npm start']);
  t.equal(warning, null);
});

t.test(
  'the unit of init --systemd passes systemd-analyze verify and security',
  { skip: await without('systemd-analyze', '--version') },
  async (t) => {
    const { folder } = await written(t, 'systemd');
    const unit = path.join(folder, 'mapwright.service');
    const { stdout, stderr } = await execute('systemd-analyze', ['verify', unit]);
    t.equal(stdout + stderr, '');
    // The scale ends at 10, which is everything allowed; 2 is where a service of Debian's own is a rarity.
    const rating = await execute('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]).catch(
      (error) => error,
    );
    t.notOk(rating instanceof Error, rating.stdout);
  },
);

/** Words of a line of systemd: one with a space is in quotation marks. */
const wordsOf = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

test.all('the ExecStart line of the unit starts a server', async (t) => {
  const { text, stdout } = await written(t, 'systemd');
  const unit = text('mapwright.service');
  const [node = '', file = '', ...args] = wordsOf(/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '');
  t.strictSame([node, file], [process.execPath, program]);
  if (!isHidden)
    t.ok(stdout.includes(`sudo -u mapwright ${node} ${shellWord(program)} keys create default --data ${args.at(-1)}\n`), stdout);
  const state = /^StateDirectory=(.*)$/m.exec(unit)?.[1];
  t.equal(args.at(-1), `/var/lib/${state}`);
  const data = path.join(temporaryFolder(t), 'data');
  const server = new Command([...args.slice(0, -1), data, '--port', '0'], fs.existsSync(file) ? { file } : {});
  t.teardown(() => server.end('SIGKILL'));
  await server.printed(/^Listening on/m);
  t.equal((await server.end('SIGTERM')).code, 0, 'also in the moment in which it begins to listen');
});

t.test('init --systemd warns if the unit hides the program, and prints no next steps', async (t) => {
  const { stdout } = await written(t, 'systemd');
  t.equal(stdout.includes('which the unit hides from the service'), isHidden);
  t.equal(stdout.includes('sudo systemctl enable'), !isHidden);
  const { next, warning } = JSON.parse((await written(t, 'systemd', '--json')).stdout);
  t.equal(warning !== null, isHidden);
  t.equal(next.length === 0, isHidden);
});

t.test('the program of init --example runs and answers requests', async (t) => {
  const { folder, text } = await written(t, 'example');
  t.match(JSON.parse(text('package.json')).dependencies, { mapwright: `file:mapwright-${version}.tgz` });
  // Installed from here, where the package has not been packed.
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(root, path.join(folder, 'node_modules', 'mapwright'));
  const app = path.join(folder, 'app.mjs');
  fs.writeFileSync(
    app,
    text('app.mjs')
      .replace("listen(port, '127.0.0.1')", "listen(0, '127.0.0.1', () => console.log('at', server.address().port))")
      .replace("from 'mapwright'", `from ${JSON.stringify(path.join(import.meta.dirname, '..', '..', 'src', 'index.js'))}`),
  );
  const child = spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  t.teardown(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // All of its processes have ended.
    }
  });
  // When the program has closed its output, too.
  const ended = once(child, 'close');
  let said = '';
  for await (const part of child.stdout) {
    said += part;
    // The last line that it prints: who writes when nobody reads any more ends.
    if (said.includes('Press Ctrl-C to stop.\n')) break;
  }
  const key = /^MAPWRIGHT_KEY=(mw_\S+)$/m.exec(said)?.[1];
  const at = `http://127.0.0.1:${/^at (\d+)$/m.exec(said)?.[1]}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
  const made = await fetch(`${at}/api/v1/projects`, { method: 'POST', headers, body: '{"name":"City walk"}' });
  t.match(await made.json(), { name: 'City walk' });
  t.equal(await (await fetch(`${at}/`, { headers })).text(), 'acme: 1 projects\n');
  t.equal((await fetch(`${at}/elsewhere`, { headers })).status, 404);
  child.kill('SIGTERM');
  await ended;
  t.notOk(await fetch(`${at}/`).catch(() => undefined), 'npm passes SIGTERM on, and the program ends');
});
