/** Commands for several objects: each is one batch and one step of the history. */
import type { EditOperation } from '../project/history.ts';
import { type Members, membersOf, type Resource, sameValue } from '../project/resource-kinds.ts';
import { type Direction, inReadingOrder, nameOf } from '../shapes/naming.ts';
import { boxOf, shapeOf } from '../shapes/shape.ts';
import { membersOfType } from '../shapes/shape-kind.ts';
import type { EditorModel } from './editor-model.ts';

/** The selected objects that the user can change now, in the order of the list. */
export function editableObjects({ store, selection, liveView, objects }: EditorModel): Resource[] {
  const chosen = new Set(selection.value);
  return store.members(objects).filter(({ id }) => chosen.has(id) && !liveView.isLocked(id));
}

/** Writes members of several objects, if they have other values. */
export async function changeObjects(model: EditorModel, changes: ReadonlyMap<string, Members>): Promise<void> {
  const operations = [...changes].flatMap(([id, to]): EditOperation[] => {
    const value = model.store.shown(id) ?? {};
    const from = membersOf(value, Object.keys(to));
    return sameValue(from, to) ? [] : [{ op: 'patch', id, from, to }];
  });
  await model.edits.run(operations);
}

/** Writes one member of all selected objects. */
export function changeMember(model: EditorModel, member: string, value: unknown): Promise<void> {
  const changed = (object: Resource): Members => (member === 'type' ? membersOfType(object, String(value)) : { [member]: value });
  return changeObjects(model, new Map(editableObjects(model).map((object) => [object.id, changed(object)])));
}

/** Names the selected objects by a pattern such as `Room {n}`. */
export function nameObjects(model: EditorModel, pattern: string, start: number, direction: Direction): Promise<void> {
  const placed = editableObjects(model).flatMap((object) => {
    const shape = shapeOf(object);
    return shape === undefined ? [] : [{ id: object.id, box: boxOf(shape) }];
  });
  const ids = inReadingOrder(placed, direction);
  return changeObjects(model, new Map(ids.map((id, at) => [id, { name: nameOf(pattern, start + at) }])));
}

/** Names that are no names: what the server gives an object without one. */
const isUnnamed = ({ name }: Resource): boolean => name === '' || name === 'Untitled Object';

/** What can be selected by kind: objects that are like the first selected one, or have no name. */
export const kindsOfSelection = ['colour', 'shape', 'unnamed', 'all'] as const;

/** Selects the objects of the artboard that are alike. How many there are. */
export function selectAlike(model: EditorModel, by: (typeof kindsOfSelection)[number]): number {
  const first = model.store.shown(model.selection.value[0] ?? '');
  const tests: Readonly<Record<typeof by, (object: Resource) => boolean>> = {
    colour: (object) => object['color'] === first?.['color'],
    shape: (object) => object['type'] === first?.['type'],
    unnamed: isUnnamed,
    all: () => true,
  };
  const found = model.store.members(model.objects).filter(tests[by]);
  if (found.length > 0) model.select(found.map(({ id }) => id));
  return found.length;
}
