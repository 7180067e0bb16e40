// tier: all, process: own
/** `npm run release`, in a temporary repository: what it refuses, what it changes, and that a failed check changes nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);
const { PATH = '' } = process.env;

const changelog = `# Changelog

## [Unreleased]

### Added

- Something new.

## [0.9.3]

Older.
`;
const documents = ['README.md', 'docs/client.md', 'docs/embedding.md'];
const install = 'npm i ../mapwright-0.9.3.tgz\n';

/** A repository with what a release looks at, whose checks are a file: they fail when it says so. */
function repository(t: Test) {
  const folder = temporaryFolder(t);
  const env = {
    PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
  };
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/release.mjs', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const checks = (command: string) => {
    write('.ci/run', `#!/bin/sh\n${command}\n`);
    fs.chmodSync(path.join(folder, '.ci/run'), 0o755);
  };
  const json = (value: unknown, indent = 2) => `${JSON.stringify(value, null, indent)}\n`;
  write('package.json', json({ name: 'mapwright', version: '0.9.3' }));
  write(
    'package-lock.json',
    json({ version: '0.9.3', packages: { '': { version: '0.9.3' }, 'node_modules/a': { version: '0.9.3' } } }),
  );
  write('openapi.json', json({ info: { version: '0.9.3' }, paths: {} }, 1));
  write('CHANGELOG.md', changelog);
  for (const name of documents) write(name, install);
  fs.copyFileSync(path.join(root, '.ci/release.mjs'), path.join(folder, '.ci-release.mjs'));
  fs.mkdirSync(path.join(folder, '.ci'));
  fs.renameSync(path.join(folder, '.ci-release.mjs'), path.join(folder, '.ci/release.mjs'));
  checks('exit 0');
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  return { write, read, git, release, checks };
}

t.test('a release changes version and changelog, commits and tags', async (t) => {
  const { read, git, release } = repository(t);
  t.match(release('minor', '--dry-run'), { status: 0, stdout: /^0\.9\.3 becomes 0\.10\.0, in .*Nothing was changed\.\n$/s });
  t.equal(git('status', '--porcelain'), '');
  t.equal(git('tag'), '');

  const { status, stdout } = release('minor');
  t.equal(status, 0);
  t.match(stdout, /^ {2}git push --follow-tags$/m);
  t.match(stdout, /^ {2}npm publish --access public$/m);
  t.equal(git('status', '--porcelain'), '', 'all of it is committed');
  t.equal(git('log', '--format=%s', '-1'), 'Release 0.10.0');
  t.equal(git('describe'), 'v0.10.0');
  t.match(JSON.parse(read('package.json')), { version: '0.10.0' });
  t.match(JSON.parse(read('package-lock.json')), {
    version: '0.10.0',
    packages: { '': { version: '0.10.0' }, 'node_modules/a': { version: '0.9.3' } },
  });
  t.equal(read('openapi.json'), `${JSON.stringify({ info: { version: '0.10.0' }, paths: {} }, null, 1)}\n`);
  const today = new Date().toISOString().slice(0, 10);
  const wanted = changelog.replace('[Unreleased]', `[Unreleased]\n\n## [0.10.0] - ${today}`);
  t.equal(read('CHANGELOG.md').replace(/ - \d{4}-\d{2}-\d{2}/, ` - ${today}`), wanted);
  for (const name of documents) t.equal(read(name), install.replace('0.9.3', '0.10.0'), name);
  t.match(
    release('patch'),
    { status: 2, stderr: /has nothing under "## \[Unreleased\]"/ },
    'what is released is not released again',
  );
});

t.test('a release raises the version by semantic versioning', async (t) => {
  const { release } = repository(t);
  for (const [level, to] of [
    ['patch', '0.9.4'],
    ['minor', '0.10.0'],
    ['major', '1.0.0'],
  ] as const)
    t.match(release(level, '--dry-run').stdout, `0.9.3 becomes ${to},`);
});

t.test('a refused release changes nothing', async (t) => {
  const { write, git, release, checks } = repository(t);
  for (const words of [[], ['huge'], ['patch', 'minor'], ['1.2.3']])
    t.match(release(...words), { status: 2, stderr: /^Usage: / });
  write('new.txt', '');
  t.match(release('patch'), { status: 2, stderr: /not committed/ });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'new');
  git('tag', 'v0.9.4');
  t.match(release('patch'), { status: 2, stderr: /There is a tag v0\.9\.4 already/ });
  checks('echo "0 passed, 1 failed"; exit 1');
  git('commit', '--quiet', '--all', '--message', 'a fault');
  t.match(release('minor'), { status: 2, stdout: /0 passed, 1 failed/, stderr: /A check failed/ });
  t.equal(git('status', '--porcelain'), '');
  t.equal(git('log', '--format=%s', '-1'), 'a fault');
  t.equal(git('tag'), 'v0.9.4');
  git('checkout', '--quiet', '--detach');
  t.match(release('minor'), { status: 2, stderr: /no branch/ });
});

t.test('the changelog of this project can be released', async (t) => {
  const text = fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [unreleased, ...versions] = Array.from(text.matchAll(/^## (.*)$/gm), ([, heading = '']) => heading);
  t.equal(unreleased, '[Unreleased]');
  t.equal(versions[0]?.split(' ')[0], `[${version}]`, 'the newest version is that of the package');
  for (const heading of versions) t.match(heading, /^\[\d+\.\d+\.\d+\]( - \d{4}-\d{2}-\d{2})?$/);
  for (const [, kind = ''] of text.matchAll(/^### (.*)$/gm)) t.match(kind, /^(Added|Changed|Deprecated|Removed|Fixed|Security)$/);
});
