/** Commands that arrange objects: each is one batch and one step of the history. Loaded with the panel that has them. */

import type { EditorModel } from '../editor/editor-model.ts';
import { collectionKey, type Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { equallyLarge } from '../shapes/arrange.ts';
import { joinedPolygons } from '../shapes/join.ts';
import { type Direction, inReadingOrder, nameOf, namesIn } from '../shapes/naming.ts';
import { boxOf, isLine, isPolygon, type Polygon, roundedShape, type Shape, type Shapes, shapeOf } from '../shapes/shape.ts';
import { straightened } from '../shapes/straighten.ts';
import type { Pieces } from '../tools/tool.ts';
import { changeObjects, editableObjects } from './object-commands.ts';

/** Names the selected objects by a pattern such as `Room {n}`, or with the names of a list, as far as it goes. */
export function nameObjects(
  { document, selection }: EditorModel,
  text: string,
  start: number,
  direction: Direction,
): Promise<void> {
  const placed = editableObjects(document, selection).flatMap((object) => {
    const shape = shapeOf(object);
    return shape === undefined ? [] : [{ id: object.id, box: boxOf(shape) }];
  });
  const ids = inReadingOrder(placed, direction);
  const names = namesIn(text);
  const named = names.length > 1 ? names.slice(0, ids.length) : ids.map((_, at) => nameOf(text, start + at));
  return changeObjects(document, new Map(named.flatMap((name, at) => (name === '' ? [] : [[ids[at] as string, { name }]]))));
}

/** Shapes of the selected objects that can be changed, in the order in which they were selected. */
function editableShapes({ document, selection }: EditorModel): Map<string, Shape> {
  const editable = new Set(editableObjects(document, selection).map(({ id }) => id));
  return new Map(
    selection.ids.value.flatMap((id): [string, Shape][] => {
      const shape = editable.has(id) ? shapeOf(document.store.shown(id) ?? {}) : undefined;
      return shape === undefined ? [] : [[id, shape]];
    }),
  );
}

/** Saves the shapes that an arrangement gives the selected objects. */
export function arrange(model: EditorModel, by: (shapes: Shapes) => Shapes): Promise<void> {
  model.workspace.map?.endNudge();
  const shapes = editableShapes(model);
  if (shapes.size === 0) return Promise.resolve();
  return changeObjects(model.document, new Map([...by(shapes)].map(([id, shape]) => [id, { ...roundedShape(shape) }])));
}

/** Gives all selected objects the size of the first one, unless it has none. */
export async function sameSize(model: EditorModel): Promise<void> {
  for (const first of editableShapes(model).values()) {
    const { left, top, right, bottom } = boxOf(first);
    if (left < right && top < bottom) await arrange(model, equallyLarge);
    else model.document.edits.notices.say(lateTexts.arrange.noSize, true);
    return;
  }
}

/** Makes the edges of the selected polygons meet at right angles. Their holes, and lines, stay as they are. */
export async function straighten(model: EditorModel): Promise<void> {
  const found = [...editableShapes(model)].flatMap(([id, shape]): [string, Members][] => {
    const corners = isPolygon(shape) && !isLine(shape) ? straightened(shape.coords) : undefined;
    return corners === undefined ? [] : [[id, { ...roundedShape({ coords: corners }) }]];
  });
  if (found.length === 0) model.document.edits.notices.say(lateTexts.arrange.notStraight);
  await changeObjects(model.document, new Map(found));
}

/** Removes the holes of the selected polygons. */
export async function fillHoles(model: EditorModel): Promise<void> {
  const found = [...editableShapes(model)].flatMap(([id, shape]): [string, Members][] =>
    isPolygon(shape) && shape.holes !== undefined ? [[id, { holes: [] }]] : [],
  );
  await changeObjects(model.document, new Map(found));
}

/** Replaces polygons by their pieces: each keeps its first piece with its popups, the others are new objects that look the same. */
export async function splitObjects({ document, selection }: EditorModel, pieces: Pieces): Promise<void> {
  const edit = document.edits.begin();
  for (const [id, [first, ...others]] of pieces) {
    if (first === undefined) continue;
    const { id: _, ...value } = document.store.shown(id) ?? { id };
    edit.put(id, { ...roundedShape(first) });
    for (const piece of others) edit.create(collectionKey(selection.objects), { ...value, key: '', ...roundedShape(piece) });
  }
  const created = await document.edits.run(edit);
  if (created.length > 0) selection.select([...pieces.keys(), ...created.map(({ id }) => id)]);
}

/** Joins the selected polygons, which touch or overlap, into the first one. */
export async function joinObjects(model: EditorModel): Promise<void> {
  const isArea = (shape: Shape): shape is Polygon => isPolygon(shape) && !isLine(shape);
  const shapes = [...editableShapes(model)].flatMap(([id, shape]) => (isArea(shape) ? [{ id, shape }] : []));
  const [first, ...others] = shapes;
  if (first === undefined || others.length === 0) return;
  const polygon = joinedPolygons(shapes.map(({ shape }) => shape));
  if (polygon === undefined) {
    model.document.edits.notices.say(lateTexts.arrange.notJoined, true);
    return;
  }
  const edit = model.document.edits.begin().put(first.id, { ...roundedShape(polygon) });
  for (const { id } of model.document.popupsOf(others.map((other) => other.id))) edit.put(id, { attachedTo: first.id });
  for (const { id } of others) edit.remove(id);
  await model.document.edits.run(edit);
  model.selection.select([first.id]);
}

/** Moves the selected objects to another artboard, at their places. Popups and actions refer to them there. */
export async function moveToArtboard({ document, selection, workspace }: EditorModel, artboardId: string): Promise<void> {
  workspace.map?.endNudge();
  const ids = editableObjects(document, selection).map(({ id }) => id);
  if (ids.length === 0 || artboardId === selection.artboardId.value) return;
  const edit = document.edits.begin();
  for (const id of ids) edit.move(id, collectionKey({ kind: 'object', artboardId }));
  const moved = await document.edits.run(edit);
  if (moved.length > 0) selection.select(moved.map(({ id }) => id));
}
