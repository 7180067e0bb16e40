/** Which columns become which members. */
import { classesRange, conversionDefaults } from '../../convert/conversion-defaults.ts';
import type { ColorMapping, Column, Conversion, RadiusMapping } from '../../convert/converter.ts';
import { hasRows } from '../../convert/format-names.ts';
import { type LegendChoice, legendChoices } from '../../convert/plan/legend-choice.ts';
import { lateTexts } from '../late-texts.ts';
import { Choice, ColumnChoice, Field, NumberChoice } from './import-controls.tsx';
import type { ImportModel } from './import-model.ts';
import { CategoryChoice, FieldChoices } from './visitor-choices.tsx';

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
      {hasRows(format) && <PlaceColumns run={run} columns={names} />}
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
      <CategoryChoice run={run} conversion={conversion} />
      <FieldChoices run={run} conversion={conversion} />
      <details open={hasMore(mapping)}>
        <summary>{t.more}</summary>
        <div class="import-more">
          <ColourFields run={run} columns={columns} />
          {legend !== undefined && <LegendField run={run} />}
          <RadiusFields run={run} columns={columns} />
          <PopupFields run={run} conversion={conversion} />
        </div>
      </details>
    </fieldset>
  );
}

/** True if a mapping uses what few imports need. */
const hasMore = ({ color, radius, popupTitle, popupContent }: Conversion['mapping']): boolean =>
  [color, radius, popupTitle, popupContent].some((member) => member !== undefined);

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
  const isTemplate = mapping.name !== undefined && !conversion.columns.some(({ name }) => name === mapping.name);
  return (
    <>
      <Field label={t.nameTemplate}>
        {(control) => (
          <input
            {...control}
            type="text"
            value={isTemplate ? mapping.name : ''}
            onChange={({ currentTarget: { value } }) => run.map({ name: value === '' ? undefined : value })}
          />
        )}
      </Field>
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
