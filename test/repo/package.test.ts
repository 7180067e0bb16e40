// tier: all, process: first
/**
 * The package as users get it: packed from a copy of the committed files, unpacked in an empty folder, with nothing but what it
 * depends on. What only works in this checkout fails here.
 */
import { type ExecFileOptions, execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import t from 'tap';
import { fetchDescribed } from '../support/fetch.ts';
import { must, run, serve, surroundings, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const executed = promisify(execFile);
const execute = (program: string, args: readonly string[], options: ExecFileOptions = {}) =>
  executed(program, args, { ...options, encoding: 'utf8' });
const root = projectRoot(import.meta.dirname);
/** Without the variables that npm sets for its scripts, and the runner for its tests. */
const env = surroundings;

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Bytes of the package as it is downloaded. */
const packedBytesMax = 7_150_000;

t.setTimeout(600_000);

const { tarball, size, names } = await pack();
const home = temporaryFolder(t);
const installed = await install(tarball, home);
const manifest = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')) as Manifest;
const targets = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [target] : Object.values(target),
);

/** Packs a copy, so that nobody who uses what was built here finds it gone for a moment. */
async function pack(): Promise<{ tarball: string; size: number; names: string[] }> {
  const copy = temporaryFolder(t);
  const left = new Set(['.git', '.tap', 'dist', 'node_modules', 'test', 'bench']);
  for (const name of fs.readdirSync(root)) {
    if (!left.has(name) && !name.startsWith('.out-'))
      fs.cpSync(path.join(root, name), path.join(copy, name), {
        recursive: true,
        filter: (from) => !/[/\\](data[/\\]s(tore|cratch)|web[/\\]\w+[/\\]generated)$/.test(from),
      });
  }
  // One that is not to be packed, each where one could be.
  for (const folder of ['dist/test', 'dist/bench', 'test', 'bench']) {
    fs.mkdirSync(path.join(copy, folder), { recursive: true });
    fs.writeFileSync(path.join(copy, folder, 'stray.js'), '');
  }
  link(fs.readdirSync(path.join(root, 'node_modules')), path.join(copy, 'node_modules'));
  const { stdout } = await execute('npm', ['pack', '--json', '--silent'], { cwd: copy, env, maxBuffer: 16 * 1024 * 1024 });
  const [{ filename, size, files }] = JSON.parse(stdout);
  return { tarball: path.join(copy, filename), size, names: files.map((file: { path: string }) => file.path).sort() };
}

/** Puts packages of this checkout into another `node_modules`, and commands into a folder of its own there. */
function link(packages: readonly string[], modules: string): void {
  fs.mkdirSync(path.join(modules, '.bin'), { recursive: true });
  for (const name of packages) {
    const from = path.join(root, 'node_modules', name);
    fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    if (name !== '.bin') fs.symlinkSync(from, path.join(modules, name));
    else for (const command of fs.readdirSync(from)) fs.symlinkSync(path.join(from, command), path.join(modules, name, command));
  }
}

/** As `npm install` would: the package, what it depends on (not what it is made with), its command. */
async function install(tarball: string, folder: string): Promise<string> {
  const modules = path.join(folder, 'node_modules');
  const place = path.join(modules, 'mapwright');
  fs.mkdirSync(place, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']);
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const needed = Object.entries(lock.packages as Record<string, { dev?: boolean }>)
    .filter(([place, { dev = false }]) => !dev && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place))
    .map(([place]) => place.slice('node_modules/'.length))
    .filter((name) => fs.existsSync(path.join(root, 'node_modules', name)));
  link([...needed, '@types/node', 'undici-types'], modules);
  for (const [name, target] of Object.entries(
    (JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8')) as Manifest).bin,
  ))
    fs.symlinkSync(path.join('..', 'mapwright', target), path.join(modules, '.bin', name));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  return place;
}

t.test('the package contains the needed files and no others', async (t) => {
  const top = [
    ...new Set(
      names.map((name) =>
        name
          .split('/')
          .slice(0, /^(data|dist)\//.test(name) ? 2 : 1)
          .join('/'),
      ),
    ),
  ];
  t.strictSame(top.sort(), [
    ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
    ...['data/examples', 'data/templates'],
    ...['dist/bin', 'dist/lib', 'dist/pages', 'dist/viewer', 'docs', 'openapi.json', 'package.json', 'src'],
  ]);
  t.strictSame(
    names.filter((name) => /\.test\.|(^|\/)(test|bench|node_modules)\/|stray\.js$|\.tsbuildinfo$/.test(name)),
    [],
  );
  for (const target of [...targets, ...Object.values(manifest.bin)]) t.ok(names.includes(path.posix.normalize(target)), target);
  t.ok(size < packedBytesMax, `${size} bytes`);
  t.ok(fs.statSync(path.join(installed, manifest.bin['mapwright'] as string)).mode & 0o100, 'the command can be run');
});

t.test('every source map leads to a source in the package', async (t) => {
  const lost = new Set<string>();
  let maps = 0;
  for (const name of names.filter((each) => each.endsWith('.map'))) {
    const { sources, sourceRoot = '' } = JSON.parse(fs.readFileSync(path.join(installed, name), 'utf8')) as {
      sources: string[];
      sourceRoot?: string;
    };
    maps++;
    for (const source of sources) {
      const place = path.posix.normalize(path.posix.join(path.posix.dirname(name), sourceRoot, source));
      if (!names.includes(place)) lost.add(`${name}: ${place}`);
    }
  }
  t.ok(maps > 10, `${maps} maps`);
  t.strictSame([...lost], []);
  const missing = names.filter((name) => /^dist\/lib\/.*\.(js|d\.ts)$/.test(name) && !names.includes(`${name}.map`));
  t.strictSame(missing, ['dist/lib/place.js'], 'place.js is its own source');
});

t.test('publint and are-the-types-wrong find no problem in the package', async (t) => {
  const bytes = fs.readFileSync(tarball);
  const archive = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { messages } = await publint({ pack: { tarball: archive }, strict: true });
  t.strictSame(
    messages.map((message) => formatMessage(message, JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')))),
    [],
  );
  const attw = path.join(root, 'node_modules', '.bin', 'attw');
  const result = await execute(process.execPath, [attw, tarball, '--profile', 'esm-only', '--no-color'], { env }).catch(
    (error) => error,
  );
  t.equal(result.code, undefined, `${result.stdout}${result.stderr}`);
});

t.test('the installed command serves, shows the API reference and loads the examples', async (t) => {
  const npx = await execute('npx', ['--no', 'mapwright', '--version'], { cwd: home, env });
  t.match(npx.stdout, /^\d+\.\d+\.\d+\n$/);
  const options = { file: path.join(home, 'node_modules', '.bin', 'mapwright'), cwd: home };
  const data = path.join(home, 'maps');
  const server = await serve(t, data, [], undefined, options);
  const { id } = await must(server, 'POST', '/projects', { name: 'Elsewhere', popups: [{ title: 'Hi' }] });
  t.match(await must(server, 'GET', `/projects/${id}`), { name: 'Elsewhere', popups: [{ title: 'Hi' }] });
  t.match(await (await fetchDescribed(`${server.url}/docs`)).text(), /docs\/docs\.js/);
  t.equal((await fetch(`${server.url}/docs/docs.js`)).status, 200);
  const guide = await (await fetch(`${server.url}/docs/guide/console.html`)).text();
  const [, picture = ''] = /<img src="([^"]+)"/.exec(guide) ?? [];
  t.match(
    (await fetch(`${server.url}/docs/guide/${picture}`)).headers.get('content-type'),
    'image/webp',
    'the guide and its pictures',
  );
  t.match(await (await fetchDescribed(`${server.url}/viewer.js`)).text(), /mapwright-map/);
  t.match(await run(['demo', '--url', server.url, '--key', server.key], options), { code: 0, stderr: '' });
  t.match(await run(['snapshot', '--data', data], options), { code: 0, stderr: '' }, 'a thread finds its module');
  t.match(await server.end('SIGTERM'), { code: 0 });
});

/** Runs a program in the folder of the installed package. */
const runHere = (file: string, text: string) => {
  fs.writeFileSync(path.join(home, file), text);
  return execute(process.execPath, ['--enable-source-maps', file], { cwd: home, env });
};

t.test('every entry of the package can be imported', async (t) => {
  const entries = Object.keys(manifest.exports).map((entry) => path.posix.join('mapwright', entry));
  const attributes = (entry: string) => (entry.endsWith('.json') ? " with { type: 'json' }" : '');
  const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}'${attributes(entry)};`).join('\n');
  const { stdout } = await runHere(
    'all.mjs',
    `${imports}\nconsole.log(JSON.stringify([${entries.map((_, i) => `Object.keys(entry${i}).length`)}]));\n`,
  );
  const counts = JSON.parse(`${stdout}`) as number[];
  for (const [i, entry] of entries.entries()) t.ok((counts[i] as number) > 0, `${entry} has ${counts[i]} names`);
  const modules = names.filter((name) => /^dist\/lib\/.*\.js$/.test(name));
  t.ok(modules.length <= 20, `${modules.length} modules`);
});

/** Scripts and modules that an import, and the first server after it, may load. */
const loadedMax = 40;

t.test('an import of the library, and its first server, load few files', async (t) => {
  const { stdout } = await runHere(
    'loaded.mjs',
    `import { Session } from 'node:inspector/promises';
const session = new Session();
session.connect();
let files = [];
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (/^(file:|\\/)/.test(url)) files.push(url);
});
await session.post('Debugger.enable'); // reports what is loaded already, too
files = [];
const { createServer } = await import('mapwright');
const imported = [...files];
const maps = await createServer({ data: 'loaded', log: { info() {}, warn() {}, error: console.error } });
await maps.close();
console.log(JSON.stringify({ imported, started: files }));
`,
  );
  const { imported, started } = JSON.parse(`${stdout}`) as { imported: string[]; started: string[] };
  t.match(imported.join('\n'), /\/dist\/lib\/index\.js$/m);
  t.ok(imported.length <= loadedMax, `${imported.length} files by the import: ${imported.join(' ')}`);
  t.match(started.join('\n'), /\/fs-native-extensions\//, 'scripts of packages count, too');
  t.ok(started.length <= loadedMax, `${started.length} files with the first server: ${started.join(' ')}`);
});

t.test('the installed library serves, from ES modules and from CommonJS, and its errors lead to the sources', async (t) => {
  const use = `
  const maps = await createServer({ data: process.argv[1] + '-data', log: { info() {}, warn() {}, error: console.error } });
  await maps.createAccount('acme');
  const client = maps.client({ account: 'acme' });
  const { id: project_id } = await client.post('/projects', { body: { name: 'Elsewhere' } });
  const missing = await client.get('/projects/{project_id}', { params: { path: { project_id: 'none' } } }).catch((error) => error);
  const refused = await maps.renameAccount('none', 'other').catch((error) => error);
  const picture = await maps.fetch('/api/v1/projects/' + project_id, { account: 'acme' });
  const { records } = await maps.snapshot();
  await maps.close();
  console.log(JSON.stringify([missing instanceof ProblemError, refused instanceof OperationError, picture.status, records, refused.stack]));
`;
  const modules = `import { createServer, OperationError } from 'mapwright';
import { ProblemError } from 'mapwright/client';
${use}`;
  const scripts = `const { createServer, OperationError } = require('mapwright');
const { ProblemError } = require('mapwright/client');
(async () => {${use}})();
`;
  for (const [file, text] of [
    ['library.mjs', modules],
    ['library.cjs', scripts],
  ] as const) {
    if (file.endsWith('.cjs') && !('require_module' in process.features)) continue;
    const { stdout } = await runHere(file, text);
    const [isProblem, isOperationError, status, records, stack] = JSON.parse(`${stdout}`);
    t.strictSame([isProblem, isOperationError, status, records], [true, true, 200, 2], file);
    t.match(stack, /mapwright\/src\/engine\/accounts\.ts:\d+/);
  }
});

t.test('the declarations need no other package, and each module resolution of TypeScript finds them', async (t) => {
  const declarations = names.filter((name) => /^dist\/lib\/.*\.d\.ts$/.test(name));
  t.ok(declarations.length <= 5, `${declarations.length} files`);
  for (const name of declarations) {
    const text = fs.readFileSync(path.join(installed, name), 'utf8');
    const specifiers = [...text.matchAll(/^(?:import|export) .* from '(.*)';$/gm)].map(([, specifier]) => specifier as string);
    t.strictSame(
      specifiers.filter((each) => !/^(node:|\.\/)/.test(each)),
      [],
      name,
    );
  }
  const body = `
export async function use(area: MapArea): Promise<string | undefined> {
  const server: MapwrightServer = await createServer({ data: 'app', docs: false });
  // @ts-expect-error there is no such option
  await createServer({ data: 'app', doc: false });
  const { url }: { url: string } = await server.listen(0);
  const popup: PopupCreate = { title: url };
  const client: Client = server.client({ account: 'acme' });
  const project: Project = await client.get('/projects/{project_id}', { params: { path: { project_id: 'x' } } });
  server.on('alarm', ({ name }) => {
    // @ts-expect-error there is no such alarm
    if (name === 'disk_fill') return;
  });
  const place: Place = toPlace(area)({ x: project.artboards.length, y: 0 });
  await server.close();
  return place.lat > 0 ? popup.title : undefined;
}
`;
  const imports = `import { createServer, type MapwrightServer, type Project } from 'mapwright';
import type { Client } from 'mapwright/client';
import { type MapArea, type Place, toPlace } from 'mapwright/geo';
import type { PopupCreate } from 'mapwright/schemas';
`;
  fs.writeFileSync(path.join(home, 'app.ts'), imports + body);
  fs.writeFileSync(path.join(home, 'script.cts'), `import maps = require('mapwright');\nexport const { createServer } = maps;\n`);
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
  for (const flags of [
    ['--module', 'node16', 'app.ts'],
    ['--module', 'nodenext', 'app.ts', 'script.cts'],
    ['--module', 'esnext', '--moduleResolution', 'bundler', 'app.ts'],
  ]) {
    const all = ['--noEmit', '--strict', '--target', 'es2023', '--types', 'node', ...flags];
    const result = await execute(process.execPath, [tsc, ...all], { cwd: home, env }).catch((error) => error);
    t.equal(`${result.stdout}`, '', `no complaint with ${flags.join(' ')}, with libraries checked as well`);
  }
});

t.test('client, schemas and geo can be bundled for browsers; the server says that it must stay external', async (t) => {
  const common = { absWorkingDir: home, bundle: true, logLevel: 'silent', write: true } as const;
  fs.writeFileSync(
    path.join(home, 'page.js'),
    "export * from 'mapwright/client'; export { toPlace } from 'mapwright/geo'; export { Popup } from 'mapwright/schemas';\n",
  );
  await build({ ...common, entryPoints: ['page.js'], platform: 'browser', format: 'esm', outfile: 'out/page.js' });
  fs.writeFileSync(
    path.join(home, 'host.js'),
    "import { createServer } from 'mapwright';\ncreateServer({ inMemory: true }).then((maps) => maps.close()).then(() => console.log('closed'));\n",
  );
  for (const [format, file] of [
    ['esm', 'out/host.mjs'],
    ['cjs', 'out/host.cjs'],
  ] as const) {
    const host: BuildOptions = { ...common, entryPoints: ['host.js'], platform: 'node', format, outfile: file };
    await build({ ...host, external: ['fs-native-extensions', '@napi-rs/nice', 'pg', 'undici', 'openid-client'] });
    const swallowed = await execute(process.execPath, [file], { cwd: home, env }).catch((error) => error);
    t.match(swallowed.stderr, /A bundler has copied mapwright into .*Keep the package external/, format);
    if (format === 'cjs' && !('require_module' in process.features)) continue;
    await build({ ...host, external: ['mapwright'] });
    t.match(await execute(process.execPath, [file], { cwd: home, env }), { stdout: 'closed\n' }, format);
  }
});

t.test('a system that cannot load the native module gets a sentence, and a server in memory', async (t) => {
  const native = path.join(home, 'node_modules', 'fs-native-extensions');
  fs.renameSync(native, `${native}-away`);
  t.teardown(() => fs.renameSync(`${native}-away`, native));
  const { stdout } = await runHere(
    'musl.mjs',
    `import { createServer } from 'mapwright';
await (await createServer({ inMemory: true })).close();
await createServer({ data: 'musl' }).catch(({ name, message }) => console.log(name, message));
`,
  );
  t.match(stdout, /^FolderError cannot load fs-native-extensions.*On Linux it needs glibc/);
});
