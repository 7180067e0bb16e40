/** A name that is edited in its place: Enter and the button save; Esc ends without a change. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { Button } from './button.tsx';

/** Characters of a name, as the server takes them. */
export const nameLengthMax = 200;

export function NameField(props: {
  readonly name: string;
  readonly label: string;
  /** Characters at the beginning that are selected. */
  readonly selected: number;
  /** '' if nothing is to be changed. */
  readonly onEnd: (name: string) => void;
}) {
  const { name, label, selected, onEnd } = props;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, selected);
  }, []);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onEnd(input.current?.value.trim() ?? '');
      }}
    >
      <input
        ref={input}
        class="grow"
        type="text"
        aria-label={label}
        maxLength={nameLengthMax}
        defaultValue={name}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Not the dialog.
          event.preventDefault();
          event.stopPropagation();
          onEnd('');
        }}
      />
      <Button label={texts.library.save} type="submit" class="primary" />
    </form>
  );
}
