/** The present value of a variable. */
import { useEffect } from 'preact/hooks';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { isColour, plainValue } from '../shown-value.ts';

/** Colours of a list that are shown at most. */
const swatchesMax = 12;

export function VariableValue({ model, id }: { readonly model: EditorModel; readonly id: string }) {
  const { live } = model.document;
  useEffect(() => live.watch(), [live]);
  const evaluation = live.evaluation.value;
  const value = live.valueOf(id);
  const colours = (Array.isArray(value) ? value : [value]).slice(0, swatchesMax).filter(isColour);
  const t = texts.live;
  return (
    <div class="variable-value">
      <p class="present">
        <span class="hint">{t.presentValue}</span>{' '}
        <span class="value">{evaluation === undefined ? t.evaluating : value === undefined ? t.noValue : plainValue(value)}</span>
        {colours.map((colour, at) => (
          <svg key={at} class="swatch" viewBox="0 0 16 16" aria-hidden="true">
            <rect width="16" height="16" rx="3" fill={colour} />
          </svg>
        ))}
      </p>
      {live.failure.value !== '' && (
        <p class="warning-text" role="status">
          {t.evaluationFailed(live.failure.value)}
        </p>
      )}
    </div>
  );
}
