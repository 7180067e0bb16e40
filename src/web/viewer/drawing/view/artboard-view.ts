/** An artboard in a view of OpenLayers: what of it is visible, what is where on the screen, and the movements of the view. */
import type { Coordinate } from 'ol/coordinate.js';
import { type Extent, getCenter, getHeight, getWidth } from 'ol/extent.js';
import Circle from 'ol/geom/Circle.js';
import type Geometry from 'ol/geom/Geometry.js';
import Polygon from 'ol/geom/Polygon.js';
import type Interaction from 'ol/interaction/Interaction.js';
import OlMap from 'ol/Map.js';
import type { Pixel } from 'ol/pixel.js';
import type VectorSource from 'ol/source/Vector.js';
import type { Box } from '../../../../lib/geo/polygon.ts';
import type { ArtboardFrame } from '../artboard-frame.ts';
import { DrawnObjects, discOf } from '../drawn-objects.ts';
import { groupedFrom, groupRadius } from '../groups/group-spots.ts';
import type { Corner, MapObject } from '../map-document.ts';
import { isLine, type ObjectFeature } from '../object-feature.ts';
import { ObjectMarks } from '../object-marks.ts';
import { ringPx } from '../painting/mark-painter.ts';
import { type Disc, separating } from './stand-alone.ts';
import { type CoveredCorner, type Padding, Viewport } from './viewport.ts';

/** A line reacts at least within this distance, in pixels. */
const lineReachPx = 6;
/** A polygon or a line that is searched for is at least this large, in pixels. */
const visiblePx = 32;

export abstract class ArtboardView {
  /** The map of OpenLayers. */
  readonly map: OlMap;
  /** The features of all objects of the artboard, each an {@link ObjectFeature}. */
  readonly objects: VectorSource<ObjectFeature>;
  /** True if many spots are drawn as groups. */
  groupsSpots = false;
  protected readonly drawn = new DrawnObjects();
  protected readonly marks: ObjectMarks;
  protected readonly viewport: Viewport;
  protected readonly animates: () => boolean;
  protected frame: ArtboardFrame | undefined;

  /** @param target the element that the map fills @param animates whether movements take time; asked before each */
  constructor(target: HTMLElement, interactions: Interaction[], animates: () => boolean, pixelRatio = devicePixelRatio) {
    this.map = new OlMap({ target, controls: [], interactions, layers: [], pixelRatio });
    this.objects = this.drawn.source;
    this.marks = new ObjectMarks(this.map, this.drawn);
    this.viewport = new Viewport(this.map, animates);
    this.animates = animates;
  }

  /** The scale of icons and groups, which do not grow with the map. */
  get iconScale(): number {
    return this.drawn.iconScale;
  }

  /** True if there are perhaps names to write in each mode. */
  get hasLabels(): boolean {
    return this.drawn.hasLabels || this.marks.chosen !== undefined;
  }

  isChosen(feature: ObjectFeature): boolean {
    return feature === this.marks.chosen;
  }

  isGrouped(feature: ObjectFeature): boolean {
    return this.marks.isGrouped(feature);
  }

  /** Shows the whole artboard, or all of its objects, now or once the map has a size. */
  fit(animate = true): void {
    this.viewport.fit(animate);
  }

  /** Shows the first view again. */
  showFirst(): void {
    this.viewport.first();
  }

  /** Space that other elements cover: the artboard is fitted into the rest. @param corner see {@link CoveredCorner} */
  setPadding(padding: Padding, corner?: CoveredCorner): void {
    this.viewport.setPadding(padding, corner);
  }

  /** Space at the edges that other elements cover, in pixels: the padding, and what the last {@link reveal} named while an object is chosen. */
  get covered(): Padding {
    return this.viewport.covered;
  }

  /**
   * Moves the view, and changes its zoom only if needed, so that an object is in it.
   *
   * @param covered space that other elements cover, in addition to the padding
   */
  reveal(id: string, covered?: Padding): void {
    const geometry = this.#shapeOf(id);
    if (geometry !== undefined) this.viewport.reveal(geometry.getExtent(), covered);
  }

  /**
   * Moves an object into view, and zooms in until it stands alone: no spot touches it, it is in no group, or has a visible size.
   *
   * @param covered as for {@link reveal}
   */
  separate(id: string, covered?: Padding): void {
    const feature = this.featureOf(id);
    const resolution = this.map.getView().getResolution();
    const box = this.#shapeOf(id)?.getExtent();
    if (feature === undefined || resolution === undefined || box === undefined) return;
    const wanted = this.#resolutionFor(feature, box, resolution);
    if (wanted < resolution) this.viewport.centreOn(box, wanted, covered);
    else this.viewport.reveal(box, covered);
  }

  #resolutionFor(feature: ObjectFeature, box: Extent, resolution: number): number {
    const { scale, keepsSize } = this.measures;
    const minResolution = this.map.getView().getMinResolution();
    const [disc] = discOf(feature);
    if (disc === undefined)
      return Math.max(minResolution, Math.min(resolution, Math.max(getWidth(box), getHeight(box)) / visiblePx));
    const others = this.drawn.spotsBeside(feature);
    const [width = 0, height = 0] = this.map.getSize() ?? [];
    // The middle of what is not covered is perhaps not that of the map.
    const isNear = (at: number) => (other: Disc) =>
      Math.abs(other.x - disc.x) <= 0.75 * width * at && Math.abs(other.y - disc.y) <= 0.75 * height * at;
    return separating(disc, others, {
      ...{ resolution, minResolution },
      sizeAt: (at) => (keepsSize ? Math.min(1, scale / at) : scale / at),
      groupedWithin: (at) =>
        this.groupsSpots && others.filter(isNear(at)).length + 1 >= groupedFrom ? groupRadius(at) * this.iconScale : 0,
    });
  }

  /** Zooms in, so that a box of the view fills the map as far as possible. */
  zoomInto(box: Extent): void {
    this.viewport.zoomInto(box);
  }

  /** Zooms by a number of steps. */
  zoomBy(steps: number): void {
    this.viewport.zoomBy(steps);
  }

  /**
   * The topmost interactive object at a pixel of the map.
   *
   * @param tolerance distance from an object at which it still counts, in pixels
   */
  objectAt(pixel: Pixel, tolerance = 0): MapObject | undefined {
    const frame = this.frame;
    const resolution = this.map.getView().getResolution();
    const at = this.map.getCoordinateFromPixel(pixel) as Coordinate | null;
    if (frame === undefined || resolution === undefined || at === null) return undefined;
    const radiusShare = this.#radiusShare;
    const sizes = { sizeScale: frame.scale * radiusShare, radiusShare };
    const options = { ...sizes, tolerance: tolerance * resolution, lineReach: lineReachPx * resolution };
    const isFound = (feature: ObjectFeature) => feature.object.interactive && !feature.isHidden && !this.isGrouped(feature);
    return this.drawn.topAt(at, options, isFound, (feature) => this.isChosen(feature))?.object;
  }

  featureOf(id: string): ObjectFeature | undefined {
    return this.drawn.featureOf(id);
  }

  /** The artboard in the view, its scale, and whether it is a map. */
  get measures(): Pick<ArtboardFrame, 'extent' | 'scale' | 'keepsSize'> {
    return this.frame as ArtboardFrame;
  }

  /** A coordinate of the view in pixels of the artboard. */
  toArtboard(coordinate: Coordinate): Corner {
    return (this.frame as ArtboardFrame).toArtboard(coordinate);
  }

  /** A point of the artboard as a coordinate of the view. */
  toView(corner: Corner): Coordinate {
    return (this.frame as ArtboardFrame).toView(corner);
  }

  /** `undefined` for an object without a shape, or a hidden one. */
  #shapeOf(id: string): Geometry | undefined {
    const feature = this.featureOf(id);
    return feature?.isHidden === false ? feature.getGeometry() : undefined;
  }

  /** A point of an object in the view: its centre, a point inside of a polygon, or the middle of a line; `undefined` for an object without a shape. */
  anchorOf(id: string): Coordinate | undefined {
    const geometry = this.#shapeOf(id);
    const { object, labelPoint } = this.featureOf(id) ?? {};
    if (geometry === undefined || object === undefined) return undefined;
    if (geometry instanceof Polygon) return geometry.getInteriorPoint().getCoordinates();
    return isLine(object) && labelPoint !== undefined ? this.toView(labelPoint) : getCenter(geometry.getExtent());
  }

  /** The box of an object on the map, in pixels; `undefined` while nothing is drawn, and for an object without a shape. */
  boxOf(id: string): Box | undefined {
    const geometry = this.#shapeOf(id);
    if (geometry === undefined) return undefined;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = geometry.getExtent();
    const [left, top] = (this.map.getPixelFromCoordinate([x1, y2]) as number[] | null) ?? [];
    const [right, bottom] = (this.map.getPixelFromCoordinate([x2, y1]) as number[] | null) ?? [];
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return undefined;
    // A spot on Earth stays within its own size: its circle grows with the map.
    const less = geometry instanceof Circle ? ((right - left) / 2) * (1 - this.#radiusShare) : 0;
    return { left: left + less, top: top + less, right: right - less, bottom: bottom - less };
  }

  /** The share of the radius of its circle with which a spot is drawn. */
  get #radiusShare(): number {
    const { scale, keepsSize } = this.measures;
    return keepsSize ? Math.min(1, (this.map.getView().getResolution() ?? scale) / scale) : 1;
  }

  /** The box of the chosen spot with its ring, in pixels of the map; `undefined` if none is chosen. */
  get chosenSpot(): Box | undefined {
    const { chosen } = this.marks;
    const box = chosen?.object.type === 'spot' ? this.boxOf(chosen.object.id) : undefined;
    return box && { left: box.left - ringPx, top: box.top - ringPx, right: box.right + ringPx, bottom: box.bottom + ringPx };
  }
}
