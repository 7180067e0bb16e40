/** A text to copy, with a button that copies it. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

/** Milliseconds for which the button says that it has copied. */
const doneMs = 2000;

export function CopyText({ text, label, done, title }: { text: string; label: string; done: string; title?: string }) {
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
        aria-label={title ?? label}
        value={text}
      />
      <button type="button" onClick={() => void copy()}>
        <span aria-live="polite">{copied.value ? done : label}</span>
      </button>
    </div>
  );
}
