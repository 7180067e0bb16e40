/** The form of one resource: a field for each member that matters now, in sections. */

import { useEffect } from 'preact/hooks';
import { membersOf } from '../../../lib/change/diff.ts';
import { changesOf } from '../commands/object-commands.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { Field } from '../forms/field.tsx';
import { FormSections, isShown } from '../forms/form-sections.tsx';
import { fieldsOf, type ResourceRef } from '../kinds/resource-kinds.ts';

export function ResourceForm({ model, target }: { readonly model: EditorModel; readonly target: ResourceRef }) {
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
          isDisabled={!model.document.isEditable(id)}
          isUnsaved={Object.hasOwn(waiting, field.name) || Object.hasOwn(held, field.name)}
          error={errors[field.name] ?? ''}
          liveProblem={liveProblems.get(field.name) ?? ''}
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
