/** The blend mode: a list in groups. The map shows the marked mode on the objects before it is chosen. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { blendGroups } from './blend-groups.ts';
import type { ControlProps } from './control-props.ts';

const groups = Object.entries(blendGroups) as readonly [keyof typeof blendGroups, readonly string[]][];
const modes: readonly string[] = groups.flatMap(([, list]) => list);

export function BlendField(props: ControlProps) {
  const { model, target, field, value, controlId, describedBy, isDisabled, isMixed } = props;
  /** The marked mode; `undefined` while the list is closed. */
  const marked = useSignal<string | undefined>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const listId = `${controlId}-modes`;
  const idOf = (mode: string) => `${listId}-${mode}`;
  const name = (mode: string): string => texts.choiceOf('object', 'blend_mode', mode);
  const mark = (mode: string | undefined) => {
    marked.value = mode;
    const isShown = mode !== undefined && target.kind === 'object';
    model.trial.value = isShown ? { ids: model.selection.peek(), members: { [field.name]: mode } } : undefined;
  };
  const choose = (mode: string) => {
    mark(undefined);
    if (mode !== value) props.onCommit(mode, value);
  };
  useEffect(() => () => mark(undefined), []);
  useEffect(() => {
    if (marked.value !== undefined) document.getElementById(idOf(marked.value))?.scrollIntoView({ block: 'nearest' });
  }, [marked.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const { value: at } = marked;
    const index = at === undefined ? -1 : modes.indexOf(at);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: modes.length - 1 }[event.key];
    if (at === undefined) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      mark(modes.includes(String(value)) ? String(value) : modes[0]);
    } else if (to !== undefined) mark(modes[Math.min(modes.length - 1, Math.max(0, to))]);
    else if (event.key === 'Enter' || event.key === ' ') choose(at);
    else if (event.key === 'Escape') mark(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={root} class="blend">
      <button
        type="button"
        id={controlId}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={marked.value !== undefined}
        aria-controls={listId}
        aria-activedescendant={marked.value === undefined ? undefined : idOf(marked.value)}
        aria-describedby={describedBy}
        disabled={isDisabled}
        onClick={() => mark(marked.value === undefined ? (isMixed === true ? modes[0] : String(value)) : undefined)}
        onBlur={() => mark(undefined)}
        onKeyDown={onKeyDown}
      >
        {isMixed === true ? texts.several.values : name(String(value))}
      </button>
      <div role="listbox" id={listId} aria-label={texts.choiceGroups.title} hidden={marked.value === undefined}>
        {groups.map(([group, list]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of controls
          <div key={group} role="group" aria-label={texts.choiceGroups[group]}>
            <span class="hint" aria-hidden="true">
              {texts.choiceGroups[group]}
            </span>
            {list.map((mode) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the button above
              <div
                key={mode}
                id={idOf(mode)}
                role="option"
                tabIndex={-1}
                aria-selected={mode === marked.value}
                onMouseDown={(event) => event.preventDefault()}
                onPointerMove={() => mode !== marked.peek() && mark(mode)}
                onClick={() => choose(mode)}
              >
                {name(mode)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
