/** Lists of simple values: headers, colours, corners. */

import { isPlain } from '../../../lib/change/value-parts.ts';
import { texts } from '../console-texts.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { PaletteGradient } from '../ui/palette-gradient.tsx';
import { Doubt } from '../ui/problem.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { ColourInput } from './controls/colour-field.tsx';
import type { ControlProps } from './controls/control-props.ts';
import { cornersDoubt } from './controls/doubts.ts';
import { OpenField } from './controls/open-field.tsx';

/** Corners in the form at most; the map edits all of them. */
const cornersMax = 100;

export function RemoveButton({ n, onClick }: { readonly n: number; readonly onClick: () => void }) {
  return <IconButton icon="close" label={texts.forms.removeRow(n)} onClick={onClick} />;
}

/** One value within a list, or within another value of a member. */
export function Cell<Whole>(props: {
  readonly label: string;
  /** The value of the member. */
  readonly list: Whole;
  readonly textOf: (list: Whole) => string;
  readonly isDisabled: boolean;
  readonly isNumber?: boolean;
  /** @param base the list at which the typing began */
  readonly onCommit: (text: string, base: Whole) => void;
}) {
  const { list, textOf } = props;
  // Another user may have removed an element before this one meanwhile: the text belongs to the list that the user saw.
  const draft = useDraft<{ readonly text: string; readonly list: Whole }>({
    value: { text: textOf(list), list },
    show: ({ text }) => text,
    parse: (text) =>
      props.isNumber === true && (text.trim() === '' || !Number.isFinite(Number(text)))
        ? { problem: texts.forms.notNumber }
        : { value: { text, list } },
    commit: ({ text }, base) => props.onCommit(text, base.list),
  });
  const { problem, input } = draft;
  const common = {
    'aria-label': props.label,
    'aria-invalid': problem !== '',
    title: problem,
    readOnly: props.isDisabled,
    ...input,
  };
  return props.isNumber === true ? <input type="number" step="any" {...common} /> : <input type="text" {...common} />;
}

export const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at);
export const replaced = <T,>(list: readonly T[], at: number, value: T): T[] => list.map((each, i) => (i === at ? value : each));

type Row = Readonly<Record<string, unknown>>;

/** Whether two cells show all of a row that has an effect. */
const isNameAndValue = (row: unknown): boolean =>
  isPlain(row) && ['name', 'value'].every((member) => ['string', 'number', 'undefined'].includes(typeof row[member]));

/** Headers: a name and a value in each row. */
export function RowsField(props: ControlProps) {
  const { value, isDisabled, onCommit } = props;
  const rows = (Array.isArray(value) ? value : []) as readonly Row[];
  const t = texts.forms;
  return (
    <OpenField control={props} isKnown={rows.every(isNameAndValue)}>
      <div class="rows">
        {rows.map((_, at) => (
          <div class="row-edit" key={at}>
            <Cell
              label={t.rowName(at + 1)}
              list={rows}
              textOf={(list) => String(list[at]?.['name'] ?? '')}
              isDisabled={isDisabled}
              onCommit={(name, base) => onCommit(replaced(base, at, { ...base[at], name }), base)}
            />
            <Cell
              label={t.rowValue(at + 1)}
              list={rows}
              textOf={(list) => String(list[at]?.['value'] ?? '')}
              isDisabled={isDisabled}
              onCommit={(text, base) => onCommit(replaced(base, at, { ...base[at], value: text }), base)}
            />
            {!isDisabled && <RemoveButton n={at + 1} onClick={() => onCommit(without(rows, at), value)} />}
          </div>
        ))}
        {!isDisabled && (
          <Button icon="plus" label={t.addRow} onClick={() => onCommit([...rows, { name: '', value: '' }], value)} />
        )}
      </div>
    </OpenField>
  );
}

export function ColoursField({ model, target, value, isDisabled, onCommit }: ControlProps) {
  const colours = (Array.isArray(value) ? value : []) as readonly string[];
  const resource: Row = model.document.store.shown(target.id) ?? {};
  const t = texts.forms;
  return (
    <div class="rows">
      {colours.map((colour, at) => (
        <div class="row-edit" key={at}>
          <ColourInput
            label={t.colour(at + 1)}
            value={colour}
            whole={colours}
            isDisabled={isDisabled}
            onCommit={(next, _, base) => onCommit(replaced(base ?? colours, at, next), base ?? value)}
          />
          {!isDisabled && <RemoveButton n={at + 1} onClick={() => onCommit(without(colours, at), value)} />}
        </div>
      ))}
      {!isDisabled && <Button icon="plus" label={t.addColour} onClick={() => onCommit([...colours, '#3b82f6'], value)} />}
      <PaletteGradient
        colours={colours}
        isSmooth={resource['color_interpolation_smooth'] === true}
        from={Number(resource['color_interpolation_range_start'])}
        to={Number(resource['color_interpolation_range_end'])}
      />
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
      {corners.slice(0, cornersMax).map((_, at) => (
        <div class="row-edit" key={at}>
          {(['x', 'y'] as const).map((axis) => (
            <Cell
              key={axis}
              isNumber
              label={axis === 'x' ? t.cornerX(at + 1) : t.cornerY(at + 1)}
              list={corners}
              textOf={(list) => String(list[at]?.[axis] ?? 0)}
              isDisabled={isDisabled}
              onCommit={(text, base) => onCommit(replaced(base, at, { ...(base[at] as Corner), [axis]: Number(text) }), base)}
            />
          ))}
          {!isDisabled && <RemoveButton n={at + 1} onClick={() => onCommit(without(corners, at), value)} />}
        </div>
      ))}
      <Doubt text={cornersDoubt(corners.length)} />
      {corners.length > cornersMax && <p class="hint">{t.cornersMore(corners.length - cornersMax)}</p>}
      {!isDisabled && (
        <Button icon="plus" label={t.addCorner} onClick={() => onCommit([...corners, { x: last.x + 20, y: last.y }], value)} />
      )}
    </div>
  );
}
