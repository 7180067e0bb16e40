/** A section of the panel about a list. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';
import { Select } from '../ui/select.tsx';
import type { ListColumn } from './list-columns.ts';
import type { ListPlan } from './list-plan.ts';

/** The plan that sections show and change. */
export interface SectionProps {
  readonly plan: ListPlan;
  readonly columns: readonly ListColumn[];
  readonly onChange: (members: Partial<ListPlan>) => void;
}

export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

/** A choice with a word before it. */
export function Choice({ word, ...props }: { readonly word: string } & ComponentProps<typeof Select<string>>) {
  const id = useId();
  return (
    <span class="follow-choice">
      <label for={id}>{word}</label>
      <Select id={id} {...props} />
    </span>
  );
}
