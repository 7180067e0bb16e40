/**
 * The tests without the long ones, of what is compiled, on whichever Node runs this: `npm run test:short`. What it leaves out explores
 * states, histories or chance, at length, with code that the other tests run as well: it says nothing of a version of Node that they would
 * not say. `npm test` runs all.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { projectRoot } from './project.ts';

/** Folders of `test`, and files in them, that are left to one Node. */
const long: readonly string[] = [
  // Crash states, histories, planted mistakes, hostile bytes.
  ...['crash/', 'linear/', 'seeds/', 'fuzz/', 'http/soak-hostile'],
  // Kills and damage, in every place.
  ...['engine/kill', 'engine/kill-large', 'backup/kill', 'backup/repair', 'backup/server', 'journal/damage'],
  ...['snapshot/bad-rows', 'snapshot/damage', 'snapshot/incremental', 'snapshot/retention', 'snapshot/rot', 'golden/'],
  // Against a model, by chance; and again for the other original.
  ...['api/conditions', 'api/etags', 'api/model', 'api/references', 'api/tenancy', 'api/transfer', 'engine/decoded'],
  ...['bodies', 'contract', 'fields', 'filters', 'model', 'references', 'roundtrip'].map((name) => `api/${name}-latest`),
  // The command line, over and over; what is measured, described or drawn.
  ...['accounts', 'backup', 'demo-real', 'inspect', 'keys', 'readme', 'transfer', 'usage'].map((name) => `cli/${name}`),
  ...['server/alarms', 'server/last-use', 'bench/', 'data/', 'house/lint', 'house/openapi', 'house/release'],
];

const folder = path.join(import.meta.dirname, '..');
const all = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split(path.sep).join('/'))
  .filter((name) => name.endsWith('.test.js'));
const known = (entry: string) => all.some((name) => (entry.endsWith('/') ? name.startsWith(entry) : name === `${entry}.test.js`));
const gone = long.filter((entry) => !known(entry));
if (gone.length > 0) throw new Error(`no such tests any more, so take them out of test/support/short.ts: ${gone.join(', ')}`);
const left = new Set(long.map((entry) => (entry.endsWith('/') ? entry : `${entry}.test.js`)));
const files = all.filter((name) => !left.has(name) && !left.has(`${name.split('/')[0]}/`)).sort();

const root = projectRoot(import.meta.dirname);
const tap = createRequire(import.meta.url).resolve('tap/package.json');
const bin = path.join(path.dirname(tap), (JSON.parse(fs.readFileSync(tap, 'utf8')) as { bin: { tap: string } }).bin.tap);
console.log(`Node ${process.version}: ${files.length} files of tests, without ${all.length - files.length} that take long`);
const run = spawnSync(process.execPath, [bin, 'run', ...files.map((name) => path.relative(root, path.join(folder, name)))], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
