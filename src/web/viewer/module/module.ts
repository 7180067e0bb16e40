/**
 * The module `mapwright/viewer`: the script of `viewer.js` for programs that a bundler builds. Its parts are imports that bundlers see, so that they are
 * in the build of the program. The build of the package puts the scripts that servers send in the place of these imports, so that the package has them
 * once. Where there is no DOM, the module defines no element.
 */
import type { PartLoaders } from '../element/parts/viewer-part.ts';
import { MapwrightMapElement, parts } from '../viewer.ts';
import { acceptAttributesAsProperties } from './attribute-properties.ts';

const loaders: PartLoaders = {
  panel: () => import('../element/panel/panel-part.ts'),
  details: () => import('../element/details/details-part.ts'),
  wall: () => import('../element/wall/wall-part.ts'),
  outlines: () => import('./outlines-module.ts'),
  share: () => import('../element/share/share-part.ts'),
  visits: () => import('../element/visits/visits-part.ts'),
};
parts.load = (name) => loaders[name]();
acceptAttributesAsProperties(MapwrightMapElement.prototype);

export type { FallbackTile } from '../drawing/ground/tile-requests.ts';
export type { MapArtboard, MapObject, MapPopup } from '../drawing/map-document.ts';
export type {
  MapwrightMapAttributes,
  MapwrightMapEventMap,
  MapwrightMapListeners,
  MapwrightMapProperties,
  MapwrightMapVueListeners,
} from './element-types.ts';
export { MapwrightMapElement };
