/** The blend mode: a list in groups. The map shows the marked mode on the objects before it is chosen. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from '../../console-texts.ts';
import { Button } from '../../ui/button.tsx';
import { blendGroups } from './blend-groups.ts';
import type { ControlProps } from './control-props.ts';
import { choiceOf } from './field-texts.ts';

const groups = Object.entries(blendGroups) as readonly [keyof typeof blendGroups, readonly string[]][];
const modes: readonly string[] = groups.flatMap(([, list]) => list);

/** What a key does with the list. */
type BlendStep = { readonly mark: string | undefined } | { readonly choose: string };

/** @param marked the marked mode; `undefined` while the list is closed. `undefined` if the key means nothing. */
function afterKey(key: string, marked: string | undefined, value: string): BlendStep | undefined {
  if (marked === undefined) {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
    return { mark: modes.includes(value) ? value : modes[0] };
  }
  const index = modes.indexOf(marked);
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: modes.length - 1 }[key];
  if (to !== undefined) return { mark: modes[Math.min(modes.length - 1, Math.max(0, to))] };
  if (key === 'Enter' || key === ' ') return { choose: marked };
  return key === 'Escape' ? { mark: undefined } : undefined;
}

const nameOf = (mode: string): string => choiceOf('object', 'blend_mode', mode);

export function BlendField(props: ControlProps) {
  const { model, target, field, value, controlId, describedBy, isDisabled, isMixed } = props;
  /** The marked mode; `undefined` while the list is closed. */
  const marked = useSignal<string | undefined>(undefined);
  const listId = `${controlId}-modes`;
  const mark = (mode: string | undefined) => {
    marked.value = mode;
    const isShown = mode !== undefined && target.kind === 'object';
    model.workspace.trial.value = isShown ? { ids: model.selection.ids.peek(), members: { [field.name]: mode } } : undefined;
  };
  const choose = (mode: string) => {
    mark(undefined);
    if (mode !== value) props.onCommit(mode, value);
  };
  useEffect(() => () => mark(undefined), []);
  useEffect(() => {
    if (marked.value !== undefined) document.getElementById(`${listId}-${marked.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [marked.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = afterKey(event.key, marked.value, String(value));
    if (step === undefined) return;
    if ('choose' in step) choose(step.choose);
    else mark(step.mark);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="blend">
      <Button
        label={isMixed === true ? texts.several.values : nameOf(String(value))}
        id={controlId}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={marked.value !== undefined}
        aria-controls={listId}
        aria-activedescendant={marked.value === undefined ? undefined : `${listId}-${marked.value}`}
        aria-describedby={describedBy}
        disabled={isDisabled}
        onClick={() => mark(marked.value === undefined ? (isMixed === true ? modes[0] : String(value)) : undefined)}
        onBlur={() => mark(undefined)}
        onKeyDown={onKeyDown}
      />
      <ModeList id={listId} marked={marked.value} onMark={mark} onChoose={choose} />
    </div>
  );
}

/** The modes in their groups; hidden while none is marked. */
function ModeList(props: {
  readonly id: string;
  readonly marked: string | undefined;
  readonly onMark: (mode: string) => void;
  readonly onChoose: (mode: string) => void;
}) {
  const { id, marked, onMark, onChoose } = props;
  const t = texts.choiceGroups;
  return (
    <div role="listbox" id={id} aria-label={t.title} hidden={marked === undefined}>
      {groups.map(([group, list]) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of controls
        <div key={group} role="group" aria-label={t[group]}>
          <span class="hint" aria-hidden="true">
            {t[group]}
          </span>
          {list.map((mode) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the button above
            <div
              key={mode}
              id={`${id}-${mode}`}
              role="option"
              tabIndex={-1}
              aria-selected={mode === marked}
              onMouseDown={(event) => event.preventDefault()}
              onPointerMove={() => mode !== marked && onMark(mode)}
              onClick={() => onChoose(mode)}
            >
              {nameOf(mode)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
