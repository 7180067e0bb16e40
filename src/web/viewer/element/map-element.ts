/**
 * `<mapwright-map>`: a published map on any web page. It connects what it is made of: the loader, the view, the popup and the list. Its
 * attributes and methods, its events and the custom properties of its style are documented in docs/viewer.md.
 */
import { readLive } from '../drawing/live-result.ts';
import { type MapArtboard, nameOf, readLabelMode } from '../drawing/map-document.ts';
import { zoomKey } from './gestures.ts';
import { MapSource } from './loading/map-source.ts';
import { elementSheet } from './map-element-style.ts';
import type { Emit } from './map-events.ts';
import { MapLayout } from './map-layout.ts';
import { MapMessages, type Problem } from './map-messages.ts';
import { MapStage } from './map-stage.ts';
import { ObjectList } from './object-list.ts';
import { type Opener, OpenPopup } from './open-popup.ts';
import { placeInAddress, placeInLink, placeOfClick, putPlaceInAddress } from './own-address.ts';
import { MapSearch } from './search/map-search.ts';
import type { ShownMap } from './shown-map.ts';
import { artboardTitle, filledIn, type Texts, textsFor } from './texts.ts';

export class MapwrightMapElement extends HTMLElement {
  static readonly observedAttributes = [
    'src',
    'artboard',
    'object',
    'list',
    'search',
    'refresh',
    'live',
    'gestures',
    'lang',
    'switcher',
    'labels',
    'cluster',
    'legend',
  ];

  readonly #messages = new MapMessages();
  readonly #search = new MapSearch();
  readonly #stage: MapStage;
  readonly #list: ObjectList;
  readonly #layout: MapLayout;
  readonly #popup: OpenPopup;
  readonly #source: MapSource;
  #texts: Texts = textsFor([]);
  /** An object that is opened once the map has it: a live result may create it. */
  #wanted: string | undefined;
  #artboard: MapArtboard | undefined;
  #settled: ResizeObserver | undefined;
  #isConnected = false;

  constructor() {
    super();
    this.#source = this.#createSource();
    this.#stage = this.#createStage();
    this.#list = new ObjectList(this.#texts, {
      onOpen: (id) => this.#activate(id, 'list'),
      onFocus: (id) => this.#focusObject(id),
      onHover: (id) => this.#stage.hover(id),
      find: (query) => this.#search.find(query, { shown: this.#shown, artboard: this.#artboard, texts: this.#texts }),
      onLeave: () => {
        if (this.#popup.id !== undefined) this.#popup.close();
        else if (this.#layout.isSearching) this.#layout.toggleSearch();
        else this.#stage.focus();
      },
    });
    this.#layout = new MapLayout(this.#list, this.#stage);
    this.#popup = new OpenPopup({
      stage: this.#stage,
      list: this.#list,
      onChange: () => this.#putAddress(),
    });
    this.#popup.element.addEventListener('click', (event) => {
      const place = placeOfClick(event);
      if (place !== undefined && this.#follow(place)) event.preventDefault();
    });
    // A popup covers a message.
    this.#stage.element.append(this.#messages.message, this.#popup.element, this.#messages.hint, this.#messages.live);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet()];
    root.append(this.#layout.element);
  }

  #createSource(): MapSource {
    return new MapSource({
      src: () => this.getAttribute('src'),
      onLoading: (isLoading) => this.#messages.say(isLoading ? this.#texts.loading : undefined),
      onMap: (shown, isFirst) => {
        const { map, filesBase } = shown.still;
        this.#popup.filesBase = filesBase;
        if (this.#source.ownsPage && map.name !== '') document.title = map.name;
        if (this.#isConnected) this.#draw(shown, isFirst);
      },
      onUpdate: (shown) => this.#update(shown),
      onLive: ({ at }) => this.#emit('mapwright-live', { at }),
      onProblem: (problem, message, isVisible) => this.#report(problem, message, isVisible),
    });
  }

  #createStage(): MapStage {
    return new MapStage({
      isCooperative: () => this.#isCooperative,
      acts: (object) => this.#shown?.acts(object) === true,
      responds: (object) => this.#shown?.responds(object) === true,
      isOpen: (id) => this.#popup.id === id,
      onClick: (id, at) => {
        if (id === undefined) this.#popup.close();
        else this.#activate(id, 'map', at);
      },
      onEscape: () => this.#popup.close(),
      onSearch: () => this.#layout.toggleSearch(),
      onChoose: (at) => {
        const artboard = this.#shown?.artboards[at];
        if (artboard !== undefined) this.#showArtboard(artboard);
      },
      onRender: () => this.#popup.place(),
      onOtherGesture: (kind) => {
        const text = kind === 'wheel' ? this.#texts.wheelHint : this.#texts.touchHint;
        this.#messages.showHint(filledIn(text, { key: zoomKey() }));
      },
      onProblem: (problem) =>
        this.#report(problem, `the ${problem} of the artboard "${this.#artboard?.name}" could not be loaded`),
    });
  }

  connectedCallback(): void {
    // A page may give the document before this script is loaded: then it is a property of the element alone.
    if (Object.hasOwn(this, 'map')) {
      const { map } = this;
      Reflect.deleteProperty(this, 'map');
      this.map = map;
    }
    this.#isConnected = true;
    this.#settled = new ResizeObserver(() => {
      this.#list.resized();
      this.#stage.resized();
    });
    this.#settled.observe(this);
    this.#applyLanguage();
    this.#applyLayout();
    this.#applyGestures();
    this.#applyParts();
    const { shown } = this.#source;
    if (shown !== undefined) this.#draw(shown, true);
    this.#applyLive();
    void this.#source.load();
    this.#applyRefresh();
    addEventListener('hashchange', this.#onHash);
  }

  disconnectedCallback(): void {
    this.#isConnected = false;
    this.#settled?.disconnect();
    this.#source.stop();
    this.#messages.stop();
    removeEventListener('hashchange', this.#onHash);
    this.#clear();
  }

  /** Removes what is drawn. */
  #clear(): void {
    this.#popup.close(false);
    this.#stage.clear();
    this.#artboard = undefined;
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    // An element that is upgraded gets its attributes before it is connected.
    if (!this.#isConnected) return;
    if (name === 'src') {
      this.#clear();
      this.#source.forget();
      this.#list.items = [];
      this.#stage.reset();
      void this.#source.load();
    } else if (name === 'artboard' && value !== null) this.show(value);
    else if (name === 'object') {
      if (value === null) this.#popup.close();
      else this.open(value);
    } else if (name === 'refresh') this.#applyRefresh();
    else if (name === 'live') this.#applyLive();
    else if (name === 'gestures') this.#applyGestures();
    else if (name === 'lang') this.#applyLanguage();
    else if (name === 'list' || name === 'search') this.#applyLayout();
    else this.#applyParts();
  }

  /** The document that is shown, as published; `undefined` before it is loaded. */
  get map(): unknown {
    return this.#shown?.still.document;
  }

  /** Shows a document that the page has itself, in the form of a published map or of a project of the API, instead of one at `src`. */
  set map(document: unknown) {
    this.#source.give(document);
  }

  /** The artboard that is shown. */
  get shownArtboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Opens an object, by its identifier or name: shows its artboard and its popup, if it has one. Returns whether the map has it. */
  open(object: string): boolean {
    const found = this.#shown?.objectNamed(object, this.#artboard);
    if (found === undefined || this.#stage.drawing === undefined) return false;
    const { artboard, id } = found;
    if (artboard !== this.#artboard) this.#showArtboard(artboard);
    // An object without a popup has the ring all the same, so that it is found.
    if (!this.#openPopup(id)) this.#stage.drawing.focus(id);
    this.#popup.reveal(id);
    return true;
  }

  /** Shows an artboard, by its identifier or name. Returns whether the map has it. */
  show(artboard: string): boolean {
    const found = this.#shown?.artboardNamed(artboard);
    if (found === undefined || this.#stage.drawing === undefined) return false;
    if (found !== this.#artboard) this.#showArtboard(found);
    return true;
  }

  /** Shows the whole artboard. */
  fit(): void {
    this.#stage.drawing?.fit();
  }

  /**
   * Shows a live result: what differs from the document, in the form of `live.json` or of an answer of `POST …/evaluate`; `undefined` shows the
   * document as it was published. Returns whether it was applied: not before a map is loaded, and not if it belongs to another version of it.
   * Throws a TypeError if it is no result.
   */
  applyLive(result: unknown): boolean {
    return this.#source.apply(result === undefined ? undefined : readLive(result));
  }

  /** Reads the published map again, and draws it if it has changed. Resolves whether it has. */
  refresh(): Promise<boolean> {
    return this.#source.load();
  }

  /** Shows another state of the same document: only what differs is redrawn. */
  #update(shown: ShownMap): void {
    const artboard = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    if (artboard === undefined) return;
    this.#artboard = artboard;
    this.#stage.update(artboard);
    this.#list.items = shown.listed(artboard, this.#texts);
    this.#reopen(this.#popup.id);
    if (this.#wanted !== undefined) this.#openWanted(this.#wanted);
  }

  get #shown(): ShownMap | undefined {
    return this.#source.shown;
  }

  #titleOf(artboard: MapArtboard): string {
    return artboardTitle(artboard, this.#shown?.artboards.indexOf(artboard) ?? 0, this.#texts);
  }

  #openWanted(id: string): void {
    this.#wanted = this.open(id) ? undefined : id;
  }

  #draw(shown: ShownMap, isFirst: boolean): void {
    this.#messages.say(undefined);
    const opened = this.#popup.id;
    this.#stage.open(shown.artboards, this.#texts);
    this.#stage.showLegend(shown.still.map, isFirst);
    this.#applyParts();
    const wanted = isFirst ? ((this.#source.ownsPage ? placeInAddress() : undefined) ?? this.getAttribute('object')) : null;
    const isArtboard = wanted !== null && shown.artboardAt(wanted) !== undefined;
    const named = isArtboard ? wanted : isFirst ? this.getAttribute('artboard') : null;
    const kept = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    const artboard = kept ?? (named === null ? undefined : shown.artboardNamed(named)) ?? shown.artboards[0];
    if (artboard === undefined) this.#messages.say(this.#texts.empty);
    else this.#showArtboard(artboard);
    this.#emit('mapwright-ready', { map: shown.still.document, version: shown.still.version });
    if (artboard === undefined) return;
    if (!isFirst) this.#reopen(opened);
    // The map has no size yet in a page that is being laid out.
    else if (wanted !== null && !isArtboard) requestAnimationFrame(() => this.#openWanted(wanted));
  }

  /** Shows the popup of the new version of an object. */
  #reopen(id: string | undefined): void {
    if (id === undefined) return;
    const object = this.#shown?.objectOf(id, this.#artboard);
    const popup = this.#shown?.popupOf(id);
    if (object === undefined || popup === undefined) this.#popup.close();
    else this.#popup.renew(object, popup, this.#texts);
  }

  #showArtboard(artboard: MapArtboard): void {
    const before = this.#artboard;
    const isOther = before?.id !== artboard.id;
    if (isOther) this.#popup.close(false);
    this.#stage.hover(undefined);
    this.#artboard = artboard;
    this.#stage.show(artboard, this.#titleOf(artboard), this.#texts);
    this.#list.items = this.#shown?.listed(artboard, this.#texts) ?? [];
    // The address of a page that was just opened stays as it is.
    if (isOther && before !== undefined) this.#putAddress();
    if (isOther) this.#emit('mapwright-artboard', { artboard });
  }

  #activate(id: string, opener: Opener, at?: number[]): void {
    // The search finds objects of all artboards.
    const artboard = this.#shown?.artboardOf(id, this.#artboard);
    const object = this.#shown?.objectOf(id, artboard);
    if (artboard === undefined || object === undefined) return;
    if (artboard.id !== this.#artboard?.id) this.#showArtboard(artboard);
    const popup = this.#shown?.popupOf(id);
    this.#popup.opener = opener;
    if (!this.#emit('mapwright-click', { object, popup })) return;
    const target = this.#shown?.targetOf(object);
    const place = typeof target === 'string' ? placeInLink(object.click_action_url) : undefined;
    if (place !== undefined && this.#follow(place)) return;
    if (typeof target === 'object') {
      this.#showArtboard(target);
      this.#messages.announce(this.#titleOf(target));
    } else if (target !== undefined) window.open(target, object.open_link_in_new_tab ? '_blank' : '_self', 'noopener');
    else if (this.#openPopup(id, at)) this.#popup.enter(id);
    else if (opener === 'list') {
      this.#stage.drawing?.focus(id);
      this.#popup.reveal(id);
      this.#messages.announce(nameOf(object));
    }
  }

  /** Goes to the artboard or the object that a link of the map names. Returns whether the map has it. */
  #follow(place: string): boolean {
    const artboard = this.#shown?.artboardAt(place);
    const found = artboard === undefined ? this.#shown?.objectNamed(place, this.#artboard) : undefined;
    if (artboard === undefined && found === undefined) return false;
    if (this.#source.ownsPage) putPlaceInAddress(place, true);
    const hadFocus = this.#popup.element.contains(this.shadowRoot?.activeElement ?? null);
    this.#go(place);
    const { id } = this.#popup;
    if (id !== undefined) this.#popup.enter(id);
    else if (hadFocus) this.#stage.focus();
    const object = found && this.#shown?.objectOf(found.id, found.artboard);
    if (artboard !== undefined) this.#messages.announce(this.#titleOf(artboard));
    else if (id === undefined && object !== undefined) this.#messages.announce(nameOf(object));
    return true;
  }

  /** Shows an artboard, and no popup, or opens an object. Returns whether the map has it. */
  #go(place: string): boolean {
    const artboard = this.#shown?.artboardAt(place);
    if (artboard === undefined) return this.open(place);
    if (this.show(artboard.id)) this.#popup.close();
    return true;
  }

  /** Opens the popup of an object of the artboard; without one, closes the popup that is open. */
  #openPopup(id: string, at?: number[]): boolean {
    const popup = this.#shown?.popupOf(id);
    const object = this.#shown?.objectOf(id, this.#artboard);
    if (popup === undefined || object === undefined) {
      this.#popup.close();
      return false;
    }
    this.#popup.show(object, popup, this.#texts, at);
    return true;
  }

  #focusObject(id: string | undefined): void {
    // The object whose popup is open has the ring otherwise.
    this.#stage.drawing?.focus(id ?? this.#popup.id);
    if (id !== undefined) this.#popup.reveal(id);
    this.#stage.showLabel(this.#layout.isListed ? undefined : id);
  }

  /** @param isVisible whether visitors see it */
  #report(problem: Problem, message: string, isVisible = true): void {
    if (isVisible)
      this.#messages.report(problem, this.#texts, {
        isDrawn: this.#shown !== undefined,
        retry: () => void this.#source.load(),
      });
    this.#emit('mapwright-problem', { problem, message });
  }

  readonly #emit: Emit = (name, detail) => {
    const cancelable = name === 'mapwright-click';
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  };

  get #isCooperative(): boolean {
    return this.getAttribute('gestures') !== 'greedy';
  }

  readonly #onHash = (): void => {
    if (!this.#source.ownsPage) return;
    const place = placeInAddress();
    if (place === undefined) this.#popup.close();
    else if (place !== this.#popup.id) this.#go(place);
  };

  /** The address of the page of the map names the open object, or else the artboard unless it is the first one. */
  #putAddress(): void {
    const artboard = this.#artboard?.id === this.#shown?.artboards[0]?.id ? undefined : this.#artboard?.id;
    if (this.#source.ownsPage) putPlaceInAddress(this.#popup.id ?? artboard);
  }

  /** Which parts of the map there are. */
  #applyParts(): void {
    const isOff = (name: string): boolean => this.getAttribute(name) === 'off';
    this.#stage.hasNoSwitch = isOff('switcher');
    this.#stage.hasNoLegend = isOff('legend');
    this.#stage.hasNoGroups = isOff('cluster');
    this.#stage.labelMode = readLabelMode(this.getAttribute('labels')) ?? this.#shown?.still.map.labels ?? 'none';
  }

  #applyGestures(): void {
    this.#stage.isCooperative = this.#isCooperative;
  }

  #applyLayout(): void {
    this.#layout.attributes = { hasList: this.hasAttribute('list'), hasSearch: this.hasAttribute('search') };
  }

  #applyRefresh(): void {
    this.#source.refreshEvery(Number(this.getAttribute('refresh')));
  }

  #applyLive(): void {
    this.#source.isLive = this.getAttribute('live') !== 'off';
  }

  #applyLanguage(): void {
    const inherited = this.closest('[lang]')?.getAttribute('lang');
    this.#texts = textsFor([...(inherited ? [inherited] : []), ...navigator.languages]);
    this.#list.setTexts(this.#texts);
    this.#stage.texts = this.#texts;
  }
}
