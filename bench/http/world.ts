/** What the servers of a bench hold: the examples, loaded the same way into ours and into every peer. */
import fs from 'node:fs';
import path from 'node:path';
import { call, type Request, type Target } from '../lib/ask.ts';
import { root } from '../lib/root.ts';

/** An object as it is answered. */
export interface Shown {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** A project as it was made. */
export interface Made {
  readonly id: string;
  readonly artboards: readonly { readonly id: string; readonly objects: readonly Shown[] }[];
}

/** The body of an object, or an object. */
export type ObjectBody = Readonly<Record<string, unknown>>;

interface Example {
  readonly name: string;
  readonly artboards: readonly { readonly name: string; readonly objects: readonly ObjectBody[] }[];
}

export type ExampleName = 'cities' | 'office' | 'us-counties' | 'world-countries';

/** Without identifiers, which a POST refuses. */
function read(name: ExampleName): Example {
  const text = fs.readFileSync(path.join(root, 'data', 'examples', `${name}.json`), 'utf8');
  return JSON.parse(text, (member, value) => (member === 'id' ? undefined : value)).project as Example;
}

/** Objects of the artboard of an example that has the most of them, `count` at most. */
export function exampleObjects(name: ExampleName, count: number): ObjectBody[] {
  const boards = read(name).artboards.map(({ objects }) => objects);
  const largest = boards.reduce((most, objects) => (objects.length > most.length ? objects : most));
  return largest.slice(0, count);
}

/** Makes a project with one artboard that has these objects. */
export const makeProject = (target: Target, objects: readonly ObjectBody[] = []): Promise<Made> =>
  call<Made>(target, 'POST', '/projects', { name: 'Bench', artboards: [{ name: 'First', objects }] });

/** Path of the list of objects of a project's first artboard. */
export const objectsPath = ({ id, artboards }: Made): string => `/projects/${id}/artboards/${artboards[0]?.id}/objects`;

/** A GET of each object of a project's first artboard. */
export const getEach = (made: Made): Request[] =>
  artboardOf(made).objects.map(({ id }) => ({ method: 'GET', path: `${objectsPath(made)}/${id}` }));

export function artboardOf({ artboards }: Made): Made['artboards'][number] {
  const [first] = artboards;
  if (first === undefined) throw new Error('the project was made without its artboard');
  return first;
}

/** A GET of the list of them. */
export const getList = (made: Made): Request[] => [{ method: 'GET', path: objectsPath(made) }];

/** A GET of the whole project. */
export const getProject = ({ id }: Made): Request[] => [{ method: 'GET', path: `/projects/${id}` }];
