/** How old live data may become before visitors see the map without them. For projects with actions. */
import { isStaleMinutes, staleMinutesMax } from '../../../lib/draw/public-map.ts';
import { lateTexts } from '../late-texts.ts';
import { HintedField } from '../ui/hinted-field.tsx';
import { useDraft } from '../ui/use-draft.ts';
import type { PublicMapProps } from './public-map-props.ts';

export function StaleMinutes({ model, map, onChange }: PublicMapProps) {
  const { store, canWrite } = model.document;
  store.revision({ kind: 'action' }).value;
  const t = lateTexts.mapSettings;
  const minutes = map['stale_minutes'];
  const { problem, input } = useDraft<unknown>({
    value: minutes,
    show: (value) => String(value ?? ''),
    parse: (text) => {
      const value = text.trim() === '' ? undefined : Number(text);
      return value === undefined || isStaleMinutes(value) ? { value } : { problem: t.staleProblem(staleMinutesMax) };
    },
    commit: (stale_minutes) => onChange({ stale_minutes }),
  });
  if (store.ids({ kind: 'action' }).length === 0 && minutes === undefined) return null;
  return (
    <>
      <h3>{t.stale}</h3>
      <HintedField id="stale-minutes" label={t.staleMinutes} hint={t.staleHint} problem={problem}>
        {(described) => (
          <input {...described} class="seconds" type="number" min={1} max={staleMinutesMax} readOnly={!canWrite} {...input} />
        )}
      </HintedField>
    </>
  );
}
