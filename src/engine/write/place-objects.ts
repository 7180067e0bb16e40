/**
 * A step of the decision about a create or an update: objects that were sent with places get pixels, on their artboard as it will be after
 * the write. A body without places is returned as it is.
 */
import { pointerTo } from '../../lib/field-error.ts';
import { type FieldErrorList, sliceElements } from '../../model/bodies/check-body.ts';
import { artboards } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Target } from '../command.ts';
import { hasPlaces, PlaceConverter } from './place-converter.ts';

export interface PlacedBody {
  readonly body: Body;
  /** LSN of the artboard on which the body depends, besides the target; 0 if there is none. */
  readonly version: number;
}

/** Corners that are converted in the time of one element without places. */
const cornersPerElement = 16;

/**
 * @param project as it is; `undefined` if the write creates it
 * @param body checked
 */
export function* placeObjects(
  target: Target,
  project: StoredProject | undefined,
  body: Body,
  fieldErrors: FieldErrorList,
): Generator<void, PlacedBody> {
  if (target.kind === 'member' && target.path.collection === 'objects') {
    return hasPlaces(body) ? placeObject(target.path.parentId, target.id, project, body, fieldErrors) : { body, version: 0 };
  }
  const placing = new Placing(project, fieldErrors);
  if (target.kind === 'project') return { body: yield* placing.inProject(body), version: 0 };
  if (target.path.collection !== 'artboards') return { body, version: 0 };
  return { body: yield* placing.inArtboard(body, target.id === '' ? undefined : target.id, ''), version: 0 };
}

function placeObject(
  artboardId: string,
  id: string,
  project: StoredProject | undefined,
  body: Body,
  fieldErrors: FieldErrorList,
): PlacedBody {
  const artboard = project?.collection('artboards', '')?.get(artboardId);
  if (artboard === undefined) throw new Error('an object that can be written has no artboard');
  const converter = new PlaceConverter(artboard.value);
  const current = project?.collection('objects', artboardId)?.get(id)?.value;
  return { body: converter.converted(body, current, () => '', fieldErrors), version: artboard.version };
}

/** Number of places in the body of an object. */
const placesIn = ({ places = [], hole_places: holes = [] }: Body): number =>
  (places as readonly unknown[]).length + (holes as readonly unknown[][]).reduce((sum, { length }) => sum + length, 0);

class Placing {
  readonly #project: StoredProject | undefined;
  readonly #fieldErrors: FieldErrorList;
  #elements = 0;

  constructor(project: StoredProject | undefined, fieldErrors: FieldErrorList) {
    this.#project = project;
    this.#fieldErrors = fieldErrors;
  }

  *inProject(body: Body): Generator<void, Body> {
    const sent = body['artboards'] as readonly Body[] | undefined;
    if (sent === undefined) return body;
    const placed: Body[] = [];
    for (const [i, artboard] of sent.entries()) {
      placed.push(yield* this.inArtboard(artboard, artboard['id'] as string | undefined, pointerTo('/artboards', i)));
    }
    return placed.some((artboard, i) => artboard !== sent[i]) ? { ...body, artboards: placed } : body;
  }

  /** @param id of the artboard; `undefined` for a new one */
  *inArtboard(body: Body, id: string | undefined, at: string): Generator<void, Body> {
    const sent = body['objects'] as readonly Body[] | undefined;
    if (sent === undefined) return body;
    let placed: Body[] | undefined;
    let converter: PlaceConverter | undefined;
    for (let i = 0; i < sent.length && !this.#fieldErrors.full; i++) {
      const object = sent[i] as Body;
      if (hasPlaces(object)) {
        converter ??= new PlaceConverter(this.#artboard(body, id));
        placed ??= [...sent];
        placed[i] = converter.converted(
          object,
          this.#object(id, object),
          () => pointerTo(pointerTo(at, 'objects'), i),
          this.#fieldErrors,
        );
        yield* this.#count(1 + placesIn(object) / cornersPerElement);
      } else yield* this.#count(1);
    }
    return placed === undefined ? body : { ...body, objects: placed };
  }

  /** The object as it is; `undefined` for a new one. */
  #object(artboardId: string | undefined, { id }: Body): Value | undefined {
    if (artboardId === undefined || typeof id !== 'string') return undefined;
    return this.#project?.collection('objects', artboardId)?.get(id)?.value;
  }

  /** The artboard as it will be. */
  #artboard(body: Body, id: string | undefined): Value {
    if (id === undefined) return artboards.create('', {}, body);
    const current = this.#project?.collection('artboards', '')?.get(id)?.value;
    if (current === undefined) throw new Error('an id that was checked names no artboard');
    return artboards.merge(current, body);
  }

  *#count(elements: number): Generator<void> {
    this.#elements += elements;
    if (this.#elements < sliceElements) return;
    this.#elements = 0;
    yield;
  }
}
