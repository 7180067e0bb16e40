/**
 * `npm run pictures`: runs the tests that take the pictures of README and docs, and writes them again. Names limit it to some of these tests:
 * `npm run pictures -- console/tool-pictures`. It fails if a test fails, or if no test has written a picture.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project.ts';
import { testFiles } from './test-files.ts';

const root = projectRoot(import.meta.dirname);
const images = path.join(root, 'docs', 'images');
const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browser = process.env['BROWSER'] ?? candidates.find((file) => fs.existsSync(file));
if (browser === undefined) {
  console.error('Name a Chromium: BROWSER=/usr/bin/chromium npm run pictures');
  process.exit(2);
}

/** Names of the tests that take a picture. */
const makers = testFiles(path.join(root, 'test'))
  .map(({ name }) => name)
  .filter((name) =>
    /^import \{[^}]*\bkeep(?:Picture(?:Of)?)?\b/m.test(fs.readFileSync(path.join(root, 'test', `${name}.test.ts`), 'utf8')),
  );

const pictures = (): Map<string, number> =>
  new Map(
    fs
      .readdirSync(images, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.webp'))
      .map((name) => [name, fs.statSync(path.join(images, name)).mtimeMs]),
  );

const named = process.argv.slice(2);
const before = pictures();
const { status } = spawnSync(
  process.execPath,
  [path.join(import.meta.dirname, 'run.js'), ...(named.length > 0 ? named : makers)],
  {
    cwd: root,
    env: { ...process.env, BROWSER: browser, UPDATE_PICTURES: '1' },
    stdio: 'inherit',
  },
);
const after = pictures();
const [written, left] = [
  [...after].filter(([name, at]) => before.get(name) !== at),
  [...after].filter(([name, at]) => before.get(name) === at),
];
console.log(`${written.length} pictures written: git diff --stat docs/images`);
if (named.length === 0) for (const [name] of left) console.error(`No test has written docs/images/${name}.`);
process.exitCode = status !== 0 || (named.length === 0 && left.length > 0) ? 1 : 0;
