/** Which object's popup is open: its card on the map, the ring around the object, its row in the list, and the focus after it. */
import { type MapObject, type MapPopup, nameOf } from '../../drawing/map-document.ts';
import type { FilesBase } from '../loading/file-address.ts';
import type { MapStage } from '../map-stage.ts';
import type { ObjectList } from '../object-list.ts';
import { type Box, PopupCard } from '../popup-card.ts';
import type { Texts } from '../texts.ts';

/** Where an object was activated. */
export type Opener = 'list' | 'map';

/** Members that decide where an object is. */
const shape = ['type', 'x', 'y', 'radius', 'coords'] as const;

interface OpenPopupOptions {
  readonly stage: MapStage;
  readonly list: ObjectList;
  /** Another popup is open, or none. */
  onChange(objectId: string | undefined): void;
}

export class OpenPopup {
  /** Where the object was activated that is opened next, and gets the focus after it. */
  opener: Opener | undefined;
  readonly #options: OpenPopupOptions;
  readonly #card = new PopupCard({ onClose: () => this.close(), onResize: () => this.#resized() });
  /** `at`: the point of the view where the object was clicked. */
  #open: { readonly object: MapObject; readonly popup: MapPopup; readonly at: number[] | undefined } | undefined;

  /** What the card covered when the map was moved for it. */
  #coveredPx = 0;

  constructor(options: OpenPopupOptions) {
    this.#options = options;
  }

  /** As for {@link PopupCard.filesBase}. */
  set filesBase(filesBase: FilesBase | undefined) {
    this.#card.filesBase = filesBase;
  }

  get element(): HTMLElement {
    return this.#card.element;
  }

  /** The object whose popup is open. */
  get id(): string | undefined {
    return this.#open?.object.id;
  }

  /** Whether the focus is in the card. */
  get hasFocus(): boolean {
    return this.element.contains((this.element.getRootNode() as ShadowRoot).activeElement);
  }

  /** @param at the point of the view next to which it appears; by default the object, or the point of the popup that is open */
  show(object: MapObject, popup: MapPopup, texts: Texts, at: number[] | undefined): void {
    const { stage, list, onChange } = this.#options;
    const { id } = object;
    this.#open = { object, popup, at };
    this.#card.show(popup, nameOf(object), texts);
    list.current = id;
    stage.drawing?.focus(id);
    stage.showLabel(undefined);
    this.place();
    onChange(id);
  }

  /** Shows what a new version of the object and of its popup changes: next to the object, if it has moved. */
  renew(object: MapObject, popup: MapPopup, texts: Texts): void {
    if (this.#open === undefined) return;
    const { object: before, popup: former, at } = this.#open;
    const hasMoved = shape.some((name) => JSON.stringify(before[name]) !== JSON.stringify(object[name]));
    this.#open = { object, popup, at: hasMoved ? undefined : at };
    if (before.name !== object.name || JSON.stringify(former) !== JSON.stringify(popup))
      this.#card.renew(popup, nameOf(object), texts);
    this.#options.stage.drawing?.focus(object.id);
    this.place();
  }

  /** Moves the card to its place, after the map has moved. */
  place(): void {
    const { element, drawing } = this.#options.stage;
    if (this.#open === undefined || drawing === undefined) return;
    const { clientWidth: width, clientHeight: height } = element;
    this.#card.place(this.#box(width, height), { width, height });
  }

  /** What the popup stands next to: the point of a click, or the object; a point in it if it takes much of the map. */
  #box(width: number, height: number): Box {
    const { drawing } = this.#options.stage;
    const { object, at } = this.#open ?? {};
    const id = object?.id ?? '';
    const box = at === undefined ? drawing?.boxOf(id) : undefined;
    if (box !== undefined && box.right - box.left < width / 2 && box.bottom - box.top < height / 2) return box;
    const point = at ?? drawing?.anchorOf(id);
    const [x = width / 2, y = height / 2] = (point && drawing?.map.getPixelFromCoordinate(point)) ?? [];
    return { left: x, top: y, right: x, bottom: y };
  }

  /** Gives the focus to the card, and moves the map so that its object stays visible. */
  enter(id: string, opener = this.opener): void {
    if (opener === 'list' || this.#card.coveredPx > 0) this.reveal(id);
    this.#card.element.focus({ preventScroll: true });
  }

  /** Moves the map so that the card does not cover an object. */
  reveal(id: string): void {
    this.#coveredPx = this.#card.coveredPx;
    this.#options.stage.drawing?.reveal(id, [0, 0, this.#coveredPx, 0]);
  }

  /** A card that a picture has made higher may cover its object. */
  #resized(): void {
    this.place();
    if (this.id !== undefined && this.#card.coveredPx > this.#coveredPx) this.reveal(this.id);
  }

  /** @param returnsFocus whether the focus goes back to where the popup was opened */
  close(returnsFocus = true): void {
    if (this.#open === undefined) return;
    const { stage, list, onChange } = this.#options;
    const { id } = this.#open.object;
    const hadFocus = this.hasFocus;
    this.#open = undefined;
    this.#card.hide();
    stage.drawing?.focus(undefined);
    list.current = undefined;
    onChange(undefined);
    if (!returnsFocus || !hadFocus) return;
    if (this.opener !== 'list' || !list.focus(id)) stage.focus();
  }
}
