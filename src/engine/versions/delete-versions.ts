/** Deletes all versions of a project in one change. */
import { findCollection } from '../../store/find.ts';
import type { Decision, Precondition, ProjectName, Target } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { WriteOutcome } from '../write/write.ts';
import { versionsAt } from './held-content.ts';

interface Deletion extends ProjectName {
  /** Public part of the key of the request. */
  readonly by: string;
  /** Condition on the version of the list of versions. */
  readonly precondition: Precondition | undefined;
}

/** Rejects as {@link Writer.execute} does. */
export async function deleteVersions({ state, writer }: Engine, deletion: Deletion): Promise<WriteOutcome<undefined>> {
  const path = versionsAt(deletion);
  const target: Target = { kind: 'project', accountId: deletion.accountId, projectId: deletion.projectId };
  function* decide(): Generator<void, Decision> {
    const { value: found, version } = findCollection(state, path);
    if (found === undefined) return { outcome: 'missing', version };
    if (deletion.precondition?.(version) === false) return { outcome: 'stale', version };
    const ids = Array.from(found.collection?.capture() ?? [], ({ value }) => value.id);
    return { outcome: 'done', version, changes: ids.length === 0 ? [] : [{ op: 'delete', path, ids }], target };
  }
  return await writer.transact(deletion, decide, () => undefined);
}
