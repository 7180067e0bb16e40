/** Places of files on an artboard on a map: outside of the map they move to its edge, and rings around a pole are closed along it. */
import {
  areaProblem,
  holesToPixels,
  latitudeMax,
  type MapArea,
  type Pixel,
  type Place,
  ringToPixels,
  toPixels,
} from '../../../lib/geo/geo.ts';
import { ConvertError } from '../conversion.ts';
import type { Position } from '../read/file-data.ts';

/** Positions are longitude, up to ±360, and latitude. */
export interface MapPlacement {
  point(position: Position): Pixel;
  /**
   * A ring stays in one piece across the antimeridian, with its holes in it.
   *
   * @param isExact as the server converts places: adds no corners around a pole
   * @returns the ring, then the holes
   */
  rings(ring: readonly Position[], holes: readonly (readonly Position[])[], isExact: boolean): Pixel[][];
  /** A line stays in one piece across the antimeridian. @param isExact as the server converts places, which closes the line for that */
  line(positions: readonly Position[], isExact: boolean): Pixel[];
}

/** @throws {ConvertError} "coordinates" for an artboard that shows no part of the map */
export function placementOn(area: MapArea): MapPlacement {
  const problem = areaProblem(area);
  if (problem !== undefined)
    throw new ConvertError('coordinates', `The artboard shows no part of the map: ${problem}. Change it first.`);
  const pixelOf = toPixels(area);
  return {
    point: (position) => pixelOf(placeOf(position)),
    rings: (ring, holes, isExact) => {
      const places = ring.map(placeOf);
      const corners = ringToPixels(area, isExact ? places : closedAtPole(places));
      const inner = holes.map((hole) => hole.map(placeOf));
      return [corners, ...holesToPixels(area, corners, inner)];
    },
    line: (positions, isExact) => {
      const places = positions.map(placeOf);
      // There and back again it is a ring that goes around no pole, however far the line goes.
      const ring = isExact ? places : [...places, ...places.toReversed()];
      return ringToPixels(area, ring).slice(0, places.length);
    },
  };
}

/** The nearest place on the map. */
export function placeOf([lng, lat]: Position): Place {
  const turns = Math.abs(lng) <= 180 ? 0 : Math.round(lng / 360);
  return { lat: Math.max(-latitudeMax, Math.min(latitudeMax, lat)), lng: lng - 360 * turns };
}

/** A ring that goes around a pole without touching it, with corners along the edge of the map. */
function closedAtPole(ring: readonly Place[]): readonly Place[] {
  if (ring.some(({ lat }) => Math.abs(lat) >= latitudeMax)) return ring;
  const next = (i: number): Place => ring[(i + 1) % ring.length] as Place;
  const crossings = ring.flatMap(({ lng }, i) => (Math.abs(next(i).lng - lng) > 180 ? [i] : []));
  const [at] = crossings;
  // A ring that crosses the antimeridian an even number of times goes around no pole.
  if (at === undefined || crossings.length !== 1) return ring;
  const [before, after] = [ring[at] as Place, next(at)];
  const edge = before.lng > 0 ? 180 : -180;
  const [west, east] = [Math.abs(edge - before.lng), Math.abs(-edge - after.lng)];
  const lat = west + east === 0 ? before.lat : before.lat + ((after.lat - before.lat) * west) / (west + east);
  const pole = ring.reduce((sum, place) => sum + place.lat, 0) < 0 ? -latitudeMax : latitudeMax;
  const rotated = [...ring.slice(at + 1), ...ring.slice(0, at + 1)];
  return [{ lat, lng: -edge }, ...rotated, { lat, lng: edge }, { lat: pole, lng: edge }, { lat: pole, lng: -edge }];
}
