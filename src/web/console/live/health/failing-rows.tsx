/** The data sources that fail, as rows of the list of problems: each leads to its form, or to the publication. */
import type { FailingSource } from '../../../client/client.ts';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { lateTexts } from '../../late-texts.ts';
import { hashOf } from '../../screen-route.ts';
import { Icon } from '../../ui/icons.tsx';
import { healthOf } from './worst-health.ts';

export function FailingRows({ model }: { readonly model: EditorModel }) {
  const { store, live } = model.document;
  const t = lateTexts.health;
  const open = ({ data_source_id: id, published }: FailingSource): void => {
    if (published) location.hash = hashOf({ screen: 'editor', project: store.id, panel: 'publish' });
    else {
      model.selection.select([id], { reveal: true });
      model.workspace.pane.value = 'form';
    }
  };
  return (
    <>
      {(live.failing.value ?? []).map((failing) => {
        const { data_source_id: id, name, detail, since, body_at, published } = failing;
        return (
          <li key={`${id} ${published}`}>
            <button type="button" class={`artboard-row health ${healthOf(failing)}`} onClick={() => open(failing)}>
              <Icon name="warning" />
              <span class="grow">
                {name || texts.unnamed}
                <span class="hint">
                  {published ? t.published(detail) : t.failing(detail)} {t.since(since)} {t.goodData(body_at)}
                  {published && ` ${t.publishedHint}`}
                </span>
              </span>
            </button>
          </li>
        );
      })}
    </>
  );
}
