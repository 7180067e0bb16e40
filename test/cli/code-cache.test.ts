// process: own
/** The cache of compiled code: for any content of its folder, the script runs unchanged and no foreign code is executed. */
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import t, { type Test } from 'tap';
import { requireCached } from '../../src/cli/code-cache.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const program = path.resolve('dist/bin/mapwright.js');

// Otherwise V8 remembers, within this process, what it compiled of a text before: the code of the cache, since Node 22.
v8.setFlagsFromString('--no-compilation-cache');

/** Runs the command as another process, with this cache. */
const version = (cache: string, env: NodeJS.ProcessEnv = {}) =>
  run(['--version'], { file: program, env: { NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache, ...env } });

const printed = { code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' };

const filesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []);

/** Loads a script as a start would, and stores its code as its end would. */
function loaded(script: string, env: NodeJS.ProcessEnv): unknown {
  const before = process.listeners('exit');
  const exports = requireCached(script, 'serve', env);
  for (const listener of process.listeners('exit')) if (!before.includes(listener)) (listener as () => void)();
  return exports;
}

async function filled(t: Test): Promise<{ cache: string; folder: string; file: string }> {
  const cache = temporaryFolder(t);
  const folder = path.join(cache, 'mapwright');
  t.match(await version(cache), printed, 'without a file');
  const names = filesIn(folder);
  t.match(names, [new RegExp(`^help-${process.version}-${process.arch}-[0-9a-f]{8}-[0-9a-f]{32}$`)]);
  return { cache, folder, file: path.join(folder, String(names[0])) };
}

t.test('the first run writes a private file of the code cache, and later runs leave it unchanged', async (t) => {
  const { cache, folder, file } = await filled(t);
  t.equal(fs.statSync(file).mode & 0o777, 0o600);
  t.equal(fs.statSync(folder).mode & 0o777, 0o700);
  const before = fs.statSync(file);
  t.match(await version(cache), printed, 'with the file');
  t.equal(fs.statSync(file).ino, before.ino);
  t.match(await run(['completion', 'bash'], { file: program, env: { NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache } }), {
    code: 0,
  });
  t.match(filesIn(folder), [/^completion-/, /^help-/], 'one for each command');
});

t.test('a damaged file of the code cache is replaced', async (t) => {
  const { cache, file } = await filled(t);
  const whole = fs.readFileSync(file);
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1] = ~(flipped[whole.length >> 1] as number);
  for (const bytes of [Buffer.alloc(0), whole.subarray(0, 20), whole.subarray(0, -1), flipped, Buffer.alloc(whole.length)]) {
    fs.writeFileSync(file, bytes);
    t.match(await version(cache), printed, `${bytes.length} bytes`);
    t.notOk(fs.readFileSync(file).equals(bytes));
  }
});

test.all('cached code of another V8 is replaced', async (t) => {
  const { cache, file } = await filled(t);
  const before = fs.readFileSync(file);
  t.match(
    await version(cache, { NODE_OPTIONS: '--interpreted-frames-native-stack' }),
    printed,
    'with flags that its code is not for',
  );
  t.notOk(fs.readFileSync(file).equals(before));
});

test.all('a new version of the script replaces the cached code of the old one', async (t) => {
  const folder = temporaryFolder(t);
  const script = path.join(folder, 'script.js');
  const env = { XDG_CACHE_HOME: folder };
  const exportsOf = (text: string): unknown => {
    fs.writeFileSync(script, text);
    return loaded(script, env);
  };
  t.strictSame(exportsOf('module.exports = 11;'), 11);
  const first = filesIn(path.join(folder, 'mapwright'));
  t.strictSame(exportsOf('module.exports = 11;'), 11);
  t.strictSame(filesIn(path.join(folder, 'mapwright')), first);
  t.strictSame(exportsOf('module.exports = 22;'), 22, 'of the same length, which V8 would take for the same');
  const second = filesIn(path.join(folder, 'mapwright'));
  t.equal(second.length, 1);
  t.notSame(second, first);
  const { name, file } = exportsOf('module.exports = { name: __dirname, file: __filename, fs: require("node:fs") };') as {
    name: string;
    file: string;
  };
  t.strictSame([name, file], [folder, script]);
});

t.test('stack traces of two installations name their own files, and what is old goes', (t) => {
  const cache = temporaryFolder(t);
  const folder = path.join(cache, 'mapwright');
  for (let round = 0; round < 2; round++)
    for (const installation of ['first', 'second']) {
      const script = path.join(cache, installation, 'script.js');
      fs.mkdirSync(path.dirname(script), { recursive: true });
      fs.writeFileSync(script, 'module.exports = () => new Error().stack;');
      const stack = (loaded(script, { NODE_COMPILE_CACHE: cache }) as () => string)();
      t.match(stack.split('\n')[1], script);
    }
  const names = filesIn(folder);
  t.equal(names.length, 2);
  const month = Date.now() / 1000 - 31 * 24 * 60 * 60;
  for (const name of names) fs.utimesSync(path.join(folder, name), month, month);
  const other = path.join(cache, 'other.js');
  fs.writeFileSync(other, 'module.exports = 1;');
  loaded(other, { NODE_COMPILE_CACHE: cache });
  t.equal(filesIn(folder).length, 1);
  t.end();
});

t.test('a cache folder that others may write is neither read nor written', async (t) => {
  const { cache, folder, file } = await filled(t);
  const bytes = fs.readFileSync(file);
  fs.chmodSync(folder, 0o770);
  fs.rmSync(file);
  t.match(await version(cache), printed);
  t.strictSame(filesIn(folder), []);
  fs.writeFileSync(file, bytes.subarray(0, 40));
  t.match(await version(cache), printed);
  t.equal(fs.readFileSync(file).length, 40);
});

// What V8 is given decides what runs, so the cache of these tests has code of another script: a run that reads it gets the exports of that one.
const written = 'module.exports = "as written";';
const planted = 'module.exports = "of others!";';

interface Plant {
  /** Holds the cache folder. */
  readonly cache: string;
  readonly folder: string;
  readonly file: string;
  /** Exports of the script as a start would load it. */
  readonly exported: (env?: NodeJS.ProcessEnv) => unknown;
}

/** A cache that is valid for the script, with code of another script. */
function plant(t: Test, cache = path.join(temporaryFolder(t), 'cache')): Plant {
  const script = path.join(temporaryFolder(t), 'script.js');
  const folder = path.join(cache, 'mapwright');
  const exported = (env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: cache }): unknown => loaded(script, env);
  fs.writeFileSync(script, planted);
  exported();
  const [other = ''] = filesIn(folder);
  fs.writeFileSync(script, written);
  const digest = crypto.createHash('sha256').update(written).digest('hex').slice(0, 32);
  const file = path.join(folder, `${other.slice(0, -32)}${digest}`);
  fs.renameSync(path.join(folder, other), file);
  t.equal(exported(), 'of others!', 'V8 runs what the cache holds');
  return { cache, folder, file, exported };
}

test.all('a cache below a folder that others may write is neither read nor written', async (t) => {
  const { cache, folder, file, exported } = plant(t);
  for (const mode of [0o770, 0o707, 0o777]) {
    fs.chmodSync(cache, mode);
    t.equal(exported(), 'as written', mode.toString(8));
  }
  fs.rmSync(file);
  t.equal(exported(), 'as written');
  t.strictSame(filesIn(folder), []);
  fs.rmdirSync(folder);
  t.equal(exported(), 'as written');
  t.strictSame(filesIn(cache), [], 'nothing is created in it');
  fs.chmodSync(cache, 0o1777);
  t.equal(exported(), 'as written');
  t.equal(filesIn(folder).length, 1, 'with the sticky bit, others cannot exchange a folder in it');
});

test.all('links to the cache are followed if others can change neither the link nor its target', async (t) => {
  const { cache, exported } = plant(t);
  const other = temporaryFolder(t);
  const link = path.join(other, 'link');
  const env = { NODE_COMPILE_CACHE: link };
  fs.symlinkSync(path.relative(other, cache), link);
  t.equal(exported(env), 'of others!');
  fs.chmodSync(other, 0o777);
  t.equal(exported(env), 'as written', 'others may replace the link');
  fs.chmodSync(other, 0o700);
  fs.chmodSync(cache, 0o777);
  t.equal(exported(env), 'as written', 'others may write the target');
  fs.rmSync(link);
  fs.symlinkSync('link', link);
  t.equal(exported(env), 'as written', 'a link to itself');
});

t.test(
  'only a regular file that others may not write is read as cached code',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { folder, file, exported } = plant(t);
    const bytes = fs.readFileSync(file);
    const again = (): void => {
      fs.rmSync(file, { recursive: true });
      fs.writeFileSync(file, bytes, { mode: 0o600 });
    };
    fs.chmodSync(file, 0o620);
    t.equal(exported(), 'as written', 'its group may write it');
    t.equal(fs.statSync(file).mode & 0o777, 0o600, 'and it is replaced');
    again();
    const target = path.join(temporaryFolder(t), 'target');
    fs.renameSync(file, target);
    fs.symlinkSync(target, file);
    t.equal(exported(), 'as written', 'a link');
    t.ok(fs.readFileSync(target).equals(bytes), 'whose target is left as it is');
    t.ok(fs.lstatSync(file).isFile());
    fs.rmSync(file);
    t.equal(spawnSync('mkfifo', [file]).status, 0);
    t.equal(exported(), 'as written', 'a named pipe without a writer');
    t.ok(fs.lstatSync(file).isFile());
    fs.rmSync(file);
    fs.mkdirSync(file);
    t.equal(exported(), 'as written', 'a folder');
    t.strictSame(filesIn(folder), [path.basename(file)], 'no draft is left');
  },
);

/** The user `nobody` of most systems: it only has to be another one. */
const nobody = 65_534;
const asRoot = process.getuid?.() === 0 ? false : 'only root can give files to another user';

test.all('cached code of another user, or below the folder of one, is not executed', { skip: asRoot }, async (t) => {
  const below = plant(t);
  fs.chownSync(below.cache, nobody, nobody);
  t.equal(below.exported(), 'as written', 'a folder of this user below one of another, who may put another in its place');
  fs.rmSync(below.folder, { recursive: true });
  t.equal(below.exported(), 'as written');
  t.strictSame(filesIn(below.cache), [], 'nothing is created there');
  fs.chmodSync(below.cache, 0o1777);
  t.equal(below.exported(), 'as written');
  t.strictSame(filesIn(below.cache), [], 'the owner of a folder with the sticky bit may exchange what is in it');

  const own = plant(t);
  fs.chownSync(own.file, nobody, nobody);
  t.equal(own.exported(), 'as written', 'a file of another user');
  t.equal(fs.statSync(own.file).uid, 0, 'and it is replaced');

  const folder = plant(t);
  fs.chownSync(folder.folder, nobody, nobody);
  t.equal(folder.exported(), 'as written', 'a folder of another user');

  const linked = plant(t);
  const place = temporaryFolder(t);
  fs.chmodSync(place, 0o1777);
  const link = path.join(place, 'link');
  fs.symlinkSync(linked.cache, link);
  t.equal(linked.exported({ NODE_COMPILE_CACHE: link }), 'of others!', 'a link of this user');
  fs.lchownSync(link, nobody, nobody);
  t.equal(linked.exported({ NODE_COMPILE_CACHE: link }), 'as written', 'a link of another user');
});

test.all('without a writable folder, or with caches disabled, the program runs and caches nothing', async (t) => {
  const cache = temporaryFolder(t);
  fs.writeFileSync(path.join(cache, 'mapwright'), '');
  t.match(await version(cache), printed, 'a file in place of the folder');
  t.match(await version('/proc/none'), printed);
  const other = temporaryFolder(t);
  t.match(await version(other, { NODE_DISABLE_COMPILE_CACHE: '1' }), printed);
  t.strictSame(filesIn(other), []);
  t.match(await version('', { HOME: other }), printed);
  t.match(filesIn(path.join(other, '.cache', 'mapwright')), [/^help-/], 'by default below the home folder');
});

/** A number that is no user of the system. */
const uid = 54_321;
const runsNode = spawnSync(process.execPath, ['--version'], { uid, gid: uid, cwd: '/', env: {} }).status === 0;
const skip = runsNode ? false : 'this user may not run Node as another one';

test.all('the program runs for a user without a readable home folder', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  // The program where everybody may read it.
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-'));
  t.teardown(() => fs.rmSync(copy, { recursive: true, force: true }));
  fs.chmodSync(copy, 0o755);
  fs.mkdirSync(path.join(copy, 'dist'));
  fs.cpSync(path.dirname(program), path.join(copy, 'dist', 'bin'), { recursive: true });
  fs.copyFileSync('package.json', path.join(copy, 'package.json'));
  const file = path.join(copy, 'dist', 'bin', 'mapwright.js');
  for (const env of [{}, { HOME: folder }, { XDG_CACHE_HOME: path.join(folder, 'in') }]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--version'], {
      uid,
      gid: uid,
      env,
      cwd: '/',
      encoding: 'utf8',
    });
    t.match({ code: status, stdout, stderr }, printed, JSON.stringify(env));
  }
});
