/** Lists of simple values: headers, colours, corners. */

import { texts } from '../console-texts.ts';
import { Icon } from '../ui/icons.tsx';
import { ColourInput } from './colour-field.tsx';
import type { ControlProps } from './control-props.ts';
import { useDraft } from './use-draft.ts';

/** Corners in the form at most; the map edits all of them. */
const cornersMax = 100;

function RemoveButton({ n, onClick }: { readonly n: number; readonly onClick: () => void }) {
  return (
    <button type="button" class="quiet" aria-label={texts.forms.removeRow(n)} title={texts.forms.removeRow(n)} onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}

function Cell(props: {
  readonly label: string;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly isNumber?: boolean;
  readonly onCommit: (value: string) => void;
}) {
  const draft = useDraft<string>({
    value: props.value,
    show: (text) => text,
    parse: (text) =>
      props.isNumber === true && (text.trim() === '' || !Number.isFinite(Number(text)))
        ? { problem: texts.forms.notNumber }
        : { value: text },
    commit: props.onCommit,
  });
  const { text, isOutdated: _, problem, ...handlers } = draft;
  const common = {
    'aria-label': props.label,
    'aria-invalid': problem !== '',
    title: problem,
    readOnly: props.isDisabled,
    value: text,
    ...handlers,
  };
  return props.isNumber === true ? <input type="number" step="any" {...common} /> : <input type="text" {...common} />;
}

const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);
const replaced = <T,>(list: readonly T[], at: number, value: T): T[] => list.map((each, i) => (i === at ? value : each));

type Row = Readonly<Record<string, unknown>>;

export function RowsField({ value, isDisabled, onCommit }: ControlProps) {
  const rows = (Array.isArray(value) ? value : []) as readonly Row[];
  const t = texts.forms;
  return (
    <div class="rows">
      {rows.map((row, at) => (
        <div class="row-edit" key={at}>
          <Cell
            label={t.rowName(at + 1)}
            value={String(row['name'] ?? '')}
            isDisabled={isDisabled}
            onCommit={(name) => onCommit(replaced(rows, at, { ...row, name }), value)}
          />
          <Cell
            label={t.rowValue(at + 1)}
            value={String(row['value'] ?? '')}
            isDisabled={isDisabled}
            onCommit={(text) => onCommit(replaced(rows, at, { ...row, value: text }), value)}
          />
          {!isDisabled && <RemoveButton n={at + 1} onClick={() => onCommit(without(rows, at), value)} />}
        </div>
      ))}
      {!isDisabled && (
        <button type="button" onClick={() => onCommit([...rows, { name: '', value: '' }], value)}>
          <Icon name="plus" /> {t.addRow}
        </button>
      )}
    </div>
  );
}

export function ColoursField({ value, isDisabled, onCommit }: ControlProps) {
  const colours = (Array.isArray(value) ? value : []) as readonly string[];
  const t = texts.forms;
  return (
    <div class="rows">
      {colours.map((colour, at) => (
        <div class="row-edit" key={at}>
          <ColourInput
            label={t.colour(at + 1)}
            value={colour}
            isDisabled={isDisabled}
            onCommit={(next) => onCommit(replaced(colours, at, next), value)}
          />
          {!isDisabled && <RemoveButton n={at + 1} onClick={() => onCommit(without(colours, at), value)} />}
        </div>
      ))}
      {!isDisabled && (
        <button type="button" onClick={() => onCommit([...colours, '#3b82f6'], value)}>
          <Icon name="plus" /> {t.addColour}
        </button>
      )}
    </div>
  );
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

export function CornersField({ value, isDisabled, onCommit }: ControlProps) {
  const corners = (Array.isArray(value) ? value : []) as readonly Corner[];
  const t = texts.forms;
  const last = corners.at(-1) ?? { x: 0, y: 0 };
  return (
    <div class="rows">
      {corners.slice(0, cornersMax).map((corner, at) => (
        <div class="row-edit" key={at}>
          {(['x', 'y'] as const).map((axis) => (
            <Cell
              key={axis}
              isNumber
              label={axis === 'x' ? t.cornerX(at + 1) : t.cornerY(at + 1)}
              value={String(corner[axis])}
              isDisabled={isDisabled}
              onCommit={(text) => onCommit(replaced(corners, at, { ...corner, [axis]: Number(text) }), value)}
            />
          ))}
          {!isDisabled && <RemoveButton n={at + 1} onClick={() => onCommit(without(corners, at), value)} />}
        </div>
      ))}
      {corners.length > cornersMax && <p class="hint">{t.cornersMore(corners.length - cornersMax)}</p>}
      {!isDisabled && (
        <button type="button" onClick={() => onCommit([...corners, { x: last.x + 20, y: last.y }], value)}>
          <Icon name="plus" /> {t.addCorner}
        </button>
      )}
    </div>
  );
}
