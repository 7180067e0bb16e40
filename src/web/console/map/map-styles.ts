/** How the editor marks what is selected, its corners, and a polygon that is being drawn. */
import LineString from 'ol/geom/LineString.js';
import MultiPoint from 'ol/geom/MultiPoint.js';
import Polygon from 'ol/geom/Polygon.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import RegularShape from 'ol/style/RegularShape.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';

const accent = '#1d4ed8';

const outline = (colour: string, width: number, zIndex: number) =>
  new Style({ stroke: new Stroke({ color: colour, width }), zIndex });

/** A dark line between two light ones is visible on every background. The dark ones are above all light ones: so many are drawn at once. */
export const selectedStyle = [outline('#ffffff', 6, 0), outline(accent, 2.5, 1)];

export const handle = new Style({
  image: new CircleStyle({ radius: 6, fill: new Fill({ color: '#ffffff' }), stroke: new Stroke({ color: accent, width: 2 }) }),
});

/** Corners up to which all of them have a handle; beyond, only those near the pointer. */
const handlesMax = 500;

/** The corners that can be moved, also those of holes. */
function cornersIn(geometry: unknown): number[][] {
  if (geometry instanceof LineString) return geometry.getCoordinates();
  return geometry instanceof Polygon ? geometry.getCoordinates().flatMap((ring) => ring.slice(0, -1)) : [];
}

/** A handle at each corner. */
export const cornersStyle = new Style({
  geometry: (feature) => {
    const corners = cornersIn(feature.getGeometry());
    return new MultiPoint(corners.length <= handlesMax ? corners : []);
  },
  image: handle.getImage() as CircleStyle,
});

export const sketchStyle = [
  new Style({ fill: new Fill({ color: 'rgba(29, 78, 216, 0.15)' }), stroke: new Stroke({ color: '#ffffff', width: 4 }) }),
  new Style({ stroke: new Stroke({ color: accent, width: 2 }) }),
];

export const brushStyle = new Style({
  fill: new Fill({ color: 'rgba(29, 78, 216, 0.1)' }),
  stroke: new Stroke({ color: accent, width: 1.5, lineDash: [5, 4] }),
});

/** The box around several selected objects, and its corners. */
export const frameStyle = new Style({ stroke: new Stroke({ color: accent, width: 1 }) });
export const frameHandle = new Style({
  image: new RegularShape({
    points: 4,
    radius: 7,
    angle: Math.PI / 4,
    fill: new Fill({ color: '#ffffff' }),
    stroke: new Stroke({ color: accent, width: 2 }),
  }),
});

export const guideStyle = new Style({ stroke: new Stroke({ color: '#c026d3', width: 1.5 }) });

const cross = (colour: string, width: number) =>
  new Style({
    image: new RegularShape({ points: 4, radius: 12, radius2: 0, angle: 0, stroke: new Stroke({ color: colour, width }) }),
  });

/** The place that arrow keys move: a cross that is visible on every background. */
export const cursorStyle = [cross('#ffffff', 5), cross(accent, 2)];
