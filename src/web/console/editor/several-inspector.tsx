/** The right side of the editor while several objects are selected. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { SeveralForm } from '../forms/several-form.tsx';
import { lateTexts } from '../late-texts.ts';
import { type Direction, directions, nameOf, namesIn } from '../shapes/naming.ts';
import { nameObjects } from './arrange-commands.ts';
import { ArrangePanel } from './arrange-panel.tsx';
import type { EditorModel } from './editor-model.ts';

/** Names all selected objects by a pattern. */
function Naming({ model }: { readonly model: EditorModel }) {
  const pattern = useSignal('');
  const start = useSignal('1');
  const direction = useSignal<Direction>('rows');
  const t = texts.several;
  const names = namesIn(pattern.value);
  const box = useRef<HTMLDetailsElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const isWanted = model.focusField.value === 'names';
  useEffect(() => {
    if (!isWanted || box.current === null) return;
    box.current.open = true;
    input.current?.focus();
    // What is typed replaces the names of the former selection.
    input.current?.select();
    model.focusField.value = '';
  }, [isWanted]);
  const from = Number(start.value);
  const isUsable = pattern.value.trim() !== '' && start.value !== '' && Number.isSafeInteger(from);
  const example = [from, from + 1].map((n) => nameOf(pattern.value, n)).join(', ');
  return (
    <details ref={box}>
      <summary>{t.naming}</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (isUsable) void nameObjects(model, pattern.value.trim(), from, direction.value);
        }}
      >
        <div class="field">
          <label for="name-pattern">{t.pattern}</label>
          <textarea
            ref={input}
            id="name-pattern"
            rows={2}
            placeholder={t.patternExample}
            value={pattern.value}
            aria-describedby="name-pattern-hint"
            onInput={(event) => {
              pattern.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !isUsable) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
              model.toMap();
            }}
          />
          <p class="hint" id="name-pattern-hint">
            {names.length > 1
              ? lateTexts.naming.count(names.length, model.selectedObjects.length)
              : isUsable
                ? t.namesLike(example)
                : lateTexts.naming.hint}
          </p>
        </div>
        <div class="field">
          <label for="name-start">{t.start}</label>
          <input
            id="name-start"
            type="number"
            step={1}
            value={start.value}
            onInput={(event) => {
              start.value = event.currentTarget.value;
            }}
          />
        </div>
        <div class="field">
          <label for="name-direction">{t.direction}</label>
          <select
            id="name-direction"
            value={direction.value}
            onChange={(event) => {
              direction.value = event.currentTarget.value as Direction;
            }}
          >
            {directions.map((each) => (
              <option key={each} value={each} selected={each === direction.value}>
                {t.directions[each]}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" disabled={!isUsable}>
          {t.nameAll}
        </button>
      </form>
    </details>
  );
}

export function SeveralInspector({ model }: { readonly model: EditorModel }) {
  return (
    <div class="resource-form">
      <Naming model={model} />
      <ArrangePanel model={model} />
      <SeveralForm key={model.selection.value.join()} model={model} />
    </div>
  );
}
