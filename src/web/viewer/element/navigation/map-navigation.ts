/**
 * Where the visitor is in the map: which artboard is shown, and which object is opened on it. Clicks, links within the map, the address of the page
 * and scripts lead to other places.
 */
import { placeInLink } from '../../../../lib/draw/link-rules.ts';
import { type MapArtboard, nameOf } from '../../drawing/map-document.ts';
import type { ViewBox } from '../../drawing/view/first-view.ts';
import type { MapFilter } from '../filter/map-filter.ts';
import type { MapSource } from '../loading/map-source.ts';
import type { Emit } from '../map-events.ts';
import type { MapMessages } from '../map-messages.ts';
import type { MapStage } from '../map-stage.ts';
import type { SidePanel } from '../panel/side-panel.ts';
import type { ShownMap } from '../shown-map.ts';
import { artboardTitle, type Texts, textsFor } from '../texts.ts';
import { AddressBar, type Wanted } from './address-bar.ts';
import type { MapAddress } from './map-address.ts';
import type { Opener, OpenPopup } from './open-popup.ts';
import { placeOfClick } from './own-address.ts';

interface MapNavigationOptions {
  readonly source: Pick<MapSource, 'shown'>;
  readonly filter: MapFilter;
  /** True if the address of the page is that of the map. */
  usesAddress(): boolean;
  /** True if the address stays as it is: artboards of a wall would fill the history. */
  keepsAddress(): boolean;
  readonly stage: MapStage;
  readonly list: SidePanel;
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
  /** The artboard that the map begins with, by its identifier. */
  #initial: string | undefined;
  /** An object that is opened once the map has it: a live result may create it. */
  #wanted: string | undefined;
  readonly #address: AddressBar;
  /** What is shown follows the address, and not the other way round. */
  #isFollowing = false;

  constructor(options: MapNavigationOptions) {
    this.#options = options;
    this.#stage = options.stage;
    this.#popup = options.popup;
    this.#address = new AddressBar({
      isUsed: () => options.usesAddress(),
      filter: options.filter,
      shown: () => this.#shown,
      visited: () => ({
        artboard: this.#artboard,
        isFirst: this.#artboard?.id === this.#initial,
        object: this.#popup.id,
      }),
    });
    for (const element of [this.#popup.element, options.list.details]) {
      element.addEventListener('click', (event) => {
        const place = placeOfClick(event);
        if (place !== undefined && this.#follow(place)) event.preventDefault();
      });
    }
  }

  get #shown(): ShownMap | undefined {
    return this.#options.source.shown;
  }

  /** The artboard that is shown. */
  get artboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Shows a map for the first time. The address of the page comes before the object and the artboard of `start`. */
  start(shown: ShownMap, { artboard, object }: Start): void {
    const { start } = shown.still.map;
    const first = artboard ?? start?.artboardId ?? '';
    this.#initial = (shown.artboardNamed(first) ?? shown.artboards[0])?.id;
    const address = this.#address.wanted;
    if (address?.kind === 'parameters') {
      this.#following(true, () => this.#options.filter.change(this.#address.filterOf(address.address)));
      this.#look(address.address);
    }
    const named = address?.kind === 'place' ? address.place : address?.address.place;
    const wanted = named ?? object;
    const isArtboard = address?.kind === 'place' && shown.artboardAt(address.place) !== undefined;
    const entered = isArtboard ? address.place : address?.kind === 'parameters' ? address.address.artboard : undefined;
    if (!this.#enter(shown, entered ?? this.#initial)) return;
    // The map has no size yet in a page that is being laid out. The address of a page that was just opened stays as it is.
    if (wanted !== null && !isArtboard)
      requestAnimationFrame(() => this.#following(named !== undefined, () => this.#openWanted(wanted)));
  }

  /** The part of the map that an address wants to be shown. */
  #look({ artboard = this.#initial ?? '', view }: MapAddress): void {
    const { drawing } = this.#stage;
    const artboardId = this.#shown?.artboardNamed(artboard)?.id;
    if (drawing !== undefined) drawing.part = view && artboardId ? { artboardId, box: view } : undefined;
  }

  /** Runs a function whose changes are those of the address, if they are. */
  #following(isFollowing: boolean, act: () => void): void {
    this.#isFollowing = isFollowing;
    try {
      act();
    } finally {
      this.#isFollowing = false;
    }
  }

  /** Shows another version of the map. The artboard and the popup stay if it has them. */
  renew(shown: ShownMap): void {
    const opened = this.#popup.id;
    if (this.#enter(shown, undefined)) this.#reopen(opened);
  }

  /** Shows another state of the same version: only what differs is redrawn. */
  update(shown: ShownMap): void {
    const artboard = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    if (artboard === undefined) return;
    this.#artboard = artboard;
    this.#stage.update(artboard);
    this.#options.list.update({ shown, artboard });
    this.#reopen(this.#popup.id);
    if (this.#wanted !== undefined) this.#openWanted(this.#wanted);
  }

  /** Removes what is drawn. */
  clear(): void {
    this.#following(true, () => this.#popup.close(false));
    this.#address.stop();
    this.#stage.clear();
    this.#artboard = undefined;
  }

  /** Opens an object, by its identifier or name: shows its artboard and its popup, if it has one. Returns whether the map has it. */
  open(object: string): boolean {
    const found = this.#shown?.objectNamed(object, this.#artboard);
    if (found === undefined || this.#stage.drawing === undefined) return false;
    const { artboard, id } = found;
    if (artboard !== this.#artboard) this.showArtboard(artboard);
    this.#admit(id, artboard);
    if (!this.#openPopup(id)) this.#point(id);
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
    this.#options.list.update({ shown: this.#shown, artboard });
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
    this.#admit(id, artboard);
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
      this.#point(id);
      this.#popup.reveal(id, true);
      messages.announce(nameOf(object));
    } else this.#popup.close();
  }

  /** Shows an object that the visitor has switched off, because something leads to it. */
  #admit(id: string, artboard: MapArtboard): void {
    const object = this.#shown?.objectOf(id, artboard);
    if (object !== undefined) this.#options.filter.admit(object);
  }

  /** Goes where the address of the page leads, if the page is that of the map. */
  followAddress(): void {
    const { wanted } = this.#address;
    if (wanted !== undefined && this.#stage.drawing !== undefined) this.#following(true, () => this.#goTo(wanted));
  }

  #goTo(wanted: Wanted): void {
    if (wanted.kind === 'place') {
      if (wanted.place !== this.#popup.id) this.#go(wanted.place);
      return;
    }
    const { address } = wanted;
    this.#options.filter.change(this.#address.filterOf(address));
    const found = address.place === undefined ? undefined : this.#shown?.objectNamed(address.place, this.#artboard);
    const artboard = address.artboard ?? this.#initial;
    if (found === undefined) this.#popup.close();
    this.#look(address);
    if (artboard !== undefined) this.show(artboard);
    if (address.view !== undefined) this.#stage.drawing?.showFirst();
    if (found !== undefined && found.id !== this.#popup.id) this.open(found.id);
  }

  /** The address of the page follows what is shown. */
  putAddress(): void {
    if (!this.#isFollowing && !this.#options.keepsAddress()) this.#address.put();
  }

  /** True if the address of the page is that of the map. */
  get usesAddress(): boolean {
    return this.#options.usesAddress();
  }

  /** The same as that of {@link AddressBar.fragmentOf}. */
  fragmentOf(view: ViewBox | undefined): string {
    return this.#address.fragmentOf(view);
  }

  /** Follows another filter: the object that is open may be hidden now. */
  filtered(): void {
    const { id } = this.#popup;
    const object = id === undefined ? undefined : this.#shown?.objectOf(id, this.#artboard);
    if (object !== undefined && !this.#options.filter.passes(object)) this.#popup.close();
    this.putAddress();
  }

  /** Shows the artboard that was shown before, or else a named one, or else the first one. Returns whether there is one. */
  #enter(shown: ShownMap, named: string | undefined): boolean {
    const { messages, emit } = this.#options;
    const kept = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    const artboard =
      kept ??
      (named === undefined ? undefined : shown.artboardNamed(named)) ??
      shown.artboardById(this.#initial ?? '') ??
      shown.artboards[0];
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
    const { messages } = this.#options;
    const artboard = this.#shown?.artboardAt(place);
    const found = artboard === undefined ? this.#shown?.objectNamed(place, this.#artboard) : undefined;
    if (artboard === undefined && found === undefined) return false;
    const hadFocus = this.#popup.hasFocus;
    if (this.#options.leaveSearch()) this.#popup.opener = 'map';
    this.#go(place);
    const { id, isDetailed } = this.#popup;
    if (id !== undefined && isDetailed) this.#popup.enter(id);
    else if (hadFocus) this.#stage.focus();
    const object = found && this.#shown?.objectOf(found.id, found.artboard);
    if (artboard !== undefined) messages.announce(this.#titleOf(artboard));
    else if (!isDetailed && object !== undefined) messages.announce(nameOf(object));
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

  /** Shows where an object of the artboard is that has no details: so it is found all the same. */
  #point(id: string): void {
    const object = this.#shown?.objectOf(id, this.#artboard);
    if (object !== undefined) this.#popup.point(object, this.#artboard as MapArtboard);
  }

  /** Opens the details of an object of the artboard. Returns whether there are some that can be shown. */
  #openPopup(id: string, at?: number[]): boolean {
    const object = this.#shown?.objectOf(id, this.#artboard);
    const details = object && this.#shown?.detailsOf(object);
    if (details === undefined || this.#popup.isGone) return false;
    this.#popup.show(details, this.#artboard as MapArtboard, at);
    return true;
  }

  /** Shows the details of the new version of an object. */
  #reopen(id: string | undefined): void {
    if (id === undefined) return;
    const object = this.#shown?.objectOf(id, this.#artboard);
    const details = object && this.#shown?.detailsOf(object);
    const wasDetailed = this.#popup.isDetailed;
    if (object === undefined || !this.#options.filter.passes(object) || (wasDetailed && details === undefined))
      this.#popup.close();
    else if (wasDetailed && details !== undefined) this.#popup.renew(details, this.#artboard as MapArtboard);
    else this.#point(id);
  }
}
