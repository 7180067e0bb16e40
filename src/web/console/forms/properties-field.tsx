/** The data of an object: its properties, and the fields of the map for which it has no value yet. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { texts } from '../console-texts.ts';
import { settingsOf } from '../document/whole-project.ts';
import { fieldsIn } from '../kinds/map-fields.ts';
import { type Properties, propertyOf, textOfProperty, withProperty } from '../kinds/typed-properties.ts';
import { AddByName } from '../ui/add-by-name.tsx';
import { IconButton } from '../ui/icons.tsx';
import type { ControlProps } from './controls/control-props.ts';
import { OpenField } from './controls/open-field.tsx';
import { Cell } from './list-fields.tsx';

export function PropertiesField(props: ControlProps) {
  const { model, value, isDisabled, onCommit } = props;
  const { store } = model.document;
  const properties = (isPlain(value) ? value : {}) as Properties;
  const fields = new Map(fieldsIn(settingsOf(store)).map((field) => [field.name, field]));
  const names = [...new Set([...fields.keys(), ...Object.keys(properties)])];
  const t = texts.forms;
  const add = (name: string): boolean => {
    const isNew = !Object.hasOwn(properties, name);
    if (isNew) onCommit(withProperty(properties, name, ''), value);
    return isNew;
  };
  return (
    <OpenField control={props} isKnown={isPlain(value)}>
      <div class="rows properties">
        {names.map((name) => (
          <div class="row-edit" key={name}>
            <span>{fields.get(name)?.label || name}</span>
            <Cell
              label={fields.get(name)?.label || name}
              list={properties}
              textOf={(list) => textOfProperty(list, name)}
              isDisabled={isDisabled}
              onCommit={(text, base) =>
                onCommit(withProperty(base, name, propertyOf(text, base[name], fields.get(name)?.kind)), base)
              }
            />
            {!isDisabled && Object.hasOwn(properties, name) && (
              <IconButton
                icon="close"
                label={t.removeProperty(name)}
                onClick={() => onCommit(withProperty(properties, name, undefined), value)}
              />
            )}
          </div>
        ))}
        {!isDisabled && <AddByName label={t.propertyName} action={t.addProperty} onAdd={add} />}
      </div>
    </OpenField>
  );
}
