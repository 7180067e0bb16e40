/**
 * The names of objects on a map, as elements above it: text on its canvas would need markup from text in OpenLayers. They are placed when the view
 * rests, and move with it until then. A map without names pays nothing for them.
 */

import type { Coordinate } from 'ol/coordinate.js';
import type { EventsKey } from 'ol/events.js';
import { unByKey } from 'ol/Observable.js';
import { isText, labelSizes } from '../../../../lib/draw/public-map.ts';
import type { Box } from '../../../../lib/geo/polygon.ts';
import type { Drawing } from '../drawing.ts';
import { type Corner, type LabelMode, labelOf } from '../map-document.ts';
import { isLine, type ObjectFeature } from '../object-feature.ts';
import { areaIconPx, hasIconAbove, iconUpPx } from '../painting/object-painter.ts';
import type { Padding } from '../view/viewport.ts';
import { type Labelled, placeLabels } from './place-labels.ts';

/**
 * Names that are considered, and names that are written unless they must be, at most: those that must be written, and the objects that are
 * largest on the screen.
 */
const [consideredMax, writtenMax] = [1000, 400];
/** Polygons without room for a short word have no name in the mode `auto`, in pixels. */
const roomPx = { width: 18, height: 12 };
/** Characters of a name that are written, about four lines of them; and of a text. */
const [charactersMax, textMax] = [72, 1000];
/** Longest line of a name, in its size. */
const lineEm = 10.5;
/** Sizes of names that are kept. */
const sizesMax = 10_000;
/** Distance of names from the edges of the map. */
const edgePx = 2;
const edges: Padding = [edgePx, edgePx, edgePx, edgePx];

interface Written {
  readonly element: HTMLElement;
  readonly at: Coordinate;
  readonly dx: number;
  readonly dy: number;
  readonly width: number;
  readonly height: number;
}

interface MapLabelsOptions {
  /** Boxes that no name may cover besides objects, in pixels of the map. */
  obstacles?(): readonly Box[];
  /** Names were placed. */
  onPlaced?(): void;
}

export class MapLabels {
  /** Lies above the map, with the same size. */
  readonly element: HTMLElement;
  readonly #drawing: Drawing;
  readonly #options: MapLabelsOptions;
  #mode: LabelMode = 'none';
  readonly #listening: EventsKey[];
  readonly #stopListening: () => void;
  #next = 0;
  #marked: string | undefined;
  readonly #written = new Map<string, Written>();
  readonly #sizes = new Map<string, { readonly width: number; readonly height: number }>();

  /** @param element that the names are in. They have the class `name`. */
  constructor(drawing: Drawing, element: HTMLElement, options: MapLabelsOptions = {}) {
    this.#drawing = drawing;
    this.#options = options;
    this.element = element;
    const { map } = drawing;
    this.#listening = [map.on('postrender', () => this.#follow()), map.on('moveend', () => this.#placeSoon())];
    this.#stopListening = drawing.listen(() => this.#placeSoon());
    document.fonts.addEventListener('loadingdone', this.#onFonts);
  }

  get mode(): LabelMode {
    return this.#mode;
  }

  set mode(mode: LabelMode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#placeSoon();
  }

  /** Whether the name of an object is written. */
  shows(id: string): boolean {
    return this.#written.has(id);
  }

  /** Where the name of an object is written, in pixels of the map; `undefined` if it is not. */
  boxOf(id: string): Box | undefined {
    const written = this.#written.get(id);
    const pixel = written && (this.#drawing.map.getPixelFromCoordinate(written.at) as number[] | null);
    if (written === undefined || !pixel) return undefined;
    const [left, top] = [(pixel[0] as number) + written.dx, (pixel[1] as number) + written.dy];
    return { left, top, right: left + written.width, bottom: top + written.height };
  }

  /** The text whose name is written at a pixel of the map; of several, the one that was written last. */
  textAt([x = 0, y = 0]: readonly number[]): string | undefined {
    return [...this.#written.keys()].findLast((id) => {
      const { object } = this.#drawing.featureOf(id) ?? {};
      const box = object?.interactive === true && isText(object) ? this.boxOf(id) : undefined;
      return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
  }

  /** Gives the name of an object the class `marked`; `undefined` for none. */
  mark(id: string | undefined): void {
    this.#marked = id;
    for (const [each, { element }] of this.#written) element.classList.toggle('marked', each === id);
  }

  /** Removes all names, and follows the map no longer. */
  dispose(): void {
    unByKey(this.#listening);
    this.#stopListening();
    document.fonts.removeEventListener('loadingdone', this.#onFonts);
    cancelAnimationFrame(this.#next);
    this.#clear();
  }

  #clear(): void {
    this.#written.clear();
    this.element.replaceChildren();
  }

  readonly #onFonts = (): void => {
    this.#sizes.clear();
    this.#placeSoon();
  };

  /** Once per frame, however often something has changed. */
  #placeSoon(): void {
    if (this.#next !== 0) return;
    this.#next = requestAnimationFrame(() => {
      this.#next = 0;
      const view = this.#drawing.map.getView();
      // The end of the movement places them.
      if (!view.getAnimating() && !view.getInteracting()) this.#place();
    });
  }

  /** Moves the names with the view. */
  #follow(): void {
    for (const { element, at, dx, dy } of this.#written.values()) {
      const [x = 0, y = 0] = (this.#drawing.map.getPixelFromCoordinate(at) as number[] | null) ?? [];
      element.style.transform = `translate(${Math.round(x + dx)}px, ${Math.round(y + dy)}px)`;
    }
  }

  #place(): void {
    if (this.#mode === 'none' && !this.#drawing.hasLabels) {
      if (this.#written.size > 0) this.#clear();
      return;
    }
    const { found, obstacles } = this.#inView();
    this.#measure(found);
    const labelled = found.map((each) => ({ ...each, ...(this.#sizes.get(keyOf(each)) ?? { width: 0, height: 0 }) }));
    const mode = this.#mode === 'all' ? 'all' : 'auto';
    const placed = placeLabels(labelled, mode, obstacles, found.length === 0 ? undefined : this.#visible(edges));
    const byId = new Map(labelled.map((each) => [each.id, each]));
    const gone = new Set(this.#written.keys());
    let left = writtenMax;
    for (const { id, dx, dy } of placed) {
      const each = byId.get(id) as (typeof labelled)[number];
      if (each.always === false && left-- <= 0) continue;
      const { name, size, at, width, height } = each;
      const element = this.#written.get(id)?.element ?? this.#newElement();
      if (element.textContent !== name) element.textContent = name;
      giveSize(element, size);
      element.classList.toggle('marked', id === this.#marked);
      const zoom = this.#zoom;
      this.#written.set(id, { element, at: this.#drawing.toView({ x: at.x / zoom, y: at.y / zoom }), dx, dy, width, height });
      gone.delete(id);
    }
    for (const id of gone) {
      this.#written.get(id)?.element.remove();
      this.#written.delete(id);
    }
    this.#follow();
    this.#options.onPlaced?.();
  }

  #newElement(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'name';
    // A word is not broken: its box is as wide as its longest word.
    Object.assign(element.style, { overflowWrap: 'normal', minInlineSize: 'min-content' });
    this.element.append(element);
    return element;
  }

  /** Pixels of the screen per pixel of the artboard. */
  get #zoom(): number {
    const { scale } = this.#drawing.measures;
    return scale / (this.#drawing.map.getView().getResolution() ?? scale);
  }

  /** What is in view, in pixels of the screen from the corner of the artboard. @param covered at its edges, in pixels */
  #visible([topPx, rightPx, bottomPx, leftPx]: Padding): Box {
    const { map } = this.#drawing;
    const [width = 0, height = 0] = map.getSize() ?? [];
    const [x1 = 0, , , y2 = 0] = map.getView().calculateExtent([width, height]);
    const { x, y } = this.#drawing.toArtboard([x1, y2]);
    const [left, top] = [x * this.#zoom, y * this.#zoom];
    return { left: left + leftPx, top: top + topPx, right: left + width - rightPx, bottom: top + height - bottomPx };
  }

  /** The named objects in view, the most important first, and what no name may cover. */
  #inView(): { readonly found: Found[]; readonly obstacles: (readonly [string, Box])[] } {
    const { map, objects } = this.#drawing;
    const size = map.getSize();
    const found: { readonly feature: ObjectFeature; readonly rank: number; readonly area: number }[] = [];
    const obstacles: (readonly [string, Box])[] = [];
    if (this.#drawing.artboard === undefined || size === undefined) return { found: [], obstacles };
    const resolution = map.getView().getResolution() ?? 1;
    // A name next to a spot may be in view without its spot: it is left out.
    objects.forEachFeatureInExtent(map.getView().calculateExtent(size), (feature) => {
      if (feature.isHidden || this.#drawing.isGrouped(feature)) return;
      obstacles.push(...this.#obstaclesAt(feature, resolution));
      const rank = this.#rankOf(feature);
      if (rank === 0) return;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = feature.getGeometry()?.getExtent() ?? [];
      const [width, height] = [(x2 - x1) / resolution, (y2 - y1) / resolution];
      const fits = feature.object.type === 'spot' || isLine(feature.object) || (width >= roomPx.width && height >= roomPx.height);
      if (fits || rank > 1 || this.#mode === 'all') found.push({ feature, rank, area: width * height });
    });
    const { left, top } = this.#visible([0, 0, 0, 0]);
    for (const box of this.#options.obstacles?.() ?? [])
      obstacles.push(['', { left: left + box.left, right: left + box.right, top: top + box.top, bottom: top + box.bottom }]);
    found.sort((a, b) => b.rank - a.rank || b.area - a.area || a.feature.order - b.feature.order);
    return { found: found.slice(0, consideredMax).flatMap(({ feature, rank }) => this.#found(feature, rank)), obstacles };
  }

  /** 0: no name is written; 1: if there is room; 2: in any case; 3: of the chosen object. */
  #rankOf(feature: ObjectFeature): 0 | 1 | 2 | 3 {
    const { object } = feature;
    if (object.label === 'never' || labelOf(object) === '') return 0;
    if (this.#drawing.isChosen(feature)) return 3;
    if (object.label === 'always') return 2;
    return this.#mode === 'none' || !object.interactive ? 0 : 1;
  }

  /** The spot or the icon of an object, which no name of another one may cover. */
  #obstaclesAt(feature: ObjectFeature, resolution: number): (readonly [string, Box])[] {
    const { object, look } = feature;
    const { iconScale } = this.#drawing;
    const iconUp = hasIconAbove(feature) ? iconUpPx(feature, resolution, iconScale) : undefined;
    // The point of a polygon takes a search.
    if (iconUp === undefined && object.type !== 'spot') return [];
    const { x, y } = feature.labelPoint ?? { x: 0, y: 0 };
    const around = (radius: number, up = 0): Box => ({
      ...{ left: x * this.#zoom - radius, right: x * this.#zoom + radius },
      ...{ top: y * this.#zoom - radius - up, bottom: y * this.#zoom + radius - up },
    });
    if (iconUp !== undefined) return [[`icon ${object.id}`, around((areaIconPx * iconScale) / 2, iconUp)]];
    const { fillOpacity, strokeOpacity, strokeWidth } = look.normal;
    const isSeen = object.pin || object.icon !== '' || fillOpacity > 0 || (strokeWidth > 0 && strokeOpacity > 0);
    return isSeen ? [[object.id, around(this.#radiusOf(feature))]] : [];
  }

  #radiusOf({ object: { radius } }: ObjectFeature): number {
    const zoom = this.#zoom;
    return Math.max(0, radius) * (this.#drawing.measures.keepsSize ? Math.min(1, zoom) : zoom);
  }

  /** The object in pixels of the screen; nothing for one without a shape. */
  #found(feature: ObjectFeature, rank: number): Found[] {
    const { object, labelPoint } = feature;
    if (labelPoint === undefined) return [];
    const zoom = this.#zoom;
    const scaled = ({ x, y }: Corner): Corner => ({ x: x * zoom, y: y * zoom });
    const text = isText(object);
    const isArea = object.type !== 'spot' && !isLine(object);
    return [
      {
        id: object.id,
        name: shortened(labelOf(object), text ? textMax : charactersMax),
        size: Math.max(this.#drawing.leastLabelPx, object.label_size),
        gapScale: this.#drawing.iconScale,
        at: scaled(labelPoint),
        radius: object.type === 'spot' ? this.#radiusOf(feature) : 0,
        rings: isArea ? [object.coords, ...object.holes].map((ring) => ring.map(scaled)) : undefined,
        always: text ? 'centred' : rank > 1,
        view: rank === 3 ? this.#visible(this.#drawing.covered.map((px) => px + edgePx) as unknown as Padding) : undefined,
      },
    ];
  }

  /** Sizes of names that are new, with one layout for all of them. */
  #measure(found: readonly Found[]): void {
    if (this.#sizes.size > sizesMax) this.#sizes.clear();
    const unknown = new Map(found.filter((each) => !this.#sizes.has(keyOf(each))).map((each) => [keyOf(each), each]));
    const elements = [...unknown].map(([key, { name, size }]) => {
      const element = this.#newElement();
      element.textContent = name;
      giveSize(element, size);
      return [key, element] as const;
    });
    for (const [key, { offsetWidth: width, offsetHeight: height }] of elements) this.#sizes.set(key, { width, height });
    for (const [, element] of elements) element.remove();
  }
}

/** The style sheet has the usual size. */
function giveSize(element: HTMLElement, size: number): void {
  const isUsual = size === labelSizes.usual;
  element.style.fontSize = isUsual ? '' : `${size}px`;
  element.style.maxInlineSize = isUsual ? '' : `${lineEm}em`;
}

/** Names of one text and one size have the same measures. */
const keyOf = ({ name, size }: Found): string => `${size} ${name}`;

/** The beginning of a long name. Its end is in the list, and under the pointer. */
function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  return `${name
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** A named object in view, in pixels of the screen from the corner of the artboard. */
interface Found extends Omit<Labelled, 'width' | 'height' | 'always'> {
  readonly name: string;
  /** Of the font, in CSS pixels. */
  readonly size: number;
  readonly always: boolean | 'centred';
}
