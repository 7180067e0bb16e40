/** The publication of a project: its public copy, if there is one. */
import type { Client, ListedPublication, Publication, PublishedSource, Visits } from '../../client/client.ts';
import { serverRoot } from '../server/server-root.ts';

/** A publication, or that there is none. */
export type PublicationState = Publication | 'none';

/** All publications of the projects that the session reaches, by project. */
export async function askPublications(client: Client): Promise<ReadonlyMap<string, ListedPublication>> {
  return new Map((await client.get('/publications')).map((each) => [each.project_id, each]));
}

/** What a PUT sets; members that are not there stay as they are. */
export interface PublicationWish {
  readonly origins?: readonly string[] | undefined;
  /** Seconds; 0 for a still map. */
  readonly refresh?: number | undefined;
  /** The readable address; '' for none. */
  readonly name?: string | undefined;
}

/** The answer to a request about the publication. Rejects with ProblemError or ConnectionError. */
export async function askPublication(
  client: Client,
  projectId: string,
  method: 'GET' | 'PUT' | 'DELETE',
  { origins, refresh, name }: PublicationWish = {},
): Promise<PublicationState> {
  const params = { path: { project_id: projectId } };
  const path = '/projects/{project_id}/publication';
  if (method === 'PUT') {
    const body = {
      ...(origins === undefined ? {} : { origins: [...origins] }),
      ...(refresh === undefined ? {} : { refresh }),
      ...(name === undefined ? {} : { name }),
    };
    return client.put(path, { params, body });
  }
  if (method === 'DELETE') {
    await client.delete(path, { params });
    return 'none';
  }
  // A browser reports each 404 in its console: most projects are not public.
  const found = await client.get('/publications', { params: { query: { project_id: projectId } } });
  if (found.length === 0) return 'none';
  const { data, error } = await client.GET(path, { params });
  if (error === undefined) return data;
  if (error.code === 'not_found') return 'none';
  throw error;
}

/** The data sources of a live map as they were published, with the newest answer of each. */
export const askSources = (client: Client, projectId: string): Promise<PublishedSource[]> =>
  client.get('/projects/{project_id}/publication/sources', { params: { path: { project_id: projectId } } });

const dayMs = 86_400_000;

/** The last days, of which today is the last one, as parameters of requests for visits. */
const lastDays = (projectId: string, days: number) => ({
  path: { project_id: projectId },
  query: { from: new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10) },
});

/** The visits of the last days. */
export const askVisits = (client: Client, projectId: string, days: number): Promise<Visits> =>
  client.get('/projects/{project_id}/publication/visits', { params: lastDays(projectId, days) });

/** The same as CSV. */
export const askVisitsTable = (client: Client, projectId: string, days: number): Promise<string> =>
  client.get('/projects/{project_id}/publication/visits.csv', { params: lastDays(projectId, days) });

/** The public address as a whole. */
export const publicAddress = ({ url }: Publication): string => new URL(url, serverRoot()).href;
