/** A tree of JSON, in which a value can be chosen with a click, or with Enter. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { Icon } from '../ui/icons.tsx';
import { VirtualList } from '../ui/lists/virtual-list.tsx';
import { type JsonRow, openAtFirst, placeKey, rowsOf } from './json-rows.ts';
import { isRecords } from './record-choice.ts';
import { shownValue } from './shown-value.ts';

/** Height of the tree, in rows. */
const rowsMax = 12;
const rowPx = 32;

export function JsonTree(props: {
  readonly label: string;
  readonly id: string;
  readonly root: unknown;
  /** What the root is called. */
  readonly rootName: string;
  /** The place that is chosen now. */
  readonly chosen?: readonly string[] | undefined;
  /** What choosing a row does, in a few words; '' if it cannot be chosen. */
  readonly choiceOf: (row: JsonRow) => string;
  readonly onChoose: (row: JsonRow) => void;
  /** An element in each row that is a list of records, such as a button. */
  readonly listAction?: (row: JsonRow) => ComponentChildren;
}) {
  const { root, chosen, choiceOf } = props;
  // What the user has opened stays open when a newer response arrives.
  const open = useSignal<ReadonlySet<string>>(useMemo(() => openAtFirst(root, chosen), []));
  const active = useSignal(placeKey(chosen ?? []));
  const rows = useMemo(() => rowsOf(root, open.value), [root, open.value]);
  const at = rows.findIndex(({ keys }) => placeKey(keys) === active.value);
  const chosenKey = chosen === undefined ? undefined : placeKey(chosen);
  const toggle = ({ keys, isExpanded }: JsonRow): void => {
    if (isExpanded === undefined) return;
    const next = new Set(open.value);
    if (isExpanded) next.delete(placeKey(keys));
    else next.add(placeKey(keys));
    open.value = next;
  };
  const choose = (row: JsonRow): void => {
    active.value = placeKey(row.keys);
    if (choiceOf(row) === '') toggle(row);
    else props.onChoose(row);
  };
  const onKey = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (row === undefined) return;
    if (event.key === 'Enter') choose(row);
    else if (event.key === ' ') toggle(row);
    else if (event.key === 'ArrowRight') {
      if (row.isExpanded === false) toggle(row);
      else if (row.isExpanded === true) active.value = placeKey((rows[at + 1] as JsonRow).keys);
    } else if (event.key === 'ArrowLeft') {
      if (row.isExpanded === true) toggle(row);
      else if (row.keys.length > 0) active.value = placeKey(row.keys.slice(0, -1));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="json-tree" style={{ blockSize: `${Math.min(rowsMax, rows.length) * rowPx + 2}px` }}>
      <VirtualList
        label={props.label}
        id={props.id}
        count={rows.length}
        active={at}
        isSelected={(row) => chosenKey !== undefined && placeKey((rows[row] as JsonRow).keys) === chosenKey}
        place={(row) => rows[row] as JsonRow}
        row={(row) => (
          <Row
            row={rows[row] as JsonRow}
            rootName={props.rootName}
            choice={choiceOf(rows[row] as JsonRow)}
            onToggle={toggle}
            listAction={props.listAction}
          />
        )}
        onMove={(row) => {
          active.value = placeKey((rows[row] as JsonRow).keys);
        }}
        onChoose={(row) => choose(rows[row] as JsonRow)}
        onKey={onKey}
      />
    </div>
  );
}

function Row(props: {
  readonly row: JsonRow;
  readonly rootName: string;
  readonly choice: string;
  readonly onToggle: (row: JsonRow) => void;
  readonly listAction: ((row: JsonRow) => ComponentChildren) | undefined;
}) {
  const { row, choice } = props;
  const { keys, kind, value, isExpanded } = row;
  const length = kind === 'value' ? 0 : Object.keys(value as object).length;
  return (
    <span class="json-row" title={choice} style={{ paddingInlineStart: `${Math.min(12, keys.length) * 14}px` }}>
      {isExpanded === undefined ? (
        <span class="twisty" />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus; arrow keys open and close
        // biome-ignore lint/a11y/noStaticElementInteractions: the same
        <span
          class={`twisty ${isExpanded ? 'open' : ''}`}
          onClick={(event) => {
            event.stopPropagation();
            props.onToggle(row);
          }}
        >
          <Icon name="chevron" />
        </span>
      )}
      <span class="json-key">{keys.at(-1) ?? props.rootName}</span>
      <span class={`json-value grow ${kind === 'value' ? (value === null ? 'null' : typeof value) : 'hint'}`}>
        {kind === 'value' ? shownValue(value) : kind === 'array' ? texts.live.items(length) : texts.live.members(length)}
      </span>
      {choice !== '' && <span class="json-choice">{choice}</span>}
      {props.listAction !== undefined && isRecords(value) && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks of the action from the row
        // biome-ignore lint/a11y/noStaticElementInteractions: the same
        <span onClick={(event) => event.stopPropagation()}>{props.listAction(row)}</span>
      )}
    </span>
  );
}
