/**
 * `<mapwright-map>`: a published map on any web page. It connects what it is made of: the source of the map, the view, the list, the popup and the
 * navigation. Its attributes and methods, its events and the custom properties of its style are documented in docs/viewer.md.
 */
import { readLive } from '../drawing/live-result.ts';
import { type MapArtboard, readLabelMode } from '../drawing/map-document.ts';
import { zoomKey } from './gestures.ts';
import { MapSource } from './loading/map-source.ts';
import { elementSheet } from './map-element-style.ts';
import type { Emit } from './map-events.ts';
import { MapLayout } from './map-layout.ts';
import { MapMessages, type Problem } from './map-messages.ts';
import { MapStage } from './map-stage.ts';
import { MapNavigation } from './navigation/map-navigation.ts';
import { OpenPopup } from './navigation/open-popup.ts';
import { ObjectList } from './object-list.ts';
import { MapSearch } from './search/map-search.ts';
import type { ShownMap } from './shown-map.ts';
import { filledIn, type Texts, textsFor } from './texts.ts';

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
  readonly #source: MapSource;
  readonly #stage: MapStage;
  readonly #list: ObjectList;
  readonly #layout: MapLayout;
  readonly #popup: OpenPopup;
  readonly #navigation: MapNavigation;
  #texts: Texts = textsFor([]);
  #settled: ResizeObserver | undefined;
  #isConnected = false;

  constructor() {
    super();
    this.#source = this.#createSource();
    this.#stage = this.#createStage();
    this.#list = this.#createList();
    this.#layout = new MapLayout(this.#list, this.#stage);
    this.#popup = new OpenPopup({
      stage: this.#stage,
      list: this.#list,
      onChange: () => this.#navigation.putAddress(),
    });
    this.#navigation = new MapNavigation({
      source: this.#source,
      stage: this.#stage,
      list: this.#list,
      popup: this.#popup,
      messages: this.#messages,
      emit: this.#emit,
      leaveSearch: () => this.#layout.leaveSearch(),
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
      onUpdate: (shown) => this.#navigation.update(shown),
      onLive: ({ at }) => this.#emit('mapwright-live', { at }),
      onProblem: (problem, message, isVisible) => this.#report(problem, message, isVisible),
    });
  }

  #createStage(): MapStage {
    return new MapStage({
      isCooperative: () => this.#isCooperative,
      acts: (object) => this.#source.shown?.acts(object) === true,
      responds: (object) => this.#source.shown?.responds(object) === true,
      isOpen: (id) => this.#popup.id === id,
      onClick: (id, at) => {
        if (id === undefined) this.#popup.close();
        else this.#navigation.activate(id, 'map', at);
      },
      onEscape: () => this.#popup.close(),
      onSearch: () => this.#layout.toggleSearch(),
      onChoose: (at) => {
        const artboard = this.#source.shown?.artboards[at];
        if (artboard !== undefined) this.#navigation.showArtboard(artboard);
      },
      onRender: () => this.#popup.place(),
      onOtherGesture: (kind) => {
        const text = kind === 'wheel' ? this.#texts.wheelHint : this.#texts.touchHint;
        this.#messages.showHint(filledIn(text, { key: zoomKey() }));
      },
      onProblem: (problem) =>
        this.#report(problem, `the ${problem} of the artboard "${this.shownArtboard?.name}" could not be loaded`),
    });
  }

  #createList(): ObjectList {
    return new ObjectList(this.#texts, {
      onOpen: (id) => this.#navigation.activate(id, 'list'),
      onFocus: (id) => {
        // The object whose popup is open has the ring otherwise.
        this.#stage.drawing?.focus(id ?? this.#popup.id);
        if (id !== undefined) this.#popup.reveal(id);
        this.#stage.showLabel(this.#layout.isListed ? undefined : id);
      },
      onHover: (id) => this.#stage.hover(id),
      find: (query) => this.#search.find(query, { shown: this.#source.shown, artboard: this.shownArtboard, texts: this.#texts }),
      onLeave: () => {
        if (this.#popup.id !== undefined) this.#popup.close();
        else if (this.#layout.isSearching) this.#layout.toggleSearch();
        else this.#stage.focus();
      },
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
    this.#navigation.clear();
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    // An element that is upgraded gets its attributes before it is connected.
    if (!this.#isConnected) return;
    if (name === 'src') {
      this.#navigation.clear();
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
    return this.#source.shown?.still.document;
  }

  /** Shows a document that the page has itself, in the form of a published map or of a project of the API, instead of one at `src`. */
  set map(document: unknown) {
    this.#source.give(document);
  }

  /** The artboard that is shown. */
  get shownArtboard(): MapArtboard | undefined {
    return this.#navigation.artboard;
  }

  /** Opens an object, by its identifier or name: shows its artboard and its popup, if it has one. Returns whether the map has it. */
  open(object: string): boolean {
    return this.#navigation.open(object);
  }

  /** Shows an artboard, by its identifier or name. Returns whether the map has it. */
  show(artboard: string): boolean {
    return this.#navigation.show(artboard);
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

  #draw(shown: ShownMap, isFirst: boolean): void {
    this.#messages.say(undefined);
    this.#stage.open(shown.artboards, this.#texts);
    this.#stage.showLegend(shown.still.map, isFirst);
    this.#applyParts();
    if (isFirst) this.#navigation.start(shown, { artboard: this.getAttribute('artboard'), object: this.getAttribute('object') });
    else this.#navigation.renew(shown);
  }

  /** @param isVisible whether visitors see it */
  #report(problem: Problem, message: string, isVisible = true): void {
    if (isVisible)
      this.#messages.report(problem, this.#texts, {
        isDrawn: this.#source.shown !== undefined,
        retry: () => void this.#source.load(),
      });
    this.#emit('mapwright-problem', { problem, message });
  }

  readonly #emit: Emit = (name, detail) => {
    const cancelable = name === 'mapwright-click';
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  };

  readonly #onHash = (): void => this.#navigation.followAddress();

  get #isCooperative(): boolean {
    return this.getAttribute('gestures') !== 'greedy';
  }

  /** Which parts of the map there are. */
  #applyParts(): void {
    const isOff = (name: string): boolean => this.getAttribute(name) === 'off';
    this.#stage.hasNoSwitch = isOff('switcher');
    this.#stage.hasNoLegend = isOff('legend');
    this.#stage.hasNoGroups = isOff('cluster');
    this.#stage.labelMode = readLabelMode(this.getAttribute('labels')) ?? this.#source.shown?.still.map.labels ?? 'none';
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
    this.#navigation.texts = this.#texts;
  }
}
