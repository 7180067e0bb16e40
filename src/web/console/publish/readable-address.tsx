/** The readable address of a published map: a name as the last part of its link. */
import { mapNameForm } from '../../../lib/draw/map-name.ts';
import { lateTexts } from '../late-texts.ts';
import { HintedField } from '../ui/hinted-field.tsx';

/** True for a name, and for none. */
export const isReadable = (text: string): boolean => text === '' || mapNameForm.test(text);

export function ReadableAddress(props: {
  /** The text that is typed; `undefined` for none. */
  readonly text: string | undefined;
  readonly stored: string;
  /** Why the server refuses it; '' if it does not. */
  readonly problem: string;
  readonly onText: (text: string) => void;
}) {
  const { text = props.stored, problem } = props;
  const t = lateTexts.publish;
  return (
    <HintedField
      id="readable"
      label={t.readable}
      hint={props.stored !== '' && text !== props.stored ? t.readableChanged(props.stored) : t.readableHint}
      problem={problem || (isReadable(text) ? '' : t.readableHint)}
      isAlert={problem !== ''}
    >
      {(described) => (
        <input
          {...described}
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={text}
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      )}
    </HintedField>
  );
}
