/** The example projects of this package, documents for an import. */
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project.ts';

const folder = path.join(projectRoot(import.meta.dirname), 'data', 'examples');

/** Names of the files. */
export const exampleFiles: readonly string[] = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));

/** The body of `POST /projects/import`. */
export const exampleText = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');

/** The project without identifiers, as the body of `POST /projects`; its references lead nowhere. */
export function exampleBody<Body = Readonly<Record<string, unknown>>>(file: string): Body {
  return JSON.parse(exampleText(file), (name, value) => (name === 'id' ? undefined : value)).project;
}
