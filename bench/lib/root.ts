/** Where the project is: the benches run compiled, some folders below it. */
import fs from 'node:fs';
import path from 'node:path';

function nearestPackage(folder: string): string {
  if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error('there is no package.json above this program');
  return nearestPackage(parent);
}

export const root = nearestPackage(import.meta.dirname);
