/**
 * Runs several files of tests in one process, one after another: `node several.js api/lists api/fields`. Loading the program takes longer than
 * many of the tests. A comment follows the results of each file: the reporter reads it.
 */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import t from 'tap';

/** Milliseconds between two looks whether the tests of a file have ended. */
const pollMs = 2;

// Limits of time are the runner's, and what a file leaves for the end of the process ends with the file.
let teardowns: (() => unknown)[] = [];
Object.assign(t, {
  setTimeout() {},
  teardown: (tidy: () => unknown) => void teardowns.push(tidy),
});

for (const file of process.argv.slice(2)) {
  const began = performance.now();
  try {
    await import(pathToFileURL(path.join(import.meta.dirname, '..', `${file}.test.js`)).href);
  } catch (error) {
    t.error(error, `${file} can be loaded`);
  }
  while (!t.idle) await setTimeout(pollMs);
  const tidying = teardowns.reverse();
  teardowns = [];
  for (const tidy of tidying) await tidy();
  t.comment(`file ${file} took ${(performance.now() - began).toFixed(0)} ms`);
}
t.end();
