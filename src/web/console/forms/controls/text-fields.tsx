/** Texts, numbers and JSON. They are committed when the field loses the focus, or with Enter in one line. */
import { useMemo } from 'preact/hooks';
import { boundedContent } from '../../../viewer/element/content-bounds.ts';
import { texts } from '../../console-texts.ts';
import type { ResourceRef } from '../../kinds/resource-kinds.ts';
import { TemplatePreview } from '../../live/template-preview.tsx';
import { Doubt, Problem } from '../../ui/problem.tsx';
import { type TypedText, useDraft, useTextDraft } from '../../ui/use-draft.ts';
import { type ControlProps, mixedText, textAttributes } from './control-props.ts';
import { addressDoubt, numberDoubt } from './doubts.ts';

/** The hints of a text field about the text in it. */
export function DraftHints({ draft, doubt = '' }: { readonly draft: TypedText; readonly doubt?: string }) {
  const { isOutdated, problem } = draft;
  return (
    <>
      {isOutdated && <p class="warning-text">{texts.forms.changedMeanwhile}</p>}
      <Problem text={problem} />
      <Doubt text={problem === '' ? doubt : ''} />
    </>
  );
}

/** The meaning of an empty field: a popup without a title has the name of its object. */
function hintOf({ document: { store } }: ControlProps['model'], { kind, id }: ResourceRef, member: string): string | undefined {
  if (kind === 'object' && member === 'name') return texts.forms.nameHint;
  if (kind !== 'popup' || member !== 'title') return undefined;
  return String(store.shown(String(store.shown(id)?.['attachedTo']))?.['name'] ?? '');
}

/** Says while a popup is written that a map will not show all of it. */
function ContentHint({ content }: { readonly content: string }) {
  const { exceeded } = useMemo(() => boundedContent(content), [content]);
  return exceeded === undefined ? null : <Doubt text={texts.forms.contentCut(exceeded)} />;
}

/** @param list identifier of a list of suggestions @param placeholder shown in the empty field */
export function TextField(props: ControlProps & { readonly list?: string; readonly placeholder?: string }) {
  const { model, field, target, value, onCommit } = props;
  const isLong = field.kind === 'long-text';
  const draft = useTextDraft(value, onCommit, !isLong);
  const { text, input } = draft;
  // Enter on the map leads to the name of the selection, or of the project, and Enter there leads back.
  const leadsBack = (target.kind === 'object' || target.kind === 'project') && field.name === 'name';
  const common = {
    ...textAttributes(props),
    placeholder: props.placeholder ?? mixedText(props) ?? hintOf(model, target, field.name),
    list: props.list,
    ...input,
    onKeyDown: (event: KeyboardEvent) => {
      input.onKeyDown(event);
      if (leadsBack && event.key === 'Enter' && !event.isComposing) model.workspace.toMap();
    },
  };
  return (
    <>
      {isLong ? <textarea rows={6} {...common} /> : <input type="text" spellcheck={field.kind === 'text'} {...common} />}
      {target.kind === 'popup' && field.name === 'content' && <ContentHint content={text} />}
      {field.isTemplate === true && <TemplatePreview model={model.document} text={text} />}
      <DraftHints
        draft={draft}
        doubt={field.kind === 'url' || field.kind === 'picture' ? addressDoubt(target.kind, field, text) : ''}
      />
    </>
  );
}

export function NumberField(props: ControlProps) {
  const { field, target, value, isInvalid, isMixed, onCommit } = props;
  const draft = useDraft<number | undefined>({
    value: isMixed === true ? undefined : Number(value ?? 0),
    show: (shown) => (shown === undefined ? '' : String(shown)),
    parse: (text) =>
      text.trim() === '' || !Number.isFinite(Number(text)) ? { problem: texts.forms.notNumber } : { value: Number(text) },
    commit: onCommit,
    name: [target.id, field.name],
  });
  return (
    <>
      <input
        {...textAttributes(props)}
        {...draft.input}
        type="number"
        step={field.step ?? 'any'}
        min={field.minimum}
        max={field.maximum}
        aria-invalid={isInvalid || draft.problem !== ''}
      />
      <DraftHints draft={draft} doubt={numberDoubt(field, draft.text)} />
    </>
  );
}

export function JsonField(props: ControlProps) {
  const { field, target, value, isInvalid, onCommit } = props;
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
  return (
    <>
      <textarea
        {...textAttributes(props)}
        {...draft.input}
        class="code"
        spellcheck={false}
        rows={Math.min(12, Math.max(2, draft.text.split('\n').length))}
        aria-invalid={isInvalid || draft.problem !== ''}
      />
      <DraftHints draft={draft} />
    </>
  );
}
