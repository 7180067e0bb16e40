/** Asks about a value in a list of records: that of this record, or that of each one? */
import { useId } from 'preact/hooks';
import { lateTexts } from '../../late-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { identityOf, type RecordPlace } from '../record-choice.ts';
import { shownValue } from '../shown-value.ts';

export function RowQuestion(props: {
  readonly place: RecordPlace;
  readonly onRow: () => void;
  readonly onAll: () => void;
  readonly onClose: () => void;
}) {
  const { place, onClose } = props;
  const t = lateTexts.rows;
  const id = useId();
  const identity = identityOf(place);
  const outer = place.list.findLast((key) => /^\d+$/.test(key));
  const choose = (choice: () => void) => () => {
    onClose();
    choice();
  };
  return (
    <Panel title={t.title(place.column.join(' › '))} onClose={onClose}>
      <p>
        <Button label={t.thisRow} class="primary" aria-describedby={`${id}-row`} onClick={choose(props.onRow)} />
      </p>
      <p class={identity === undefined ? 'warning-text' : 'hint'} id={`${id}-row`}>
        {identity === undefined ? t.byPosition(place.row + 1) : t.byColumn(identity.key, shownValue(identity.value))}
      </p>
      <p>
        <Button label={t.allRows} aria-describedby={`${id}-all`} onClick={choose(props.onAll)} />
      </p>
      <p class="hint" id={`${id}-all`}>
        {t.each(place.records.length)}
      </p>
      {outer !== undefined && <p class="warning-text">{t.inside(Number(outer) + 1)}</p>}
    </Panel>
  );
}
