/** A colour: a picker of the browser, and a text for everything that the picker does not know. */
import { hexOf, parseColour } from '../../../../lib/draw/css-colour.ts';
import { texts } from '../../console-texts.ts';
import { useDraft } from '../../ui/use-draft.ts';
import { type ControlProps, textAttributes } from './control-props.ts';
import { colourDoubt } from './doubts.ts';
import { DraftHints } from './text-fields.tsx';

/** The picker takes six digits only. */
const pickable = (colour: string): string => hexOf(parseColour(colour)?.rgb ?? [0, 0, 0]);

export function ColourInput(props: {
  readonly label: string;
  readonly value: string;
  readonly isDisabled: boolean;
  /** Attributes of the text; without them, its label is one. */
  readonly attributes?: ReturnType<typeof textAttributes>;
  /** For a colour of a list: the list. */
  readonly whole?: readonly string[];
  /** @param base the value, and the list, at which the edit began */
  readonly onCommit: (value: string, base: string, wholeBase: readonly string[] | undefined) => void;
  /** Enter has committed it. */
  readonly onEnter?: (() => void) | undefined;
}) {
  const { value, whole, label, isDisabled, onCommit } = props;
  const draft = useDraft<{ readonly text: string; readonly whole: readonly string[] | undefined }>({
    value: { text: value, whole },
    show: ({ text }) => text,
    parse: (text) => ({ value: { text: text.trim(), whole } }),
    commit: ({ text }, base) => onCommit(text, base.text, base.whole),
  });
  const { text, input } = draft;
  return (
    <>
      <span class="colour-input">
        <input
          type="color"
          class={parseColour(text) === undefined ? 'unknown' : ''}
          aria-label={texts.forms.picker(label)}
          disabled={isDisabled}
          value={pickable(text)}
          onChange={(event) => onCommit(event.currentTarget.value, value, whole)}
        />
        <input
          {...(props.attributes ?? { 'aria-label': label, readOnly: isDisabled })}
          {...input}
          type="text"
          spellcheck={false}
          onKeyDown={(event) => {
            input.onKeyDown(event);
            if (event.key === 'Enter') props.onEnter?.();
          }}
        />
      </span>
      <DraftHints draft={draft} doubt={colourDoubt(text)} />
    </>
  );
}

export function ColourField(props: ControlProps) {
  const { model, target, field, value, label, isDisabled, onCommit } = props;
  return (
    <>
      <ColourInput
        label={label}
        value={String(value ?? '')}
        isDisabled={isDisabled}
        attributes={textAttributes(props)}
        onCommit={onCommit}
        // F on the map leads to the fill of the selection, and Enter there leads back.
        onEnter={target.kind === 'object' && field.name === 'color' ? () => model.workspace.toMap() : undefined}
      />
      {!isDisabled && (
        <Palette
          label={texts.arrange.colours(label)}
          colours={model.document.looks.colours.value}
          value={value}
          onChoose={(colour) => onCommit(colour, value)}
        />
      )}
    </>
  );
}

/** Colours to choose from, such as those of the project. */
export function Palette(props: {
  readonly label: string;
  readonly colours: readonly string[];
  readonly value: unknown;
  readonly onChoose: (colour: string) => void;
}) {
  return (
    <fieldset class="palette" aria-label={props.label}>
      {props.colours.map((colour) => (
        <button
          key={colour}
          type="button"
          aria-label={colour}
          title={colour}
          aria-pressed={colour === props.value}
          onClick={() => props.onChoose(colour)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <rect width="16" height="16" fill={colour} />
          </svg>
        </button>
      ))}
    </fieldset>
  );
}
