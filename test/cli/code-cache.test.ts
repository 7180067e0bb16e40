/** The cache of compiled code: whatever is in its folder, the script runs as it is written, and no code of another user is executed. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import { requireCached } from '../../src/cli/code-cache.ts';
import { run, temporaryFolder } from '../support/process.ts';

const program = path.resolve('dist/bin/mapwright.js');

/** Runs the command as another process, with this cache. */
const version = (cache: string, env: NodeJS.ProcessEnv = {}) =>
  run(['--version'], { file: program, env: { NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache, ...env } });

const printed = { code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' };

const filesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []);

async function filled(t: Test): Promise<{ cache: string; folder: string; file: string }> {
  const cache = temporaryFolder(t);
  const folder = path.join(cache, 'mapwright');
  t.match(await version(cache), printed, 'without a file');
  const names = filesIn(folder);
  t.match(names, [new RegExp(`^help-${process.version}-${process.arch}-[0-9a-f]{32}$`)]);
  return { cache, folder, file: path.join(folder, String(names[0])) };
}

t.test('the first run writes a file that others may not read, and later runs leave it', async (t) => {
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

t.test('a damaged file is replaced', async (t) => {
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

t.test('the code of another V8 is replaced', async (t) => {
  const { cache, file } = await filled(t);
  const before = fs.readFileSync(file);
  t.match(
    await version(cache, { NODE_OPTIONS: '--interpreted-frames-native-stack' }),
    printed,
    'with flags that its code is not for',
  );
  t.notOk(fs.readFileSync(file).equals(before));
});

t.test('a new version of the script replaces the file of the old one', async (t) => {
  const folder = temporaryFolder(t);
  const script = path.join(folder, 'script.js');
  const env = { XDG_CACHE_HOME: folder };
  const exportsOf = (text: string): unknown => {
    fs.writeFileSync(script, text);
    const before = process.listeners('exit');
    const exports = requireCached(script, 'serve', env);
    for (const listener of process.listeners('exit')) if (!before.includes(listener)) (listener as () => void)();
    return exports;
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

t.test('a folder that others may write is neither read nor written', async (t) => {
  const { cache, folder, file } = await filled(t);
  const bytes = fs.readFileSync(file);
  fs.chmodSync(folder, 0o770);
  fs.rmSync(file);
  t.match(await version(cache), printed);
  t.strictSame(filesIn(folder), []);
  fs.writeFileSync(file, bytes.subarray(0, 40));
  t.match(await version(cache), printed);
  t.equal(fs.readFileSync(file).length, 40);
  fs.rmSync(folder, { recursive: true });
  fs.symlinkSync(temporaryFolder(t), folder);
  t.match(await version(cache), printed, 'a link');
  t.strictSame(filesIn(folder), []);
});

t.test('without a folder that can be written, and where caches are turned off, nothing is written', async (t) => {
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

t.test('a user without a home folder, and one who may not look into it', { skip }, async (t) => {
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
