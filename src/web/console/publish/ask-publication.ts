/** The publication of a project: its public copy, if there is one. */
import type { Client, ListedPublication, Publication } from '../../client/client.ts';
import { serverRoot } from '../server/server-root.ts';

/** A publication, or that there is none. */
export type PublicationState = Publication | 'none';

/** All publications of the projects that the session reaches, by project. */
export async function askPublications(client: Client): Promise<ReadonlyMap<string, ListedPublication>> {
  return new Map((await client.get('/publications')).map((each) => [each.project_id, each]));
}

/** The answer to a request about the publication. Rejects with ProblemError or ConnectionError. */
export async function askPublication(
  client: Client,
  projectId: string,
  method: 'GET' | 'PUT' | 'DELETE',
  origins?: readonly string[],
): Promise<PublicationState> {
  const params = { path: { project_id: projectId } };
  const path = '/projects/{project_id}/publication';
  if (method === 'PUT') return client.put(path, { params, body: origins === undefined ? {} : { origins: [...origins] } });
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

/** The public address as a whole. */
export const publicAddress = ({ url }: Publication): string => new URL(url, serverRoot()).href;
