/** The target of a link: an address, or a floor or an object of the map by its name. */
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { withScheme } from '../../../lib/draw/link-rules.ts';
import { texts } from '../console-texts.ts';
import { TemplatePreview } from '../live/template-preview.tsx';
import { Button } from '../ui/button.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { type ControlProps, mixedText, textAttributes } from './controls/control-props.ts';
import { addressDoubt } from './controls/doubts.ts';
import { firstMatch, matching, targetAddress, targetText } from './controls/targets/link-target.ts';
import { placeNames, placesOf } from './controls/targets/places.ts';
import { TargetBox } from './controls/targets/target-box.tsx';
import { DraftHints } from './controls/text-fields.tsx';

export function LinkField(props: ControlProps) {
  const { model, target, field, label, controlId, isDisabled } = props;
  const root = useRef<HTMLDivElement>(null);
  const query = useSignal<string | undefined>(undefined);
  const { places, draft } = useLink(props, query.value !== undefined);
  const { text } = draft;
  const { onBlur, ...input } = draft.input;
  const take = (taken: string) => {
    input.onInput({ currentTarget: { value: taken } });
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
          ...textAttributes(props),
          ...input,
          spellcheck: false,
          placeholder: mixedText(props) ?? texts.forms.linkTarget,
          // A list of everything would cover the correction.
          onClick: () => {
            if (!isDisabled && fixed === undefined) query.value = '';
          },
        }}
        label={label}
        targets={places}
        query={isDisabled ? undefined : query.value}
        first={firstMatch(query.value ?? '')}
        onQuery={(typed) => {
          query.value = typed;
        }}
        onChoose={(id) => take(`#${id}`)}
      />
      {field.isTemplate === true && <TemplatePreview model={model.document} text={text} />}
      <DraftHints
        draft={draft}
        doubt={
          // The button, or the list, says it.
          fixed === undefined && !(query.value && matching(places, query.value).length > 0)
            ? addressDoubt(target.kind, field, targetAddress(places, text), (place) =>
                placeNames(model.document.store).has(place),
              )
            : ''
        }
      />
      <Correction
        address={fixed}
        onTake={(correct) => {
          document.getElementById(controlId)?.focus();
          take(correct);
        }}
      />
    </div>
  );
}

/** The edit of a link: its text is the name of a place, or an address. @param isSearched whether the places are listed */
function useLink({ model, value, onCommit }: ControlProps, isSearched: boolean) {
  const address = String(value ?? '');
  const needsPlaces = isSearched || address.startsWith('#');
  const places = useMemo(() => (needsPlaces ? placesOf(model.document.store) : []), [needsPlaces, address]);
  const draft = useDraft<string>({
    value: address,
    show: (shown) => targetText(places, shown),
    parse: (text) => ({ value: targetAddress(placesOf(model.document.store), text.trim()) }),
    commit: onCommit,
  });
  return { places, draft };
}

/** A button that takes the address that was meant. The focus stays in the field until then. */
function Correction({ address, onTake }: { readonly address: string | undefined; readonly onTake: (address: string) => void }) {
  return (
    <p class="warning-text" role="status">
      {address !== undefined && (
        <Button
          label={texts.forms.useAddress(address)}
          class="link"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(address)}
        />
      )}
    </p>
  );
}
