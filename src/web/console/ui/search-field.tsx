/** A field that narrows a list while the user types. */
import type { Ref } from 'preact';
import { Icon } from './icons.tsx';

interface SearchFieldProps {
  /** Shown in the empty field, too. */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Further classes. */
  readonly class?: string;
  readonly id?: string;
  readonly field?: Ref<HTMLInputElement> | undefined;
}

export function SearchField({ label, value, onSearch, class: classes = '', id, field }: SearchFieldProps) {
  return (
    <label class={`search ${classes}`}>
      <Icon name="search" />
      <input
        ref={field ?? null}
        id={id}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
    </label>
  );
}
