/**
 * Draws many spots as groups with their number, as elements above the map, while there are too many in view to tell them apart. Spots are grouped
 * when the view rests after a movement of the visitor, never by a change of the objects: nothing moves away under the pointer.
 */
import type { Coordinate } from 'ol/coordinate.js';
import type { EventsKey } from 'ol/events.js';
import { containsXY, type Extent, equals, extend } from 'ol/extent.js';
import { unByKey } from 'ol/Observable.js';
import { isText } from '../../../../lib/draw/public-map.ts';
import { type Box, overlap } from '../../../../lib/geo/polygon.ts';
import type { Drawing } from '../drawing.ts';
import type { ObjectFeature } from '../object-feature.ts';
import { groupedFrom, groupRadius, groupSpots, levelOf } from './group-spots.ts';

/** Radius of the picture of a group, in pixels; the style sheet has the same, and that of a wall is as much larger as its names are. */
const picturePx = 18;

interface Grouped {
  readonly feature: ObjectFeature;
  readonly x: number;
  readonly y: number;
}

export interface DrawnGroup {
  readonly at: Coordinate;
  /** Those that still exist. */
  members: readonly Grouped[];
  /** Of a group in view. */
  element?: HTMLElement | undefined;
}

/** A text is written, however many spots there are. */
const isGroupable = ({ object }: ObjectFeature): boolean => object.type === 'spot' && !isText(object);

const isDrawn = (feature: ObjectFeature): boolean => isGroupable(feature) && !feature.isHidden;

const isOutOfSight = ({ style }: HTMLElement): boolean => style.visibility === 'hidden';

const boxAround = ([x, y]: readonly [number, number], radius: number): Box => ({
  ...{ left: x - radius, top: y - radius },
  ...{ right: x + radius, bottom: y + radius },
});

const count = new Intl.NumberFormat(undefined, { notation: 'compact' });

export class SpotGroups {
  /** Lies above the map, with the same size. */
  readonly element: HTMLElement;
  readonly #drawing: Drawing;
  #isOff = false;
  #groups: readonly DrawnGroup[] = [];
  /** All spots in their order, hidden ones too; `undefined` after a change of them. */
  #spots: readonly Grouped[] | undefined;
  /** What was in view when spots were grouped. */
  #extent: Extent | undefined;
  /** The zoom for which there are groups. */
  #level: number | undefined;
  readonly #listening: EventsKey[];
  readonly #stopListening: () => void;

  constructor(drawing: Drawing, element: HTMLElement) {
    this.#drawing = drawing;
    this.element = element;
    drawing.groupsSpots = true;
    this.#listening = [drawing.map.on('postrender', () => this.#follow()), drawing.map.on('moveend', () => this.#onMoved())];
    this.#stopListening = drawing.listen((what) => {
      if (what !== 'filter') this.#spots = undefined;
      if (what === 'some') this.#forgetGone();
      else this.#restart();
    });
  }

  /** Whether every spot is drawn by itself. */
  set isOff(is: boolean) {
    if (is === this.#isOff) return;
    this.#isOff = is;
    this.#drawing.groupsSpots = !is;
    this.#restart();
  }

  /** The group at a pixel of the map. @param tolerance distance at which it still counts, in pixels */
  at([x = 0, y = 0]: readonly number[], tolerance = 0): DrawnGroup | undefined {
    return this.#groups.find(({ at, element }) => {
      if (element === undefined) return false;
      const [groupX, groupY] = this.#pixelOf(at);
      return Math.hypot(groupX - x, groupY - y) <= this.#radiusPx + tolerance;
    });
  }

  /** Where groups are drawn, in pixels of the map. */
  get boxes(): Box[] {
    return this.#groups.flatMap(({ at, element }) =>
      element === undefined || isOutOfSight(element) ? [] : [boxAround(this.#pixelOf(at), this.#radiusPx)],
    );
  }

  get #radiusPx(): number {
    return picturePx * this.#drawing.iconScale;
  }

  #pixelOf(at: Coordinate): readonly [number, number] {
    const [x = 0, y = 0] = (this.#drawing.map.getPixelFromCoordinate(at) as number[] | null) ?? [];
    return [x, y];
  }

  /** Zooms to the spots of a group. `false` if the map cannot zoom further. */
  zoomTo({ members }: DrawnGroup): boolean {
    const view = this.#drawing.map.getView();
    if ((view.getResolution() ?? 0) <= view.getMinResolution() * 1.01) return false;
    const extent = members.reduce<Extent>(
      (all, { feature }) => extend(all, feature.getGeometry()?.getExtent() ?? all),
      [...(members[0]?.feature.getGeometry()?.getExtent() ?? [])],
    );
    if (extent.length > 0) this.#drawing.zoomInto(extent);
    return true;
  }

  dispose(): void {
    unByKey(this.#listening);
    this.#stopListening();
    this.#show([]);
  }

  /** Other objects, or others of them are hidden. */
  #restart(): void {
    this.#show([]);
    this.#level = undefined;
    this.#regroup();
  }

  /** OpenLayers reports the second picture of a map as a movement, too, though it shows the same. */
  #onMoved(): void {
    const extent = this.#inView;
    if (extent === undefined || this.#extent === undefined || !equals(extent, this.#extent)) this.#regroup();
  }

  /** `undefined` while the map has no size or shows no artboard. */
  get #inView(): Extent | undefined {
    const { map } = this.#drawing;
    const view = map.getView();
    const size = map.getSize();
    return size === undefined || !view.isDef() ? undefined : view.calculateExtent(size);
  }

  #regroup(): void {
    const extent = this.#inView;
    this.#extent = extent;
    const resolution = this.#drawing.map.getView().getResolution();
    if (this.#isOff || extent === undefined || resolution === undefined || !this.#isCrowded(extent)) {
      this.#level = undefined;
      this.#show([]);
      return;
    }
    const level = levelOf(resolution);
    if (level !== this.#level) {
      this.#level = level;
      this.#show(
        groupSpots(this.#shownSpots, groupRadius(resolution) * this.#drawing.iconScale).map(
          ({ x, y, members }): DrawnGroup => ({ at: [x, y], members }),
        ),
      );
    }
    this.#renderInView();
  }

  /** Whether there are too many spots in view. */
  #isCrowded(extent: Extent): boolean {
    let count = 0;
    return this.#shownSpots.some(({ x, y }) => containsXY(extent, x, y) && ++count >= groupedFrom);
  }

  get #shownSpots(): Grouped[] {
    this.#spots ??= this.#placed();
    return this.#spots.filter(({ feature }) => !feature.isHidden);
  }

  #placed(): Grouped[] {
    const spots: Grouped[] = [];
    for (const feature of this.#drawing.objects.getFeatures()) {
      if (!isGroupable(feature)) continue;
      const [x = 0, y = 0] = this.#drawing.toView(feature.object);
      spots.push({ feature, x, y });
    }
    return spots.sort((a, b) => a.feature.order - b.feature.order);
  }

  #show(groups: readonly DrawnGroup[]): void {
    if (groups.length === 0 && this.#groups.length === 0) return;
    for (const { element } of this.#groups) element?.remove();
    this.#groups = groups;
    this.#drawing.setGrouped(new Set(groups.flatMap(({ members }) => members.map(({ feature }) => feature))));
  }

  /** Makes the elements of groups in view, and removes others. */
  #renderInView(): void {
    const { map } = this.#drawing;
    const [width = 0, height = 0] = map.getSize() ?? [];
    for (const group of this.#groups) {
      const [x, y] = this.#pixelOf(group.at);
      const radius = this.#radiusPx;
      const isInView = x > -radius && y > -radius && x < width + radius && y < height + radius;
      if (!isInView) {
        group.element?.remove();
        group.element = undefined;
      } else if (group.element === undefined) {
        group.element = document.createElement('span');
        group.element.className = 'group';
        group.element.textContent = count.format(group.members.length);
        this.element.append(group.element);
      }
    }
    this.#follow();
  }

  /** Moves the groups with the view. One that would cover the chosen spot is not drawn, and a click there still finds it. */
  #follow(): void {
    const chosen = this.#drawing.chosenSpot;
    for (const { at, element } of this.#groups) {
      if (element === undefined) continue;
      const [x, y] = this.#pixelOf(at);
      element.style.visibility = chosen !== undefined && overlap(chosen, boxAround([x, y], this.#radiusPx)) ? 'hidden' : '';
      element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    }
  }

  /** A spot that is gone, or a polygon now, does not count any more. New and moved ones are grouped by the next movement of the view. */
  #forgetGone(): void {
    if (this.#level !== undefined) this.#level = Number.NaN;
    for (const group of this.#groups) {
      const members = group.members.filter(({ feature }) => isDrawn(feature) && this.#drawing.objects.hasFeature(feature));
      if (members.length === group.members.length) continue;
      group.members = members;
      if (group.element !== undefined) group.element.textContent = count.format(members.length);
      if (members.length === 0) {
        group.element?.remove();
        group.element = undefined;
      }
    }
  }
}
