/** Where the API has each kind of resource, and which member names it. */
import { sameJson } from '../lib/change/same-json.ts';
import { actions, artboards, dataSources, objects, popups, variables } from '../model/resources.ts';
import { type MapsApi, projectPath, wrongArgument } from './maps-api.ts';

/** A member of a collection, as far as tools look into it. */
export type Item = { readonly id: string } & Readonly<Record<string, unknown>>;

/** Paths below a project, but that of objects, which are below an artboard. */
const paths = {
  artboard: '/artboards',
  popup: '/popups',
  data_source: '/data-sources',
  variable: '/variables',
  action: '/actions',
} as const;

/** The kinds of what a map is made of. */
export const kinds = ['artboard', 'object', 'popup', 'data_source', 'variable', 'action'] as const;
export type Kind = (typeof kinds)[number];

/** @param artboard of objects */
export const listPath = (project: string, kind: Kind, artboard = ''): string =>
  projectPath(project, kind === 'object' ? `/artboards/${encodeURIComponent(artboard)}/objects` : paths[kind]);

/** An artboard, as much of it as its place among others needs. */
export interface NamedArtboard {
  readonly id: string;
  readonly name: string;
}

const artboardsMax = '1000';

/** @param fields members besides the identifier */
export async function artboardsOf<T = NamedArtboard>(api: MapsApi, project: string, fields = 'name'): Promise<readonly T[]> {
  return (await api.page<T>(listPath(project, 'artboard'), { fields, limit: artboardsMax })).items;
}

/** The artboard that a tool works with. @param wanted its identifier; `undefined` for the only one */
export function chosenArtboard<T extends { readonly id: string }>(artboards: readonly T[], wanted: string | undefined): T {
  const [first, ...others] = artboards;
  const chosen = wanted === undefined ? first : artboards.find(({ id }) => id === wanted);
  if (chosen === undefined) throw wrongArgument('artboard', 'names no artboard of the project.');
  if (wanted === undefined && others.length > 0)
    throw wrongArgument('artboard', `must name one of the ${artboards.length} artboards: read the outline of the project.`);
  return chosen;
}

const resources = {
  ...{ artboard: artboards, object: objects, popup: popups, data_source: dataSources },
  ...{ variable: variables, action: actions },
} as const satisfies Readonly<Record<Kind, unknown>>;

/** Members that say more than a resource without any would. */
export function withoutDefaults(kind: Kind, item: Item): Item {
  const { properties } = resources[kind].bodies.create;
  const defaultOf = (name: string): unknown => (properties[name] as { readonly default?: unknown } | undefined)?.default;
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => !sameJson(value, defaultOf(name)))) as Item;
}
