/** Checks that a polygon does not get more corners than one may have: those of its ring and of its holes may come in different requests. */
import { pointerTo } from '../../lib/field-error.ts';
import { type FieldErrorList, sliceElements } from '../../model/bodies/check-body.ts';
import { cornersIn, tooManyCorners, verticesMax } from '../../model/bodies/own-values.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Target } from '../command.ts';

/**
 * Adds an error at the holes, or else the ring, of each object in a body that would have too many corners.
 *
 * @param project as it is; `undefined` if the write creates it
 * @param body checked, with pixels instead of places
 */
export function checkCorners(
  target: Target,
  project: StoredProject | undefined,
  body: Body,
  fieldErrors: FieldErrorList,
): Iterable<void> {
  if (target.kind === 'project') return checkArtboards(project, body, fieldErrors);
  const { collection, parentId } = target.path;
  if (collection === 'artboards') return checkList(project, target.id, body, '', fieldErrors);
  if (collection === 'objects') checkObject(body, currentOf(project, parentId, target.id), '', fieldErrors);
  return noSlices;
}

const noSlices: readonly never[] = [];

function* checkArtboards(project: StoredProject | undefined, body: Body, fieldErrors: FieldErrorList): Generator<void> {
  for (const [i, artboard] of ((body['artboards'] ?? []) as readonly Body[]).entries())
    yield* checkList(project, artboard['id'] as string | undefined, artboard, pointerTo('/artboards', i), fieldErrors);
}

function* checkList(
  project: StoredProject | undefined,
  artboardId: string | undefined,
  { objects }: Body,
  at: string,
  fieldErrors: FieldErrorList,
): Generator<void> {
  if (!Array.isArray(objects)) return;
  for (const [i, object] of (objects as readonly Body[]).entries()) {
    if (i % sliceElements === sliceElements - 1) yield;
    checkObject(object, currentOf(project, artboardId, object['id']), pointerTo(pointerTo(at, 'objects'), i), fieldErrors);
  }
}

const currentOf = (project: StoredProject | undefined, artboardId: string | undefined, id: unknown): Value | undefined =>
  artboardId === undefined || artboardId === '' || typeof id !== 'string'
    ? undefined
    : project?.collection('objects', artboardId)?.get(id)?.value;

/** @param at pointer of the object */
export function checkObject({ coords, holes }: Body, current: Value | undefined, at: string, fieldErrors: FieldErrorList): void {
  if (coords === undefined && holes === undefined) return;
  const corners = cornersIn(coords ?? current?.['coords']) + cornersIn(holes ?? current?.['holes']);
  if (corners > verticesMax) fieldErrors.add(pointerTo(at, holes === undefined ? 'coords' : 'holes'), tooManyCorners(corners));
}
