/** Finds the project and the artboard that get the objects of a file. */
import type { ExistingObject, ExistingPopup, TargetArtboard } from '../../../web/convert/converter.ts';
import { type ApiClient, jsonOf, listOf } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { UsageError } from '../../option-parsing.ts';

const listBytesMax = 256 * 1024 * 1024;
/** Names in a message. */
const namesShown = 20;

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface FoundProject extends Named {
  readonly settings?: unknown;
}

export type FoundArtboard = Named & TargetArtboard;

export interface ImportTarget {
  readonly project: FoundProject;
  readonly artboard: FoundArtboard;
}

/** Path of a project in the API. */
export const routeOf = ({ id }: Named): string => `/projects/${encodeURIComponent(id)}`;

/**
 * @param into identifier or exact name of the project
 * @param artboard identifier or exact name; `undefined` for the only one
 * @throws {UsageError} if there is none, or several of that name
 */
export async function findTarget(client: ApiClient, into: string, artboard: string | undefined): Promise<ImportTarget> {
  const project = await findProject(client, into);
  const members = 'name,type,width,height,osm_lat,osm_lng,osm_zoom';
  const artboards = await listOf<FoundArtboard>(client, `${routeOf(project)}/artboards?fields=${members}`, listBytesMax);
  return { project, artboard: oneOf(artboards, artboard, `project "${project.name}"`) };
}

async function findProject(client: ApiClient, into: string): Promise<FoundProject> {
  try {
    const found = await client.ask('GET', `/projects/${encodeURIComponent(into)}?fields=name,settings`);
    return (await jsonOf(found, listBytesMax)) as FoundProject;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  const named = await listOf<FoundProject>(
    client,
    `/projects?fields=name,settings&name=${encodeURIComponent(into)}`,
    listBytesMax,
  );
  const [project] = named;
  if (project !== undefined && named.length === 1) return project;
  const what = project === undefined ? 'There is no project' : `There are ${named.length} projects`;
  const ids = project === undefined ? '' : ` Give the identifier of one with --into: ${listed(named.map(({ id }) => id))}.`;
  throw new UsageError(`${what} "${into}" that the key can read.${ids || ' Check --into and the key.'}`);
}

function oneOf(artboards: readonly FoundArtboard[], wanted: string | undefined, where: string): FoundArtboard {
  const found = artboards.filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted);
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  if (artboards.length === 0) throw new UsageError(`The ${where} has no artboards. Add one first.`);
  const names = listed(artboards.map(({ id, name }) => `"${name}" (${id})`));
  if (wanted === undefined) throw new UsageError(`The ${where} has several artboards. Choose one with --artboard: ${names}.`);
  if (one === undefined) throw new UsageError(`The ${where} has no artboard "${wanted}". It has: ${names}.`);
  throw new UsageError(
    `The ${where} has ${found.length} artboards "${wanted}". Give the identifier of one: ${listed(found.map(({ id }) => id))}.`,
  );
}

function listed(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return names.slice(0, namesShown).join(', ') + more;
}

/** The objects that an artboard has already, and the popups of the project. @param members of objects, besides their names and keys */
export async function existingIn(
  client: ApiClient,
  { project, artboard }: ImportTarget,
  members: readonly (keyof ExistingObject)[],
): Promise<{ readonly objects: readonly ExistingObject[]; readonly popups: readonly ExistingPopup[] }> {
  const objects = await listOf<ExistingObject>(
    client,
    `${routeOf(project)}/artboards/${artboard.id}/objects?fields=${['name', 'key', ...members].join()}`,
    listBytesMax,
  );
  const popups = await listOf<ExistingPopup>(client, `${routeOf(project)}/popups?fields=attachedTo`, listBytesMax);
  return { objects, popups };
}
