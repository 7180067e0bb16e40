/** A field for the name of something new, and the button that adds it. Enter does, too. */
import { useSignal } from '@preact/signals';
import { Button } from './button.tsx';

interface Props {
  /** Label of the field; shown in the empty field, too. */
  readonly label: string;
  /** Label of the button. */
  readonly action: string;
  /** @param name trimmed, not empty. Returns whether the name was taken: then the field is empty again. */
  readonly onAdd: (name: string) => boolean;
}

export function AddByName({ label, action, onAdd }: Props) {
  const text = useSignal('');
  const add = () => {
    const name = text.value.trim();
    if (name !== '' && onAdd(name)) text.value = '';
  };
  return (
    <div class="row-edit">
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
      />
      <Button icon="plus" label={action} onClick={add} />
    </div>
  );
}
