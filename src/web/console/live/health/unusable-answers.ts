/** Data sources that answer with something else than their variables expect, such as an error in place of the data. Pure. */
import { hasUnusableResponse } from '../../../../live/evaluate/unusable-responses.ts';
import type { Evaluation, FailingSource } from '../../../client/client.ts';
import type { ProjectStore } from '../../document/project-store.ts';
import { lateTexts } from '../../late-texts.ts';
import { memberOf } from '../live-state.ts';

const code = 'unusable';

/**
 * The server does not list them as failing: their fetches succeed.
 *
 * @param known what is listed so far: it has the times at which they were found
 */
export function unusableSources(
  store: ProjectStore,
  { values, problems }: Pick<Evaluation, 'values' | 'problems'>,
  known: readonly FailingSource[],
  now: string,
): FailingSource[] {
  const variables = store.members({ kind: 'variable' });
  // A problem of this member is that there is no response at all.
  const unanswered = new Set(problems.flatMap((each) => (memberOf(each) === 'data_source_id' ? each.resource.id : [])));
  const answered = variables.filter(({ id }) => !unanswered.has(id));
  return store.members({ kind: 'data_source' }).flatMap(({ id, name }) => {
    if (!hasUnusableResponse({ variables: answered }, { [id]: null }, values)) return [];
    const { since = now } = known.find((each) => each.code === code && each.data_source_id === id) ?? {};
    return {
      ...{ project_id: store.id, data_source_id: id, name: String(name ?? ''), published: false },
      ...{ code, detail: lateTexts.health.unusable, since, body_at: null },
    };
  });
}
