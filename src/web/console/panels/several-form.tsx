/** One form for all selected objects: a change writes all of them, in one step. Members that differ show "several". */

import { useSignal } from '@preact/signals';
import { sameJson } from '../../../lib/change/same-json.ts';
import { changeMember, editableObjects } from '../commands/object-commands.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { Field } from '../forms/field.tsx';
import { FormSections, isShown } from '../forms/form-sections.tsx';
import type { FormField } from '../kinds/form-field.ts';
import { fieldsOf, type Members } from '../kinds/resource-kinds.ts';
import { restOf } from './resource-form.tsx';

/** Members that belong to one object only. */
const ownMembers: ReadonlySet<string> = new Set(['coords', 'holes', 'properties', 'key']);

/** The members that all of some objects have in common. */
function commonMembers(values: readonly Members[], fields: readonly FormField[]): Members {
  const [first = {}, ...others] = values;
  const common = fields.filter(({ name }) => others.every((other) => sameJson(other[name], first[name])));
  return Object.fromEntries(common.map(({ name }) => [name, first[name]]));
}

export function SeveralForm({ model }: { readonly model: EditorModel }) {
  const { document, selection } = model;
  document.store.revision(selection.objects).value;
  /** Values that are being saved. */
  const saving = useSignal<Members>({});
  const objects = editableObjects(document, selection);
  const fields = fieldsOf('object').filter(({ name }) => !ownMembers.has(name));
  const common = commonMembers(objects, fields);
  const value = { ...common, ...saving.value };
  const commit = async (name: string, next: unknown): Promise<void> => {
    saving.value = { ...saving.value, [name]: next };
    await changeMember(model, name, next);
    const { [name]: _, ...left } = saving.value;
    saving.value = left;
  };
  // Texts that are not values yet belong to this selection.
  const target = { kind: 'object', id: objects.map(({ id }) => id).join(), artboardId: selection.artboardId.value } as const;
  return (
    <FormSections
      kind="object"
      rest={restOf(model)}
      value={value}
      fields={fields.filter((field) => isShown(field, value))}
      render={(field) => (
        <Field
          key={field.name}
          model={model}
          target={target}
          field={field}
          value={value[field.name]}
          isMixed={!Object.hasOwn(value, field.name)}
          isUnsaved={Object.hasOwn(saving.value, field.name)}
          onCommit={(next) => void commit(field.name, next)}
        />
      )}
    />
  );
}
