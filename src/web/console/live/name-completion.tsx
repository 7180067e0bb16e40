/** Completes `{Name}` while a text is typed: the names of variables that begin with, or contain, what follows the brace. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { OptionList } from '../ui/lists/option-list.tsx';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Names that are offered at most. */
const offeredMax = 8;

/** The beginning of a name before the caret. */
interface Begun {
  /** Index of the character after the brace. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What is typed of a name; `undefined` outside braces, and after `{{`, which is a literal brace in templates. */
export function begunName(text: string, caret: number): Begun | undefined {
  const brace = text.lastIndexOf('{', caret - 1);
  if (brace === -1) return undefined;
  const typed = text.slice(brace + 1, caret);
  if (/[}\n]/.test(typed) || /(?:^|[^{])(?:\{\{)+$/.test(text.slice(0, brace + 1))) return undefined;
  return { from: brace + 1, to: caret, text: typed };
}

/** Names that go on with what is typed: those that begin with it first. */
export function offersFor(names: readonly string[], typed: string): string[] {
  const wanted = typed.trim().toLocaleLowerCase();
  const places = names
    .filter((name) => name !== '' && !/[{}]/.test(name))
    .map((name) => ({ name, at: name.toLocaleLowerCase().indexOf(wanted) }))
    .filter(({ at }) => at !== -1);
  return [...new Set(places.sort((a, b) => Math.sign(a.at) - Math.sign(b.at)).map(({ name }) => name))].slice(0, offeredMax);
}

interface Completion {
  /** Attributes of the control. */
  readonly attributes: object;
  /** Handles a key that belongs to the list; whether it did. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  /** Call it when the text, or the place of the caret, has changed. */
  readonly onCaret: () => void;
  readonly close: () => void;
  readonly list: ReturnType<typeof OptionList>;
}

/** @param onText sets the text of the control */
export function useNameCompletion(options: {
  readonly control: RefObject<TextControl | null>;
  readonly id: string;
  readonly label: string;
  readonly names: readonly string[];
  readonly onText: (text: string) => void;
}): Completion {
  const { control, id } = options;
  const begun = useSignal<Begun | undefined>(undefined);
  const at = useSignal(0);
  const caret = useSignal<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (caret.value === undefined) return;
    control.current?.setSelectionRange(caret.value, caret.value);
    caret.value = undefined;
  }, [caret.value]);
  const offers = begun.value === undefined ? [] : offersFor(options.names, begun.value.text);
  const chosen = Math.min(at.value, offers.length - 1);
  const close = (): void => {
    begun.value = undefined;
    at.value = 0;
  };
  const choose = (name: string): void => {
    const element = control.current;
    if (element === null || begun.value === undefined) return;
    const { from, to } = begun.value;
    const rest = element.value.slice(to);
    const end = from + name.length + 1;
    close();
    options.onText(`${element.value.slice(0, from)}${name}}${rest.startsWith('}') ? rest.slice(1) : rest}`);
    caret.value = end;
  };
  return {
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': id,
      'aria-activedescendant': offers.length > 0 ? `${id}-${chosen}` : undefined,
      autocomplete: 'off',
    },
    onKeyDown: (event) => {
      if (offers.length === 0) return false;
      if (event.key === 'ArrowDown') at.value = (chosen + 1) % offers.length;
      else if (event.key === 'ArrowUp') at.value = (chosen + offers.length - 1) % offers.length;
      else if (event.key === 'Enter') choose(offers[chosen] as string);
      else if (event.key === 'Escape') close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
    onCaret: () => {
      const element = control.current;
      if (element === null) return;
      const { selectionStart, selectionEnd } = element;
      begun.value =
        selectionStart === null || selectionStart !== selectionEnd ? undefined : begunName(element.value, selectionStart);
      at.value = 0;
    },
    close,
    list: (
      <OptionList
        id={id}
        label={texts.live.names(options.label)}
        options={offers.map((name) => ({ key: name, content: name }))}
        at={chosen}
        onChoose={choose}
      />
    ),
  };
}
