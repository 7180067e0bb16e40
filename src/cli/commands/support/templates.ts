/** Writes files from the templates in `data/templates`, with values in place of `{{name}}`. */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolders } from '../../../lib/files/files.ts';
import { packageRoot } from '../../../lib/package.ts';
import { replaceWithText } from '../../output/new-file.ts';

/** Writes all files of one folder of templates, or none. Throws if a file exists, unless `overwrite` is set. Returns the paths. */
export function writeTemplates(
  kind: string,
  folder: string,
  values: Readonly<Record<string, string>>,
  overwrite: boolean,
): string[] {
  const from = new URL(`data/templates/${kind}/`, packageRoot());
  const names = fs.readdirSync(from).sort();
  const path = resolve(folder);
  const existing = withFolderName(path, () =>
    names.filter((name) => fs.lstatSync(join(path, name), { throwIfNoEntry: false }) !== undefined),
  );
  if (existing.length > 0 && !overwrite) {
    const [are, them] = existing.length === 1 ? ['is', 'it'] : ['are', 'them'];
    throw new Error(
      `${existing.join(', ')} ${are} already in ${path}. Nothing was written. Name another folder, or overwrite ${them} with --force.`,
    );
  }
  return withFolderName(path, () => {
    makeFolders(path);
    return names.map((name) => {
      const file = join(path, name);
      const text = fillTemplate(fs.readFileSync(new URL(name, from), 'utf8'), values);
      // Without --force, a file created since the check above is not overwritten.
      if (overwrite) replaceWithText(file, text);
      else fs.writeFileSync(file, text, { flag: 'wx' });
      return file;
    });
  });
}

function withFolderName<T>(folder: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new Error(`Cannot write the files to ${folder}: ${(error as Error).message}`);
  }
}

function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`The template has {{${name}}}, but no value of that name exists.`);
    return value;
  });
}
