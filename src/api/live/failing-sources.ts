/** Which data sources fail: as their project has them, or as they were published. */
import { findPublished } from '../../engine/projects/find-publications.ts';
import type { LivePublished } from '../../live/live-maps.ts';
import type { FailingResponse } from '../../live/sources/response-store.ts';
import { type StoredSource, settingsKey } from '../../live/sources/source-request.ts';
import { findAccount, findMember, type Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { Api } from '../declaration.ts';
import { livePublished, sourceOf } from './live-access.ts';

/** Failing data sources that are listed, of a project and of all. */
export const failingMax = { ofProject: 100, inAll: 10_000 } as const;

/** A data source whose newest fetch failed. */
export interface FailingSource {
  readonly project_id: string;
  readonly data_source_id: string;
  readonly name: string;
  /** True if its published form fails, with other settings than the project has by now. */
  readonly published: boolean;
  readonly code: string;
  readonly detail: string;
  readonly since: string;
  readonly body_at: string | null;
}

/** Failures by the settings that they belong to. */
interface Sorted {
  readonly own: readonly FailingSource[];
  /** Those of other settings, in projects with a live map. */
  readonly others: readonly { readonly failing: FailingResponse; readonly published: LivePublished }[];
}

/**
 * The failing data sources of an account, by project, at most {@link failingMax}. A failure with settings that neither the project nor its
 * public map has any more is left out.
 *
 * @param only identifiers of the projects to look at; `undefined` for all
 */
export async function failingSources(
  api: Pick<Api, 'engine' | 'live'>,
  accountId: string,
  only?: ReadonlySet<string>,
): Promise<FailingSource[]> {
  const { engine, live } = api;
  if (live === undefined) return [];
  const all = [...live.sources.failing(accountId)].filter(({ name }) => only?.has(name.projectId) !== false);
  const { value } = await engine.reader.search(accountId, (state) => sorted(api, state, accountId, all));
  const { own, others } = value as Sorted;
  const listed = [...own];
  const published = new Map<string, ReadonlyMap<string, StoredSource>>();
  for (const { failing, published: map } of others) {
    const sources = published.get(map.projectId) ?? byId(await live.maps.dataSources(map));
    published.set(map.projectId, sources);
    const source = sources.get(failing.name.sourceId);
    if (source !== undefined && settingsKey(source) === failing.settings) listed.push(shown(failing, source, true));
  }
  return bounded(listed.sort((a, b) => order(a.project_id, b.project_id) || order(a.data_source_id, b.data_source_id)));
}

function* sorted(
  api: Pick<Api, 'engine'>,
  state: State,
  accountId: string,
  all: readonly FailingResponse[],
): Generator<void, Versioned<Sorted>> {
  let { version } = findAccount(state, accountId);
  const own: FailingSource[] = [];
  const others: Sorted['others'][number][] = [];
  for (const failing of all) {
    const { projectId, sourceId } = failing.name;
    const collection = { accountId, projectId, collection: 'data_sources', parentId: '' } as const;
    const found = findMember(state, collection, sourceId);
    const source = found.value && sourceOf(found.value.member);
    const seen = findPublished(state, { accountId, projectId });
    version = Math.max(version, found.version, seen.version);
    const project = seen.value?.published?.project;
    const published = project && livePublished(api, project);
    if (source !== undefined && settingsKey(source) === failing.settings) own.push(shown(failing, source, false));
    else if (published !== undefined) others.push({ failing, published });
    yield;
  }
  return { value: { own, others }, version };
}

const byId = (sources: readonly StoredSource[]): ReadonlyMap<string, StoredSource> =>
  new Map(sources.map((source) => [String(source['id']), source]));

function shown({ name, problem, since, bodyAt }: FailingResponse, source: StoredSource, published: boolean): FailingSource {
  return {
    ...{ project_id: name.projectId, data_source_id: name.sourceId, name: String(source['name'] ?? ''), published },
    ...{ code: problem.code, detail: problem.detail, since, body_at: bodyAt },
  };
}

/** The first ones of each project, so that no project hides the others. */
function bounded(listed: readonly FailingSource[]): FailingSource[] {
  const counts = new Map<string, number>();
  const fit = listed.filter(({ project_id }) => {
    const count = (counts.get(project_id) ?? 0) + 1;
    counts.set(project_id, count);
    return count <= failingMax.ofProject;
  });
  return fit.slice(0, failingMax.inAll);
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
