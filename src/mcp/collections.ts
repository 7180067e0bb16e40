/** Where the API has each kind of resource, and which member names it. */
import { sameJson } from '../lib/change/same-json.ts';
import { actions, artboards, dataSources, objects, popups, variables } from '../model/resources.ts';
import { type MapsApi, projectPath } from './maps-api.ts';

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

export async function artboardsOf(api: MapsApi, project: string): Promise<readonly NamedArtboard[]> {
  return (await api.page<NamedArtboard>(listPath(project, 'artboard'), { fields: 'name', limit: artboardsMax })).items;
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
