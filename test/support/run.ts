/**
 * Runs tests that are compiled, each file in a process of its own: `npm test` all of them, `npm run test:short` those that do not take long,
 * `npm test -- api/lists http/` those of a file or a folder of `test`.
 *
 * It is the runner of node-tap as a program: that one has every process load its hooks, for coverage that nobody asks for here, which costs a
 * quarter of the time of all tests, and that some of the programs that tests start do not bear.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { long } from './long.ts';
import { projectRoot } from './project.ts';
import Reporter from './reporter.ts';

/** One more than the smallest machine has cores: some tests wait for disks and timers, and none of them goes by how long something takes. */
const jobs = 3;
/** Seconds that a file of tests may take. */
const timeoutS = 600;

const folder = path.join(import.meta.dirname, '..');
const ending = '.test.js';
/** Every file of tests, as `api/lists`. */
const all = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length).split(path.sep).join('/'))
  .sort();

/** Those of a file or a folder. */
function named(name: string): string[] {
  const found = all.filter((file) => (name.endsWith('/') ? file.startsWith(name) : file === name));
  if (found.length === 0) {
    console.error(`There are no tests "${name}". A file of them is called as api/lists is, a folder as api/`);
    process.exit(2);
  }
  return found;
}

const args = process.argv.slice(2);
const isShort = args.includes('--short');
const names = args.filter((arg) => arg !== '--short');
const left = new Set(isShort ? long.flatMap(named) : []);
const files = (names.length === 0 ? all : names.flatMap(named)).filter((file) => !left.has(file));

if (isShort) console.log(`Node ${process.version}: ${files.length} files of tests, without ${left.size} that take long`);
// Until the last one has told how it went.
process.exitCode = 1;
const reporter = new Reporter();
reporter.once('end', () => {
  process.exitCode = reporter.failed === 0 ? 0 : 1;
});
t.setTimeout(0);
t.jobs = jobs;
t.pipe(reporter).pipe(process.stdout);
for (const file of files) {
  const name = `${file}${ending}`;
  // Not Node itself: then its hooks would go with it.
  t.spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', path.join(folder, name)], {
    name,
    cwd: projectRoot(import.meta.dirname),
    env: { ...process.env, TAP_TIMEOUT: String(timeoutS) },
    stdio: ['ignore', 'pipe', 'inherit'],
    buffered: true,
    timeout: timeoutS * 1000,
  });
}
t.end();
