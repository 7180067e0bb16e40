/** How packages are bundled into the command, the library and the pages: what stays outside, maps, licences. */
import fs from 'node:fs';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

const root = path.join(import.meta.dirname, '..');
export const apache = 'https://www.apache.org/licenses/LICENSE-2.0';

/** The text of a package's licence, with its name. */
export function licenceOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const head = `${name} ${version} (${license})`;
  // This project's own licence, at the root of its package and on apache.org. A notice must go along.
  if (/Apache-2\.0/.test(license)) {
    const notice = path.join(root, folder, 'NOTICE');
    const more = fs.existsSync(notice) ? `\n\n${fs.readFileSync(notice, 'utf8').trim()}` : '';
    return `${head}: ${apache}${more}`;
  }
  const file = fs.readdirSync(path.join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${folder} has no licence file`);
  return `${head}\n\n${fs.readFileSync(path.join(root, folder, file), 'utf8').trim()}`;
}

/** The folders of the packages among the inputs of an output of esbuild. */
export function packagesIn(inputs) {
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = used.map(([name]) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  return [...new Set(folders.filter((each) => each !== undefined))].sort();
}

/** Writes the licences of the packages in builds: they must go along with each copy. */
export function writeLicences(folder, metafiles) {
  const folders = metafiles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => packagesIn(inputs)));
  const licences = [...new Set(folders)].sort().map(licenceOf);
  const text = `The scripts in this folder contain:\n\n${licences.join('\n\n---\n\n')}\n`;
  fs.writeFileSync(path.join(root, folder, 'licences.txt'), text);
}

/** Native code, a part of piscina that is not used, and what a user installs only for a cluster or for single sign-on. */
export const external = ['fs-native-extensions', '@napi-rs/nice', 'pg', 'undici', 'openid-client'];

/** Shorter by a sixth when packed. Names stay, for stack traces. */
export const short = { minifyWhitespace: true, minifySyntax: true, lineLimit: 200 };

/** Leaves out of the source maps of a build what is not in the package: sources of packages, and the list of threads, which has no code. */
export function mapOwnSources({ outputs }) {
  for (const name of Object.keys(outputs).filter((each) => each.endsWith('.map'))) {
    const file = path.join(root, name);
    const map = JSON.parse(fs.readFileSync(file, 'utf8'));
    const isOwn = map.sources.map((source) => !/node_modules\/|\/shared-workers\.ts$/.test(source));
    const position = isOwn.map((own, i) => (own ? isOwn.slice(0, i).filter(Boolean).length : -1));
    const lines = decode(map.mappings).map((segments) =>
      segments
        .map(([column, source, ...rest]) =>
          source !== undefined && isOwn[source] ? [column, position[source], ...rest] : [column],
        )
        .filter((segment, i, all) => segment.length > 1 || (i > 0 && all[i - 1].length > 1)),
    );
    fs.writeFileSync(file, JSON.stringify({ ...map, sources: map.sources.filter((_, i) => isOwn[i]), mappings: encode(lines) }));
  }
}
