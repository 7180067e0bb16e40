/** The right side of the editor while several objects are selected. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { nameObjects } from '../commands/arrange-commands.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { type Direction, directions, nameOf, namesIn } from '../shapes/naming.ts';
import { Button } from '../ui/button.tsx';
import { Doubt } from '../ui/problem.tsx';
import { Select } from '../ui/select.tsx';
import { ArrangePanel } from './arrange-panel.tsx';
import { SeveralForm } from './several-form.tsx';

/** What names the objects: a pattern or a list of names, the first number, and the order of the objects. */
interface Pattern {
  readonly pattern: string;
  /** As typed. */
  readonly start: string;
  readonly direction: Direction;
}

const isWhole = (start: string): boolean => start !== '' && Number.isSafeInteger(Number(start));
const isUsable = ({ pattern, start }: Pattern): boolean => pattern.trim() !== '' && isWhole(start);

/** Names all selected objects by a pattern. */
function Naming({ model }: { readonly model: EditorModel }) {
  const typed = useSignal<Pattern>({ pattern: '', start: '1', direction: 'rows' });
  const box = useRef<HTMLDetailsElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const isWanted = model.workspace.focusField.value === 'names';
  const t = texts.several;
  useLayoutEffect(() => {
    if (!isWanted || box.current === null) return;
    box.current.open = true;
    input.current?.focus();
    // What is typed replaces the names of the former selection.
    input.current?.select();
    model.workspace.focusField.value = '';
  }, [isWanted]);
  const { pattern, start, direction } = typed.value;
  const change = (members: Partial<Pattern>) => {
    typed.value = { ...typed.value, ...members };
  };
  return (
    <details ref={box}>
      <summary>{t.naming}</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (isUsable(typed.value)) void nameObjects(model, pattern.trim(), Number(start), direction);
        }}
      >
        <PatternField model={model} typed={typed.value} input={input} onType={(to) => change({ pattern: to })} />
        <div class="field">
          <label for="name-start">{t.start}</label>
          <input
            id="name-start"
            type="number"
            step={1}
            value={start}
            onInput={(event) => change({ start: event.currentTarget.value })}
          />
          <Doubt text={isWhole(start) ? '' : lateTexts.naming.whole} />
        </div>
        <div class="field">
          <label for="name-direction">{t.direction}</label>
          <Select
            id="name-direction"
            value={direction}
            options={directions.map((each) => [each, t.directions[each]])}
            onChoose={(to) => change({ direction: to })}
          />
        </div>
        <Button label={t.nameAll} type="submit" disabled={!isUsable(typed.value)} />
      </form>
    </details>
  );
}

/** The pattern, or a name in each line, and below it what it gives. Enter names the objects. */
function PatternField(props: {
  readonly model: EditorModel;
  readonly typed: Pattern;
  readonly input: { readonly current: HTMLTextAreaElement | null };
  readonly onType: (pattern: string) => void;
}) {
  const { model, typed } = props;
  const t = texts.several;
  const names = namesIn(typed.pattern);
  const from = Number(typed.start);
  const example = [from, from + 1].map((n) => nameOf(typed.pattern, n)).join(', ');
  return (
    <div class="field">
      <label for="name-pattern">{t.pattern}</label>
      <textarea
        ref={props.input}
        id="name-pattern"
        rows={2}
        placeholder={t.patternExample}
        value={typed.pattern}
        aria-describedby="name-pattern-hint"
        onInput={(event) => props.onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !isUsable(typed)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
          model.workspace.toMap();
        }}
      />
      <p class="hint" id="name-pattern-hint">
        {names.length > 1
          ? lateTexts.naming.count(names.length, model.selection.selectedObjects.length)
          : isUsable(typed)
            ? t.namesLike(example)
            : lateTexts.naming.hint}
      </p>
    </div>
  );
}

export function SeveralInspector({ model }: { readonly model: EditorModel }) {
  return (
    <div class="resource-form">
      <Naming model={model} />
      <ArrangePanel model={model} />
      <SeveralForm key={model.selection.ids.value.join()} model={model} />
    </div>
  );
}
