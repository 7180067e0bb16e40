/** An artboard on a map of Berlin, and places on it, for tests of places; and the projection, whose own tests are in test/lib/geo. */
import type { Place } from '../../src/lib/geo/geo.ts';

export { type MapArea, ringToPixels, toPixels } from '../../src/lib/geo/geo.ts';
export type { Place };

export const berlin = { type: 'osm', width: 800, height: 600, osm_lat: 52.52, osm_lng: 13.405, osm_zoom: 12 } as const;
export const tower: Place = { lat: 52.5208, lng: 13.4094 };
/** Corners of a polygon. */
export const park: readonly Place[] = [
  { lat: 52.515, lng: 13.35 },
  { lat: 52.515, lng: 13.375 },
  { lat: 52.51, lng: 13.36 },
];
