/**
 * Where the visitor is in the map: which artboard is shown, and which object is opened on it. Clicks, links within the map, the address of its own
 * page and scripts lead to other places.
 */
import { placeInLink } from '../../../../lib/draw/link-rules.ts';
import { type MapArtboard, nameOf } from '../../drawing/map-document.ts';
import type { MapSource } from '../loading/map-source.ts';
import type { Emit } from '../map-events.ts';
import type { MapMessages } from '../map-messages.ts';
import type { MapStage } from '../map-stage.ts';
import type { ObjectList } from '../object-list.ts';
import type { ShownMap } from '../shown-map.ts';
import { artboardTitle, type Texts, textsFor } from '../texts.ts';
import type { Opener, OpenPopup } from './open-popup.ts';
import { placeInAddress, placeOfClick, putPlaceInAddress } from './own-address.ts';

interface MapNavigationOptions {
  readonly source: Pick<MapSource, 'shown' | 'ownsPage'>;
  readonly stage: MapStage;
  readonly list: ObjectList;
  readonly popup: OpenPopup;
  readonly messages: MapMessages;
  readonly emit: Emit;
  /** Closes a search that takes room from the view; whether it did. */
  leaveSearch(): boolean;
}

/** Where a map begins, by identifier or name: `null` for its first artboard, and for no object. */
interface Start {
  readonly artboard: string | null;
  readonly object: string | null;
}

export class MapNavigation {
  texts: Texts = textsFor([]);
  readonly #options: MapNavigationOptions;
  readonly #stage: MapStage;
  readonly #popup: OpenPopup;
  #artboard: MapArtboard | undefined;
  /** An object that is opened once the map has it: a live result may create it. */
  #wanted: string | undefined;

  constructor(options: MapNavigationOptions) {
    this.#options = options;
    this.#stage = options.stage;
    this.#popup = options.popup;
    this.#popup.element.addEventListener('click', (event) => {
      const place = placeOfClick(event);
      if (place !== undefined && this.#follow(place)) event.preventDefault();
    });
  }

  get #shown(): ShownMap | undefined {
    return this.#options.source.shown;
  }

  /** The artboard that is shown. */
  get artboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Shows a map for the first time. The address of its own page comes before the object and the artboard of `start`. */
  start(shown: ShownMap, { artboard, object }: Start): void {
    const wanted = (this.#options.source.ownsPage ? placeInAddress() : undefined) ?? object;
    const isArtboard = wanted !== null && shown.artboardAt(wanted) !== undefined;
    if (!this.#enter(shown, isArtboard ? wanted : artboard)) return;
    // The map has no size yet in a page that is being laid out.
    if (wanted !== null && !isArtboard) requestAnimationFrame(() => this.#openWanted(wanted));
  }

  /** Shows another version of the map. The artboard and the popup stay if it has them. */
  renew(shown: ShownMap): void {
    const opened = this.#popup.id;
    if (this.#enter(shown, null)) this.#reopen(opened);
  }

  /** Shows another state of the same version: only what differs is redrawn. */
  update(shown: ShownMap): void {
    const artboard = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    if (artboard === undefined) return;
    this.#artboard = artboard;
    this.#stage.update(artboard);
    this.#options.list.items = shown.listed(artboard, this.texts);
    this.#reopen(this.#popup.id);
    if (this.#wanted !== undefined) this.#openWanted(this.#wanted);
  }

  /** Removes what is drawn. */
  clear(): void {
    this.#popup.close(false);
    this.#stage.clear();
    this.#artboard = undefined;
  }

  /** Opens an object, by its identifier or name: shows its artboard and its popup, if it has one. Returns whether the map has it. */
  open(object: string): boolean {
    const found = this.#shown?.objectNamed(object, this.#artboard);
    if (found === undefined || this.#stage.drawing === undefined) return false;
    const { artboard, id } = found;
    if (artboard !== this.#artboard) this.showArtboard(artboard);
    // An object without a popup has the ring all the same, so that it is found.
    if (!this.#openPopup(id)) this.#stage.drawing.focus(id);
    this.#popup.reveal(id);
    return true;
  }

  /** Shows an artboard, by its identifier or name. Returns whether the map has it. */
  show(artboard: string): boolean {
    const found = this.#shown?.artboardNamed(artboard);
    if (found === undefined || this.#stage.drawing === undefined) return false;
    if (found !== this.#artboard) this.showArtboard(found);
    return true;
  }

  showArtboard(artboard: MapArtboard): void {
    const before = this.#artboard;
    const isOther = before?.id !== artboard.id;
    if (isOther) this.#popup.close(false);
    this.#stage.hover(undefined);
    this.#artboard = artboard;
    this.#stage.show(artboard, this.#titleOf(artboard), this.texts);
    this.#options.list.items = this.#shown?.listed(artboard, this.texts) ?? [];
    // The address of a page that was just opened stays as it is.
    if (isOther && before !== undefined) this.putAddress();
    if (isOther) this.#options.emit('mapwright-artboard', { artboard });
  }

  /** Does what a click on an object does. @param at the point of the view that was clicked */
  activate(id: string, opener: Opener, at?: number[]): void {
    const { messages, emit } = this.#options;
    // The search finds objects of all artboards.
    const artboard = this.#shown?.artboardOf(id, this.#artboard);
    const object = this.#shown?.objectOf(id, artboard);
    if (artboard === undefined || object === undefined) return;
    if (artboard.id !== this.#artboard?.id) this.showArtboard(artboard);
    const popup = this.#shown?.popupOf(id);
    this.#popup.opener = opener;
    if (!emit('mapwright-click', { object, popup })) return;
    if (opener === 'list' && this.#options.leaveSearch()) this.#popup.opener = 'map';
    const target = this.#shown?.targetOf(object);
    const place = typeof target === 'string' ? placeInLink(object.click_action_url) : undefined;
    if (place !== undefined && this.#follow(place)) return;
    if (typeof target === 'object') {
      this.showArtboard(target);
      messages.announce(this.#titleOf(target));
    } else if (target !== undefined) window.open(target, object.open_link_in_new_tab ? '_blank' : '_self', 'noopener');
    else if (this.#openPopup(id, at)) this.#popup.enter(id, opener);
    else if (opener === 'list') {
      this.#stage.drawing?.focus(id);
      this.#popup.reveal(id);
      messages.announce(nameOf(object));
    }
  }

  /** Goes where the address of the page leads, if the page is that of the map. */
  followAddress(): void {
    if (!this.#options.source.ownsPage) return;
    const place = placeInAddress();
    if (place === undefined) this.#popup.close();
    else if (place !== this.#popup.id) this.#go(place);
  }

  /** The address of the page of the map names the open object, or else the artboard unless it is the first one. */
  putAddress(): void {
    const artboard = this.#artboard?.id === this.#shown?.artboards[0]?.id ? undefined : this.#artboard?.id;
    if (this.#options.source.ownsPage) putPlaceInAddress(this.#popup.id ?? artboard);
  }

  /** Shows the artboard that was shown before, or else a named one, or else the first one. Returns whether there is one. */
  #enter(shown: ShownMap, named: string | null): boolean {
    const { messages, emit } = this.#options;
    const kept = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    const artboard = kept ?? (named === null ? undefined : shown.artboardNamed(named)) ?? shown.artboards[0];
    if (artboard === undefined) messages.say(this.texts.empty);
    else this.showArtboard(artboard);
    emit('mapwright-ready', { map: shown.still.document, version: shown.still.version });
    return artboard !== undefined;
  }

  #titleOf(artboard: MapArtboard): string {
    return artboardTitle(artboard, this.#shown?.artboards.indexOf(artboard) ?? 0, this.texts);
  }

  /** Goes to the artboard or the object that a link of the map names. Returns whether the map has it. */
  #follow(place: string): boolean {
    const { source, messages } = this.#options;
    const artboard = this.#shown?.artboardAt(place);
    const found = artboard === undefined ? this.#shown?.objectNamed(place, this.#artboard) : undefined;
    if (artboard === undefined && found === undefined) return false;
    if (source.ownsPage) putPlaceInAddress(place, true);
    const hadFocus = this.#popup.hasFocus;
    if (this.#options.leaveSearch()) this.#popup.opener = 'map';
    this.#go(place);
    const { id } = this.#popup;
    if (id !== undefined) this.#popup.enter(id);
    else if (hadFocus) this.#stage.focus();
    const object = found && this.#shown?.objectOf(found.id, found.artboard);
    if (artboard !== undefined) messages.announce(this.#titleOf(artboard));
    else if (id === undefined && object !== undefined) messages.announce(nameOf(object));
    return true;
  }

  /** Shows an artboard, and no popup, or opens an object. Returns whether the map has it. */
  #go(place: string): boolean {
    const artboard = this.#shown?.artboardAt(place);
    if (artboard === undefined) return this.open(place);
    if (this.show(artboard.id)) this.#popup.close();
    return true;
  }

  #openWanted(id: string): void {
    this.#wanted = this.open(id) ? undefined : id;
  }

  /** Opens the popup of an object of the artboard; without one, closes the popup that is open. */
  #openPopup(id: string, at?: number[]): boolean {
    const popup = this.#shown?.popupOf(id);
    const object = this.#shown?.objectOf(id, this.#artboard);
    if (popup === undefined || object === undefined) {
      this.#popup.close();
      return false;
    }
    this.#popup.show(object, popup, this.texts, at);
    return true;
  }

  /** Shows the popup of the new version of an object. */
  #reopen(id: string | undefined): void {
    if (id === undefined) return;
    const object = this.#shown?.objectOf(id, this.#artboard);
    const popup = this.#shown?.popupOf(id);
    if (object === undefined || popup === undefined) this.#popup.close();
    else this.#popup.renew(object, popup, this.texts);
  }
}
