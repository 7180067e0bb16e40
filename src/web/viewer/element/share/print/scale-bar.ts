/** A bar that says how long a distance on Earth is on the paper. */
import { mercatorOf } from '../../../../../lib/geo/geo.ts';

export interface ScaleBar {
  /** CSS pixels. */
  readonly width: number;
  /** The distance with its unit. */
  readonly label: string;
}

/** Radius of the sphere of Web Mercator, in metres. */
const earthRadius = mercatorOf(0, 180).x / Math.PI;

/**
 * The bar of a round distance, at the middle of the map.
 *
 * @param resolution metres of Web Mercator per pixel
 * @param y of the middle, in metres of Web Mercator: there, a metre of it is shorter on Earth
 * @param most its greatest width, in pixels
 */
export function scaleBarFor(resolution: number, y: number, most: number, languages: readonly string[]): ScaleBar {
  const metres = resolution / Math.cosh(y / earthRadius);
  const distance = roundedDown(metres * most);
  const [value, unit] = distance >= 1000 ? [distance / 1000, 'kilometer'] : [distance, 'meter'];
  const format = new Intl.NumberFormat([...languages], { style: 'unit', unit, maximumSignificantDigits: 3 });
  return { width: distance / metres, label: format.format(value) };
}

/** The greatest of 1, 2 and 5, and ten times and a tenth of them, and so on, that is not greater. */
function roundedDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [5, 2].find((each) => each * power <= value) ?? 1;
  return step * power;
}
