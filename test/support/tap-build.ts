/**
 * Makes the test runner honour the plugins that .taprc switches off. tap compiles its `Test` class with the default plugins at
 * install time and rebuilds it only on demand. One of those defaults cannot load beside this project's compiler, and one puts a
 * loader into every thread of what is tested, whose start then takes several times as long. `npm test` runs this first: a few
 * milliseconds when there is nothing to do, one offline rebuild (about five seconds) after a fresh install.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const tap = createRequire(import.meta.url).resolve('tap/package.json');
const runner = createRequire(tap);
const built = join(dirname(runner.resolve('@tapjs/test/package.json')), 'test-built', 'dist', 'esm', 'index.js');
const present = readFileSync(built, 'utf8');
if (['@tapjs/typescript', '@tapjs/mock'].some((plugin) => present.includes(plugin))) {
  const bin = join(dirname(tap), JSON.parse(readFileSync(tap, 'utf8')).bin.tap);
  const { status } = spawnSync(process.execPath, [bin, 'build'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
