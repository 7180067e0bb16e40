/** The view of the map: the drawing, its controls, the switch of artboards, and the name of the object under the pointer. */
import type { Box } from '../../../lib/geo/polygon.ts';
import { Drawing } from '../drawing/drawing.ts';
import type { LoadOutlines } from '../drawing/ground/outlines-contract.ts';
import type { FallbackTile } from '../drawing/ground/tile-requests.ts';
import type { TileSource } from '../drawing/ground/tile-source.ts';
import { whenDrawn } from '../drawing/ground/when-drawn.ts';
import { type DrawnGroup, SpotGroups } from '../drawing/groups/spot-groups.ts';
import { MapLabels } from '../drawing/labels/map-labels.ts';
import { type LabelMode, type MapArtboard, type MapDocument, type MapObject, nameOf } from '../drawing/map-document.ts';
import { ArtboardSwitch } from './controls/artboard-switch.ts';
import { DataBadge } from './controls/data-badge.ts';
import { MapLegend } from './controls/map-legend.ts';
import { TileCredit } from './controls/tile-credit.ts';
import { icon, make } from './dom.ts';
import { mapInteractions, watchOtherGestures } from './gestures.ts';
import { ownTiles } from './own-tiles.ts';
import { filledIn, type Texts } from './texts.ts';

/** Distance from an object at which a finger still hits it, in pixels. */
const fingerPx = 8;
/** Height of the credit, which stands above a panel that covers the map, in pixels. */
const creditPx = 28;
/** Space of the switch of artboards above the map, in pixels. */
const switchPx = 48;

const icons = {
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  menu: 'M12 15V4M8 7.5 12 3.5 16 7.5M6 11v9h12v-9',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13ZM15.5 15.5 20 20',
};

interface MapStageOptions {
  isCooperative(): boolean;
  /** Whether a click on an object does something: then it has a hover style. */
  acts(object: MapObject): boolean;
  /** Whether an object has a name under the pointer. */
  responds(object: MapObject): boolean;
  /** Whether the popup of an object is open, so that its name is not written again. */
  isOpen(id: string): boolean;
  /** A click on an object, or next to all; `at`: its coordinate in the view. */
  onClick(id: string | undefined, at: number[]): void;
  onEscape(): void;
  /** The button that opens and closes the search. */
  onSearch(): void;
  /** The button of the menu. */
  onMenu(): void;
  /** An artboard was chosen in the switch. @param at its position */
  onChoose(at: number): void;
  /** The map was drawn again, or names were written. */
  onRender(): void;
  /** A gesture was left to the page. */
  onOtherGesture(kind: 'wheel' | 'touch'): void;
  onProblem(problem: 'image' | 'tiles'): void;
  /** Finds pictures in the place of tiles that do not load, for artboards that are drawn from now on. */
  fallbackTile(): FallbackTile | undefined;
  readonly loadOutlines: LoadOutlines;
  /** A large picture is being made sharp, or not any more. */
  onPreparing(isPreparing: boolean): void;
}

/** An object and the pixel of the map where the pointer is on it. */
interface Place {
  readonly id: string | undefined;
  readonly pixel: readonly number[] | undefined;
}

const none: Place = { id: undefined, pixel: undefined };

export class MapStage {
  readonly element = make('div', { className: 'view' });
  readonly #options: MapStageOptions;
  readonly canvas = make('div', { className: 'canvas', tabIndex: 0, attributes: { role: 'application' } });
  readonly #switch: ArtboardSwitch;
  readonly #zoomIn = control(icons.plus, () => this.#drawing?.zoomBy(1));
  readonly #zoomOut = control(icons.minus, () => this.#drawing?.zoomBy(-1));
  readonly #search = control(icons.search, () => this.#options.onSearch());
  readonly #whole = control(icons.fit, () => this.#drawing?.fit());
  /** Opens and closes the menu. */
  readonly menu = control(icons.menu, () => this.#options.onMenu());
  readonly #controls = make('div', { className: 'controls' }, this.#zoomIn, this.#zoomOut, this.#whole, this.menu, this.#search);
  readonly #label = make('div', { className: 'label', hidden: true, attributes: { 'aria-hidden': 'true' } });
  readonly #credit = new TileCredit();
  /** The names of objects, and the groups of spots. Screen readers read the list. */
  readonly #names = make('div', { className: 'names', attributes: { 'aria-hidden': 'true' } });
  readonly #bubbles = make('div', { className: 'names', attributes: { 'aria-hidden': 'true' } });
  readonly legend = new MapLegend();
  readonly badge = new DataBadge();
  /** The lower corner without controls. */
  readonly corner = make('div', { className: 'corner' }, this.legend.element, this.badge.element);
  #drawing: Drawing | undefined;
  #labels: MapLabels | undefined;
  #groups: SpotGroups | undefined;
  readonly look: { labels: LabelMode; hasNoGroups: boolean } = { labels: 'none', hasNoGroups: false };
  #coveredPx = 0;
  #tiles: readonly TileSource[] | undefined;
  /** The animation frame that searches for the object under the pointer. */
  #nextHover = 0;
  /** Where the pointer is on the map, and the object in its hover style. */
  #hovered: Place = none;
  /** The object whose name is written. */
  #labelled: Place = none;

  constructor(options: MapStageOptions) {
    this.#options = options;
    this.#switch = new ArtboardSwitch((at) => options.onChoose(at));
    this.element.append(this.canvas, this.#names, this.#bubbles, this.#switch.element, this.corner);
    this.element.append(this.#label, this.#credit.element, this.#controls);
    watchOtherGestures(
      this.canvas,
      () => options.isCooperative(),
      (kind) => options.onOtherGesture(kind),
    );
    this.canvas.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') options.onEscape();
    });
    this.canvas.addEventListener('pointerleave', () => {
      cancelAnimationFrame(this.#nextHover);
      this.hover(undefined);
    });
  }

  /** `undefined` while nothing is drawn. */
  get drawing(): Drawing | undefined {
    return this.#drawing;
  }

  set texts(texts: Texts) {
    const { search, menu, zoomIn, zoomOut, fit, loading } = texts;
    this.#switch.texts = texts;
    this.legend.texts = texts;
    for (const [button, text] of [
      [this.#search, search],
      [this.menu, menu],
      [this.#zoomIn, zoomIn],
      [this.#zoomOut, zoomOut],
      [this.#whole, fit],
    ] as const) {
      button.title = text;
      button.setAttribute('aria-label', text);
    }
    if (this.#drawing?.artboard === undefined) this.canvas.setAttribute('aria-label', loading);
  }

  set isCooperative(is: boolean) {
    this.canvas.classList.toggle('cooperative', is);
  }

  focus(): void {
    this.canvas.focus({ preventScroll: true });
  }

  /** Whether the switch of artboards stays away. */
  set hasNoSwitch(is: boolean) {
    this.#switch.isOff = is;
    this.#pad();
  }

  /** Whether the button of the search shows an open search; `undefined` without a button. */
  set search(isOpen: boolean | undefined) {
    this.#search.hidden = isOpen === undefined;
    this.#pad();
    this.#search.setAttribute('aria-expanded', `${isOpen === true}`);
  }

  focusSearchButton(): void {
    this.#search.focus({ preventScroll: true });
  }

  /** Height at the bottom of the view that the panel covers, in pixels. */
  set coveredPx(px: number) {
    this.#coveredPx = px;
    this.element.style.setProperty('--_covered', `${px}px`);
    this.#pad();
  }

  /** Calls a function once the first picture is complete, or after a while. */
  whenDrawn(act: () => void): void {
    if (this.#drawing !== undefined) whenDrawn(this.#drawing.map, act);
  }

  /** Shows the button of the menu, or hides it. */
  set hasMenu(has: boolean) {
    if (this.menu.hidden === !has) return;
    this.menu.hidden = !has;
    this.#pad();
  }

  set labelMode(mode: LabelMode) {
    this.look.labels = mode;
    if (this.#labels !== undefined) this.#labels.mode = mode;
  }

  /** Whether every spot is drawn by itself. */
  set hasNoGroups(is: boolean) {
    this.look.hasNoGroups = is;
    if (this.#groups !== undefined) this.#groups.isOff = is;
  }

  /** Makes the drawing, if there is none, and offers these artboards. */
  open(artboards: readonly MapArtboard[], texts: Texts): void {
    this.#drawing ??= this.#createDrawing();
    this.#switch.show(artboards, texts);
  }

  /** The map has another size, or its first one. */
  resized(): void {
    this.legend.resized();
    this.#pad();
  }

  /** Height of the switch of artboards above the map, in pixels. */
  get topPx(): number {
    return this.#switch.element.hidden ? 0 : switchPx;
  }

  /** Takes what the drawing needs of a map besides its artboards. */
  use(icons: MapDocument['icons'], start: MapDocument['start']): void {
    if (this.#drawing === undefined) return;
    this.#drawing.icons = icons;
    this.#drawing.start = start;
  }

  /** Where the name of an object is written, in pixels of the map; `undefined` if it is not. */
  nameBoxOf(id: string): Box | undefined {
    return this.#labels?.boxOf(id);
  }

  #pad(): void {
    if (this.#drawing === undefined) return;
    const { offsetLeft, offsetTop, offsetWidth } = this.#controls;
    const { clientWidth, clientHeight } = this.element;
    const isLeft = offsetLeft + offsetWidth < clientWidth / 2;
    const width = isLeft ? offsetLeft + offsetWidth : clientWidth - offsetLeft;
    const bottom = this.#coveredPx === 0 ? 0 : this.#coveredPx + creditPx;
    this.#drawing.setPadding([this.topPx, 0, bottom, 0], {
      ...{ width, height: Math.max(0, clientHeight - offsetTop - bottom), isLeft },
    });
  }

  /** @param name of the artboard, for screen readers */
  show(artboard: MapArtboard, name: string, texts: Texts): void {
    const drawing = this.#drawing;
    this.#pad();
    drawing?.show(artboard);
    this.#credit.show(this.#drawing?.shownTiles);
    this.canvas.setAttribute('aria-label', `${filledIn(texts.map, { name })}. ${texts.mapHelp}`);
    this.#switch.current = artboard.id;
  }

  /** Draws another version of the artboard that is shown. The pointer may then be on another object. */
  update(artboard: MapArtboard): void {
    const drawing = this.#drawing;
    if (drawing?.update(artboard) !== true) return;
    const [hovered, labelled] = [this.#hovered, this.#labelled];
    this.hover(hovered.pixel === undefined ? hovered.id : drawing.objectAt([...hovered.pixel])?.id, hovered.pixel);
    // The name of an object that has the focus of the keyboard.
    if (labelled.id !== hovered.id) this.showLabel(labelled.id, labelled.pixel);
  }

  /** Other sources of tiles; `undefined` for those of the server of this script. */
  set tiles(sources: readonly TileSource[] | undefined) {
    this.#tiles = sources;
    if (this.#drawing === undefined) return;
    this.#drawing.tiles = sources ?? ownTiles();
    this.#credit.show(this.#drawing?.shownTiles);
  }

  /** Removes what is drawn. The switch stays. */
  clear(): void {
    this.#labels?.dispose();
    this.#groups?.dispose();
    this.#drawing?.dispose();
    this.#drawing = undefined;
    this.#hovered = none;
    this.#labelled = none;
  }

  /** Removes the switch, the legend and the credit. */
  reset(): void {
    this.legend.show({ legend: [], artboards: [] }, true);
    this.#credit.show(undefined);
    this.#switch.element.replaceChildren();
    this.#switch.element.hidden = true;
  }

  #createDrawing(): Drawing {
    const { isCooperative, onClick, onRender, onProblem, onPreparing } = this.#options;
    const drawing = new Drawing(this.canvas, {
      fallbackTile: this.#options.fallbackTile(),
      loadOutlines: this.#options.loadOutlines,
      fitsObjects: true,
      interactions: mapInteractions({ isCooperative, animates }),
      animates,
      onProblem,
      onPreparing,
    });
    drawing.tiles = this.#tiles ?? ownTiles();
    const groups = new SpotGroups(drawing, this.#bubbles);
    this.#groups = groups;
    groups.isOff = this.look.hasNoGroups;
    this.#labels = new MapLabels(drawing, this.#names, { obstacles: () => groups.boxes, onPlaced: onRender });
    this.#labels.mode = this.look.labels;
    drawing.map.on('pointermove', ({ dragging, originalEvent, pixel }) => {
      if ((originalEvent as PointerEvent).pointerType === 'touch') return;
      // One search per frame: a mouse reports more often.
      cancelAnimationFrame(this.#nextHover);
      this.#nextHover = requestAnimationFrame(() => {
        const group = dragging ? undefined : groups.at(pixel);
        if (dragging || group !== undefined) this.hover(undefined);
        else this.hover(drawing.objectAt(pixel)?.id, pixel);
        if (group !== undefined) this.canvas.classList.add('acts');
      });
    });
    drawing.map.on('click', ({ pixel, originalEvent, coordinate }) => {
      const tolerance = (originalEvent as PointerEvent).pointerType === 'touch' ? fingerPx : 0;
      const group = groups.at(pixel, tolerance);
      if (group === undefined) onClick(drawing.objectAt(pixel, tolerance)?.id, coordinate);
      else if (!groups.zoomTo(group)) onClick(this.#nextIn(group), coordinate);
    });
    drawing.map.on('postrender', () => onRender());
    return drawing;
  }

  /** Spots that no zoom separates are opened one after the other, by each click on their group. */
  #nextIn({ members }: DrawnGroup): string | undefined {
    const ids = members.flatMap(({ feature: { object } }) => (this.#options.acts(object) ? [object.id] : []));
    return ids[(ids.findIndex((id) => this.#options.isOpen(id)) + 1) % ids.length];
  }

  /** Writes the name of an object, and draws it in its hover style if it does something; `undefined` for none. */
  hover(id: string | undefined, pixel?: readonly number[]): void {
    const drawing = this.#drawing;
    if (drawing === undefined) return;
    this.#hovered = { id, pixel };
    const found = id === undefined ? undefined : drawing.featureOf(id)?.object;
    const object = found !== undefined && this.#options.responds(found) ? found : undefined;
    const acts = object !== undefined && this.#options.acts(object);
    drawing.hover(acts ? object.id : undefined);
    this.canvas.classList.toggle('acts', acts);
    this.showLabel(object?.id, pixel);
  }

  /** Writes the name of an object at a pixel, or above it; `undefined` for none. */
  showLabel(id: string | undefined, pixel?: readonly number[]): void {
    this.#labelled = { id, pixel };
    const object = id === undefined ? undefined : this.#drawing?.featureOf(id)?.object;
    const box = object === undefined ? undefined : this.#drawing?.boxOf(object.id);
    const isWritten = object !== undefined && pixel !== undefined && this.#labels?.shows(object.id) === true;
    this.#label.hidden = object === undefined || nameOf(object) === '' || isWritten || this.#options.isOpen(object.id);
    if (object === undefined || this.#label.hidden) return;
    this.#label.textContent = nameOf(object);
    const [x = 0, y = 0] = pixel ?? (box === undefined ? [0, 0] : [(box.left + box.right) / 2, box.top]);
    const { offsetWidth, offsetHeight } = this.#label;
    const left = Math.max(4, Math.min(this.element.clientWidth - offsetWidth - 4, x - offsetWidth / 2));
    const top = Math.max(4, y - offsetHeight - 14);
    this.#label.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

const control = (path: string, act: () => void): HTMLButtonElement =>
  make('button', { type: 'button', onclick: act }, icon(path));

const animates = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;
