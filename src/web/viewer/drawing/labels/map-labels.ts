/**
 * The names of objects on a map, as elements above it: text on its canvas would need markup from text in OpenLayers. They are placed when the view
 * rests, and move with it until then. Without names, a map pays nothing for them.
 */

import type { Coordinate } from 'ol/coordinate.js';
import type { EventsKey } from 'ol/events.js';
import { unByKey } from 'ol/Observable.js';
import type { Box } from '../../../../lib/geo/polygon.ts';
import type { Drawing } from '../drawing.ts';
import { type Corner, type LabelMode, type MapObject, nameOf } from '../map-document.ts';
import type { ObjectFeature } from '../object-feature.ts';
import { labelPoint } from './label-point.ts';
import { type Labelled, placeLabels } from './place-labels.ts';

/** Names that are considered, and names that are written, at most: the objects that are largest on the screen. */
const [consideredMax, writtenMax] = [1000, 400];
/** Polygons without room for a short word have no name in the mode `auto`, in pixels. */
const roomPx = { width: 18, height: 12 };
/** Characters of a name that are written, about four lines of them. */
const charactersMax = 72;
/** Sizes of names that are kept. */
const sizesMax = 10_000;
/** Distance of names from the edges of the map. */
const edgePx = 2;

interface Written {
  readonly element: HTMLElement;
  readonly at: Coordinate;
  readonly dx: number;
  readonly dy: number;
}

export class MapLabels {
  /** Lies above the map, with the same size. */
  readonly element: HTMLElement;
  readonly #drawing: Drawing;
  #mode: LabelMode = 'none';
  #listening: EventsKey[] = [];
  #stopListening: (() => void) | undefined;
  #next = 0;
  readonly #written = new Map<string, Written>();
  readonly #sizes = new Map<string, { readonly width: number; readonly height: number }>();
  /** Points of polygons; an object that changes has other corners. */
  readonly #points = new WeakMap<readonly Corner[], Corner>();

  /** @param element that the names are in. They have the class `name`. */
  constructor(drawing: Drawing, element: HTMLElement) {
    this.#drawing = drawing;
    this.element = element;
  }

  get mode(): LabelMode {
    return this.#mode;
  }

  set mode(mode: LabelMode) {
    if (mode === this.#mode) return;
    const isOn = this.#mode !== 'none';
    this.#mode = mode;
    if (mode === 'none') this.dispose();
    else {
      if (!isOn) this.#listen();
      this.#placeSoon();
    }
  }

  /** Whether the name of an object is written. */
  shows(id: string): boolean {
    return this.#written.has(id);
  }

  /** Removes all names, and follows the map no longer. */
  dispose(): void {
    this.#mode = 'none';
    unByKey(this.#listening);
    this.#listening = [];
    this.#stopListening?.();
    document.fonts.removeEventListener('loadingdone', this.#onFonts);
    cancelAnimationFrame(this.#next);
    this.#next = 0;
    this.#written.clear();
    this.element.replaceChildren();
  }

  #listen(): void {
    const { map } = this.#drawing;
    this.#listening = [map.on('postrender', () => this.#follow()), map.on('moveend', () => this.#placeSoon())];
    this.#stopListening = this.#drawing.listen(() => this.#placeSoon());
    document.fonts.addEventListener('loadingdone', this.#onFonts);
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
    const found = this.#inView();
    this.#measure(found.map(({ name }) => name));
    const labelled: Labelled[] = found.map(({ name, ...each }) => ({
      ...each,
      ...(this.#sizes.get(name) ?? { width: 0, height: 0 }),
    }));
    const mode = this.#mode === 'all' ? 'all' : 'auto';
    const visible = found.length === 0 ? undefined : this.#visible;
    const placed = placeLabels(labelled, mode, spotsOf(found), visible).slice(0, writtenMax);
    const byId = new Map(found.map((each) => [each.id, each]));
    const gone = new Set(this.#written.keys());
    for (const { id, dx, dy } of placed) {
      const { name, at } = byId.get(id) as Found;
      const element = this.#written.get(id)?.element ?? this.#newElement();
      if (element.textContent !== name) element.textContent = name;
      const zoom = this.#zoom;
      this.#written.set(id, { element, at: this.#drawing.toView({ x: at.x / zoom, y: at.y / zoom }), dx, dy });
      gone.delete(id);
    }
    for (const id of gone) {
      this.#written.get(id)?.element.remove();
      this.#written.delete(id);
    }
    this.#follow();
  }

  #newElement(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'name';
    this.element.append(element);
    return element;
  }

  /** Pixels of the screen per pixel of the artboard. */
  get #zoom(): number {
    const { scale } = this.#drawing.measures;
    return scale / (this.#drawing.map.getView().getResolution() ?? scale);
  }

  /** What is in view, in pixels of the screen from the corner of the artboard. */
  get #visible(): Box {
    const { map } = this.#drawing;
    const [width = 0, height = 0] = map.getSize() ?? [];
    const [x1 = 0, , , y2 = 0] = map.getView().calculateExtent([width, height]);
    const { x, y } = this.#drawing.toArtboard([x1, y2]);
    const [left, top] = [x * this.#zoom + edgePx, y * this.#zoom + edgePx];
    return { left, top, right: left + width - 2 * edgePx, bottom: top + height - 2 * edgePx };
  }

  /** The named objects in view, the largest first. */
  #inView(): Found[] {
    const { map, objects, measures } = this.#drawing;
    const size = map.getSize();
    if (this.#drawing.artboard === undefined || size === undefined) return [];
    const resolution = map.getView().getResolution() ?? 1;
    const found: { readonly feature: ObjectFeature; readonly area: number }[] = [];
    // A name next to a spot may be in view without its spot: it is left out.
    objects.forEachFeatureInExtent(map.getView().calculateExtent(size), (feature) => {
      const { object } = feature;
      if (feature.isHidden || !object.interactive || nameOf(object) === '' || this.#drawing.isGrouped(feature)) return;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = feature.getGeometry()?.getExtent() ?? [];
      const [width, height] = [(x2 - x1) / resolution, (y2 - y1) / resolution];
      const hasRoom = object.type === 'spot' || (width >= roomPx.width && height >= roomPx.height);
      if (hasRoom || this.#mode === 'all') found.push({ feature, area: width * height });
    });
    found.sort((a, b) => b.area - a.area || a.feature.order - b.feature.order);
    return found.slice(0, consideredMax).flatMap(({ feature: { object } }) => this.#found(object, measures.keepsSize));
  }

  /** The object in pixels of the screen; nothing for a polygon without an area. */
  #found(object: MapObject, keepsSize: boolean): Found[] {
    const { id, type, x, y, radius, coords } = object;
    const zoom = this.#zoom;
    const name = shortened(nameOf(object));
    if (type === 'spot') {
      const size = Math.max(0, radius) * (keepsSize ? Math.min(1, zoom) : zoom);
      return [{ id, name, at: { x: x * zoom, y: y * zoom }, radius: size, corners: undefined }];
    }
    if (coords.length < 3) return [];
    const corners = coords.map((corner) => ({ x: corner.x * zoom, y: corner.y * zoom }));
    const point = this.#points.get(coords) ?? labelPoint(coords);
    this.#points.set(coords, point);
    return [{ id, name, at: { x: point.x * zoom, y: point.y * zoom }, radius: 0, corners }];
  }

  /** Sizes of names that are new, with one layout for all of them. */
  #measure(names: readonly string[]): void {
    if (this.#sizes.size > sizesMax) this.#sizes.clear();
    const unknown = [...new Set(names)].filter((name) => !this.#sizes.has(name));
    const elements = unknown.map((name) => {
      const element = this.#newElement();
      element.textContent = name;
      return element;
    });
    for (const [at, name] of unknown.entries()) {
      const { offsetWidth: width = 0, offsetHeight: height = 0 } = elements[at] ?? {};
      this.#sizes.set(name, { width, height });
    }
    for (const element of elements) element.remove();
  }
}

/** A name in a few lines. Its end is in the list, and under the pointer. */
function shortened(name: string): string {
  if (name.length <= charactersMax) return name;
  return `${name
    .slice(0, charactersMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** A named object in view, in pixels of the screen from the corner of the artboard. */
interface Found extends Omit<Labelled, 'width' | 'height'> {
  readonly name: string;
}

function spotsOf(found: readonly Found[]): Map<string, Box> {
  const spots = new Map<string, Box>();
  for (const { id, at, radius, corners } of found) {
    if (corners !== undefined) continue;
    spots.set(id, { left: at.x - radius, top: at.y - radius, right: at.x + radius, bottom: at.y + radius });
  }
  return spots;
}
