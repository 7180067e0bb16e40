/** Controls of the panel: a label with a list of columns, a list of words, or a number. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { lateTexts } from '../late-texts.ts';
import { Select } from '../ui/select.tsx';

export function ColumnChoice(props: {
  readonly label: string;
  readonly hint?: string;
  readonly columns: readonly string[];
  /** The text of a column in the list; by default its name. */
  readonly textOf?: (column: string) => string;
  readonly value: string | undefined;
  /** True if none is no choice. */
  readonly isRequired?: boolean;
  readonly onChoose: (column: string | undefined) => void;
}) {
  const { columns, value, onChoose, textOf = (column: string) => column } = props;
  // Names of columns may be any text, so options are numbered.
  const at = value === undefined ? -1 : columns.indexOf(value);
  return (
    <Field label={props.label} hint={props.hint}>
      {(control) => (
        <Select
          {...control}
          value={String(at)}
          options={[
            ...(props.isRequired === true ? [] : [['-1', lateTexts.imports.none] as const]),
            ...columns.map((column, i) => [String(i), textOf(column)] as const),
          ]}
          onChoose={(chosen) => onChoose(columns[Number(chosen)])}
        />
      )}
    </Field>
  );
}

export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}) {
  return (
    <Field label={props.label}>
      {(control) => <Select {...control} value={props.value} options={props.choices} onChoose={props.onChoose} />}
    </Field>
  );
}

export function NumberChoice(props: {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChoose: (value: number) => void;
}) {
  const { least, most } = props;
  return (
    <Field label={props.label}>
      {(control) => (
        <input
          {...control}
          type="number"
          min={least}
          max={most}
          value={props.value}
          onChange={({ currentTarget: { valueAsNumber } }) => {
            if (valueAsNumber >= least && valueAsNumber <= most) props.onChoose(valueAsNumber);
          }}
        />
      )}
    </Field>
  );
}

interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

/** @param children the control, with its attributes for label and hint */
export function Field(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: (control: FieldControl) => ComponentChildren;
}) {
  const id = useId();
  const hintId = props.hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="import-field">
      <label for={id}>{props.label}</label>
      {props.children({ id, 'aria-describedby': hintId })}
      {hintId !== undefined && (
        <span class="hint" id={hintId}>
          {props.hint}
        </span>
      )}
    </div>
  );
}
