/** The name of a person in a form. */
import type { Ref } from 'preact';
import { useId } from 'preact/hooks';
import { lateTexts } from '../late-texts.ts';

/** Characters of a name at most. */
const nameMax = 100;

export function PersonNameField(props: {
  readonly value: string;
  readonly onType: (name: string) => void;
  readonly hint?: string;
  readonly input?: Ref<HTMLInputElement>;
}) {
  const { value, onType, hint, input } = props;
  const id = useId();
  return (
    <>
      <label for={id}>{lateTexts.people.name}</label>
      <input
        id={id}
        {...(input !== undefined && { ref: input })}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        autocomplete="off"
        maxLength={nameMax}
        value={value}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}
