/** Coordinates that are typed while a drawing tool is active: the first digit on the map opens the field. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import type { Point } from '../shapes/shape.ts';

/** The places in a text: pairs of numbers between anything else. `undefined` without a pair, or with half of one. */
export function placesIn(text: string): readonly Point[] | undefined {
  const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => Number(number));
  if (numbers.length === 0 || numbers.length % 2 === 1) return undefined;
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i] as number, y: numbers[2 * i + 1] as number }));
}

export function PlaceField({
  model,
  onPlace,
}: {
  readonly model: EditorModel;
  readonly onPlace: (places: readonly Point[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const text = model.workspace.typedPlace.value ?? '';
  const t = lateTexts.places;
  const close = () => {
    model.workspace.typedPlace.value = undefined;
  };
  useLayoutEffect(() => {
    const { current } = input;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const places = placesIn(text);
  return (
    <div class="map-hint place-field">
      <label for="typed-place">{t.label}</label>
      <input
        ref={input}
        id="typed-place"
        type="text"
        autocomplete="off"
        value={text}
        aria-describedby="typed-place-hint"
        onInput={(event) => {
          model.workspace.typedPlace.value = event.currentTarget.value;
        }}
        onBlur={close}
        onKeyDown={(event) => {
          event.stopPropagation();
          const isDone = event.key === 'Enter' && places !== undefined;
          if (isDone) onPlace(places);
          if (isDone || event.key === 'Escape') model.workspace.map?.focus();
        }}
      />
      <p class="hint" id="typed-place-hint" role="status">
        {places === undefined ? t.hint : t.count(places.length)}
      </p>
    </div>
  );
}
