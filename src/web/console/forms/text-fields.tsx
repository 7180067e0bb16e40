/** Texts, numbers and JSON. They are committed when the field loses the focus, or with Enter in one line. */
import { useMemo } from 'preact/hooks';
import { boundedContent } from '../../viewer/element/content-bounds.ts';
import { texts } from '../console-texts.ts';
import { TemplatePreview } from '../live/template-preview.tsx';
import { useDraft } from '../ui/use-draft.ts';
import type { ControlProps } from './control-props.ts';
import { addressDoubt, numberDoubt } from './doubts.ts';

/** That the map cannot show a value, while it is typed. */
export const Doubt = ({ text }: { readonly text: string }) => (
  <p class="warning-text" role="status">
    {text}
  </p>
);

/** What a text field says about the text in it. */
export function DraftHints(props: { readonly isOutdated: boolean; readonly problem: string; readonly doubt?: string }) {
  const { isOutdated, problem, doubt = '' } = props;
  return (
    <>
      {isOutdated && <p class="warning-text">{texts.forms.changedMeanwhile}</p>}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Doubt text={problem === '' ? doubt : ''} />
    </>
  );
}

/** Says while a popup is written that a map will not show all of it. */
function ContentHint({ content }: { readonly content: string }) {
  const { exceeded } = useMemo(() => boundedContent(content), [content]);
  return exceeded === undefined ? null : (
    <p class="warning-text" role="status">
      {texts.forms.contentCut(exceeded)}
    </p>
  );
}

export function TextField({
  model,
  field,
  target,
  value,
  controlId,
  describedBy,
  isDisabled,
  isInvalid,
  isMixed,
  onCommit,
}: ControlProps) {
  const isLong = field.kind === 'long-text';
  const draft = useDraft<string>({
    value: String(value ?? ''),
    show: (text) => text,
    parse: (text) => ({ value: text }),
    commit: onCommit,
    isSingleLine: !isLong,
  });
  const { text, isOutdated, problem, ...handlers } = draft;
  // Enter on the map leads to the name of the selection, or of the project, and Enter there leads back.
  const leadsBack = (target.kind === 'object' || target.kind === 'project') && field.name === 'name';
  const common = {
    id: controlId,
    readOnly: isDisabled,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    placeholder: isMixed === true ? texts.several.values : undefined,
    value: text,
    ...handlers,
    onKeyDown: (event: KeyboardEvent) => {
      handlers.onKeyDown(event);
      if (leadsBack && event.key === 'Enter' && !event.isComposing) model.workspace.toMap();
    },
  };
  return (
    <>
      {isLong ? <textarea rows={6} {...common} /> : <input type="text" spellcheck={field.kind === 'text'} {...common} />}
      {target.kind === 'popup' && field.name === 'content' && <ContentHint content={text} />}
      {field.isTemplate === true && <TemplatePreview model={model.document} text={text} />}
      <DraftHints
        isOutdated={isOutdated}
        problem={problem}
        doubt={field.kind === 'url' || field.kind === 'picture' ? addressDoubt(target.kind, field, text) : ''}
      />
    </>
  );
}

export function NumberField({
  field,
  target,
  value,
  controlId,
  describedBy,
  isDisabled,
  isInvalid,
  isMixed,
  onCommit,
}: ControlProps) {
  const draft = useDraft<number | undefined>({
    value: isMixed === true ? undefined : Number(value ?? 0),
    show: (shown) => (shown === undefined ? '' : String(shown)),
    parse: (text) =>
      text.trim() === '' || !Number.isFinite(Number(text)) ? { problem: texts.forms.notNumber } : { value: Number(text) },
    commit: onCommit,
    name: [target.id, field.name],
  });
  const { text, isOutdated, problem, ...handlers } = draft;
  return (
    <>
      <input
        id={controlId}
        type="number"
        step={field.step ?? 'any'}
        min={field.minimum}
        max={field.maximum}
        placeholder={isMixed === true ? texts.several.values : undefined}
        readOnly={isDisabled}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || problem !== ''}
        value={text}
        {...handlers}
      />
      <DraftHints isOutdated={isOutdated} problem={problem} doubt={numberDoubt(field, text)} />
    </>
  );
}

export function JsonField({ field, target, value, controlId, describedBy, isDisabled, isInvalid, onCommit }: ControlProps) {
  const draft = useDraft<unknown>({
    value,
    show: (shown) => JSON.stringify(shown, null, 2),
    parse: (text) => {
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        return { problem: texts.forms.notJson };
      }
    },
    commit: onCommit,
    isSingleLine: false,
    name: [target.id, field.name],
  });
  const { text, isOutdated, problem, ...handlers } = draft;
  const rows = Math.min(12, Math.max(2, text.split('\n').length));
  return (
    <>
      <textarea
        id={controlId}
        class="code"
        spellcheck={false}
        rows={rows}
        readOnly={isDisabled}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || problem !== ''}
        value={text}
        {...handlers}
      />
      <DraftHints isOutdated={isOutdated} problem={problem} />
    </>
  );
}
