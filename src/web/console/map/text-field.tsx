/** Types a text where it will be on the map: Enter, or leaving the field, writes it. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addText } from '../commands/object-commands.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Point } from '../shapes/shape.ts';
import type { MapCanvas } from './map-canvas.ts';

export function TextField({
  model,
  canvas,
  at,
}: {
  readonly model: EditorModel;
  readonly canvas: MapCanvas;
  readonly at: Point;
}) {
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  const t = texts.tools.text;
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    return box.current === null ? undefined : canvas.pinAt(at, box.current);
  }, [canvas, at]);
  const close = (isWritten: boolean) => {
    // The field loses the focus when it disappears, too.
    if (model.workspace.textPlace.peek() !== at) return;
    model.workspace.textPlace.value = undefined;
    const name = text.peek().trim();
    if (isWritten && name !== '') void addText(model, name, at);
  };
  return (
    <div ref={box} class="text-field">
      <input
        ref={input}
        type="text"
        autocomplete="off"
        aria-label={t.label}
        aria-describedby="text-field-hint"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onBlur={() => close(true)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
          close(event.key === 'Enter');
          model.workspace.map?.focus();
        }}
      />
      <p class="hint" id="text-field-hint">
        {t.hint}
      </p>
    </div>
  );
}
