#!/usr/bin/env node
/**
 * Makes a release of what is committed: `npm run release -- patch|minor|major [--dry-run]`.
 *
 * It raises the version in package.json, its lock file, openapi.json and the documents, gives "Unreleased" in CHANGELOG.md that version and
 * the date, runs every check, and makes a commit and a tag. It publishes nothing: it prints the commands that do.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const levels = ['major', 'minor', 'patch'];
const root = path.join(import.meta.dirname, '..');
const words = process.argv.slice(2);
const dryRun = words.includes('--dry-run');
const [level, ...more] = words.filter((word) => word !== '--dry-run');

/** Ends with a sentence that says what to do. */
function refuse(why) {
  console.error(why);
  process.exit(2);
}

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');

/** The version after this one. */
function raised(version, level) {
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined) refuse(`The version in package.json is ${version}; it must be three numbers, such as 1.2.3.`);
  const at = levels.indexOf(level);
  return numbers.map((number, i) => (i < at ? number : i === at ? number + 1 : 0)).join('.');
}

/** The changelog with what is unreleased under the new version. */
function released(changelog, to, date) {
  const section = /^## \[Unreleased\]\n+([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog);
  if (section === null || section[1].trim() === '')
    refuse('CHANGELOG.md has nothing under "## [Unreleased]". List there what users notice, commit it, and try again.');
  return changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${to}] - ${date}\n`);
}

/** The documents that name the file which `npm pack` makes. */
const withPackage = ['README.md', 'docs/client.md', 'docs/embedding.md'];

function withVersion(text, indent, set) {
  const document = JSON.parse(text);
  set(document);
  return `${JSON.stringify(document, null, indent)}\n`;
}

if (!levels.includes(level) || more.length > 0) refuse('Usage: npm run release -- patch|minor|major [--dry-run]');
if (git('status', '--porcelain') !== '')
  refuse('There are changes that are not committed. Commit them or put them away, and try again.');
if (git('rev-parse', '--abbrev-ref', 'HEAD') === 'HEAD') refuse('This is no branch. Check one out, and try again.');

const from = JSON.parse(read('package.json')).version;
const to = raised(from, level);
const tag = `v${to}`;
if (git('tag', '--list', tag) !== '') refuse(`There is a tag ${tag} already. Pull, or delete it, and try again.`);
const date = new Date().toISOString().slice(0, 10);
const changed = {
  'CHANGELOG.md': released(read('CHANGELOG.md'), to, date),
  ...Object.fromEntries(withPackage.map((name) => [name, read(name).replaceAll(`mapwright-${from}.tgz`, `mapwright-${to}.tgz`)])),
  'package.json': withVersion(read('package.json'), 2, (document) => {
    document.version = to;
  }),
  'package-lock.json': withVersion(read('package-lock.json'), 2, (document) => {
    document.version = to;
    document.packages[''].version = to;
  }),
  'openapi.json': withVersion(read('openapi.json'), 1, (document) => {
    document.info.version = to;
  }),
};
const names = Object.keys(changed);

console.log(`${from} becomes ${to}, in ${names.join(', ')}.`);
if (dryRun) {
  console.log(`Then .ci/run, a commit "Release ${to}" and the tag ${tag}. Nothing was changed.`);
  process.exit();
}
for (const name of names) fs.writeFileSync(path.join(root, name), changed[name]);
const gate = spawnSync(path.join(root, '.ci', 'run'), { cwd: root, stdio: 'inherit' });
if (gate.status !== 0) {
  git('checkout', '--', ...names);
  refuse('A check failed, so nothing was released, and the files are as they were.');
}
git('commit', '--quiet', '--message', `Release ${to}`, '--', ...names);
git('tag', '--annotate', '--message', `mapwright ${to}`, tag);
console.log(`Released here: the commit "Release ${to}" and the tag ${tag}.

This makes it public; the workflow "release" then publishes what the tag names:

  git push --follow-tags

Provenance is a statement of the machine that builds, so npm takes it from there only. What it runs is:

  npm publish --access public
`);
