/** The properties of objects that visitors see: their names, kinds, and where they are shown. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { type FieldKind, type FieldPlace, fieldKinds, fieldPlaces } from '../../../lib/draw/public-map.ts';
import { fieldFor } from '../../convert/map/field-kind.ts';
import { allObjects } from '../document/all-objects.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { Cell } from '../forms/list-fields.tsx';
import { fieldsIn, type MapField } from '../kinds/map-fields.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { Select } from '../ui/select.tsx';
import type { PublicMapProps } from './public-map-props.ts';

/** The values of each property that objects have, by its name. */
function propertiesOf({ store }: ProjectDocument): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const { properties } of allObjects(store)) {
    if (!isPlain(properties)) continue;
    for (const [name, each] of Object.entries(properties)) {
      const values = found.get(name);
      if (values === undefined) found.set(name, [each]);
      else values.push(each);
    }
  }
  return found;
}

/** A field as the settings have it. */
const stored = ({ name, label, kind, show }: MapField): Members => ({
  name,
  ...(label !== '' && { label }),
  ...(kind !== undefined && { kind }),
  ...(show !== undefined && { show }),
});

export function FieldList({ model, map, onChange }: PublicMapProps) {
  const { document } = model;
  const fields = fieldsIn({ public_map: map });
  const properties = propertiesOf(document);
  const given = [...properties.keys()].filter((name) => fields.every((field) => field.name !== name)).sort();
  const write = (list: readonly MapField[]) => onChange({ fields: list.map(stored) });
  const t = lateTexts.mapSettings;
  return (
    <>
      <h3 id="fields-title">{t.fields}</h3>
      <p class="hint">{fields.length === 0 && given.length === 0 ? t.noFields : t.fieldsHint}</p>
      <ul class="field-rows" aria-labelledby="fields-title">
        {fields.map((_, at) => (
          <FieldRow key={at} {...{ fields, at }} isDisabled={!document.canWrite} onChange={write} />
        ))}
      </ul>
      {document.canWrite && given.length > 0 && (
        <>
          <h4 id="private-title">{t.privateProperties}</h4>
          <ul class="private-rows" aria-labelledby="private-title">
            {given.map((name) => (
              <li key={name}>
                <span>{name}</span>
                <Button
                  label={t.addField}
                  aria-label={`${t.addField}: ${name}`}
                  onClick={() => write([...fields, fieldFor(name, properties.get(name) ?? [])])}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function FieldRow(props: {
  readonly fields: readonly MapField[];
  readonly at: number;
  readonly isDisabled: boolean;
  readonly onChange: (fields: readonly MapField[]) => void;
}) {
  const { fields, at, isDisabled, onChange } = props;
  const field = fields[at] as MapField;
  const { name, show = ['popup'] } = field;
  const t = lateTexts.mapSettings;
  const change = (members: Partial<MapField>) => onChange(fields.with(at, { ...field, ...members }));
  const toggle = (place: FieldPlace, isOn: boolean) =>
    change({ show: fieldPlaces.filter((each) => (each === place ? isOn : show.includes(each))) });
  return (
    <li>
      <Cell
        label={t.fieldLabel(name)}
        list={field}
        textOf={({ label }) => label || name}
        isDisabled={isDisabled}
        onCommit={(label) => change({ label: label === name ? '' : label })}
      />
      <Select<FieldKind>
        aria-label={t.fieldKind(name)}
        disabled={isDisabled}
        value={(field.kind ?? 'text') as FieldKind}
        options={fieldKinds.map((kind) => [kind, t.fieldKinds[kind]])}
        onChoose={(kind) => change({ kind })}
      />
      <fieldset class="row" aria-label={name}>
        {fieldPlaces.map((place) => (
          <label key={place} class="check">
            <input
              type="checkbox"
              checked={show.includes(place)}
              disabled={isDisabled}
              onChange={(event) => toggle(place, event.currentTarget.checked)}
            />
            {t.fieldPlaces[place]}
          </label>
        ))}
      </fieldset>
      {!isDisabled && (
        <span class="row">
          <IconButton
            icon="raise"
            label={t.up(name)}
            isDisabled={at === 0}
            onClick={() => onChange(fields.toSpliced(at, 1).toSpliced(at - 1, 0, field))}
          />
          <IconButton
            icon="lower"
            label={t.down(name)}
            isDisabled={at === fields.length - 1}
            onClick={() => onChange(fields.toSpliced(at, 1).toSpliced(at + 1, 0, field))}
          />
          <IconButton icon="close" label={t.removeField(name)} onClick={() => onChange(fields.toSpliced(at, 1))} />
        </span>
      )}
    </li>
  );
}
