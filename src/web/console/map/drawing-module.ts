/** What the editor uses of the drawing that all maps share. */
export { Drawing } from '../../viewer/drawing/drawing.ts';
export { type MapArtboard, type MapObject, readArtboard, readObject } from '../../viewer/drawing/map-document.ts';
export { ObjectFeature } from '../../viewer/drawing/object-feature.ts';
