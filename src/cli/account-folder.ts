/**
 * A folder with all projects of an account: a file for each, and a manifest that names them in their order. The manifest is written last, so
 * a folder without one is no whole export.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { isDeviceName } from '../lib/file-name.ts';
import { nodeFiles } from '../lib/files.ts';
import { writeFile } from './new-file.ts';

export interface ExportedProject {
  readonly file: string;
  readonly id: string;
  readonly name: string;
}

const manifestName = 'manifest.json';
const manifestFormat = 'mapwright-account';
const manifestVersion = 1;

/** Throws when there is something in the folder already. */
export function refuseUnlessEmpty(folder: string): void {
  if (nodeFiles.list(folder).length > 0) throw new Error(`${folder} is not empty: name a new folder, with --out.`);
}

export function writeManifest(folder: string, projects: readonly ExportedProject[]): Promise<void> {
  const document = { format: manifestFormat, version: manifestVersion, projects };
  return writeFile(join(folder, manifestName), [Buffer.from(`${JSON.stringify(document, null, 2)}\n`)]);
}

/** The files that are meant: a folder stands for those that its manifest names. Throws when one is not there. */
export function filesIn(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const found = fs.statSync(name, { throwIfNoEntry: false });
    if (found === undefined) throw new Error(`There is no file ${name}.`);
    return found.isDirectory() ? namedBy(name) : [name];
  });
}

function namedBy(folder: string): string[] {
  const path = join(folder, manifestName);
  if (!fs.existsSync(path)) {
    throw new Error(
      `${folder} has no ${manifestName}, so it is no folder that export --all made: name the files in it, one by one.`,
    );
  }
  let files: unknown;
  try {
    const { format, version, projects } = JSON.parse(fs.readFileSync(path, 'utf8'));
    if (format === manifestFormat && version === manifestVersion) files = projects.map(({ file }: ExportedProject) => file);
  } catch {
    // Not ours: told below.
  }
  // A name only: a manifest leads nowhere else.
  const isName = (file: unknown): boolean => typeof file === 'string' && /^[\w-][\w.-]*$/.test(file) && !isDeviceName(file);
  if (!Array.isArray(files) || !files.every(isName)) {
    throw new Error(`${path} is no manifest of an export: export the account again, or name the files of single projects.`);
  }
  return filesIn(files.map((file: string) => join(folder, file)));
}
