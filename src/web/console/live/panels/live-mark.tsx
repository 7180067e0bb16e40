/** The mark in lists of what actions have changed or created. */
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { Icon } from '../../ui/icons.tsx';

/** Marks a row of a list. */
export function LiveMark({ model, id }: { readonly model: EditorModel; readonly id: string }) {
  const { liveView } = model;
  const isCreated = liveView.createdAt(id) !== undefined;
  if (!isCreated && liveView.changedAt(id) === undefined) return null;
  const label = isCreated ? texts.liveMap.created : texts.liveMap.changed;
  return (
    <span class="live-mark" title={label}>
      <Icon name="live" />
      <span class="sr-only">{label}</span>
    </span>
  );
}
