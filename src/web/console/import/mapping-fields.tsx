/** Which columns become which members. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { classesRange, conversionDefaults } from '../../convert/conversion-defaults.ts';
import type { ColorMapping, Column, Conversion, RadiusMapping } from '../../convert/converter.ts';
import { lateTexts } from '../late-texts.ts';
import { Select } from '../ui/select.tsx';
import type { ImportModel } from './import-model.ts';
import { type LegendChoice, legendChoices } from './legend-choice.ts';

interface Props {
  readonly run: ImportModel;
  readonly conversion: Conversion;
}

export function MappingFields({ run, conversion }: Props) {
  const { columns, mapping, format, legend } = conversion;
  const names = columns.map(({ name }) => name);
  const t = lateTexts.imports;
  if (columns.length === 0) return null;
  return (
    <fieldset class="import-mapping">
      <legend>{t.columns}</legend>
      {format === 'csv' && <PlaceColumns run={run} columns={names} />}
      <ColumnChoice
        label={t.nameColumn}
        columns={names}
        value={run.choices.value.mapping.name ?? mapping.name}
        onChoose={(name) => run.map({ name })}
      />
      <ColumnChoice
        label={t.keyColumn}
        hint={t.keyHint}
        columns={names}
        value={run.choices.value.mapping.key}
        onChoose={(key) => run.map({ key })}
      />
      <ColourFields run={run} columns={columns} />
      {legend !== undefined && <LegendField run={run} />}
      <RadiusFields run={run} columns={columns} />
      <PopupFields run={run} conversion={conversion} />
    </fieldset>
  );
}

/** Whether the colours become the legend; if the project has another one, whether they are added to it or replace it. */
function LegendField({ run }: { readonly run: ImportModel }) {
  const t = lateTexts.imports;
  const others = run.otherLegendCount;
  const choose = (choice: LegendChoice): void => {
    run.legendChoice.value = choice;
  };
  if (others === 0) {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={run.legendChoice.value !== 'leave'}
          onChange={({ currentTarget: { checked } }) => choose(checked ? 'add' : 'leave')}
        />
        {t.legend}
      </label>
    );
  }
  return (
    <fieldset>
      <legend>{t.legendTitle}</legend>
      {legendChoices.map((choice) => (
        <label class="check" key={choice}>
          <input type="radio" name="import-legend" checked={run.legendChoice.value === choice} onChange={() => choose(choice)} />
          {t.legendChoices[choice](others)}
        </label>
      ))}
    </fieldset>
  );
}

/** The columns of a CSV that are places. */
export function PlaceColumns({ run, columns }: { readonly run: ImportModel; readonly columns: readonly string[] }) {
  const t = lateTexts.imports;
  const { mapping } = run.choices.value;
  const recognized = run.conversion.value?.mapping;
  return (
    <>
      {run.placePairs.map((members) => (
        <div class="import-pair" key={members[0]}>
          {members.map((member) => (
            <ColumnChoice
              key={member}
              label={t[member]}
              columns={columns}
              value={mapping[member] ?? recognized?.[member]}
              onChoose={(column) => run.map({ [member]: column })}
            />
          ))}
        </div>
      ))}
    </>
  );
}

function ColourFields({ run, columns }: { readonly run: ImportModel; readonly columns: readonly Column[] }) {
  const t = lateTexts.imports;
  const { color } = run.choices.value.mapping;
  const choose = (changes: Partial<ColorMapping>) => {
    if (color !== undefined) run.map({ color: { ...color, ...changes } });
  };
  const choice = (column: string | undefined) => {
    const kind = columns.find(({ name }) => name === column)?.kind;
    run.map({ color: column === undefined ? undefined : { column, by: kind === 'number' ? 'value' : 'category' } });
  };
  const names = columns.filter(({ kind }) => kind !== 'empty').map(({ name }) => name);
  const palettes = color === undefined ? [] : run.palettes[color.by];
  return (
    <>
      <ColumnChoice label={t.colorColumn} columns={names} value={color?.column} onChoose={choice} />
      {color !== undefined && (
        <div class="import-pair">
          <Choice
            label={t.colorBy}
            value={color.by}
            choices={[
              ['category', t.category],
              ['value', t.value],
            ]}
            onChoose={(by) => run.map({ color: { column: color.column, by: by as ColorMapping['by'] } })}
          />
          <Choice
            label={t.palette}
            value={color.palette ?? palettes[0] ?? ''}
            choices={palettes.map((name) => [name, name])}
            onChoose={(palette) => choose({ palette })}
          />
        </div>
      )}
      {color?.by === 'value' && (
        <div class="import-pair">
          <Choice
            label={t.steps}
            value={color.steps ?? 'quantiles'}
            choices={[
              ['quantiles', t.quantiles],
              ['equal', t.equal],
            ]}
            onChoose={(steps) => choose({ steps: steps as NonNullable<ColorMapping['steps']> })}
          />
          <NumberChoice
            label={t.stepCount}
            value={color.count ?? conversionDefaults.classes}
            {...classesRange}
            onChoose={(count) => choose({ count })}
          />
        </div>
      )}
    </>
  );
}

function RadiusFields({ run, columns }: { readonly run: ImportModel; readonly columns: readonly Column[] }) {
  const t = lateTexts.imports;
  const { radius } = run.choices.value.mapping;
  const numbers = columns.filter(({ kind }) => kind === 'number').map(({ name }) => name);
  if (numbers.length === 0) return null;
  const choose = (changes: RadiusMapping | undefined) => run.map({ radius: changes });
  return (
    <div class="import-pair">
      <ColumnChoice
        label={t.radiusColumn}
        columns={numbers}
        value={radius?.column}
        onChoose={(column) => choose(column === undefined ? undefined : { ...radius, column })}
      />
      {radius !== undefined && (
        <NumberChoice
          label={t.radiusMost}
          value={radius.most ?? conversionDefaults.radius.most}
          least={conversionDefaults.radius.least}
          most={500}
          onChoose={(most) => choose({ ...radius, most })}
        />
      )}
    </div>
  );
}

function PopupFields({ run, conversion }: Props) {
  const t = lateTexts.imports;
  const { mapping } = run.choices.value;
  const [first] = conversion.columns;
  return (
    <>
      <Field label={t.popupTitle}>
        {(control) => (
          <input
            {...control}
            type="text"
            value={mapping.popupTitle ?? conversion.mapping.popupTitle ?? ''}
            onInput={({ currentTarget: { value } }) => run.map({ popupTitle: value === '' ? undefined : value })}
          />
        )}
      </Field>
      <Field label={t.popupContent} hint={first && t.popupHint(first.name)}>
        {(control) => (
          <textarea
            class="code"
            rows={3}
            spellcheck={false}
            {...control}
            value={mapping.popupContent ?? conversion.mapping.popupContent ?? ''}
            onInput={({ currentTarget: { value } }) => run.map({ popupContent: value === '' ? undefined : value })}
          />
        )}
      </Field>
    </>
  );
}

function ColumnChoice(props: {
  readonly label: string;
  readonly hint?: string;
  readonly columns: readonly string[];
  readonly value: string | undefined;
  readonly onChoose: (column: string | undefined) => void;
}) {
  const { columns, value, onChoose } = props;
  // Names of columns may be any text, so options are numbered.
  const at = value === undefined ? -1 : columns.indexOf(value);
  return (
    <Field label={props.label} hint={props.hint}>
      {(control) => (
        <Select
          {...control}
          value={String(at)}
          options={[['-1', lateTexts.imports.none], ...columns.map((column, i) => [String(i), column] as const)]}
          onChoose={(chosen) => onChoose(columns[Number(chosen)])}
        />
      )}
    </Field>
  );
}

function Choice(props: {
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

function NumberChoice(props: {
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
function Field(props: {
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
