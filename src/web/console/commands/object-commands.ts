/** Commands for objects, and for the selection: each is one batch and one step of the history. */
import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { EditorSelection } from '../editor/editor-selection.ts';
import { lookKindOf, withHover } from '../editor/looks.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { type CollectionRef, collectionKey, type Members, type Resource } from '../kinds/resource-kinds.ts';
import { isLine, isPolygon, type Point, roundedPoint, roundedShape, type Shape } from '../shapes/shape.ts';
import { membersOfType } from '../shapes/shape-kind.ts';

/** The selected objects that the user can change now, in the order of the list. */
export function editableObjects(document: ProjectDocument, { ids, objects }: EditorSelection): Resource[] {
  const chosen = new Set(ids.value);
  return document.store.members(objects).filter(({ id }) => chosen.has(id) && document.isEditable(id));
}

/** Writes members of several objects, if they have other values. */
export async function changeObjects({ edits }: ProjectDocument, changes: ReadonlyMap<string, Members>): Promise<void> {
  const edit = edits.begin();
  for (const [id, members] of changes) edit.put(id, members);
  await edits.run(edit);
}

/**
 * Members that change with a new value of one: another shape of an object has other members, a category gives it a colour, and a fill has its
 * colour under the pointer.
 */
export function changesOf({ looks }: ProjectDocument, object: Members, member: string, value: unknown): Members {
  if (member === 'type') return membersOfType(object, String(value));
  return member === 'category' ? looks.withCategory(object, String(value)) : withHover(object, { [member]: value });
}

/** Popups that are called as their object was follow its new name. A popup without a title has the name of its object anyway. */
export function renamePopups(document: ProjectDocument, edit: DiffBuilder, { id, name: former }: Resource, name: unknown): void {
  if (typeof name !== 'string' || former === '' || former === name) return;
  for (const popup of document.popupsOf([id]))
    for (const member of ['title', 'name']) if (popup[member] === former) edit.put(popup.id, { [member]: name });
}

/** Writes one member of all selected objects. */
export function changeMember({ document, selection }: EditorModel, member: string, value: unknown): Promise<void> {
  const changed = (object: Resource): Members => changesOf(document, object, member, value);
  const objects = editableObjects(document, selection);
  const [first] = objects;
  if (first !== undefined) document.looks.note(first, changed(first));
  return changeObjects(document, new Map(objects.map((object) => [object.id, changed(object)])));
}

/** Names that are no names: what the server gives an object without one, and consoles of former versions gave all new ones. */
const isUnnamed = ({ name }: Resource): boolean => name === '' || name === texts.editor.newSpot;

/** Kinds of selections: objects that are like the first selected one, or have no name. */
export const kindsOfSelection = ['category', 'colour', 'shape', 'unnamed', 'all'] as const;

/** Selects the objects of the artboard that are alike. How many there are. */
export function selectAlike({ document, selection }: EditorModel, by: (typeof kindsOfSelection)[number]): number {
  const first = document.store.shown(selection.ids.value[0] ?? '');
  const tests: Readonly<Record<typeof by, (object: Resource) => boolean>> = {
    category: (object) => object['category'] === first?.['category'],
    colour: (object) => object['color'] === first?.['color'],
    shape: (object) => object['type'] === first?.['type'],
    unnamed: isUnnamed,
    all: () => true,
  };
  const found = selection.shownObjects.filter(tests[by]);
  if (found.length > 0) selection.select(found.map(({ id }) => id));
  return found.length;
}

/** Selects the objects of a category: those of this artboard, or else of the first one that has some. */
export function selectCategory({ document, selection }: EditorModel, category: string): void {
  const artboards = [selection.artboardId.value, ...document.store.ids({ kind: 'artboard' })];
  for (const artboardId of artboards) {
    const found = document.store.members({ kind: 'object', artboardId }).filter((object) => object['category'] === category);
    if (found.length === 0) continue;
    selection.select(found.map(({ id }) => id));
    return;
  }
}

/** Draws the selected objects above, or below, all others of the artboard. */
export async function sendTo({ document, selection }: EditorModel, end: 'front' | 'back'): Promise<void> {
  const chosen = new Set(editableObjects(document, selection).map(({ id }) => id));
  const from = document.store.ids(selection.objects);
  const [these, others] = [from.filter((id) => chosen.has(id)), from.filter((id) => !chosen.has(id))];
  const to = end === 'front' ? [...others, ...these] : [...these, ...others];
  await document.edits.run(document.edits.begin().place(collectionKey(selection.objects), to, chosen));
}

/** Copies the look of the first selected object. */
export function copyLook({ document, selection }: EditorModel): void {
  const [first] = selection.selectedObjects;
  if (first === undefined) return;
  document.looks.copy(document.store.shown(first.id) ?? {});
  document.edits.notices.say(texts.arrange.lookCopied);
}

/** Gives the selected objects the copied look. */
export async function pasteLook({ document, selection }: EditorModel): Promise<void> {
  const { copied } = document.looks;
  if (copied === undefined) document.edits.notices.say(texts.arrange.noLook);
  else await changeObjects(document, new Map(editableObjects(document, selection).map(({ id }) => [id, copied])));
}

/** Puts the selected objects before another one in the list; at its end without it. */
export async function placeBefore({ document, selection }: EditorModel, before: string | undefined): Promise<void> {
  const chosen = new Set(editableObjects(document, selection).map(({ id }) => id));
  const from = document.store.ids(selection.objects);
  const start = before === undefined ? from.length : from.indexOf(before);
  const next = from.slice(start).find((id) => !chosen.has(id));
  const others = from.filter((id) => !chosen.has(id));
  const to = others.toSpliced(
    next === undefined ? others.length : others.indexOf(next),
    0,
    ...from.filter((id) => chosen.has(id)),
  );
  await document.edits.run(document.edits.begin().place(collectionKey(selection.objects), to, chosen));
}

/** The part of the selection that the user can change. Says so if there is none. */
function editable(document: ProjectDocument, selection: EditorSelection): readonly string[] {
  const ids = selection.ids.value.filter((id) => document.isEditable(id));
  if (ids.length === 0 && selection.ids.value.length > 0) document.edits.notices.say(texts.liveMap.locked);
  return ids;
}

/** Deletes the selection; objects together with their popups. */
export async function removeSelection({ document, selection }: EditorModel): Promise<void> {
  const ids = editable(document, selection).filter((id) => document.store.refOf(id)?.kind !== 'project');
  if (ids.length === 0) return;
  const isObjects = ids.every((id) => document.store.refOf(id)?.kind === 'object');
  const popups = isObjects ? document.popupsOf(ids) : [];
  const edit = document.edits.begin();
  for (const id of [...popups.map((popup) => popup.id), ...ids]) edit.remove(id);
  const order = document.store.ids(selection.objects);
  const at = order.indexOf(ids[0] as string);
  const gap = isObjects && ids.length === 1 ? { previous: order[at - 1], next: order[at + 1] } : {};
  const artboard =
    document.store.refOf(ids[0] as string)?.kind === 'artboard' ? document.store.shown(ids[0] as string) : undefined;
  const objectCount = artboard === undefined ? 0 : document.store.ids({ kind: 'object', artboardId: artboard.id }).length;
  await document.edits.run(edit);
  // Refused: the notice says why.
  if (ids.some((id) => document.store.has(id))) return;
  if (isObjects) document.edits.notices.say(texts.editor.deletedSome(ids.length));
  if (artboard !== undefined)
    document.edits.notices.sayUndoable(texts.editor.deletedArtboard(String(artboard['name'] || texts.unnamed), objectCount));
  selection.select([]);
  selection.gap = gap;
}

/** Moves the selected objects, or the selected artboard, one place towards the end of its collection, which is drawn last, or towards its beginning. */
export async function reorder({ document, selection }: EditorModel, towards: 'front' | 'back'): Promise<void> {
  const ids = editable(document, selection);
  const [ref] = ids.flatMap((id) => document.store.refOf(id) ?? []);
  if (ref?.kind !== 'object' && ref?.kind !== 'artboard') return;
  const at: CollectionRef = ref.kind === 'object' ? selection.objects : { kind: 'artboard' };
  const chosen = new Set(ids);
  const from = document.store.ids(at);
  const to = [...from];
  const indexes = to.flatMap((id, place) => (chosen.has(id) ? [place] : []));
  const swap = (place: number, other: number): void => {
    const [a, b] = [to[place], to[other]];
    if (a === undefined || b === undefined || chosen.has(b)) return;
    to[place] = b;
    to[other] = a;
  };
  if (towards === 'front') for (const place of indexes.toReversed()) swap(place, place + 1);
  else for (const place of indexes) swap(place, place - 1);
  await document.edits.run(document.edits.begin().place(collectionKey(at), to, chosen));
}

/** Creates objects with shapes and selects them: one step. */
export async function addShapes(model: EditorModel, shapes: readonly Shape[]): Promise<void> {
  const { looks } = model.document;
  await addObjects(
    model,
    shapes.map((shape) => {
      const type = isPolygon(shape) ? 'poly' : 'spot';
      const line = isLine(shape) ? { closed: false } : {};
      return {
        ...{ type, name: '', pin: type === 'spot' },
        ...looks.of(lookKindOf({ type, ...line })),
        ...{ ...line, ...roundedShape(shape) },
      };
    }),
  );
}

/** A text on the map: a spot of which only the name is visible. Its radius is where it can be hit. */
const textLook: Members = {
  ...{ pin: false, radius: 10, opacity: 0, hover_opacity: 0, stroke_width: 0, hover_stroke_width: 0 },
  ...{ label: 'always', label_size: 16 },
};

/** Creates a text at a place, and selects it. */
export const addText = (model: EditorModel, text: string, at: Point): Promise<void> =>
  addObjects(model, [{ type: 'spot', name: text, ...textLook, ...roundedPoint(at) }]);

async function addObjects({ document, selection }: EditorModel, objects: readonly Members[]): Promise<void> {
  const edit = document.edits.begin();
  for (const object of objects) edit.create(collectionKey(selection.objects), object);
  const created = await document.edits.run(edit);
  if (created.length > 0) selection.select(created.map(({ id }) => id));
}

/** Adds a popup to an object and edits it. */
export async function addPopup({ document, selection }: EditorModel, objectId: string): Promise<void> {
  const object = document.store.shown(objectId) ?? { id: objectId, name: '' };
  const edit = document.edits.begin();
  // Without a title, it has the name of its object on the map. Its own name is for lists.
  edit.create('popups', { ...(!isUnnamed(object) && { name: object['name'] }), attachedTo: objectId });
  const [created] = await document.edits.run(edit);
  if (created !== undefined) selection.select([created.id], { field: 'content' });
}
