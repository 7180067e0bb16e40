/**
 * The lock file installs on every platform: `npm ci` refuses one that lacks an optional package for another platform, which npm leaves
 * out if the registry does not have it; and no address of a registry is in it. Every
 * package has a digest and an accepted licence.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.ts';

interface Package {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** Optional packages that no entry stands for, as Node would look for them: beside the package that wants them, then upwards. */
export function missing(packages: Record<string, Package>): string[] {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => {
      for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
        if (packages[`${at && `${at}/`}node_modules/${name}`]) return false;
        if (at === '') return true;
      }
    }),
  );
}

/** Licences that ask for no more than that their text goes along. */
const permissive = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD', 'Zlib', 'CC0-1.0'];
/** Accepted besides these for development dependencies, which are not distributed, and of which nothing is in what they make. */
const forWork = [...permissive, 'CC-BY-3.0', 'MPL-2.0', 'LGPL-3.0-only', 'Python-2.0'];

/**
 * Packages of which the lock file does not say enough. The registry that it was made with has none for other platforms than its own; npm
 * takes in what is missing here where it does. `jsonc-simple-parser`, a part of the test runner, has no licence in its package.json.
 */
const unknown: Readonly<Record<string, readonly string[]>> = {
  '@biomejs/cli-': [
    'android-arm64',
    'android-x64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64-musl',
    'linux-x64-musl',
    'win32-arm64',
    'win32-x64',
  ],
  '@msgpackr-extract/msgpackr-extract-': ['darwin-arm64', 'darwin-x64', 'linux-arm', 'win32-x64'],
};
const withoutIntegrity = Object.entries(unknown).flatMap(([start, ends]) => ends.map((end) => start + end));
const withoutLicence = [...withoutIntegrity, 'jsonc-simple-parser', 'busboy', 'streamsearch'];

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Whether an SPDX expression without nesting leaves a choice among these licences. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const inside = expression.replace(/^\((.*)\)$/, '$1');
  return inside.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)));
}

/** Packages without a strong digest of their bytes. */
export function unverified(packages: Record<string, Package>): string[] {
  return Object.entries(packages).flatMap(([place, { integrity }]) =>
    place === '' || /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [nameOf(place)],
  );
}

/** Packages whose licence is missing or not accepted, each with its licence. */
export function unlicensed(packages: Record<string, Package>): [name: string, license: string | undefined][] {
  return Object.entries(packages).flatMap(([place, { license, dev }]): [string, string | undefined][] =>
    place === '' || (license !== undefined && isAllowed(license, dev === true ? forWork : permissive))
      ? []
      : [[nameOf(place), license]],
  );
}

for (const name of ['package-lock.json', 'bench/peers/package-lock.json']) {
  t.test(`${name} is complete, has digests and accepted licences, and names no registry`, async (t) => {
    const file = path.join(projectRoot(import.meta.dirname), name);
    const { packages } = JSON.parse(fs.readFileSync(file, 'utf8')) as { packages: Record<string, Package> };
    t.same(missing(packages), []);
    const bound = Object.keys(packages).filter((place) => packages[place]?.resolved !== undefined);
    t.same(bound, [], 'no address of a registry');
    const isOurs = name === 'package-lock.json';
    t.strictSame(unverified(packages).sort(), isOurs ? [...withoutIntegrity].sort() : [], 'every package has its digest');
    const strange = unlicensed(packages).sort(([a], [b]) => (a < b ? -1 : 1));
    t.strictSame(strange, isOurs ? [...withoutLicence].sort().map((each) => [each, undefined]) : [], 'every licence is allowed');
    for (const each of isOurs ? withoutIntegrity : []) t.match(packages[`node_modules/${each}`], { optional: true });
  });
}

t.test('a package without a digest or with another licence is found', async (t) => {
  const integrity = `sha512-${'A'.repeat(86)}==`;
  const entry = (license: string | undefined, more: Package = {}): Record<string, Package> => ({
    '': {},
    'node_modules/@a/b/node_modules/c': { integrity, ...(license === undefined ? {} : { license }), ...more },
  });
  t.same(unverified(entry('MIT')), []);
  for (const wrong of ['', 'sha1-AAAA', 'sha512-AAAA', `${integrity} sha1-AAAA`])
    t.same(unverified(entry('MIT', { integrity: wrong })), ['c'], wrong);
  for (const license of ['MIT', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only OR ISC', '(MIT AND Zlib)'])
    t.same(unlicensed(entry(license)), []);
  for (const license of [undefined, 'GPL-3.0-only', '(MIT AND GPL-3.0-only)', 'SEE LICENSE IN x', 'CC-BY-3.0'])
    t.same(unlicensed(entry(license)), [['c', license]]);
  t.same(unlicensed(entry('CC-BY-3.0', { dev: true })), []);
});

t.test('a missing optional package is found', async (t) => {
  const wants = { optionalDependencies: { 'b-linux': '1', 'b-darwin': '1' } };
  t.same(missing({ 'node_modules/a': wants, 'node_modules/b-linux': {} }), ['b-darwin']);
  t.same(missing({ 'node_modules/a': wants, 'node_modules/a/node_modules/b-linux': {}, 'node_modules/b-darwin': {} }), []);
  t.same(
    missing({ 'node_modules/x/node_modules/a': wants, 'node_modules/x/node_modules/b-linux': {}, 'node_modules/b-darwin': {} }),
    [],
  );
});
