/** References and links that lead nowhere, and what the evaluation could not use: each leads to its field. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { DanglingReference } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectStore } from '../document/project-store.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { labelOf } from '../forms/controls/field-texts.ts';
import type { Kind } from '../kinds/resource-kinds.ts';
import { FailingRows } from '../live/health/failing-rows.tsx';
import type { LiveProblem } from '../live/live-api.ts';
import { hasData, memberOf } from '../live/live-state.ts';
import { Icon } from '../ui/icons.tsx';
import { deadLinks } from './dead-links.ts';
import { type ShapeProblem, shapeProblems } from './shape-problems.ts';

const shownMax = 200;

/** Changes with every member of the project, by any user. */
function revisionOf(store: ProjectStore): number {
  const own = (['artboard', 'popup', 'data_source', 'variable', 'action'] as const).map((kind) => store.revision({ kind }).value);
  const objects = store.ids({ kind: 'artboard' }).map((artboardId) => store.revision({ kind: 'object', artboardId }).value);
  return [...own, ...objects].reduce((sum, each) => sum + each, 0);
}

const problemOf = ({ resource: { kind, id }, detail }: DanglingReference | LiveProblem, member: string): ShapeProblem => ({
  id,
  member,
  text: texts.live.problem(kind as Kind, member === '' ? '' : labelOf(kind, member), detail),
});

/** References first; the evaluation names many of them, too. */
function allProblems(
  references: readonly DanglingReference[],
  found: readonly LiveProblem[],
  others: readonly ShapeProblem[],
): ShapeProblem[] {
  const pointers = new Set(references.map(({ pointer }) => pointer));
  const evaluated = found.filter(({ pointer }) => !pointers.has(pointer));
  return [
    ...references.map((each) => problemOf(each, each.member)),
    ...others,
    ...evaluated.map((each) => problemOf(each, memberOf(each))),
  ];
}

export function ProblemList({ model }: { readonly model: EditorModel }) {
  const found = useSignal<readonly DanglingReference[] | undefined>(undefined);
  const { store, edits, live } = model.document;
  const { session } = model.document.connection;
  const saved = edits.state.value;
  const revision = revisionOf(store);
  useEffect(() => live.watch(), [live]);
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
  const known = useMemo(() => new Map<string, readonly string[]>(), [store]);
  const shown = useMemo(() => [...deadLinks(store, known), ...shapeProblems(store)], [revision]);
  const evaluation = live.evaluation.value;
  const failure = live.failure.value;
  const failing = live.failing.value ?? (hasData(store) ? undefined : []);
  const isWaiting = evaluation === undefined || failing === undefined;
  if (found.value === undefined || (isWaiting && failure === '')) return <p class="empty">{texts.loading}</p>;
  const list = allProblems(found.value, evaluation?.problems ?? [], shown);
  const open = ({ id, member }: ShapeProblem): void => {
    model.selection.select([id], { reveal: true, field: member });
    model.workspace.pane.value = 'form';
  };
  return (
    <>
      {failure !== '' && <p class="empty warning-text">{texts.live.evaluationFailed(failure)}</p>}
      {list.length === 0 && failing?.length === 0 && <p class="empty">{texts.editor.noProblems}</p>}
      <ul class="problems">
        <FailingRows model={model} />
        {list.slice(0, shownMax).map((problem) => (
          <li key={`${problem.id} ${problem.text}`}>
            <button type="button" class="artboard-row" onClick={() => open(problem)}>
              <Icon name="warning" />
              <span class="grow">
                {String(store.shown(problem.id)?.['name'] || texts.unnamed)}
                <span class="hint">{problem.text}</span>
              </span>
            </button>
          </li>
        ))}
        {(list.length > shownMax || found.value.length === shownMax) && <li class="hint">{texts.editor.problemsMore}</li>}
      </ul>
    </>
  );
}
