/** The fields of a resource that matter now, in sections. */
import type { ComponentChildren } from 'preact';
import { sections } from '../generated/forms.ts';
import type { FormField, FormSection } from '../kinds/form-field.ts';
import type { Kind, Members } from '../kinds/resource-kinds.ts';
import { isSet } from './style-field.tsx';

/** True if a section is open at first: also one that would hide what the action does. */
const isOpenAtFirst = ({ isClosed }: FormSection, list: readonly FormField[], value: Members): boolean =>
  isClosed !== true ||
  list.some(({ kind, name }) => (kind === 'style' && isSet(value[name])) || name === 'popup_id' || value[name] === true);

/** True if a member has a control and matters, given the values of the others. */
export function isShown({ when, hasNoControl }: FormField, value: Members): boolean {
  if (hasNoControl === true) return false;
  const holds = (condition: NonNullable<FormField['when']>[number]) =>
    Object.entries(condition).every(([member, values]) => values.includes(value[member] as string | boolean));
  return when?.some(holds) ?? true;
}

/** Fields in their sections; those that do not matter for a value are left out. */
export function FormSections(props: {
  readonly kind: Kind;
  readonly value: Members;
  readonly fields: readonly FormField[];
  readonly render: (field: FormField) => ComponentChildren;
}) {
  const { kind, value } = props;
  const fieldsIn = (name?: string) => props.fields.filter(({ section }) => section === name);
  const first = fieldsIn();
  return (
    <form class="resource-form" onSubmit={(event) => event.preventDefault()}>
      {first.length > 0 && <div class="fields">{first.map(props.render)}</div>}
      {(sections satisfies readonly FormSection[]).map((section) => {
        const list = fieldsIn(section.name);
        if (list.length === 0) return null;
        return (
          <details key={`${kind} ${section.name}`} open={isOpenAtFirst(section, list, value)}>
            <summary>{section.title}</summary>
            <div class="fields">{list.map(props.render)}</div>
          </details>
        );
      })}
    </form>
  );
}
