/** The form of one resource: a field for each member that matters now, in sections. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { changesOf } from '../commands/object-commands.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { sections } from '../generated/forms.ts';
import type { FormField, FormSection } from '../kinds/form-field.ts';
import { fieldsOf, type Kind, type Members, membersOf, type ResourceRef } from '../kinds/resource-kinds.ts';
import { Field } from './field.tsx';
import { isSet } from './style-field.tsx';

/** Whether a section is open at first: also one that would hide what the action does. */
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

export function ResourceForm({ model, target }: { readonly model: EditorModel; readonly target: ResourceRef }) {
  const { store, edits, canWrite } = model.document;
  const { kind, id, artboardId } = target;
  store.revision(kind === 'project' ? 'project' : { kind, artboardId }).value;
  // The form of an action says what its conditions and texts are now.
  useEffect(() => (kind === 'action' ? model.document.live.watch() : undefined), [model, kind]);
  const value = store.shown(id);
  if (value === undefined) return null;
  const errors = edits.errors.value.get(id) ?? {};
  const liveProblems = model.document.live.problemsOf(id);
  const { waiting = {}, held = {} } = store.unsaved(id) ?? {};
  return (
    <FormSections
      kind={kind}
      value={value}
      fields={fieldsOf(kind).filter((field) => isShown(field, value) || Object.hasOwn(errors, field.name))}
      render={(field) => (
        <Field
          key={field.name}
          model={model}
          target={target}
          field={field}
          value={value[field.name]}
          isDisabled={!canWrite}
          isUnsaved={Object.hasOwn(waiting, field.name) || Object.hasOwn(held, field.name)}
          error={errors[field.name] ?? ''}
          liveProblem={liveProblems.get(field.name) ?? ''}
          isFocused={model.workspace.focusField.value === field.name}
          onCommit={(next, base) => {
            const members = kind === 'object' ? changesOf(value, field.name, next) : { [field.name]: next };
            if (kind === 'object') model.document.looks.note(value, members);
            edits.change(id, members, { ...membersOf(value, Object.keys(members)), [field.name]: base });
          }}
          onDiscard={() => edits.discard(id, [field.name])}
        />
      )}
    />
  );
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
