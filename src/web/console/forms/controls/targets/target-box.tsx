/** A text field with a list of resources below it, which is searched with what is typed. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { texts } from '../../../console-texts.ts';
import { type Option, OptionList } from '../../../ui/lists/option-list.tsx';
import { matching, type Place } from './link-target.ts';
import type { TargetName } from './target-names.ts';

/** Matches of a search at most. */
const foundMax = 20;

type Target = TargetName & Partial<Pick<Place, 'kind'>>;

/**
 * @param input attributes of the field; its `onKeyDown` gets the keys that do not belong to the list
 * @param query what is searched; without it, the list is closed
 * @param first index of the target that Enter chooses at first; -1 for none
 */
export function TargetBox(props: {
  readonly input: JSX.IntrinsicElements['input'] & { readonly id: string };
  readonly label: string;
  readonly targets: readonly Target[];
  readonly query: string | undefined;
  readonly first: 0 | -1;
  readonly onQuery: (query: string | undefined) => void;
  readonly onChoose: (id: string) => void;
}) {
  const { input, query, targets, first, onQuery, onChoose } = props;
  const marked = useSignal(-1);
  const at = Math.max(first, marked.value);
  const found = query === undefined ? [] : matching(targets, query).slice(0, foundMax);
  const listId = `${input.id}-found`;
  const close = () => {
    marked.value = -1;
    onQuery(undefined);
  };
  const choose = (id: string) => {
    close();
    onChoose(id);
  };
  return (
    <div class="combobox">
      <input
        {...input}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
        onInput={(event) => {
          marked.value = -1;
          onQuery(event.currentTarget.value);
          input.onInput?.(event);
        }}
        onBlur={(event) => {
          close();
          input.onBlur?.(event);
        }}
        onKeyDown={(event) => {
          const { key } = event;
          const target = found[at];
          if (key === 'ArrowDown') {
            if (query === undefined) onQuery('');
            else marked.value = Math.min(found.length - 1, at + 1);
          } else if (key === 'ArrowUp') marked.value = at - 1;
          else if (key === 'Enter' && target !== undefined) choose(target.id);
          else if (key === 'Escape' && found.length > 0) close();
          else {
            if (key === 'Enter') close();
            input.onKeyDown?.(event);
            return;
          }
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <OptionList id={listId} label={props.label} options={found.map(shown)} at={at} onChoose={choose} />
    </div>
  );
}

const shown = ({ id, name, colour, kind }: Target): Option => ({
  key: id,
  content: (
    <>
      {colour !== '' && <Swatch colour={colour} />}
      {name}
      {kind !== undefined && <small>{texts.kinds[kind === 'floor' ? 'artboard' : kind].one}</small>}
    </>
  ),
});

const Swatch = ({ colour }: { readonly colour: string }) => (
  <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" fill={colour} />
  </svg>
);
