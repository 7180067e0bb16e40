/** A field with its name above it, and below it what to know or what is wrong. */
import type { ComponentChildren } from 'preact';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** Takes the place of the hint; '' for none. */
  readonly problem?: string;
  /** Screen readers say the problem at once: it comes from the server. */
  readonly isAlert?: boolean;
  /** The control, with these attributes. */
  readonly children: (described: Described) => ComponentChildren;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

export function HintedField({ id, label, hint, problem = '', isAlert = false, children }: Props) {
  const hintId = `${id}-hint`;
  return (
    <>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId, 'aria-invalid': problem !== '' })}
      <p class={problem === '' ? 'hint' : 'problem'} id={hintId} role={isAlert ? 'alert' : undefined}>
        {problem || hint}
      </p>
    </>
  );
}
