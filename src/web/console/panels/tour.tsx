/** A tour of the editor in a few steps: each marks a part of the page and says what it is for. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Pane } from '../editor/workspace.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';

/** The steps in their order: the part that is marked, and the pane of a narrow window that has it. */
const steps: readonly { readonly name: keyof typeof lateTexts.tour.steps; readonly part: string; readonly pane: Pane }[] = [
  { name: 'artboards', part: '.artboards', pane: 'list' },
  { name: 'tools', part: '.tools', pane: 'map' },
  { name: 'lists', part: '.lists', pane: 'list' },
  { name: 'form', part: '.right', pane: 'form' },
  { name: 'settings', part: '[data-tour="settings"]', pane: 'map' },
  { name: 'publish', part: '[data-tour="publish"]', pane: 'map' },
];

export function Tour({ model }: { readonly model: EditorModel }) {
  const { tourStep, pane } = model.workspace;
  const card = useRef<HTMLElement>(null);
  const at = tourStep.value ?? 0;
  const step = steps[at] as (typeof steps)[number];
  const to = (next: number | undefined) => {
    tourStep.value = next !== undefined && next >= 0 && next < steps.length ? next : undefined;
    if (tourStep.value === undefined) model.workspace.toMap();
  };
  useLayoutEffect(() => {
    pane.value = step.pane;
    card.current?.focus();
    // After the pane is shown.
    const frame = requestAnimationFrame(() => document.querySelector(step.part)?.classList.add('toured'));
    return () => {
      cancelAnimationFrame(frame);
      document.querySelector(step.part)?.classList.remove('toured');
    };
  }, [at]);
  const t = lateTexts.tour;
  const { title, text } = t.steps[step.name];
  return (
    <section
      ref={card}
      class="tour"
      role="dialog"
      tabIndex={-1}
      aria-labelledby="tour-title"
      onKeyDown={(event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (event.key === 'Escape') to(undefined);
        else if (by !== undefined && at + by >= 0) to(at + by);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <h2 id="tour-title">{title}</h2>
      <p>{text}</p>
      <div class="row">
        <span class="hint grow">{t.count(at + 1, steps.length)}</span>
        <Button label={t.end} class="quiet" onClick={() => to(undefined)} />
        {at > 0 && <Button label={t.back} onClick={() => to(at - 1)} />}
        <Button label={at + 1 < steps.length ? t.next : t.done} class="primary" onClick={() => to(at + 1)} />
      </div>
    </section>
  );
}
