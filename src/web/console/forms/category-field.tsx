/** The category of an object: one that the project has, or a new one that is typed. */
import { texts } from '../console-texts.ts';
import type { ControlProps } from './controls/control-props.ts';
import { TextField } from './controls/text-fields.tsx';

export function CategoryField(props: ControlProps) {
  const { model, controlId, isMixed } = props;
  const listId = `${controlId}-list`;
  return (
    <>
      <TextField {...props} list={listId} placeholder={isMixed === true ? texts.several.values : texts.forms.categoryHint} />
      <datalist id={listId}>
        {model.document.looks.categories.value.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </datalist>
    </>
  );
}
