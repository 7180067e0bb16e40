/** Converts the places in the body of an object, `lat`, `lng`, `places` and `hole_places`, to the pixels `x`, `y`, `coords` and `holes` that are stored. */

import { pointerTo } from '../../lib/field-error.ts';
import {
  areaProblem,
  holesToPixels,
  type MapArea,
  type Pixel,
  type Place,
  ringToPixels,
  toPixels,
  worldPixels,
} from '../../lib/geo/geo.ts';
import type { FieldErrorList } from '../../model/bodies/check-body.ts';
import type { Body, Value } from '../../model/value.ts';

/** Pixels and places in one body agree within so many pixels. */
const agreementPixels = 0.01;

/** Whether the body of an object, checked against its schema or not, has places. */
export const hasPlaces = (body: Body): boolean =>
  body['lat'] !== undefined || body['lng'] !== undefined || body['places'] !== undefined || body['hole_places'] !== undefined;

/** The members of an artboard that say where on a map it is; `undefined` if it is not on a map. */
export const areaOf = (artboard: Value): MapArea | undefined =>
  artboard['type'] === 'osm' ? (artboard as unknown as MapArea) : undefined;

/** Why the places of an artboard have no pixels, and what to do, as the rest of a sentence; `undefined` if they do. */
export function unmappable(artboard: Value): string | undefined {
  const area = areaOf(artboard);
  if (area === undefined)
    return `needs an artboard of type "osm", and this one is of type "${artboard['type']}": send x, y and coords, in pixels`;
  const problem = areaProblem(area);
  return problem === undefined
    ? undefined
    : `has no finite pixels on this artboard: ${problem.detail}. Change the artboard first`;
}

/** Adds an error about a member of the body, by the steps of its pointer. */
type AddError = (path: readonly (string | number)[], detail: string) => void;

/** Converts for one artboard, as it will be after the write. */
export class PlaceConverter {
  readonly #area: MapArea;
  readonly #problem: string | undefined;
  readonly #worldPixels: number;
  readonly #pixel: (place: Place) => Pixel;

  constructor(artboard: Value) {
    this.#area = artboard as unknown as MapArea;
    this.#problem = unmappable(artboard);
    this.#worldPixels = worldPixels(this.#area);
    this.#pixel = this.#problem === undefined ? toPixels(this.#area) : () => ({ x: Number.NaN, y: Number.NaN });
  }

  /**
   * The body of an object with pixels instead of places. Pixels in it stay as they are: they have to agree with its places.
   *
   * @param current the object before the write; `undefined` for a new one
   * @param at its pointer; called only if there are errors
   */
  converted(body: Body, current: Value | undefined, at: () => string, fieldErrors: FieldErrorList): Body {
    const { lat, lng, places, hole_places: holePlaces, ...pixels } = body;
    const add: AddError = (path, detail) => fieldErrors.add(path.reduce<string>(pointerTo, at()), detail);
    if (lat === undefined && lng !== undefined) add(['lat'], 'is required: send lat and lng together');
    else if (lng === undefined && lat !== undefined) add(['lng'], 'is required: send lat and lng together');
    else if (this.#problem !== undefined)
      add([lat !== undefined ? 'lat' : places !== undefined ? 'places' : 'hole_places'], this.#problem);
    else {
      const centre = lat === undefined ? {} : this.#centre({ lat, lng } as Place, body, add);
      const corners = places === undefined ? {} : this.#corners(places as readonly Place[], body, add);
      if (holePlaces === undefined) return { ...pixels, ...centre, ...corners };
      const ring = (corners['coords'] ?? pixels['coords'] ?? current?.['coords'] ?? []) as readonly Pixel[];
      return { ...pixels, ...centre, ...corners, ...this.#holes(holePlaces as readonly (readonly Place[])[], ring, body, add) };
    }
    return body;
  }

  #centre(place: Place, { x, y }: Body, add: AddError): Body {
    const pixel = this.#pixel(place);
    if (!hasFinite(pixel)) add(['lat'], 'and lng have no finite pixels on this artboard: lower its osm_zoom first');
    const sent = { x: x ?? pixel.x, y: y ?? pixel.y } as Pixel;
    if (!this.#agree(sent, pixel))
      add(
        ['lat'],
        `and lng are at the pixel ${pixel.x}, ${pixel.y}, not at ${sent.x}, ${sent.y}: send only one of the two forms`,
      );
    return { ...sent };
  }

  #corners(places: readonly Place[], { coords }: Body, add: AddError): Body {
    const pixels = ringToPixels(this.#area, places);
    const infinite = pixels.findIndex((pixel) => !hasFinite(pixel));
    if (infinite >= 0) add(['places', infinite], 'has no finite pixels on this artboard: lower its osm_zoom first');
    if (coords === undefined) return { coords: pixels };
    const sent = coords as readonly Pixel[];
    const different = sent.length !== pixels.length ? 0 : pixels.findIndex((pixel, i) => !this.#agree(sent[i] as Pixel, pixel));
    if (sent.length !== pixels.length)
      add(['places'], `has ${pixels.length} corners, coords ${sent.length}: send only one of them`);
    else if (different >= 0) {
      const [{ x, y }, other] = [pixels[different] as Pixel, sent[different] as Pixel];
      add(
        ['places', different],
        `is at the pixel ${x}, ${y}, in coords at ${other.x}, ${other.y}: send only one of the two forms`,
      );
    }
    return { coords };
  }

  #holes(places: readonly (readonly Place[])[], ring: readonly Pixel[], { holes }: Body, add: AddError): Body {
    if (holes !== undefined) add(['hole_places'], 'and holes are two forms of the same: send only one of them');
    const pixels = holesToPixels(this.#area, ring, places);
    const infinite = pixels.findIndex((hole) => !hole.every(hasFinite));
    if (infinite >= 0) add(['hole_places', infinite], 'has no finite pixels on this artboard: lower its osm_zoom first');
    return { holes: pixels };
  }

  /** Whether two pixels are the same place on Earth, perhaps on other copies of the world. */
  #agree(some: Pixel, other: Pixel): boolean {
    const east = some.x - other.x;
    const onOneCopy = Math.abs(east - Math.round(east / this.#worldPixels) * this.#worldPixels);
    return onOneCopy <= agreementPixels && Math.abs(some.y - other.y) <= agreementPixels;
  }
}

const hasFinite = ({ x, y }: Pixel): boolean => Number.isFinite(x) && Number.isFinite(y);
