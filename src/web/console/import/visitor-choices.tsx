/** The column that becomes categories, and the columns that visitors see. */
import { type FieldPlace, fieldKinds, fieldPlaces } from '../../../lib/draw/public-map.ts';
import type { Column, Conversion, FieldMapping } from '../../convert/converter.ts';
import { choicesMax, usualPlaces } from '../../convert/map/field-kind.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { ColumnChoice } from './import-controls.tsx';
import type { ImportModel } from './import-model.ts';

interface Props {
  readonly run: ImportModel;
  readonly conversion: Conversion;
}

/** Categories that are listed. */
const categoriesShown = 12;

export function Swatch({ color }: { readonly color: string }) {
  return (
    <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7" fill={color} />
    </svg>
  );
}

export function CategoryChoice({ run, conversion }: Props) {
  const t = lateTexts.imports;
  const { columns, categories } = conversion;
  const { category, color } = run.choices.value.mapping;
  const isUsual = ({ distinct }: Column): boolean => distinct >= 2 && distinct <= choicesMax;
  const filled = columns.filter(({ kind }) => kind !== 'empty');
  // Columns with few values come first.
  const sorted = [...filled.filter(isUsual), ...filled.filter((column) => !isUsual(column))];
  const textOf = (name: string): string => {
    const column = columns.find((each) => each.name === name);
    return column !== undefined && isUsual(column) ? t.columnValues(name, column.distinct) : name;
  };
  const isKnown = categories.some(({ name }) => run.knownCategories.has(name));
  return (
    <>
      <ColumnChoice
        label={t.categoryColumn}
        hint={color !== undefined && category !== undefined ? t.categoryOther : isKnown ? t.categoryKnown : t.categoryHint}
        columns={sorted.map(({ name }) => name)}
        textOf={textOf}
        value={category?.column}
        onChoose={(column) => run.map({ category: column === undefined ? undefined : { column } })}
      />
      {category !== undefined && categories.length > 0 && (
        <ul class="import-categories" aria-label={t.categoryColumn}>
          {categories.slice(0, categoriesShown).map((each) => (
            <li key={each.name}>
              {color === undefined && <Swatch color={each.color} />}
              <span>{each.name}</span> <span class="count">{each.count}</span>
            </li>
          ))}
          {categories.length > categoriesShown && <li>{t.moreCategories(categories.length - categoriesShown)}</li>}
        </ul>
      )}
    </>
  );
}

/** The list of columns with ticks: kind and places of those that are public. */
export function FieldChoices({ run, conversion: { columns, mapping } }: Props) {
  const t = lateTexts.imports;
  const { latitude, longitude, x, y, name, key } = mapping;
  const category = run.choices.value.mapping.category?.column;
  const others = new Set([latitude, longitude, x, y, name, category]);
  const offered = columns.filter((column) => column.kind !== 'empty' && !others.has(column.name));
  const { fields = [] } = run.choices.value.mapping;
  if (offered.length === 0) return null;
  // In the order of the file, whatever was ticked first.
  const write = (list: readonly FieldMapping[]): void => {
    const at = (column: string): number => columns.findIndex((each) => each.name === column);
    const sorted = list.toSorted((one, other) => at(one.column) - at(other.column));
    run.map({ fields: sorted.length === 0 ? undefined : sorted });
  };
  const fieldOf = ({ name: column, fieldKind: kind }: Column): FieldMapping =>
    fields.find((field) => field.column === column) ?? { column, kind, show: usualPlaces(kind) };
  return (
    <fieldset class="import-fields">
      <legend>{t.fields}</legend>
      <p class="hint">{t.fieldsHint}</p>
      <p class="row">
        <Button label={t.allFields} onClick={() => write(offered.filter((column) => column.name !== key).map(fieldOf))} />
        <Button label={t.noFields} onClick={() => write([])} />
      </p>
      <ul>
        {offered.map((column) => (
          <FieldChoice
            key={column.name}
            field={fieldOf(column)}
            isShown={fields.some((field) => field.column === column.name)}
            onChange={(field) => {
              const rest = fields.filter((each) => each.column !== column.name);
              write(field === undefined ? rest : [...rest, field]);
            }}
          />
        ))}
      </ul>
    </fieldset>
  );
}

function FieldChoice(props: {
  readonly field: FieldMapping;
  readonly isShown: boolean;
  /** @param field undefined: visitors do not see the column */
  readonly onChange: (field: FieldMapping | undefined) => void;
}) {
  const { field, isShown, onChange } = props;
  const { column, kind, show } = field;
  const t = lateTexts.mapSettings;
  const toggle = (place: FieldPlace, isOn: boolean): void =>
    onChange({ ...field, show: fieldPlaces.filter((each) => (each === place ? isOn : show.includes(each))) });
  return (
    <li>
      <label class="check">
        <input
          type="checkbox"
          checked={isShown}
          onChange={({ currentTarget: { checked } }) => onChange(checked ? field : undefined)}
        />
        <span>{column}</span>
      </label>
      {isShown && (
        <>
          <Select
            aria-label={t.fieldKind(column)}
            value={kind}
            options={fieldKinds.map((each) => [each, t.fieldKinds[each]])}
            onChoose={(chosen) => onChange({ ...field, kind: chosen, show: usualPlaces(chosen) })}
          />
          <fieldset class="row" aria-label={lateTexts.imports.fieldPlaces(column)}>
            {fieldPlaces.map((place) => (
              <label key={place} class="check">
                <input
                  type="checkbox"
                  checked={show.includes(place)}
                  onChange={({ currentTarget: { checked } }) => toggle(place, checked)}
                />
                {t.fieldPlaces[place]}
              </label>
            ))}
          </fieldset>
        </>
      )}
    </li>
  );
}
