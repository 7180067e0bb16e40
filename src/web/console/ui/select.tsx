/** A list of the browser, from which a user chooses one value. */
import type { JSX } from 'preact';

type Attributes = Pick<JSX.IntrinsicElements['select'], 'id' | 'disabled' | 'aria-label' | 'aria-describedby' | 'aria-invalid'>;

type Props<Value extends string> = Attributes & {
  readonly value: Value;
  /** Values with their texts. */
  readonly options: readonly (readonly [value: Value, text: string])[];
  /** Shown instead of the value, such as for resources with different values. */
  readonly placeholder?: string | undefined;
  readonly onChoose: (value: Value) => void;
};

export function Select<Value extends string>({ value, options, placeholder, onChoose, ...attributes }: Props<Value>) {
  const shown = placeholder === undefined ? value : 'several';
  return (
    <select {...attributes} value={shown} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
      {placeholder !== undefined && (
        <option value="several" selected disabled>
          {placeholder}
        </option>
      )}
      {options.map(([each, text]) => (
        <option key={each} value={each} selected={each === shown}>
          {text}
        </option>
      ))}
    </select>
  );
}
