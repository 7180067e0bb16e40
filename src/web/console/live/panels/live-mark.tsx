/** The mark in lists of what actions have changed or created. */
import { texts } from '../../console-texts.ts';
import { Icon } from '../../ui/icons.tsx';
import type { LiveView } from '../live-view.ts';

/** Marks a row of a list. */
export function LiveMark({ liveView, id }: { readonly liveView: LiveView; readonly id: string }) {
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
