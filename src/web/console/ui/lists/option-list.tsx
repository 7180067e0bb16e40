/** The list below a field, from which a click takes one. Its keys are those of the field, which keeps the focus. */
import type { ComponentChildren } from 'preact';

export interface Option {
  readonly key: string;
  readonly content: ComponentChildren;
}

interface OptionListProps {
  readonly id: string;
  readonly label: string;
  /** Without any, the list is hidden. */
  readonly options: readonly Option[];
  /** Index of the one that Enter takes; -1 for none. Its identifier is that of the list, a hyphen and the index. */
  readonly at: number;
  readonly onChoose: (key: string) => void;
}

export function OptionList({ id, label, options, at, onChoose }: OptionListProps) {
  return (
    <div role="listbox" id={id} aria-label={label} hidden={options.length === 0}>
      {options.map(({ key, content }, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={key}
          id={`${id}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(key)}
        >
          {content}
        </div>
      ))}
    </div>
  );
}
