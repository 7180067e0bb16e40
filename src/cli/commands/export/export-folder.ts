/**
 * A folder with exported projects: one file for each with its pictures beside it, and a manifest that lists them in order. The manifest is
 * written last, so an incomplete export has none.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { isDeviceName } from '../../../lib/files/file-name.ts';
import { nodeFiles } from '../../../lib/files/files.ts';
import { writeFile } from '../../output/new-file.ts';

export interface ExportedProject {
  readonly file: string;
  readonly id: string;
  readonly name: string;
}

const manifestName = 'manifest.json';
const manifestFormat = 'mapwright-account';
const manifestVersion = 1;

/** Throws if the folder is not empty. */
export function assertEmpty(folder: string): void {
  if (nodeFiles.list(folder).length > 0) throw new Error(`${folder} is not empty. Name a new folder with --out.`);
}

export function writeManifest(folder: string, projects: readonly ExportedProject[]): Promise<void> {
  const document = { format: manifestFormat, version: manifestVersion, projects };
  return writeFile(join(folder, manifestName), [Buffer.from(`${JSON.stringify(document, null, 2)}\n`)]);
}

/** The projects that a folder of exports has; `undefined` if it has other files. */
export function listedIn(folder: string): ExportedProject[] | undefined {
  if (nodeFiles.list(folder).length === 0) return [];
  const path = join(folder, manifestName);
  return fs.existsSync(path) ? projectsOf(path) : undefined;
}

/** Replaces each folder by the files that its manifest lists. Throws if a file is missing. */
export function exportedFiles(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const found = fs.statSync(name, { throwIfNoEntry: false });
    if (found === undefined) throw new Error(`The file ${name} does not exist. Check the path.`);
    return found.isDirectory() ? filesOfManifest(name) : [name];
  });
}

function filesOfManifest(folder: string): string[] {
  const path = join(folder, manifestName);
  if (!fs.existsSync(path)) {
    throw new Error(`${folder} has no ${manifestName}, so export --all did not write it completely. Name its files one by one.`);
  }
  const projects = projectsOf(path);
  if (projects === undefined)
    throw new Error(`${path} is not a valid export manifest. Export the account again, or name the project files one by one.`);
  return exportedFiles(projects.map(({ file }) => join(folder, file)));
}

/** The projects in a manifest; `undefined` if it is not valid. */
function projectsOf(path: string): ExportedProject[] | undefined {
  // Plain file names only, so that a manifest cannot lead out of its folder.
  const isListed = (project: unknown): project is ExportedProject => {
    const { file } = (project ?? {}) as Partial<ExportedProject>;
    return typeof file === 'string' && /^[\w-][\w.-]*$/.test(file) && !isDeviceName(file);
  };
  try {
    const { format, version, projects } = JSON.parse(fs.readFileSync(path, 'utf8'));
    const isValid =
      format === manifestFormat && version === manifestVersion && Array.isArray(projects) && projects.every(isListed);
    return isValid ? projects : undefined;
  } catch {
    return undefined;
  }
}
