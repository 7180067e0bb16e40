/**
 * The value that a variable would have with a text that is typed and not saved yet. The evaluation of the server runs here, on the newest
 * responses; it gets only what the variable depends on.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Resource } from '../kinds/resource-kinds.ts';
import type { LiveProject } from './live-state.ts';

/** Pause after a key before the text is evaluated, in milliseconds. */
const pauseMs = 120;

export interface Typed {
  readonly id: string;
  readonly member: string;
  readonly text: string;
}

export interface Preview {
  /** `undefined` if there is none. */
  readonly value: unknown;
  /** Why there is none, or why it is not complete. */
  readonly problem: string | undefined;
  /** The place in the typed text that the problem is about, in UTF-16 code units from its beginning. */
  readonly at: number | undefined;
}

/** The evaluation is loaded when the first text is typed: most visits of the editor do without it. */
const loadEvaluation = () => import('../../../live/evaluate/variables/evaluate-variables.ts');

/** References of a variable to others by identifier. */
const references = ['iterator_id', 'color_interpolation_factor_variable_id'] as const;

/** The variables that one depends on, with it. A name finds all variables that have it: several are a problem of their own. */
export function dependenciesOf(all: readonly Resource[], id: string): Resource[] {
  const found = new Set<Resource>();
  const waiting = all.filter((variable) => variable.id === id);
  for (const variable of waiting) {
    if (found.has(variable)) continue;
    found.add(variable);
    const texts = `${String(variable['expression'] ?? '')} ${String(variable['custom_value'] ?? '')}`;
    const names = new Set([...texts.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name));
    const ids = new Set(references.map((member) => variable[member]));
    waiting.push(...all.filter((other) => ids.has(other.id) || names.has(String(other['name']))));
  }
  return all.filter((variable) => found.has(variable));
}

/** The result for a typed text, a moment after the last key; `undefined` while nothing is typed. */
export function usePreview({ store, live }: LiveProject, typed: Typed | undefined): Preview | undefined {
  const preview = useSignal<Preview | undefined>(undefined);
  const isTyping = typed !== undefined;
  const text = typed?.text;
  const isEvaluated = live.evaluation.value !== undefined;
  useEffect(() => {
    if (isTyping) live.loadKnown();
  }, [isTyping, isEvaluated]);
  const responses = live.bodies.value;
  useEffect(() => {
    if (typed === undefined) {
      preview.value = undefined;
      return undefined;
    }
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const { evaluateVariables } = await loadEvaluation();
      if (!isCurrent) return;
      const all = store
        .members({ kind: 'variable' })
        .map((variable) => (variable.id === typed.id ? { ...variable, [typed.member]: typed.text } : variable));
      const project = { data_sources: store.members({ kind: 'data_source' }), variables: dependenciesOf(all, typed.id) };
      const { values, problems } = evaluateVariables(project, responses, { seed: 1, now: new Date().toISOString() });
      const own = problems.find(({ resource }) => resource.id === typed.id);
      const value = Object.hasOwn(values, typed.id) ? values[typed.id] : undefined;
      preview.value = { value, problem: (own ?? problems[0])?.detail, at: own?.at };
    };
    const timer = setTimeout(() => void show(), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, responses]);
  return isTyping ? preview.value : undefined;
}
