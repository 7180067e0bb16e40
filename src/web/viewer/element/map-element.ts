/**
 * `<mapwright-map>`: a published map on any web page. It connects what it is made of: the loader, the view, the popup and the list. Its
 * attributes and methods, its events and the custom properties of its style are documented in docs/viewer.md.
 */
import { type MapArtboard, type MapObject, type MapPopup, readMap } from '../drawing/map-document.ts';
import { make } from './dom.ts';
import { zoomKey } from './gestures.ts';
import { elementSheet } from './map-element-style.ts';
import { MapLoader } from './map-loader.ts';
import { MapMessages, type Problem } from './map-messages.ts';
import { MapStage } from './map-stage.ts';
import { ObjectList } from './object-list.ts';
import { type Opener, OpenPopup } from './open-popup.ts';
import { objectInAddress, putObjectInAddress } from './own-address.ts';
import { ShownMap } from './shown-map.ts';
import { filledIn, type Texts, textsFor } from './texts.ts';

/** The details of the events, by name. */
interface MapwrightEvents {
  /** The map is drawn; again after a new version. `map` is the document as published. */
  'mapwright-ready': { readonly map: unknown; readonly version: number | undefined };
  /** An object was activated. If the event is cancelled, the map does nothing else. */
  'mapwright-click': { readonly object: MapObject; readonly popup: MapPopup | undefined };
  /** Another artboard is shown. */
  'mapwright-artboard': { readonly artboard: MapArtboard };
  /** Something could not be loaded. */
  'mapwright-problem': { readonly problem: Problem; readonly message: string };
}

export class MapwrightMapElement extends HTMLElement {
  static readonly observedAttributes = ['src', 'artboard', 'object', 'list', 'search', 'refresh', 'gestures', 'lang'];

  readonly #frame = make('div', { className: 'frame', attributes: { part: 'frame' } });
  readonly #messages = new MapMessages();
  readonly #stage: MapStage;
  readonly #list: ObjectList;
  readonly #popup: OpenPopup;
  readonly #loader: MapLoader;
  #texts: Texts = textsFor([]);
  #shown: ShownMap | undefined;
  #artboard: MapArtboard | undefined;
  #settled: ResizeObserver | undefined;
  #isConnected = false;

  constructor() {
    super();
    this.#stage = this.#createStage();
    this.#list = new ObjectList(this.#texts, {
      onOpen: (id) => this.#activate(id, 'list'),
      onFocus: (id) => this.#focusObject(id),
      onHover: (id) => this.#stage.hover(id),
      onLeave: () => {
        if (this.#popup.id !== undefined) this.#popup.close();
        else this.#stage.focus();
      },
    });
    this.#popup = new OpenPopup({
      stage: this.#stage,
      list: this.#list,
      onChange: (id) => {
        if (this.#loader.ownsPage) putObjectInAddress(id);
      },
    });
    this.#loader = new MapLoader({
      src: () => this.getAttribute('src'),
      onLoading: (isLoading) => this.#messages.say(isLoading ? this.#texts.loading : undefined),
      onMap: ({ map, document: published, version }) => this.#take(new ShownMap(map, published, version)),
      onProblem: (problem, message) => this.#report(problem, message),
    });
    // A popup covers a message.
    this.#stage.element.append(this.#messages.message, this.#popup.element, this.#messages.hint, this.#messages.live);
    this.#frame.append(this.#list.element, this.#stage.element);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet()];
    root.append(this.#frame);
  }

  #createStage(): MapStage {
    return new MapStage({
      isCooperative: () => this.#isCooperative,
      acts: (object) => this.#shown?.acts(object) === true,
      isOpen: (id) => this.#popup.id === id,
      onClick: (id, at) => {
        if (id === undefined) this.#popup.close();
        else this.#activate(id, 'map', at);
      },
      onEscape: () => this.#popup.close(),
      onChoose: (artboard) => this.#showArtboard(artboard),
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
    this.#isConnected = true;
    this.#settled = new ResizeObserver(() => this.#list.resized());
    this.#settled.observe(this);
    this.#applyLanguage();
    this.#applyLayout();
    this.#applyGestures();
    if (this.#shown !== undefined) this.#draw(this.#shown, true);
    void this.#loader.load();
    this.#applyRefresh();
    addEventListener('hashchange', this.#onHash);
  }

  disconnectedCallback(): void {
    this.#isConnected = false;
    this.#settled?.disconnect();
    this.#loader.stop();
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
      this.#shown = undefined;
      this.#list.items = [];
      this.#stage.reset();
      this.#loader.restart();
    } else if (name === 'artboard' && value !== null) this.show(value);
    else if (name === 'object') {
      if (value === null) this.#popup.close();
      else this.open(value);
    } else if (name === 'refresh') this.#applyRefresh();
    else if (name === 'gestures') this.#applyGestures();
    else if (name === 'lang') this.#applyLanguage();
    else if (name === 'list' || name === 'search') this.#applyLayout();
  }

  /** The document that is shown, as published; `undefined` before it is loaded. */
  get map(): unknown {
    return this.#shown?.published;
  }

  /** Shows a document that the page has itself, in the form of a published map or of a project of the API, instead of one at `src`. */
  set map(document: unknown) {
    this.#loader.turnOff();
    this.#take(new ShownMap(readMap(document), document, undefined));
  }

  /** The artboard that is shown. */
  get shownArtboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Opens an object: shows its artboard and its popup, if it has one. Returns whether the map has this object. */
  open(id: string): boolean {
    const artboard = this.#shown?.artboardOf(id, this.#artboard);
    if (artboard === undefined || this.#stage.drawing === undefined) return false;
    if (artboard !== this.#artboard) this.#showArtboard(artboard);
    this.#openPopup(id);
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

  /** Reads the published map again, and draws it if it has changed. Resolves whether it has. */
  refresh(): Promise<boolean> {
    return this.#loader.load();
  }

  #take(shown: ShownMap): void {
    const isFirst = this.#shown === undefined;
    this.#shown = shown;
    if (this.#loader.ownsPage && shown.name !== '') document.title = shown.name;
    if (this.#isConnected) this.#draw(shown, isFirst);
  }

  #draw(shown: ShownMap, isFirst: boolean): void {
    this.#messages.say(undefined);
    const opened = this.#popup.id;
    this.#stage.open(shown.artboards);
    const named = isFirst ? this.getAttribute('artboard') : null;
    const kept = this.#artboard === undefined ? undefined : shown.artboardById(this.#artboard.id);
    const artboard = kept ?? (named === null ? undefined : shown.artboardNamed(named)) ?? shown.artboards[0];
    if (artboard === undefined) this.#messages.say(this.#texts.empty);
    else this.#showArtboard(artboard);
    this.#emit('mapwright-ready', { map: shown.published, version: shown.version });
    if (artboard === undefined) return;
    if (!isFirst) this.#reopen(opened);
    else {
      const wanted = (this.#loader.ownsPage ? objectInAddress() : undefined) ?? this.getAttribute('object');
      // The map has no size yet in a page that is being laid out.
      if (wanted !== null) requestAnimationFrame(() => this.open(wanted));
    }
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
    const isOther = this.#artboard?.id !== artboard.id;
    if (isOther) this.#popup.close(false);
    this.#stage.hover(undefined);
    this.#artboard = artboard;
    this.#stage.show(artboard, this.#texts);
    this.#list.items = artboard.objects.filter((object) => this.#shown?.acts(object) === true);
    if (isOther) this.#emit('mapwright-artboard', { artboard });
  }

  #activate(id: string, opener: Opener, at?: number[]): void {
    const object = this.#shown?.objectOf(id, this.#artboard);
    if (object === undefined) return;
    const popup = this.#shown?.popupOf(id);
    this.#popup.opener = opener;
    if (!this.#emit('mapwright-click', { object, popup })) return;
    const target = this.#shown?.targetOf(object);
    if (typeof target === 'object') {
      this.#showArtboard(target);
      this.#messages.announce(target.name);
    } else if (target !== undefined) window.open(target, object.open_link_in_new_tab ? '_blank' : '_self', 'noopener');
    else if (this.#openPopup(id, at)) this.#popup.enter(id);
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
    this.#stage.showLabel(this.#isListed ? undefined : id);
  }

  #report(problem: Problem, message: string): void {
    this.#messages.report(problem, this.#texts, {
      isDrawn: this.#shown !== undefined,
      retry: () => void this.#loader.load(),
    });
    this.#emit('mapwright-problem', { problem, message });
  }

  #emit<Name extends keyof MapwrightEvents>(name: Name, detail: MapwrightEvents[Name]): boolean {
    const cancelable = name === 'mapwright-click';
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }

  get #isCooperative(): boolean {
    return this.getAttribute('gestures') !== 'greedy';
  }

  get #isListed(): boolean {
    return this.hasAttribute('list') || this.hasAttribute('search');
  }

  readonly #onHash = (): void => {
    if (!this.#loader.ownsPage) return;
    const id = objectInAddress();
    if (id === undefined) this.#popup.close();
    else if (id !== this.#popup.id) this.open(id);
  };

  #applyGestures(): void {
    this.#stage.isCooperative = this.#isCooperative;
  }

  #applyLayout(): void {
    this.#frame.classList.toggle('listed', this.#isListed);
    this.#list.element.classList.toggle('quiet', !this.#isListed);
    this.#list.hasSearch = this.hasAttribute('search');
  }

  #applyRefresh(): void {
    this.#loader.refreshEvery(Number(this.getAttribute('refresh')));
  }

  #applyLanguage(): void {
    const inherited = this.closest('[lang]')?.getAttribute('lang');
    this.#texts = textsFor([...(inherited ? [inherited] : []), ...navigator.languages]);
    this.#list.setTexts(this.#texts);
    this.#stage.texts = this.#texts;
  }
}
