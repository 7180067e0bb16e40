/** The category of an object: one that the project has, or a new one that is typed. */
import { texts } from '../console-texts.ts';
import type { MapCategory } from '../kinds/map-categories.ts';
import type { ControlProps } from './controls/control-props.ts';
import { TextField } from './controls/text-fields.tsx';

export function CategoryField(props: ControlProps) {
  const { model, controlId, isMixed } = props;
  const listId = `${controlId}-list`;
  return (
    <>
      <TextField {...props} list={listId} placeholder={isMixed === true ? texts.several.values : texts.forms.categoryHint} />
      <CategoryNames id={listId} categories={model.document.looks.categories.value} />
    </>
  );
}

/** The categories that a field offers. @param props.id for its attribute `list` */
export function CategoryNames({ id, categories }: { readonly id: string; readonly categories: readonly MapCategory[] }) {
  return (
    <datalist id={id}>
      {categories.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </datalist>
  );
}
