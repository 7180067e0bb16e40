/** The requests of the editor about responses of data sources, and about evaluations. */
import type { Client, Paths, ResponseOf } from '../../client/client.ts';

type ResponseOperation = Paths['/projects/{project_id}/data-sources/{data_source_id}/response']['get'];

/** The newest response of a data source. */
export interface SourceResponse {
  /** RFC 3339. */
  readonly at: string;
  /** Of HTTP; `null` if there was none. */
  readonly status: number | null;
  readonly ms: number;
  /** After decompression. */
  readonly bytes: number;
  /** Whether a client sent it. */
  readonly pushed: boolean;
  readonly problem: { readonly code: string; readonly detail: string } | null;
  /** The newest body that could be read; absent if there was none. */
  readonly body?: unknown;
}

/** What an evaluation could not use, and where it is in the project. */
export interface LiveProblem {
  readonly resource: { readonly kind: string; readonly id: string; readonly path: string };
  /** Into the project document: `/variables/3/expression`. */
  readonly pointer: string;
  readonly detail: string;
}

type MembersById = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The result of an evaluation. */
export interface Evaluation {
  /** By variable; a list with one value per item for a variable that depends on an iterator. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Members that differ from the project, by object. */
  readonly objects: MembersById;
  readonly popups: MembersById;
  readonly created: readonly {
    readonly action_id: string;
    readonly artboard_id: string;
    readonly object: Readonly<Record<string, unknown>> & { readonly id: string };
    readonly popup: (Readonly<Record<string, unknown>> & { readonly id: string }) | null;
  }[];
  readonly problems: readonly LiveProblem[];
}

export const nothingEvaluated: Evaluation = { values: {}, objects: {}, popups: {}, created: [], problems: [] };

const evaluatePath = '/projects/{project_id}/evaluate';
const responsePath = '/projects/{project_id}/data-sources/{data_source_id}/response';

/** Evaluates a project as the server has it. Rejects with ProblemError or ConnectionError, as all functions here. */
export async function askEvaluation(client: Client, projectId: string, signal: AbortSignal): Promise<Evaluation> {
  const answer: unknown = await client.post(evaluatePath, { params: { path: { project_id: projectId } }, signal });
  // In the description of the API, created objects have any members.
  return answer as Evaluation;
}

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
function shown({ body, ...response }: ResponseOf<ResponseOperation>): SourceResponse {
  return body === null && response.problem !== null ? response : { ...response, body };
}
