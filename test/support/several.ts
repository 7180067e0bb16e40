/**
 * Runs files of tests in one process, one after another: `node several.js api/lists api/fields`. Loading the program takes longer than many of
 * the tests. Without `--whole`, a shorter tier leaves out the tests that `test.all` declares. A comment follows the results of each file: the reporter reads it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { endProcess } from './process-end.ts';
import { leaveOutTestsOfAll } from './test.ts';
import { tier } from './tier.ts';

/** Milliseconds between two looks whether the tests of a file have ended. */
const pollMs = 2;
/** One unit of processor time in Linux's /proc, in milliseconds. */
const tickMs = 10;

/** Milliseconds of processor time of this process, and on Linux of all its child processes, which may have some of their own. */
function processorMs(): number {
  if (process.platform === 'linux') return ticksOf(process.pid) * tickMs;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Ticks of a process, of its children that have ended, and of those that run. */
function ticksOf(pid: number | string): number {
  const read = (file: string): string => ofProcess(() => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8'), '');
  const [, fields = ''] = read('stat').split(') ');
  // utime, stime, cutime and cstime in proc(5).
  let ticks = 0;
  for (const own of fields.split(' ').slice(11, 15)) ticks += Number(own);
  for (const thread of ofProcess(() => fs.readdirSync(`/proc/${pid}/task`), []))
    for (const child of read(`task/${thread}/children`).match(/\d+/g) ?? []) ticks += ticksOf(child);
  return ticks;
}

/** Something about a process, which may end meanwhile. */
function ofProcess<T>(find: () => T, ended: T): T {
  try {
    return find();
  } catch {
    return ended;
  }
}

// Limits of time are the runner's, and what a file leaves for the end of the process ends with the file.
let teardowns: (() => unknown)[] = [];
/** Tests of the current file that were begun. tap is idle for a moment between two of them, too. */
let begun: Promise<unknown>[] = [];
const test = t.test.bind(t) as (...args: unknown[]) => Promise<unknown>;
Object.assign(t, {
  setTimeout() {},
  test(...args: unknown[]) {
    const ended = test(...args);
    begun.push(ended);
    return ended;
  },
  teardown: (tidy: () => unknown) => void teardowns.push(tidy),
});

// The first file pays for the start of the process.
let used = 0;
const args = process.argv.slice(2);
if (tier !== 'all' && !args.includes('--whole')) leaveOutTestsOfAll();
// tap names the folders of tests after the arguments: all files would make the names too long.
const { TEST_FILES: files = args.filter((arg) => arg !== '--whole').join(' ') } = process.env;
delete process.env['TEST_FILES'];
for (const file of files.split(' ')) {
  const began = performance.now();
  try {
    await import(pathToFileURL(path.join(import.meta.dirname, '..', `${file}.test.js`)).href);
  } catch (error) {
    t.error(error, `${file} can be loaded`);
  }
  while (begun.length > 0) {
    const tests = begun;
    begun = [];
    await Promise.allSettled(tests);
  }
  while (!t.idle) await setTimeout(pollMs);
  const tidying = teardowns.reverse();
  teardowns = [];
  for (const tidy of tidying) await tidy();
  const usedBefore = used;
  used = processorMs();
  t.comment(`file ${file} took ${(performance.now() - began).toFixed(0)} ms, ${used - usedBefore} ms of processor time`);
}
await endProcess();
t.end();

// Everything has ended by now. Node 22 was seen to wait for ever for the last handles of a process (`CleanupHandles`), which this leaves out.
process.on('exit', () => process.exit());
