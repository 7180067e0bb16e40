/** The requests of the editor about responses of data sources, and about evaluations. */
import type { Client, DataSourceResponse, Evaluation } from '../../client/client.ts';

/** The newest response of a data source. The body is absent if there was none that could be read. */
export type SourceResponse = Omit<DataSourceResponse, 'body'> & Partial<Pick<DataSourceResponse, 'body'>>;

/** What an evaluation could not use, and where it is in the project. */
export type LiveProblem = Evaluation['problems'][number];

export const nothingEvaluated: Evaluation = {
  ...{ values: {}, objects: {}, popups: {}, created: [], created_popups: [], unmatched: [], problems: [] },
};

const evaluatePath = '/projects/{project_id}/evaluate';
const responsePath = '/projects/{project_id}/data-sources/{data_source_id}/response';

/** Evaluates a project as the server has it. Rejects with ProblemError or ConnectionError, as all functions here. */
export const askEvaluation = (client: Client, projectId: string, signal: AbortSignal): Promise<Evaluation> =>
  client.post(evaluatePath, { params: { path: { project_id: projectId } }, signal });

export interface SourceName {
  readonly projectId: string;
  readonly sourceId: string;
}

const initFor = ({ projectId, sourceId }: SourceName) => ({
  params: { path: { project_id: projectId, data_source_id: sourceId } },
});

/** The newest response; `undefined` if there is none. */
export async function askResponse(client: Client, name: SourceName): Promise<SourceResponse | undefined> {
  const { data, error } = await client.GET(responsePath, initFor(name));
  if (error === undefined) return shown(data);
  if (error.code === 'not_found') return undefined;
  throw error;
}

/** Asks the server to fetch now. Also resolves if the source fails. */
export async function fetchResponse(client: Client, name: SourceName): Promise<SourceResponse> {
  return shown(await client.post(responsePath, initFor(name)));
}

export async function pushResponse(client: Client, name: SourceName, body: unknown): Promise<void> {
  await client.put(responsePath, { ...initFor(name), body });
}

/** Without the `null` that stands for a body that never came. */
function shown({ body, ...response }: DataSourceResponse): SourceResponse {
  return body === null && response.problem !== null ? response : { ...response, body };
}
