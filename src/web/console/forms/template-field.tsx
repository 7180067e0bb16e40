/** A text in which `{Name}` is the value of a variable, or an expression. The result is shown while it is typed. */
import { useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { useNameCompletion } from '../live/name-completion.tsx';
import { usePreview } from '../live/preview.ts';
import { plainValue } from '../live/shown-value.ts';
import { useTextDraft } from '../ui/use-draft.ts';
import { type ControlProps, textAttributes } from './controls/control-props.ts';
import { DraftHints } from './controls/text-fields.tsx';

export function TemplateField(props: ControlProps) {
  const { model, target, field, value, label, controlId, isInvalid, onCommit } = props;
  const control = useRef<HTMLTextAreaElement>(null);
  const draft = useTextDraft(value, onCommit, false);
  const { text, input } = draft;
  model.document.store.revision({ kind: 'variable' }).value;
  const names = model.document.store
    .members({ kind: 'variable' })
    .filter(({ id }) => id !== target.id)
    .map(({ name }) => String(name ?? ''));
  const completion = useNameCompletion({
    control,
    id: `${controlId}-names`,
    label,
    names,
    onText: (next) => input.onInput({ currentTarget: { value: next } }),
  });
  const isTyped = text !== String(value ?? '');
  const preview = usePreview(model.document, isTyped ? { id: target.id, member: field.name, text } : undefined);
  return (
    <>
      <span class="combobox">
        <textarea
          {...textAttributes(props)}
          {...completion.attributes}
          ref={control}
          class={field.kind === 'expression' ? 'code' : ''}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          spellcheck={false}
          aria-invalid={isInvalid || preview?.problem !== undefined}
          value={text}
          onInput={(event) => {
            input.onInput(event);
            completion.onCaret();
          }}
          onClick={completion.onCaret}
          onBlur={() => {
            completion.close();
            input.onBlur();
          }}
          onKeyDown={(event) => {
            if (!completion.onKeyDown(event)) input.onKeyDown(event);
          }}
        />
        {completion.list}
      </span>
      <div class="typed-result" role="status">
        {preview?.value !== undefined && <p>{texts.live.result(plainValue(preview.value))}</p>}
        {preview?.problem !== undefined && <ProblemInText problem={preview.problem} at={preview.at} text={text} />}
      </div>
      <DraftHints draft={draft} />
    </>
  );
}

/** Characters before and after the place of a problem. */
const around = 16;

/** Says what is wrong, and where in the text. */
function ProblemInText(props: { readonly problem: string; readonly at: number | undefined; readonly text: string }) {
  const { problem, at, text } = props;
  return (
    <>
      <p class="warning-text">{problem}</p>
      {at !== undefined && at <= text.length && (
        <p class="code place" aria-hidden="true">
          {at > around && '…'}
          {text.slice(Math.max(0, at - around), at)}
          <mark>{text[at] ?? ' '}</mark>
          {text.slice(at + 1, at + around)}
        </p>
      )}
    </>
  );
}
