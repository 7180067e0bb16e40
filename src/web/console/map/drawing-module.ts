/** What the editor uses of the drawing that all maps share. */
export { Drawing } from '../../viewer/drawing/drawing.ts';
export { MapLabels } from '../../viewer/drawing/labels/map-labels.ts';
export {
  type LabelMode,
  type MapArtboard,
  type MapIcon,
  type MapObject,
  readArtboard,
  readIcons,
  readLabelMode,
  readObject,
} from '../../viewer/drawing/map-document.ts';
export { ObjectFeature, sameObject } from '../../viewer/drawing/object-feature.ts';
