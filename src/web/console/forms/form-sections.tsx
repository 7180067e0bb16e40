/** The fields of a resource that matter now, in sections. */
import type { ComponentChildren } from 'preact';
import { texts } from '../console-texts.ts';
import { sections } from '../generated/forms.ts';
import type { FormField, FormSection } from '../kinds/form-field.ts';
import type { Kind, Members } from '../kinds/resource-kinds.ts';
import { isSet } from './style-field.tsx';

/** True if a section is open at first: also one that would hide what the action does. */
const isOpenAtFirst = ({ isClosed }: FormSection, list: readonly FormField[], value: Members): boolean =>
  isClosed !== true ||
  list.some(({ kind, name }) => (kind === 'style' && isSet(value[name])) || name === 'popup_id' || value[name] === true);

/** True if a member has a control and matters, given the values of the others. */
export const isShown = ({ when, hasNoControl }: FormField, value: Members): boolean =>
  hasNoControl !== true && (when?.some((condition) => holds(condition, value)) ?? true);

const holds = (condition: NonNullable<FormField['leads']>, value: Members): boolean =>
  Object.entries(condition).every(([member, values]) => values.includes(value[member] as string | boolean));

/** Fields in their sections; those that do not matter for a value are left out. */
export function FormSections(props: {
  readonly kind: Kind;
  readonly value: Members;
  readonly fields: readonly FormField[];
  readonly render: (field: FormField) => ComponentChildren;
  /** Follows the fields at the beginning. */
  readonly children?: ComponentChildren;
  /** All sections are in one that the user opens, and what it is called when it is opened or closed. */
  readonly rest?: { readonly isOpen: boolean; onToggle(isOpen: boolean): void };
}) {
  const { kind, value, rest } = props;
  const leads = ({ leads: condition }: FormField): boolean => condition !== undefined && holds(condition, value);
  const fieldsIn = (name: string) => props.fields.filter((field) => field.section === name && !leads(field));
  const first = props.fields
    .filter((field) => field.section === undefined || leads(field))
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  const list = <Sections {...{ kind, value, fieldsIn }} render={props.render} />;
  return (
    <form class="resource-form" onSubmit={(event) => event.preventDefault()}>
      {first.length > 0 && <div class="fields">{first.map(props.render)}</div>}
      {props.children}
      {rest === undefined ? (
        list
      ) : (
        <details class="rest" open={rest.isOpen} onToggle={(event) => rest.onToggle(event.currentTarget.open)}>
          <summary>{texts.forms.advanced}</summary>
          {list}
        </details>
      )}
    </form>
  );
}

function Sections(props: {
  readonly kind: Kind;
  readonly value: Members;
  readonly fieldsIn: (section: string) => readonly FormField[];
  readonly render: (field: FormField) => ComponentChildren;
}) {
  return (sections satisfies readonly FormSection[]).map((section) => {
    const list = props.fieldsIn(section.name);
    if (list.length === 0) return null;
    return (
      <details key={`${props.kind} ${section.name}`} open={isOpenAtFirst(section, list, props.value)}>
        <summary>{section.title}</summary>
        <div class="fields">{list.map(props.render)}</div>
      </details>
    );
  });
}
