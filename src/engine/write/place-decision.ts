/** Decides where a member goes: before another one of its collection, or to another artboard. */
import { type AreaProblem, areaProblem, movePixels } from '../../lib/geo/geo.ts';
import { FieldErrorList } from '../../model/bodies/check-body.ts';
import { article } from '../../model/noun.ts';
import { objects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Command, Conflict, Decision, Target } from '../command.ts';
import { checkCorners } from './check-corners.ts';
import { checkKeys } from './check-keys.ts';
import { movedObject } from './keep-places.ts';
import { areaOf, hasPlaces, PlaceConverter } from './place-converter.ts';

type Member = Extract<Target, { kind: 'member' }>;

/** Why a member cannot come before another one; `undefined` if it can. */
export function placeConflict(project: StoredProject | undefined, { path }: Member, before: string | null): Conflict | undefined {
  if (before === null || project?.collection(path.collection, path.parentId)?.get(before) !== undefined) return undefined;
  return {
    code: 'not_in_collection',
    pointer: '/before',
    detail: `is not the id of ${article(resourceOf[path.collection].noun)} in this collection: send that of one of its members, or null for the last place`,
  };
}

/** Prepares what placing a member needs: indexes, and the leaves that it changes. */
export function* preparePlace(project: StoredProject | undefined, { path, id }: Member, before: string | null): Generator<void> {
  const collection = project?.collection(path.collection, path.parentId);
  yield* collection?.indexRanks(true) ?? [];
  collection?.preparePlace(id, before);
}

/** A move, before it is decided. */
interface Move {
  readonly command: Extract<Command, { readonly body: unknown }>;
  /** The object where it is. */
  readonly target: Member;
  readonly toArtboard: string;
  readonly project: StoredProject;
  readonly value: Value;
  /** LSN of the target. */
  readonly version: number;
}

/** Decides a move to another artboard. */
export function* decideMove(move: Move, fieldErrors: FieldErrorList): Generator<void, Decision> {
  const { command, target, toArtboard, project, value: current } = move;
  const before = command.placement?.before ?? null;
  const there: Member = { ...target, path: { ...target.path, parentId: toArtboard } };
  const artboards = project.collection('artboards', '');
  const [from, to] = [target.path.parentId, toArtboard].map((id) => artboards?.get(id));
  // The answer depends on both artboards, and on what is on the new one.
  const next = project.collection('objects', toArtboard);
  const version = Math.max(move.version, from?.version ?? 0, to?.version ?? artboards?.version ?? 0, next?.version ?? 0);
  const invalid = (pointer: string, detail: string): Decision => ({
    ...{ outcome: 'invalid', version, isOfOperation: true, fieldErrors: [{ pointer, detail }] },
  });
  if (from === undefined) throw new Error('an object that can be written has no artboard');
  if (to === undefined) return invalid('/to_artboard', 'is not the id of an artboard in this project');
  yield* next?.indexRanks() ?? [];
  const conflict = placeConflict(project, there, before);
  if (conflict !== undefined) return { outcome: 'conflict', version, conflict };
  yield* preparePlace(project, there, before);
  next?.prepare();
  const kept = command.keepPlaces === true ? keptOnEarth(current, from.value, to.value) : current;
  if (typeof kept === 'string') return invalid('/keep_places', kept);
  const body = command.body as Body;
  const placed = hasPlaces(body) ? new PlaceConverter(to.value).converted(body, kept, () => '', fieldErrors) : body;
  yield* checkCorners(target, project, placed, fieldErrors);
  if (fieldErrors.size > 0) return { outcome: 'invalid', version, fieldErrors: fieldErrors.toArray() };
  const value = objects.merge(kept, placed);
  const taken = new FieldErrorList();
  yield* checkKeys(there, project, { key: value['key'], name: value['name'] }, taken);
  const [error] = taken.toArray();
  if (error !== undefined)
    return placed['key'] === undefined
      ? invalid('/to_artboard', `is an artboard with an object of the same key, which ${error.detail}`)
      : invalid(`/body${error.pointer}`, error.detail);
  const change: Change = { op: 'move', path: there.path, value, fromArtboard: target.path.parentId, before };
  return { outcome: 'done', version, changes: [change], target: there };
}

/** The object with the pixels of the same places on another artboard; a text that says why there are none. */
function keptOnEarth(value: Value, from: Value, to: Value): Value | string {
  const [before, after] = [areaOf(from), areaOf(to)];
  if (before === undefined || after === undefined) return 'needs artboards of type "osm" on both sides of the move';
  const problem: AreaProblem | undefined = areaProblem(before) ?? areaProblem(after);
  if (problem !== undefined) return `has no finite pixels: ${problem.detail}`;
  return (
    movedObject(value, movePixels(before, after)) ??
    'would move the object to a pixel that is not finite: lower the osm_zoom of its new artboard'
  );
}
