/** Asks which data sources of the open project fail: after each evaluation and each response, and now and then. Shows nothing. */
import { batch } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FailingSource } from '../../../client/client.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import type { LiveProject } from '../live-state.ts';
import { marksOf, noticeOf } from './source-health.ts';
import { unusableSources } from './unusable-answers.ts';

/** Pause between two questions while nothing is evaluated, in milliseconds. */
const pollMs = 30_000;
/** Pause after an evaluation or a response, so that several of them ask once. */
const pauseMs = 200;

/** The data sources whose fetches fail, and those that answer what cannot be used. */
function withUnusable({ store, live }: LiveProject, found: readonly FailingSource[]): readonly FailingSource[] {
  const evaluation = live.evaluation.peek();
  if (evaluation === undefined) return found;
  const own = new Set(found.flatMap(({ data_source_id, published }) => (published ? [] : data_source_id)));
  const unusable = unusableSources(store, evaluation, live.failing.peek() ?? [], new Date().toISOString());
  return [...found, ...unusable.filter(({ data_source_id }) => !own.has(data_source_id))];
}

export function FailingWatch({ model }: { readonly model: EditorModel }) {
  const { store, live, connection } = model.document;
  const kinds = ['data_source', 'variable', 'action'] as const;
  const revision = kinds.reduce((sum, kind) => sum + store.revision({ kind }).value, 0);
  const evaluation = live.evaluation.value;
  const bodies = live.bodies.value;
  const failing = live.failing.value;
  useEffect(() => {
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const params = { query: { project_id: store.id } };
      if (document.visibilityState === 'visible') {
        const found = await connection.session.client.get('/failing-sources', { params }).catch(() => undefined);
        // Without an answer what is known stays: the bar says that the server does not answer.
        if (isHere && found !== undefined) live.failing.value = withUnusable(model.document, found);
      }
      if (isHere) timer = setTimeout(() => void ask(), pollMs);
    };
    timer = setTimeout(() => void ask(), pauseMs);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [store, evaluation, bodies]);
  useEffect(() => {
    batch(() => {
      live.marks.value = marksOf(store, failing ?? []);
      live.notice.value = noticeOf(failing ?? []);
    });
  }, [store, failing, revision]);
  return null;
}
