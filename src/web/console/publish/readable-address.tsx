/** The readable address of a published map: a name as the last part of its link. */
import { lateTexts } from '../late-texts.ts';

/** Whether a text is a name, or none. */
export const isReadable = (text: string): boolean => /^(?:[0-9a-z-]{3,26})?$/.test(text);

export function ReadableAddress(props: {
  /** What is typed; `undefined` for nothing. */
  readonly text: string | undefined;
  readonly stored: string;
  /** Why the server refuses it; '' if it does not. */
  readonly problem: string;
  readonly onText: (text: string) => void;
}) {
  const { text = props.stored, problem } = props;
  const isInvalid = !isReadable(text) || problem !== '';
  const t = lateTexts.publish;
  return (
    <>
      <label for="readable">{t.readable}</label>
      <input
        id="readable"
        type="text"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby="readable-hint"
        aria-invalid={isInvalid}
        value={text}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      <p class={isInvalid ? 'problem' : 'hint'} id="readable-hint" role={problem === '' ? undefined : 'alert'}>
        {problem || t.readableHint}
      </p>
    </>
  );
}
