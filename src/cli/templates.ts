/** Files that a command makes from those in `data/templates`: `{{name}}` in them is a value that is known here. */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolders } from '../lib/files.ts';
import { packageRoot } from '../lib/package.ts';
import { replaceWithText } from './new-file.ts';

/** Makes the files of one folder of templates, all or none. Throws where one of them is there already, unless it may be overwritten. */
export function writeTemplates(
  kind: string,
  folder: string,
  values: Readonly<Record<string, string>>,
  overwrite: boolean,
): string[] {
  const from = new URL(`data/templates/${kind}/`, packageRoot());
  const names = fs.readdirSync(from).sort();
  const path = resolve(folder);
  const taken = orInWords(path, () =>
    names.filter((name) => fs.lstatSync(join(path, name), { throwIfNoEntry: false }) !== undefined),
  );
  if (taken.length > 0 && !overwrite) {
    const [are, them] = taken.length === 1 ? ['is', 'it'] : ['are', 'them'];
    throw new Error(
      `${taken.join(', ')} ${are} in ${path} already: nothing was written. Name another folder, or overwrite ${them} with --force.`,
    );
  }
  return orInWords(path, () => {
    makeFolders(path);
    return names.map((name) => {
      const file = join(path, name);
      const text = filled(fs.readFileSync(new URL(name, from), 'utf8'), values);
      // Without --force, a file that was made a moment ago stays.
      if (overwrite) replaceWithText(file, text);
      else fs.writeFileSync(file, text, { flag: 'wx' });
      return file;
    });
  });
}

function orInWords<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new Error(`The files cannot be written to ${folder}: ${(error as Error).message}`);
  }
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`there is no value for {{${name}}}`);
    return value;
  });
}
