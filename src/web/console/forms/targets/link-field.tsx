/** The target of a link: an address, or a floor or an object of the map by its name. */
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { withScheme } from '../../../../lib/draw/link-rules.ts';
import { texts } from '../../console-texts.ts';
import { TemplatePreview } from '../../live/template-preview.tsx';
import type { ControlProps } from '../control-props.ts';
import { addressDoubt } from '../doubts.ts';
import { DraftHints } from '../text-fields.tsx';
import { useDraft } from '../use-draft.ts';
import { targetAddress, targetText } from './link-target.ts';
import { hasPlace, placesOf } from './places.ts';
import { TargetBox } from './target-box.tsx';

export function LinkField({
  model,
  target,
  field,
  value,
  label,
  controlId,
  describedBy,
  isDisabled,
  isInvalid,
  isMixed,
  onCommit,
}: ControlProps) {
  const root = useRef<HTMLDivElement>(null);
  const query = useSignal<string | undefined>(undefined);
  const address = String(value ?? '');
  const needsPlaces = query.value !== undefined || address.startsWith('#');
  const places = useMemo(() => (needsPlaces ? placesOf(model) : []), [needsPlaces, address]);
  const draft = useDraft<string>({
    value: address,
    show: (shown) => targetText(places, shown),
    parse: (text) => ({ value: targetAddress(placesOf(model), text.trim()) }),
    commit: onCommit,
  });
  const { text, isOutdated, problem, onBlur, ...handlers } = draft;
  const take = (taken: string) => {
    handlers.onInput({ currentTarget: { value: taken } });
    onBlur();
  };
  const fixed = isDisabled ? undefined : withScheme(text);
  return (
    <div
      ref={root}
      class="rows"
      onFocusOut={({ relatedTarget }) => {
        // The correction is part of the same change.
        if (!root.current?.contains(relatedTarget as Node | null)) onBlur();
      }}
    >
      <TargetBox
        input={{
          id: controlId,
          spellcheck: false,
          readOnly: isDisabled,
          'aria-describedby': describedBy,
          'aria-invalid': isInvalid,
          placeholder: isMixed === true ? texts.several.values : texts.forms.linkTarget,
          value: text,
          ...handlers,
          // A list of everything would cover the correction.
          onClick: () => {
            if (!isDisabled && fixed === undefined) query.value = '';
          },
        }}
        label={label}
        targets={places}
        query={isDisabled ? undefined : query.value}
        first={-1}
        onQuery={(typed) => {
          query.value = typed;
        }}
        onChoose={(id) => take(`#${id}`)}
      />
      {field.isTemplate === true && <TemplatePreview model={model} text={text} />}
      <DraftHints
        isOutdated={isOutdated}
        problem={problem}
        doubt={
          // The button says it.
          fixed === undefined
            ? addressDoubt(target.kind, field.name, targetAddress(places, text), (place) => hasPlace(model, place))
            : ''
        }
      />
      <p class="warning-text" role="status">
        {fixed !== undefined && (
          <button
            type="button"
            class="link"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              document.getElementById(controlId)?.focus();
              take(fixed);
            }}
          >
            {texts.forms.useAddress(fixed)}
          </button>
        )}
      </p>
    </div>
  );
}
