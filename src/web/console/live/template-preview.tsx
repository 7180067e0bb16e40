/** Below a text with `{Name}`: the text with the present values. */
import { texts } from '../console-texts.ts';
import { PresentValues } from './condition-truth.ts';
import type { LiveProject } from './live-state.ts';

/** Characters of a preview at most. */
const previewMax = 300;

/** `{{` is a brace, `{Name}` a value. */
const parts = /\{\{|\{([^{}]*)\}/g;

interface Filled {
  readonly text: string;
  /** Names that no variable has, or several have, or that have no value now. */
  readonly missing: readonly string[];
  /** Whether the text differs from item to item. */
  readonly isPerItem: boolean;
}

/** A text with the present values; those of the first item, if there is one per item. `undefined` if it names no variable. */
export function filledIn({ store, live }: LiveProject, text: string): Filled | undefined {
  const variables = store.members({ kind: 'variable' });
  const values = new PresentValues(store, live.evaluation.value);
  const missing: string[] = [];
  let names = 0;
  let perItem = false;
  const filled = text.replace(parts, (all, name?: string) => {
    if (name === undefined) return '{';
    names++;
    const [only, ...more] = variables.filter((variable) => variable['name'] === name);
    const value = only === undefined || more.length > 0 ? undefined : values.at(only.id, 0);
    if (only !== undefined && values.itemsOf(only.id) !== undefined) perItem = true;
    if (value === undefined || value === null) {
      missing.push(name);
      return all;
    }
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
  return names === 0 ? undefined : { text: filled, missing, isPerItem: perItem };
}

export function TemplatePreview({ model, text }: { readonly model: LiveProject; readonly text: string }) {
  model.store.revision({ kind: 'variable' }).value;
  const evaluation = model.live.evaluation.value;
  const filled = filledIn(model, text);
  const t = texts.actions;
  if (filled === undefined || evaluation === undefined) return null;
  return (
    <p class="preview-text">
      <span class="hint">{filled.isPerItem ? t.previewOfFirst : t.preview}</span> {filled.text.slice(0, previewMax)}
      {filled.text.length > previewMax && '…'}
      {filled.missing.length > 0 && <span class="warning-text"> {t.noValue([...new Set(filled.missing)])}</span>}
    </p>
  );
}
