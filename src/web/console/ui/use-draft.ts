/** A text that the user types: it belongs to the field until it is committed. The value of the resource may change meanwhile. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface TypedText {
  readonly text: string;
  /** Whether the resource has another value now than when the typing began. */
  readonly isOutdated: boolean;
  /** Why the text is not a value. */
  readonly problem: string;
  /** Attributes of the field. */
  readonly input: {
    readonly value: string;
    readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
    readonly onBlur: () => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

interface Options<T> {
  readonly value: T;
  readonly show: (value: T) => string;
  /** The value of a text, or why it is none. */
  readonly parse: (text: string) => { readonly value: T } | { readonly problem: string };
  /** @param base the value at which the typing began */
  readonly commit: (value: T, base: T) => void;
  /** Whether Enter commits; otherwise it is a new line. */
  readonly isSingleLine?: boolean;
  /** Names the field among all fields: a text that is not a value is still there when the field appears again. */
  readonly name?: FieldName;
}

/** A resource and its member. */
type FieldName = readonly [id: string, member: string];

interface Draft {
  readonly text: string;
  /** The value at which the typing began. */
  readonly base: unknown;
}

/** Input that is not committed yet, anywhere in the page: how to commit each. */
const typed = new Map<object, () => void>();
/** Whether there is such input. */
export const isTyping = signal(false);

/** Notes input that is not committed yet, or that it is. @param finish commits it */
export function setTyped(by: object, finish: (() => void) | undefined): void {
  if (finish === undefined) typed.delete(by);
  else typed.set(by, finish);
  isTyping.value = typed.size > 0;
}

/** Commits what is typed, as if each field lost the focus. */
export function finishTyping(): void {
  for (const finish of [...typed.values()]) finish();
}

/** Texts that are not values, of fields that are not shown now, by the name of the field. */
const unfinished = new Map<string, Draft>();

/** Whether such a text belongs to one of certain resources. */
export const hasUnfinished = (exists: (id: string) => boolean): boolean =>
  [...unfinished.keys()].some((key) => exists(key.slice(0, key.indexOf(' '))));

/** Whether the field of a member has such a text. */
export const isUnfinished = (id: string, member: string): boolean => unfinished.has(`${id} ${member}`);

export function useDraft<T>({ value, show, parse, commit, isSingleLine = true, name }: Options<T>): TypedText {
  const key = name?.join(' ');
  const draft = useSignal<{ readonly text: string; readonly base: T } | undefined>(undefined);
  const problem = useSignal('');
  const token = useRef({});
  const finish = () => {
    const { current: mine } = token;
    const now = draft.peek();
    if (now === undefined) return;
    const parsed = parse(now.text);
    if ('problem' in parsed) {
      // It stays in the field, where it can be corrected.
      problem.value = parsed.problem;
      return;
    }
    setTyped(mine, undefined);
    draft.value = undefined;
    problem.value = '';
    if (now.text !== show(now.base)) commit(parsed.value, now.base);
  };
  const latest = useRef(finish);
  latest.current = finish;
  useEffect(() => {
    const kept = key === undefined ? undefined : unfinished.get(key);
    if (key !== undefined && kept !== undefined) {
      unfinished.delete(key);
      draft.value = kept as { readonly text: string; readonly base: T };
      setTyped(token.current, () => latest.current());
      latest.current();
    }
    return () => {
      latest.current();
      const left = draft.peek();
      if (left !== undefined && key !== undefined) unfinished.set(key, left);
      setTyped(token.current, undefined);
    };
  }, []);
  const text = draft.value?.text ?? show(value);
  return {
    text,
    isOutdated: draft.value !== undefined && show(draft.value.base) !== show(value),
    problem: problem.value,
    input: {
      value: text,
      onInput: ({ currentTarget }) => {
        const base = draft.peek();
        draft.value = { text: currentTarget.value, base: base === undefined ? value : base.base };
        problem.value = '';
        setTyped(token.current, () => latest.current());
      },
      onBlur: finish,
      onKeyDown: (event) => {
        if (event.key === 'Escape' && draft.peek() !== undefined) {
          event.stopPropagation();
          setTyped(token.current, undefined);
          draft.value = undefined;
          problem.value = '';
        } else if (event.key === 'Enter' && isSingleLine) finish();
      },
    },
  };
}

/** A draft of which each text is a value. */
export const useTextDraft = (value: unknown, commit: Options<string>['commit'], isSingleLine: boolean): TypedText =>
  useDraft<string>({
    value: String(value ?? ''),
    show: (text) => text,
    parse: (text) => ({ value: text }),
    commit,
    isSingleLine,
  });
