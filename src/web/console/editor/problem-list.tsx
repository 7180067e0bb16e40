/** References that lead nowhere: the server finds them, each is a link to its form. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DanglingReference } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../project/project-store.ts';
import { Icon } from '../ui/icons.tsx';
import type { EditorModel } from './editor-model.ts';

const shownMax = 200;

/** Changes with every member of the project, by any user. */
function revisionOf(store: ProjectStore): number {
  const own = (['artboard', 'popup', 'data_source', 'variable', 'action'] as const).map((kind) => store.revision({ kind }).value);
  const objects = store.ids({ kind: 'artboard' }).map((artboardId) => store.revision({ kind: 'object', artboardId }).value);
  return [...own, ...objects].reduce((sum, each) => sum + each, 0);
}

export function ProblemList({ model }: { readonly model: EditorModel }) {
  const found = useSignal<readonly DanglingReference[] | undefined>(undefined);
  const { session, store, edits } = model;
  const saved = edits.state.value;
  const revision = revisionOf(store);
  useEffect(() => {
    if (saved === 'saving') return undefined;
    const controller = new AbortController();
    const params = { path: { project_id: store.id }, query: { limit: shownMax } };
    session.client.get('/projects/{project_id}/problems', { params, signal: controller.signal }).then(
      (list) => {
        found.value = list;
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [saved, revision]);
  const list = found.value;
  if (list === undefined) return <p class="empty">{texts.loading}</p>;
  if (list.length === 0) return <p class="empty">{texts.editor.noProblems}</p>;
  return (
    <ul class="problems">
      {list.map(({ pointer, member, resource, detail }) => {
        const name = String(store.shown(resource.id)?.['name'] || texts.unnamed);
        return (
          <li key={pointer}>
            <button
              type="button"
              class="artboard-row"
              onClick={() => model.select([resource.id], { reveal: true, field: member })}
            >
              <Icon name="warning" />
              <span class="grow">
                {name}
                <span class="hint">{texts.editor.openProblem(resource.kind, member, detail)}</span>
              </span>
            </button>
          </li>
        );
      })}
      {list.length === shownMax && <li class="hint">{texts.editor.problemsMore}</li>}
    </ul>
  );
}
