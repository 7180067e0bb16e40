/**
 * Runs tests that are compiled:
 *
 *     npm test                         everything once; long explorations as samples
 *     npm run test:short               the tests that a version of Node could break
 *     npm run test:all                 every file, with larger samples and a random seed
 *     npm test -- api/lists http/      one file, a folder of `test`
 *     SEED=7 npm test                  with other random choices
 *
 * Files share processes, except those that declare their own (test-files.ts). This is the runner of node-tap as a program: tap's own command makes
 * every process load its hooks for coverage. They cost a quarter of the time, and some of the programs that tests start do not bear them.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import t from 'tap';
import { projectRoot } from './project.ts';
import Reporter from './reporter.ts';
import { type TestFile, testFiles } from './test-files.ts';
import { givenOrRandomSeed, seed as givenSeed, type Tier, tiers } from './tier.ts';
import { watchedFolder } from './watched-folder.ts';

/** One more than the machine has cores: some tests wait for disks and timers, and none asserts how long something takes. */
const jobs = Math.max(3, os.availableParallelism() + 1);
/** Seconds that a file of tests may take: a limit for what hangs, also on a machine with other work. */
const timeoutsS: Readonly<Record<Tier, number>> = { short: 600, normal: 600, all: 1800 };
/** Bytes that a file system in memory must have free to hold the files of the tests. */
const memoryBytesMin = 4 * 2 ** 30;
const memoryFolder = '/dev/shm';
/**
 * Flags of Node for the processes of tests. The young generation starts at its full size: growing it costs a tenth of their time. Source
 * maps are left out, since Node reads all of them at the start; the reporter reads those of failures.
 */
const nodeFlags = ['--min-semi-space-size=16'];

/** Files that share a process. Starting one and loading the program costs a second, more than many of the tests. */
const filesTogether = 9;

const root = projectRoot(import.meta.dirname);
const program = path.join(import.meta.dirname, 'several.js');
const all = testFiles(path.join(root, 'test'));

/** The files that a name stands for. */
function named(name: string): TestFile[] {
  const found = all.filter((file) => (name.endsWith('/') ? file.name.startsWith(name) : file.name === name));
  if (found.length === 0) {
    console.error(`There are no tests "${name}". Name a file as api/lists, or a folder as api/.`);
    process.exit(2);
  }
  return found;
}

/** The processes of a run, each with its files, in the order in which they start. */
function processesFor(files: readonly TestFile[]): TestFile[][] {
  const of = (kind: TestFile['process']) => files.filter((file) => file.process === kind);
  const alone = (file: TestFile) => [file];
  const shared = of('shared');
  const together = shared.flatMap((_, i) => (i % filesTogether === 0 ? [shared.slice(i, i + filesTogether)] : []));
  return [...of('first').map(alone), ...together, ...of('own').map(alone)];
}

/** Where tests write: to memory where the machine has enough. They sync thousands of files, and none of them cuts the power. */
function temporaryFolder(): string {
  const given = process.env['TMPDIR'];
  if (given) return given;
  try {
    const { bavail, bsize } = fs.statfsSync(memoryFolder);
    fs.accessSync(memoryFolder, fs.constants.W_OK);
    if (bavail * bsize >= memoryBytesMin) return memoryFolder;
  } catch {
    // There is none on this system.
  }
  return os.tmpdir();
}

const args = process.argv.slice(2);
const tier: Tier = args.includes('--all') ? 'all' : args.includes('--short') ? 'short' : 'normal';
const names = args.filter((arg) => arg !== '--all' && arg !== '--short');
// What is named is run, in a process of its own.
const processes =
  names.length > 0
    ? names.flatMap(named).map((file) => [file])
    : processesFor(all.filter((file) => tiers.indexOf(file.tier) <= tiers.indexOf(tier)));
const timeoutS = timeoutsS[tier];
const seed = tier === 'all' ? givenOrRandomSeed() : givenSeed;
const count = processes.reduce((sum, files) => sum + files.length, 0);
console.log(`SEED=${seed}, Node ${process.version}: ${count} of ${all.length} files of tests (${tier})`);

// Until the reporter has seen the end of all tests.
process.exitCode = 1;
const reporter = new Reporter();
reporter.once('end', () => {
  process.exitCode = reporter.failed === 0 ? 0 : 1;
});
t.setTimeout(0);
t.jobs = jobs;
t.pipe(reporter).pipe(process.stdout);
// What one file made is there for the others, such as an empty database.
const cache = watchedFolder();
const env = {
  ...process.env,
  TEST_CACHE: cache.path,
  TEST_TIER: tier,
  SEED: String(seed),
  TMPDIR: temporaryFolder(),
};
for (const run of processes) {
  const files = run.map(({ name }) => name);
  const [first = ''] = files;
  const name = files.length === 1 ? first : `${first} and ${files.length - 1} more`;
  // Not Node itself: node-tap would add its hooks.
  const whole = names.length > 0 ? ['--whole'] : [];
  t.spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...nodeFlags, program, ...whole, first], {
    name,
    cwd: root,
    env: { ...env, TEST_FILES: files.join(' '), TAP_TIMEOUT: String(files.length * timeoutS) },
    stdio: ['ignore', 'pipe', 'inherit'],
    buffered: true,
    timeout: files.length * timeoutS * 1000,
  });
}
t.end();
