/** What an import would create, drawn above the artboard: the same shapes and colours, paler, with a dashed outline; small spots as they will be. */
import { createEmpty, type Extent, extend, isEmpty } from 'ol/extent.js';
import Feature from 'ol/Feature.js';
import LineString from 'ol/geom/LineString.js';
import Point from 'ol/geom/Point.js';
import Polygon from 'ol/geom/Polygon.js';
import VectorImageLayer from 'ol/layer/VectorImage.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import type { Members } from '../kinds/resource-kinds.ts';
import { type Drawing, type MapObject, readObject } from './drawing-module.ts';

const outline = new Stroke({ color: '#1d4ed8', width: 1, lineDash: [4, 3] });
/** Spots below this radius on the screen have no outline and their full colour: it would not be seen otherwise. */
const outlinedRadiusMin = 4;
/** Opaque objects are shown paler. */
const opacityMax = 0.6;
/** Least radius and width on the screen, so that each spot and each line is visible. */
const radiusMin = 2;
const lineWidthMin = 1;

/** A point, a polygon or a line in the view; `undefined` for a polygon or a line without an edge. */
export function geometryOn(drawing: Drawing, object: MapObject): Point | Polygon | LineString | undefined {
  const { type, x, y, coords, holes, closed } = object;
  if (type === 'spot') return new Point(drawing.toView({ x, y }));
  if (coords.length < 2) return undefined;
  const inView = (corners: readonly (typeof coords)[number][]) => corners.map((corner) => drawing.toView(corner));
  if (!closed) return new LineString(inView(coords));
  const rings = [coords, ...holes.filter(({ length }) => length >= 3)].map(inView);
  return new Polygon(rings.map((corners) => [...corners, corners[0] as number[]]));
}

/** Pixels on the screen of a radius in pixels of the artboard. */
export function radiusOnScreen({ measures }: Drawing, radius: number, resolution: number): number {
  const zoom = measures.scale / resolution;
  return radius * (measures.keepsSize ? Math.min(1, zoom) : zoom);
}

export class GhostLayer {
  readonly layer: VectorImageLayer<VectorSource<Feature>>;
  readonly #source = new VectorSource<Feature>({ wrapX: false });
  readonly #drawing: Drawing;
  readonly #styles = new Map<string, Style[]>();
  /** The box that was brought into view last. */
  #shown = '';

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
    this.layer = new VectorImageLayer({
      source: this.#source,
      style: (feature, resolution) => this.#styleOf(feature, resolution),
    });
  }

  show(objects: readonly Members[]): void {
    this.#source.clear(true);
    this.#source.addFeatures(objects.flatMap((object) => this.#featureOf(readObject(object)) ?? []));
    this.#source.changed();
  }

  clear(): void {
    this.#source.clear();
    this.#shown = '';
  }

  /** Brings everything into view, unless that was done for the same place before. */
  fit(artboard: Extent): void {
    const box = this.#source.getExtent() ?? createEmpty();
    if (isEmpty(box) && this.#source.getFeatures().length === 0) return;
    const key = box.join();
    if (key === this.#shown) return;
    this.#shown = key;
    const { map } = this.#drawing;
    const [width = 0, height = 0] = map.getSize() ?? [];
    const side = Math.min(40, width / 5, height / 5);
    map.getView().fit(extend(box.slice(), artboard), { padding: [side, side, side, side] });
  }

  #featureOf(object: MapObject): Feature | undefined {
    const geometry = geometryOn(this.#drawing, object);
    if (geometry === undefined) return undefined;
    const feature = new Feature(geometry);
    feature.set('look', object, true);
    return feature;
  }

  #styleOf(feature: { get(name: string): unknown }, resolution: number): Style[] {
    const object = feature.get('look') as MapObject;
    const isSpot = object.type === 'spot';
    const isLine = !isSpot && !object.closed;
    const size = isSpot ? object.radius : isLine ? object.stroke_width : 0;
    const least = isSpot ? radiusMin : lineWidthMin;
    const onScreen = Math.round(radiusOnScreen(this.#drawing, size, resolution) * 2) / 2;
    const pixels = isSpot || isLine ? Math.max(least, onScreen) : 0;
    const [color, opacity] = isLine ? [object.stroke_color, object.stroke_opacity] : [object.color, object.opacity];
    const isSmall = isSpot && pixels < outlinedRadiusMin;
    const key = `${isSpot ? 'spot' : isLine ? 'line' : 'area'} ${color} ${opacity} ${pixels}`;
    let styles = this.#styles.get(key);
    if (styles === undefined) {
      const alpha = Math.round(255 * (isSmall ? opacity : Math.min(opacityMax, opacity)));
      const own = (/^#[\da-f]{6}$/i.test(color) ? color : '#3b82f6') + alpha.toString(16).padStart(2, '0');
      styles = isSpot ? [spotStyle(own, pixels)] : isLine ? lineStyles(own, pixels) : [areaStyle(own)];
      if (this.#styles.size > 2000) this.#styles.clear();
      this.#styles.set(key, styles);
    }
    return styles;
  }
}

const areaStyle = (color: string): Style => new Style({ fill: new Fill({ color }), stroke: outline });

function spotStyle(color: string, radius: number): Style {
  const fill = new Fill({ color });
  return new Style({ image: new CircleStyle({ radius, fill, ...(radius < outlinedRadiusMin ? {} : { stroke: outline }) }) });
}

const lineStyles = (color: string, width: number): Style[] => [
  new Style({ stroke: new Stroke({ color, width: width + 2 }) }),
  new Style({ stroke: outline }),
];
