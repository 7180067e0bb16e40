/**
 * Makes the test runner honour the plugins that .taprc switches off. tap compiles its `Test` class with the default plugins at
 * install time and rebuilds it only on demand; one of those defaults cannot load beside this project's compiler. `npm test` runs
 * this first: a few milliseconds when there is nothing to do, one offline rebuild (about five seconds) after a fresh install.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const tap = createRequire(import.meta.url).resolve('tap/package.json');
const runner = createRequire(tap);
const built = join(dirname(runner.resolve('@tapjs/test/package.json')), 'test-built', 'dist', 'esm', 'index.js');
if (readFileSync(built, 'utf8').includes('@tapjs/typescript')) {
  const bin = join(dirname(tap), JSON.parse(readFileSync(tap, 'utf8')).bin.tap);
  const { status } = spawnSync(process.execPath, [bin, 'build'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
