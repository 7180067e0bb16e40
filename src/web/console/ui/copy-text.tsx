/** A text to copy, with a button that copies it. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';

/** Milliseconds for which the button says that it has copied. */
const doneMs = 2000;

/** @param title says what the text is */
export function CopyText({ text, title = texts.copy }: { readonly text: string; readonly title?: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = true;
      setTimeout(() => {
        copied.value = false;
      }, doneMs);
    } catch {
      // Over plain HTTP browsers have no clipboard for pages: the user can copy what is selected.
      field.current?.focus();
      field.current?.select();
    }
  };
  return (
    <div class="copy-text">
      <textarea
        ref={field}
        class="code"
        readOnly
        rows={text.split('\n').length}
        spellcheck={false}
        aria-label={title}
        value={text}
      />
      <button type="button" onClick={() => void copy()}>
        <span aria-live="polite">{copied.value ? texts.copied : texts.copy}</span>
      </button>
    </div>
  );
}
