/** Polygons of the rings of EsriJSON: outer rings go clockwise; a hole is in the smallest outer ring around it. */
import { type Box, contains, cornersBox, doubleArea, isInside } from '../../../../lib/geo/polygon.ts';
import { ConvertError } from '../../conversion.ts';
import { listOf } from './json-value.ts';

/** Comparisons of all rings of a file: a second of work. */
const stepsMax = 50_000_000;
/** Corners of a hole that are compared: one may lie on the outer ring. */
const cornersCompared = 3;

interface Corner {
  readonly x: number;
  readonly y: number;
}

interface Ring {
  readonly positions: unknown;
  readonly corners: readonly Corner[];
  readonly box: Box;
  readonly area: number;
}

/** Counts its work over all polygons of a file. */
export class EsriRings {
  #steps = 0;

  /** Coordinates of a MultiPolygon of GeoJSON. @throws {ConvertError} "too-large" for more rings than can be compared */
  polygonsOf(rings: readonly unknown[]): readonly (readonly unknown[])[] {
    const all = rings.map(ringOf);
    const outer = all.filter(({ area }) => !(area > 0)).sort((a, b) => b.area - a.area);
    const found = new Map<Ring, unknown[]>(outer.map((ring) => [ring, []]));
    const alone = new Set<Ring>();
    for (const hole of all.filter(({ area }) => area > 0)) {
      const around = this.#around(hole, outer);
      if (around === undefined) alone.add(hole);
      else found.get(around)?.push(hole.positions);
    }
    // In the order of the file.
    const areas = all.filter((ring) => found.has(ring) || alone.has(ring));
    return areas.map((ring) => [ring.positions, ...(found.get(ring) ?? [])]);
  }

  /** @param outer the smallest one first */
  #around(hole: Ring, outer: readonly Ring[]): Ring | undefined {
    this.#count(outer.length);
    const near = outer.filter(({ box }) => contains(box, hole.box));
    if (near.length <= 1) return near[0];
    return near.find(({ corners }) => {
      this.#count(corners.length);
      return hole.corners.slice(0, cornersCompared).some((corner) => isInside(corner, corners));
    });
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > stepsMax)
      throw new ConvertError('too-large', 'The polygons of the file have too many rings to find the holes of each. Split it.');
  }
}

function ringOf(positions: unknown): Ring {
  const corners = listOf(positions).map((each) => {
    const [x, y] = listOf(each);
    return { x: Number(x), y: Number(y) };
  });
  return { positions, corners, box: cornersBox(corners), area: doubleArea(corners) };
}
