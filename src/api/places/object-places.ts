/** `?places=true`: objects of OpenStreetMap artboards with the places of their pixels, which are computed for each response. */

import { areaOf, unmappable } from '../../engine/write/place-converter.ts';
import { latitudeMax, type Pixel, type Place, toPlace } from '../../lib/geo/geo.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { Body, Value } from '../../model/value.ts';
import { findArtboard, type Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { Query } from '../crud/conditional-read.ts';

/** Makes members of a response that are not stored. */
export type Computed = (value: Value) => Body;

export interface WithPlaces<T> {
  readonly found: T;
  /** `undefined` if the artboard is not on a map. */
  readonly computed: Computed | undefined;
}

/** A query of objects, and the artboard on which their places depend, in the same turn. @param path of the objects */
export function withPlaces<T>(query: Query<T>, path: CollectionPath): Query<WithPlaces<T>> {
  const version = (state: State): Versioned<unknown> => joined(query.version(state), findArtboard(state, path));
  if ('find' in query) return { version, find: (state) => placed(query.find(state), findArtboard(state, path)) };
  return {
    version,
    *search(state) {
      // The search captures the objects in its first step, which follows in this turn.
      const artboard = findArtboard(state, path);
      return placed(yield* query.search(state), artboard);
    },
  };
}

const joined = <T>({ value, version }: Versioned<T>, artboard: Versioned<unknown>): Versioned<T> => ({
  value,
  version: Math.max(version, artboard.version),
});

function placed<T>(found: Versioned<T>, artboard: Versioned<Value>): Versioned<WithPlaces<T>> {
  const { value, version } = joined(found, artboard);
  if (value === undefined || artboard.value === undefined) return { value: undefined, version };
  return { value: { found: value, computed: placesOn(artboard.value) }, version };
}

/**
 * Computes `lat`, `lng`, `places` and `hole_places` of an object. Pixels beyond the northern or southern edge of the map have no place: then these members
 * are absent. `undefined` for an artboard that is not on a map, or has no finite pixels.
 */
export function placesOn(artboard: Value): Computed | undefined {
  const area = areaOf(artboard);
  if (area === undefined || unmappable(artboard) !== undefined) return undefined;
  const place = toPlace(area);
  return (value) => {
    const centre = place(value as unknown as Pixel);
    const corners = (value['coords'] as readonly Pixel[]).map(place);
    const holes = ((value['holes'] ?? []) as readonly (readonly Pixel[])[]).map((hole) => hole.map(place));
    return {
      ...(isOnMap(centre) ? centre : {}),
      ...(corners.length > 0 && corners.every(isOnMap) ? { places: corners } : {}),
      ...(holes.length > 0 && holes.every((hole) => hole.every(isOnMap)) ? { hole_places: holes } : {}),
    };
  };
}

const isOnMap = ({ lat, lng }: Place): boolean => Math.abs(lat) <= latitudeMax && Math.abs(lng) <= 180;
