/** The form of one resource: a field for each member that matters now, in sections. */

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { membersOf } from '../../../lib/change/diff.ts';
import { changesOf, renamePopups } from '../commands/object-commands.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { Field } from '../forms/field.tsx';
import { FormSections, isShown } from '../forms/form-sections.tsx';
import type { FormField } from '../kinds/form-field.ts';
import { fieldsOf, type ResourceRef } from '../kinds/resource-kinds.ts';

/** The rest of the form of an object is shown as the user left it. */
export const restOf = ({ workspace }: EditorModel) => ({
  isOpen: workspace.isAdvanced.value,
  onToggle: (isOpen: boolean) => workspace.setAdvanced(isOpen),
});

/** @param children what follows the fields at its beginning */
export function ResourceForm(props: {
  readonly model: EditorModel;
  readonly target: ResourceRef;
  readonly children?: ComponentChildren;
}) {
  const { model, target } = props;
  const { store, edits } = model.document;
  const { kind, id, artboardId } = target;
  store.revision(kind === 'project' ? 'project' : { kind, artboardId }).value;
  // The form of an action says what its conditions and texts are now.
  useEffect(() => (kind === 'action' ? model.document.live.watch() : undefined), [model, kind]);
  const value = store.shown(id);
  if (value === undefined) return null;
  const errors = edits.errors.value.get(id) ?? {};
  const liveProblems = model.document.live.problemsOf(id);
  const { waiting = {}, held = {} } = store.unsaved(id) ?? {};
  // There is a choice of tiles if the server has more than one.
  const matters = (field: FormField): boolean =>
    isShown(field, value) && (field.kind !== 'tiles' || model.document.tiles.length > 1 || Boolean(value[field.name]));
  return (
    <FormSections
      kind={kind}
      {...(kind === 'object' && { rest: restOf(model) })}
      value={value}
      fields={fieldsOf(kind).filter((field) => matters(field) || Object.hasOwn(errors, field.name))}
      render={(field) => (
        <Field
          key={field.name}
          model={model}
          target={target}
          field={field}
          value={value[field.name]}
          isDisabled={!model.document.isEditable(id)}
          isUnsaved={Object.hasOwn(waiting, field.name) || Object.hasOwn(held, field.name)}
          error={errors[field.name] ?? ''}
          liveProblem={liveProblems.get(field.name) ?? ''}
          onCommit={(next, base) => {
            const members = kind === 'object' ? changesOf(model.document, value, field.name, next) : { [field.name]: next };
            if (kind === 'object') model.document.looks.note(value, members);
            const bases = { ...membersOf(value, Object.keys(members)), [field.name]: base };
            edits.change(id, members, bases, (edit) => renamePopups(model.document, edit, value, members['name']));
          }}
          onDiscard={() => edits.discard(id, [field.name])}
        />
      )}
    >
      {props.children}
    </FormSections>
  );
}
