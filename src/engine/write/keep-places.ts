/**
 * A change of an artboard that keeps the places of its objects: they are moved in the same change, so that they stay where they are on
 * Earth. Sizes such as `radius` are pixels and stay.
 */

import { pointerTo } from '../../lib/field-error.ts';
import { type AreaProblem, areaProblem, type MapArea, movePixels, type Pixel } from '../../lib/geo/geo.ts';
import { type FieldErrorList, sliceElements } from '../../model/bodies/check-body.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { MapObject } from '../../model/resources/object.ts';
import { artboards, objects } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { areaOf } from './place-converter.ts';

/** Corners that are moved in the time of one object without any. */
const cornersPerElement = 64;
const areaMembers = ['width', 'height', 'osm_lat', 'osm_lng', 'osm_zoom'] as const;

/**
 * The change that moves the objects; `undefined` if there is nothing to move. Adds errors if they cannot be moved.
 *
 * @param path of the artboard's collection
 * @param current the artboard as it is
 * @param body the change of the artboard, checked
 */
export function* keepPlaces(
  project: StoredProject,
  path: CollectionPath,
  current: Value,
  body: Body,
  fieldErrors: FieldErrorList,
): Generator<void, Change | undefined> {
  const areas = areasOf(current, body, fieldErrors);
  if (areas === undefined || areaMembers.every((name) => areas.from[name] === areas.to[name])) return undefined;
  const move = movePixels(areas.from, areas.to);
  const moved: Value[] = [];
  let visited = 0;
  for (const { value } of project.collection('objects', current.id)?.capture() ?? []) {
    const after = movedObject(value, move);
    if (after === undefined) {
      fieldErrors.add('/osm_zoom', `would move the object ${value.id} to a pixel that is not finite: choose a lower one`);
      return undefined;
    }
    if (after !== value) moved.push(after);
    visited += 1 + cornersOf(value) / cornersPerElement;
    if (visited < sliceElements) continue;
    visited = 0;
    yield;
  }
  if (moved.length === 0) return undefined;
  return { op: 'put', path: { ...path, collection: 'objects', parentId: current.id }, values: moved, created: false };
}

function areasOf(current: Value, body: Body, fieldErrors: FieldErrorList): { from: MapArea; to: MapArea } | undefined {
  if (body['objects'] !== undefined) {
    fieldErrors.add('/objects', 'must be left out with "keep_places", which moves the objects. Send them in another request');
    return undefined;
  }
  const [from, to] = [areaOf(current), areaOf(artboards.merge(current, body))];
  if (from === undefined || to === undefined) {
    const type = (from === undefined ? current : body)['type'];
    fieldErrors.add('/type', `must be "osm" before and after the change for "keep_places", not "${type}"`);
    return undefined;
  }
  const add = ({ member, detail }: AreaProblem, when: string): void =>
    fieldErrors.add(pointerTo('', member), `gives the objects no finite pixels ${when} the change: ${detail}`);
  const [before, after] = [areaProblem(from), areaProblem(to)];
  if (before !== undefined) add(before, 'before');
  if (after !== undefined) add(after, 'after');
  return before === undefined && after === undefined ? { from, to } : undefined;
}

/** Divides corners into rings that are as long as these. */
function ringsOf(corners: readonly Pixel[], lengths: readonly { readonly length: number }[]): Pixel[][] {
  let from = 0;
  return lengths.map(({ length }) => {
    from += length;
    return corners.slice(from - length, from);
  });
}

/** Corners of its ring and its holes. */
const cornersOf = ({ coords, holes }: Value): number =>
  (coords as readonly Pixel[]).length +
  ((holes ?? []) as MapObject['holes'] & readonly Pixel[][]).reduce((sum, { length }) => sum + length, 0);

/** The object with its new pixels, or itself if they are the same; `undefined` if they are not finite. */
export function movedObject(value: Value, move: (shape: readonly Pixel[]) => Pixel[]): Value | undefined {
  const { type, x, y, coords, holes = [] } = value as unknown as Pixel & Pick<MapObject, 'type' | 'coords' | 'holes'>;
  // The x and y of a polygon, which nothing draws, are 0 if they were never set.
  const [centre] = type === 'spot' || x !== 0 || y !== 0 ? move([{ x, y }]) : [{ x, y }];
  // Together, so that the holes stay on the copy of the world of their ring.
  const all = [...coords, ...holes.flat()];
  const corners = move(all);
  const pixels = [centre as Pixel, ...corners];
  if (!pixels.every((pixel) => Number.isFinite(pixel.x) && Number.isFinite(pixel.y))) return undefined;
  const isSame = (some: Pixel, other: Pixel): boolean => some.x === other.x && some.y === other.y;
  if (isSame(centre as Pixel, { x, y }) && corners.every((corner, i) => isSame(corner, all[i] as Pixel))) return value;
  return objects.merge(value, {
    ...centre,
    ...(coords.length > 0 && { coords: corners.slice(0, coords.length) }),
    ...(holes.length > 0 && { holes: ringsOf(corners.slice(coords.length), holes) }),
  });
}
