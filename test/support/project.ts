/** Where the project is, for tests that read its own files: they run compiled, some folders below it. */
import fs from 'node:fs';
import path from 'node:path';

/** The folder of the nearest package.json above `from` (a module's `import.meta.dirname`). */
export function projectRoot(from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`no package.json above ${from}`);
  }
}
