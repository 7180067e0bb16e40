/** Commands for several objects: each is one batch and one step of the history. */
import { texts } from '../console-texts.ts';
import type { EditOperation } from '../project/history.ts';
import { type Members, membersOf, type Resource, sameValue } from '../project/resource-kinds.ts';
import { membersOfType } from '../shapes/shape-kind.ts';
import type { EditorModel } from './editor-model.ts';
import { withHover } from './looks.ts';

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

/** What a new value of a member changes: another shape of an object has other members, and a fill has its colour under the pointer. */
export const changesOf = (object: Members, member: string, value: unknown): Members =>
  member === 'type' ? membersOfType(object, String(value)) : withHover(object, { [member]: value });

/** Writes one member of all selected objects. */
export function changeMember(model: EditorModel, member: string, value: unknown): Promise<void> {
  const changed = (object: Resource): Members => changesOf(object, member, value);
  const objects = editableObjects(model);
  const [first] = objects;
  if (first !== undefined) model.looks.note(first, changed(first));
  return changeObjects(model, new Map(objects.map((object) => [object.id, changed(object)])));
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

/** Draws the selected objects above, or below, all others of the artboard. */
export async function sendTo(model: EditorModel, end: 'front' | 'back'): Promise<void> {
  const chosen = new Set(editableObjects(model).map(({ id }) => id));
  const from = model.store.ids(model.objects);
  const [these, others] = [from.filter((id) => chosen.has(id)), from.filter((id) => !chosen.has(id))];
  const to = end === 'front' ? [...others, ...these] : [...these, ...others];
  if (to.some((id, at) => id !== from[at])) await model.edits.run([{ op: 'order', at: model.objects, from, to }]);
}

/** Copies the look of the first selected object. */
export function copyLook(model: EditorModel): void {
  const [first] = model.selectedObjects;
  if (first === undefined) return;
  model.looks.copy(model.store.shown(first.id) ?? {});
  model.edits.say(texts.arrange.lookCopied);
}

/** Gives the selected objects the copied look. */
export async function pasteLook(model: EditorModel): Promise<void> {
  const { copied } = model.looks;
  if (copied === undefined) model.edits.say(texts.arrange.noLook);
  else await changeObjects(model, new Map(editableObjects(model).map(({ id }) => [id, copied])));
}

/** Puts the selected objects before another one in the list; at its end without it. */
export async function placeBefore(model: EditorModel, before: string | undefined): Promise<void> {
  const chosen = new Set(editableObjects(model).map(({ id }) => id));
  const from = model.store.ids(model.objects);
  const start = before === undefined ? from.length : from.indexOf(before);
  const next = from.slice(start).find((id) => !chosen.has(id));
  const others = from.filter((id) => !chosen.has(id));
  const to = others.toSpliced(
    next === undefined ? others.length : others.indexOf(next),
    0,
    ...from.filter((id) => chosen.has(id)),
  );
  if (to.some((id, at) => id !== from[at])) await model.edits.run([{ op: 'order', at: model.objects, from, to }]);
}
