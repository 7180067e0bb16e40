/** Reads the package's own package.json. */
import fs from 'node:fs';

/** The root of the package; works from `src/lib`, `dist/src/lib` and `dist/bin`. */
export function packageRoot(): URL {
  for (const up of ['../../', '../../../']) {
    const root = new URL(up, import.meta.url);
    if (fs.existsSync(new URL('package.json', root))) return root;
  }
  throw new Error('cannot find the package.json of mapwright: install the package again');
}

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

let said: Package | undefined;

function read(): Package {
  said ??= JSON.parse(fs.readFileSync(new URL('package.json', packageRoot()), 'utf8')) as Package;
  return said;
}

export const packageVersion = (): string => read().version;

/** The earliest Node version that the package is tested on: `20.19`. */
export const nodeVersionMin = (): string => read().engines.node.replace(/^>=/, '');
