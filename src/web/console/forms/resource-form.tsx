/** The form of one resource: a field for each member that matters now, in sections. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { changesOf } from '../editor/object-commands.ts';
import { fieldsOf, type Kind, type Members, membersOf, type ResourceRef } from '../project/resource-kinds.ts';
import { Field } from './field.tsx';
import type { FormField } from './form-field.ts';
import { isSet } from './style-field.tsx';

/** The sections of all forms, in their order. */
const sectionOrder = [
  '',
  'background',
  'place',
  'look',
  'hover',
  'click',
  'button',
  'when',
  'creates',
  'style',
  'popup',
  'advanced',
];

/** Sections that are closed at first. */
const closedAtFirst: ReadonlySet<string> = new Set(['hover', 'style', 'popup', 'advanced']);

/** Whether a section is open at first: also one that would hide what the action does. */
const isOpenAtFirst = (section: string, list: readonly FormField[], value: Members): boolean =>
  !closedAtFirst.has(section) ||
  list.some(({ kind, name }) => (kind === 'style' && isSet(value[name])) || name === 'popup_id' || value[name] === true);

/** True if a member has a control and matters, given the values of the others. */
export function isShown({ when, hasNoControl }: FormField, value: Members): boolean {
  if (hasNoControl === true) return false;
  return when?.some((all) => all.every(({ member, values }) => values.includes(value[member] as string | boolean))) ?? true;
}

export function ResourceForm({ model, target }: { readonly model: EditorModel; readonly target: ResourceRef }) {
  const { store, edits, canWrite } = model;
  const { kind, id, artboardId } = target;
  store.revision(kind === 'project' ? 'project' : { kind, artboardId }).value;
  // The form of an action says what its conditions and texts are now.
  useEffect(() => (kind === 'action' ? model.live.watch() : undefined), [model, kind]);
  const value = store.shown(id);
  if (value === undefined) return null;
  const errors = edits.errors.value.get(id) ?? {};
  const liveProblems = model.live.problemsOf(id);
  const drafts = store.drafts(id);
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
          isUnsaved={drafts?.has(field.name) === true}
          error={errors[field.name] ?? ''}
          liveProblem={liveProblems.get(field.name) ?? ''}
          isFocused={model.focusField.value === field.name}
          onCommit={(next, base) => {
            const members = kind === 'object' ? changesOf(value, field.name, next) : { [field.name]: next };
            if (kind === 'object') model.looks.note(value, members);
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
  const sections = new Map<string, FormField[]>();
  for (const field of props.fields) {
    const { section = '' } = field;
    sections.set(section, [...(sections.get(section) ?? []), field]);
  }
  return (
    <form class="resource-form" onSubmit={(event) => event.preventDefault()}>
      {sectionOrder.map((section) => {
        const list = sections.get(section);
        if (list === undefined) return null;
        if (section === '') {
          return (
            <div key={section} class="fields">
              {list.map(props.render)}
            </div>
          );
        }
        return (
          <details key={`${kind} ${section}`} open={isOpenAtFirst(section, list, value)}>
            <summary>{texts.sectionOf(section)}</summary>
            <div class="fields">{list.map(props.render)}</div>
          </details>
        );
      })}
    </form>
  );
}
