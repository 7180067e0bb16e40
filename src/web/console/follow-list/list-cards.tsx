/** Cards for the lists of a data source that objects follow, with which each can be changed and ended. */
import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { valueAt } from '../live/path-keys.ts';
import { isRecords } from '../live/record-choice.ts';
import { Button } from '../ui/button.tsx';
import { FollowListPanel } from './follow-list-panel.tsx';
import type { ListPlan } from './list-plan.ts';
import { type FollowedList, followedLists } from './read-lists.ts';
import { unfollowList } from './write-list.ts';

interface Props {
  readonly model: EditorModel;
  readonly sourceId: string;
}

export function ListCards({ model, sourceId }: Props) {
  const { store } = model.document;
  for (const kind of ['action', 'variable'] as const) store.revision({ kind }).value;
  const found = followedLists(model).filter((each) => each.sourceId === sourceId);
  if (found.length === 0) return null;
  const t = lateTexts.followList;
  return (
    <section aria-labelledby="follow-cards">
      <h3 id="follow-cards">{t.cards}</h3>
      {found.map((each) => (
        <ListCard key={(each.objects ?? each.popups)?.id} model={model} followed={each} />
      ))}
    </section>
  );
}

function ListCard({ model, followed }: { readonly model: EditorModel; readonly followed: FollowedList }) {
  const { live, canWrite } = model.document;
  const t = lateTexts.followList;
  const isOpen = useSignal(false);
  const { list, plan, sourceId } = followed;
  const rows = valueAt(live.responseOf(sourceId).response?.body, list);
  const isMissing = useSignal(false);
  const change = async () => {
    await live.load(sourceId);
    isOpen.value = true;
    isMissing.value = !isRecords(valueAt(live.responseOf(sourceId).response?.body, list));
  };
  const unmatched = live.evaluation.value?.unmatched.find(
    ({ action_id }) => action_id === (followed.objects ?? followed.popups)?.id,
  );
  const name = list.join(' › ') || texts.live.rootOfResponse;
  return (
    <div class="follow-card">
      <h4>{name}</h4>
      <p>{summaryOf(plan)}</p>
      {unmatched !== undefined && (
        <p class={unmatched.items.count === 0 ? 'hint' : 'warning-text'}>
          {t.matched(unmatched.items.of - unmatched.items.count, unmatched.items.of)}{' '}
          {unmatched.objects.count > 0 && t.objectsWithout(unmatched.objects.count)}
        </p>
      )}
      {canWrite && (
        <p class="row">
          <Button label={t.change} aria-label={t.changeOf(name)} onClick={() => void change()} />
          <Button class="quiet" label={t.end} aria-label={t.endOf(name)} onClick={() => void unfollowList(model, followed)} />
        </p>
      )}
      {isMissing.value && <p class="problem">{t.noList}</p>}
      {isOpen.value && isRecords(rows) && (
        <FollowListPanel
          {...{ model, sourceId, list, rows, before: followed }}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </div>
  );
}

/** A summary of a plan, in words. */
function summaryOf({ match, colour, text, popup, otherwise }: ListPlan): string {
  const { summary: t, ways, colourKept } = lateTexts.followList;
  const colours = colour.is === 'none' ? [] : [colour.is === 'kept' ? colourKept : t.colour(colour.column)];
  return [
    t.match(match.column, match.by === 'property' ? ways.property(match.property) : ways[match.by]),
    ...colours,
    ...(text === '' ? [] : [t.text(text)]),
    ...(popup === undefined ? [] : [t.popup]),
    ...(otherwise === '' ? [] : [t.otherwise]),
  ].join(', ');
}
