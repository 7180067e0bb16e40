/**
 * The lock file installs everywhere: `npm ci` refuses one that lacks an optional package for some other platform, which npm leaves
 * out when the registry at hand does not carry it; and an address of one registry in it would bind everybody to that one.
 */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.ts';

interface Package {
  resolved?: string;
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

for (const name of ['package-lock.json', 'bench/peers/package-lock.json']) {
  t.test(name, async (t) => {
    const file = path.join(projectRoot(import.meta.dirname), name);
    const { packages } = JSON.parse(fs.readFileSync(file, 'utf8')) as { packages: Record<string, Package> };
    t.same(missing(packages), []);
    const bound = Object.keys(packages).filter((place) => packages[place]?.resolved !== undefined);
    t.same(bound, [], 'no address of a registry');
  });
}

t.test('what is missing is found', async (t) => {
  const wants = { optionalDependencies: { 'b-linux': '1', 'b-darwin': '1' } };
  t.same(missing({ 'node_modules/a': wants, 'node_modules/b-linux': {} }), ['b-darwin']);
  t.same(missing({ 'node_modules/a': wants, 'node_modules/a/node_modules/b-linux': {}, 'node_modules/b-darwin': {} }), []);
  t.same(
    missing({ 'node_modules/x/node_modules/a': wants, 'node_modules/x/node_modules/b-linux': {}, 'node_modules/b-darwin': {} }),
    [],
  );
});
