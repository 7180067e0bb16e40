/** The icons of Maki and Temaki, which the build makes for the console too. Read when a map needs one first. */
import fs from 'node:fs';
import { packageRoot } from '../package.ts';

/** An icon as an SVG path in a square. */
export interface Icon {
  readonly path: string;
  /** Side of the square. */
  readonly size: number;
}

/** Path of the built file in the package. */
const file = 'dist/pages/console/icons.json';

let icons: ReadonlyMap<string, Icon> | undefined;

/** By their names, such as `maki:toilet`. Throws if the file is not built. */
export function iconSet(): ReadonlyMap<string, Icon> {
  try {
    icons ??= new Map(Object.entries(JSON.parse(fs.readFileSync(new URL(file, packageRoot()), 'utf8')) as Record<string, Icon>));
    return icons;
  } catch (cause) {
    throw new Error(`cannot read ${file} of the package. Build it with: npm run build`, { cause });
  }
}

/** Those of the icons that exist, by name; `undefined` if there are none. */
export function iconsNamed(names: ReadonlySet<string>): Readonly<Record<string, Icon>> | undefined {
  if (names.size === 0) return undefined;
  const all = iconSet();
  const found = [...names].sort().flatMap((name): [string, Icon][] => {
    const icon = all.get(name);
    return icon === undefined ? [] : [[name, icon]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
