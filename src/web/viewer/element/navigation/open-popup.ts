/**
 * Which object is open: its details in a card on the map or in the panel, the ring around the object, its row in the list, and the focus after it.
 * An object without details has the rest. The part that shows details may still be on its way: everything else does not wait for it.
 */
import { type Box, union } from '../../../../lib/geo/polygon.ts';
import type { MapArtboard, MapObject } from '../../drawing/map-document.ts';
import type { DetailsContent, DetailsView } from '../details/details-view.ts';
import { popupElement } from '../details/popup-element.ts';
import type { FilesBase } from '../loading/file-address.ts';
import type { MapStage } from '../map-stage.ts';
import type { SidePanel } from '../panel/side-panel.ts';
import type { ViewerPart } from '../parts/viewer-part.ts';
import type { Details } from '../shown-map.ts';
import { textsFor } from '../texts.ts';

/** Where an object was activated. */
export type Opener = 'list' | 'map';

/** Members that decide where an object is. */
const shape = ['type', 'x', 'y', 'radius', 'coords'] as const;

interface OpenPopupOptions {
  readonly part: ViewerPart<'details'>;
  readonly stage: MapStage;
  readonly list: SidePanel;
  /** Another object is open, or none. */
  onChange(objectId: string | undefined): void;
}

interface Open {
  readonly object: MapObject;
  /** `undefined` for an object that has none. */
  readonly details: Details | undefined;
  readonly artboard: MapArtboard;
  /** The point of the view where the object was clicked. */
  readonly at: number[] | undefined;
}

export class OpenPopup {
  /** Where the object was activated that is opened next, and gets the focus after it. */
  opener: Opener | undefined;
  filesBase: FilesBase | undefined;
  /** Of the visitor. */
  language: Pick<DetailsContent, 'texts' | 'languages'> = { texts: textsFor([]), languages: [] };
  /** The card on the map. */
  readonly element = popupElement();
  readonly #options: OpenPopupOptions;
  #card: DetailsView | undefined;
  #inPanel: DetailsView | undefined;
  #open: Open | undefined;
  /** True if the details get the focus once they are there. */
  #wantsFocus = false;
  /** What the card covered when the map was moved for it. */
  #coveredPx = 0;

  constructor(options: OpenPopupOptions) {
    this.#options = options;
  }

  /** The object that is open. */
  get id(): string | undefined {
    return this.#open?.object.id;
  }

  /** True if details are shown. */
  get isDetailed(): boolean {
    return this.#open?.details !== undefined;
  }

  /** True if there is nothing that could show details. */
  get isGone(): boolean {
    return this.#options.part.isGone;
  }

  /** True if the focus is in the details. */
  get hasFocus(): boolean {
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    return [this.element, this.#options.list.details].some((element) => element.contains(activeElement));
  }

  get #view(): DetailsView | undefined {
    return this.#options.list.isPanel ? this.#inPanel : this.#card;
  }

  get #shownElement(): HTMLElement {
    return this.#options.list.isPanel ? this.#options.list.details : this.element;
  }

  /** @param at the point of the view next to which the card appears; by default the object, or the point of the popup that is open */
  show(details: Details, artboard: MapArtboard, at: number[] | undefined): void {
    const { stage, part } = this.#options;
    const { id } = details.object;
    this.#mark({ object: details.object, details, artboard, at });
    stage.showLabel(undefined);
    part.use((loaded) => {
      if (!this.isDetailed) return;
      this.#makeView(loaded);
      this.#view?.show(this.#content());
      this.place();
      // Where no side of the object has room for the card, the map moves.
      const room = this.#view?.room;
      if (room !== undefined) stage.drawing?.reveal(id, room);
      if (this.#wantsFocus) this.enter(id);
    });
  }

  /** Shows where an object without details is. */
  point(object: MapObject, artboard: MapArtboard): void {
    this.#hide();
    this.#mark({ object, details: undefined, artboard, at: undefined });
  }

  /** Takes the object that is open from now on. */
  #mark(open: Open): void {
    const { stage, list, onChange } = this.#options;
    const { id } = open.object;
    this.#open = open;
    this.#wantsFocus = false;
    list.update({ current: id, isDetailed: open.details !== undefined && list.isPanel });
    stage.drawing?.focus(id);
    stage.drawing?.choose(id);
    onChange(id);
  }

  #hide(): void {
    this.#card?.hide();
    this.#inPanel?.hide();
  }

  #makeView({ createCard, createPanelDetails }: Parameters<Parameters<ViewerPart<'details'>['use']>[0]>[0]): void {
    const options = { onClose: () => this.close(), onResize: () => this.#resized() };
    if (this.#options.list.isPanel) this.#inPanel ??= createPanelDetails({ ...options, element: this.#options.list.details });
    else this.#card ??= createCard({ ...options, element: this.element });
  }

  #content(): DetailsContent {
    const { details, artboard } = this.#open as Open & { details: Details };
    const { drawing } = this.#options.stage;
    const anchor = drawing?.anchorOf(details.object.id);
    const point = anchor === undefined ? undefined : drawing?.toArtboard(anchor);
    return { ...this.language, details, artboard, point, filesBase: this.filesBase };
  }

  /** Shows what a new version of the object and of its details changes: next to the object, if it has moved. */
  renew(details: Details, artboard: MapArtboard): void {
    if (this.#open?.details === undefined) return;
    const { object: before, details: former, at } = this.#open;
    const { object } = details;
    const hasMoved = shape.some((name) => JSON.stringify(before[name]) !== JSON.stringify(object[name]));
    this.#open = { object, details, artboard, at: hasMoved ? undefined : at };
    if (before.name !== object.name || shownIn(former) !== shownIn(details)) this.#view?.renew(this.#content());
    this.#options.stage.drawing?.focus(object.id);
    this.#options.stage.drawing?.choose(object.id);
    this.place();
  }

  /** Moves the card to its place, after the map has moved. */
  place(): void {
    const { element, drawing } = this.#options.stage;
    if (!this.isDetailed || drawing === undefined) return;
    const { clientWidth: width, clientHeight: height } = element;
    this.#view?.place(this.#box(width, height), { width, height, top: this.#options.stage.topPx });
  }

  /**
   * What the popup stands next to: the object with its name. If that takes much of the map, it is the object alone, and then the point of the
   * click, or one in the object.
   */
  #box(width: number, height: number): Box {
    const { drawing } = this.#options.stage;
    const { object, at } = this.#open as Open;
    const { id } = object;
    const point = at ?? drawing?.anchorOf(id);
    const [x = width / 2, y = height / 2] = (point && drawing?.map.getPixelFromCoordinate(point)) ?? [];
    const isSmall = ({ left, top, right, bottom }: Box): boolean => right - left < width / 2 && bottom - top < height / 2;
    const shape = drawing?.boxOf(id);
    const place = shape !== undefined && isSmall(shape) ? shape : { left: x, top: y, right: x, bottom: y };
    const name = this.#options.stage.nameBoxOf(id);
    const both = name && union(place, name);
    return both !== undefined && isSmall(both) ? both : place;
  }

  /** Gives the focus to the details, and moves the map so that their object stays visible. */
  enter(id: string, opener = this.opener): void {
    this.#wantsFocus = this.#view === undefined;
    const covers = this.#options.list.isPanel || (this.#view?.coveredPx ?? 0) > 0;
    if (opener === 'list') this.reveal(id, true);
    else if (covers) this.reveal(id);
    this.#shownElement.focus({ preventScroll: true });
  }

  /** Moves the map so that the card does not cover an object. @param isSought whether the object must stand alone */
  reveal(id: string, isSought = false): void {
    this.#coveredPx = this.#view?.coveredPx ?? 0;
    const covered = [0, 0, this.#coveredPx, 0] as const;
    const { drawing } = this.#options.stage;
    if (isSought) drawing?.separate(id, covered);
    else drawing?.reveal(id, covered);
  }

  /** A card that a picture has made higher may cover its object. */
  #resized(): void {
    this.place();
    if (this.id !== undefined && (this.#view?.coveredPx ?? 0) > this.#coveredPx) this.reveal(this.id);
  }

  /** @param returnsFocus whether the focus goes back to where the popup was opened */
  close(returnsFocus = true): void {
    if (this.#open === undefined) return;
    const { stage, list, onChange } = this.#options;
    const { id } = this.#open.object;
    const hadFocus = this.hasFocus;
    this.#open = undefined;
    this.#hide();
    stage.drawing?.focus(undefined);
    stage.drawing?.choose(undefined);
    list.update({ current: undefined, isDetailed: false });
    onChange(undefined);
    if (!returnsFocus || !hadFocus) return;
    if (this.opener !== 'list' || !list.focus(id)) stage.focus();
  }
}

/** A text that differs if something else is shown. */
const shownIn = ({ popup, fields }: Details): string => JSON.stringify([popup, fields]);
