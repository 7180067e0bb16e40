/** What can be done with all selected projects. */
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import type { CardSelection } from './card-selection.ts';
import type { ListedProject } from './listed-project.ts';
import type { ProjectList } from './project-list.ts';

export function SelectionBar(props: {
  readonly list: ProjectList;
  readonly selection: CardSelection;
  readonly selected: readonly ListedProject[];
  readonly onAll: () => void;
  readonly onRemove: () => void;
}) {
  const { list, selection, selected, onAll, onRemove } = props;
  const t = lateTexts.cards;
  const isBusy = list.busy.value !== '';
  return (
    <>
      <p class="sr-only" role="status">
        {selected.length > 0 && t.selected(selected.length)}
      </p>
      {selected.length > 0 && (
        <div class="selection-bar" role="toolbar" aria-label={t.selected(selected.length)}>
          <span>{t.selected(selected.length)}</span>
          {list.controls.canCreate && (
            <Button label={texts.editor.duplicate} disabled={isBusy} onClick={() => void list.duplicate(selected)} />
          )}
          <Button label={t.download} disabled={isBusy} onClick={() => void list.download(selected)} />
          {list.controls.canWrite && <Button label={texts.remove} class="danger" disabled={isBusy} onClick={onRemove} />}
          <Button label={t.selectAll} class="quiet" onClick={onAll} />
          <Button label={t.selectNone} class="quiet" onClick={() => selection.clear()} />
        </div>
      )}
    </>
  );
}
