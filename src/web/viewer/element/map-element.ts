/**
 * `<mapwright-map>`: a published map on any web page. It connects what it is made of: the source of the map, the view, the list, the popup and the
 * navigation. Its attributes and methods, its events and the custom properties of its style are documented in docs/viewer.md.
 */

import { visibleName } from '../../../lib/draw/map-name.ts';
import { colourOf } from '../drawing/colours.ts';
import { Drawing } from '../drawing/drawing.ts';
import type { LoadOutlines } from '../drawing/ground/outlines-contract.ts';
import type { FallbackTile } from '../drawing/ground/tile-requests.ts';
import { whenIdle } from '../drawing/ground/when-drawn.ts';
import { SpotGroups } from '../drawing/groups/spot-groups.ts';
import { MapLabels } from '../drawing/labels/map-labels.ts';
import { readLive } from '../drawing/live-result.ts';
import type { MapArtboard } from '../drawing/map-document.ts';
import { ElementBase } from './element-base.ts';
import { MapFilter } from './filter/map-filter.ts';
import { zoomKey } from './gestures.ts';
import { MapSource } from './loading/map-source.ts';
import { attributeNames, MapAttributes } from './map-attributes.ts';
import { elementSheet } from './map-element-style.ts';
import type { Emit } from './map-events.ts';
import { MapLayout } from './map-layout.ts';
import { MapMessages, type VisibleProblem } from './map-messages.ts';
import { MapStage } from './map-stage.ts';
import { MapNavigation } from './navigation/map-navigation.ts';
import { OpenPopup } from './navigation/open-popup.ts';
import { SidePanel } from './panel/side-panel.ts';
import { ViewerPart } from './parts/viewer-part.ts';
import { PaperFit } from './share/print/paper-fit.ts';
import { ShareMode } from './share/share-mode.ts';
import type { ShownMap } from './shown-map.ts';
import { filledIn } from './texts.ts';
import { WallMode } from './wall/wall-mode.ts';

export class MapwrightMapElement extends ElementBase {
  static readonly observedAttributes = attributeNames;

  /** Asked for the address of a picture that takes the place of a tile which does not load. */
  fallbackTile: FallbackTile | undefined;
  readonly #messages = new MapMessages();
  /** A part of the viewer is missing: the map goes on without it. */
  readonly #onGone = (message: string): void => {
    this.#popup.close();
    this.#attributes.applyLayout();
    this.#emit('mapwright-problem', { problem: 'part', message });
  };
  readonly #parts = {
    panel: new ViewerPart('panel', this.#onGone),
    details: new ViewerPart('details', this.#onGone),
    wall: new ViewerPart('wall', this.#onGone),
    outlines: new ViewerPart('outlines', (message) => this.#emit('mapwright-problem', { problem: 'part', message })),
    share: new ViewerPart('share', this.#onGone),
    visits: new ViewerPart('visits', () => undefined),
  };
  readonly #filter = new MapFilter((hidesOthers) => this.#filtered(hidesOthers));
  readonly #source: MapSource;
  readonly #stage: MapStage;
  readonly #list: SidePanel;
  readonly #layout: MapLayout;
  readonly #popup: OpenPopup;
  readonly #navigation: MapNavigation;
  readonly #attributes: MapAttributes;
  readonly #wall: WallMode;
  readonly #share: ShareMode;
  readonly #paper: PaperFit;
  #settled: ResizeObserver | undefined;
  #isConnected = false;

  constructor() {
    super();
    this.#source = this.#createSource();
    this.#stage = this.#createStage();
    this.#list = this.#createList();
    this.#layout = new MapLayout(this.#list, this.#stage);
    this.#popup = new OpenPopup({
      ...{ part: this.#parts.details, stage: this.#stage, list: this.#list },
      onChange: () => this.#navigation.putAddress(),
    });
    this.#navigation = new MapNavigation({
      ...{ source: this.#source, filter: this.#filter, stage: this.#stage, list: this.#list, popup: this.#popup },
      ...{ messages: this.#messages, emit: this.#emit },
      usesAddress: () => this.#source.ownsPage || document.querySelector('mapwright-map[permalink]') === this,
      keepsAddress: () => this.#wall.isOn,
      leaveSearch: () => this.#layout.leaveSearch(),
    });
    this.#wall = new WallMode({
      ...{ element: this, frame: this.#layout.element, list: this.#list.element, part: this.#parts.wall },
      ...{ stage: this.#stage, source: this.#source, navigation: this.#navigation },
      language: () => this.#attributes,
      draw: (shown) => this.#draw(shown, true),
      onLeave: () => this.#loadParts(),
    });
    this.#attributes = new MapAttributes({
      ...{ element: this, parts: this.#parts, source: this.#source, stage: this.#stage, wall: this.#wall },
      ...{ list: this.#list, layout: this.#layout, navigation: this.#navigation, popup: this.#popup },
    });
    this.#share = new ShareMode(this.#parts.share, {
      ...{ element: this, stage: this.#stage, source: this.#source, navigation: this.#navigation, popup: this.#popup },
      ...{ filter: this.#filter, drawers: { Drawing, SpotGroups, MapLabels }, colourOf, loadOutlines: this.#loadOutlines },
      language: () => this.#attributes,
    });
    this.#paper = new PaperFit(this.#layout.element);
    // A popup covers a message.
    const { message, hint, preparing, live } = this.#messages;
    this.#stage.corner.prepend(preparing);
    this.#stage.element.append(message, this.#popup.element, hint, live);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet()];
    root.append(this.#layout.element);
  }

  #createSource(): MapSource {
    return new MapSource({
      src: () => this.getAttribute('src'),
      isPage: () => this.getAttribute('permalink') === 'page',
      onLoading: (isLoading) => this.#messages.say(isLoading ? this.#attributes.texts.loading : undefined),
      onMap: (shown, isFirst) => {
        const { map, filesBase } = shown.still;
        this.#popup.filesBase = filesBase;
        if (this.#source.ownsPage) document.title = visibleName(map.name) || document.title;
        this.#filter.take(map, shown, isFirst);
        if (this.#isConnected) this.#draw(shown, isFirst);
      },
      onTiles: (tiles) => {
        this.#stage.tiles = tiles;
      },
      onUpdate: (shown) => {
        this.#filter.take(shown.still.map, shown, false);
        this.#stage.use(shown.icons, shown.still.map.start);
        this.#navigation.update(shown);
      },
      onLive: (at, { state, since }) =>
        this.#emit('mapwright-live', { at, state, since: since === undefined ? since : new Date(since).toISOString() }),
      onData: (known) => this.#stage.badge.show(known),
      onProblem: (problem, message) => this.#report(problem, message),
    });
  }

  readonly #loadOutlines: LoadOutlines = (use) => this.#parts.outlines.use(({ paintOutlines }) => use(paintOutlines));

  #createStage(): MapStage {
    return new MapStage({
      isCooperative: () => this.#attributes.isCooperative,
      acts: (object) => this.#source.shown?.acts(object) === true,
      responds: (object) => this.#source.shown?.responds(object) === true,
      isOpen: (id) => this.#popup.id === id,
      onClick: (id, at) => {
        if (id === undefined) this.#popup.close();
        else this.#navigation.activate(id, 'map', at);
      },
      onEscape: () => this.#popup.close(),
      onSearch: () => this.#layout.toggleSearch(),
      onMenu: () => this.#share.toggle(),
      onChoose: (at) => {
        const artboard = this.#source.shown?.artboards[at];
        if (artboard !== undefined) this.#navigation.showArtboard(artboard);
      },
      onRender: () => this.#popup.place(),
      onOtherGesture: (kind) => {
        const text = kind === 'wheel' ? this.#attributes.texts.wheelHint : this.#attributes.texts.touchHint;
        this.#messages.showHint(filledIn(text, { key: zoomKey() }));
      },
      onPreparing: (isPreparing) => this.#messages.prepare(isPreparing ? this.#attributes.texts.preparing : undefined),
      fallbackTile: () => this.fallbackTile,
      loadOutlines: this.#loadOutlines,
      onProblem: (problem) =>
        this.#report(problem, `the ${problem} of the artboard "${this.shownArtboard?.name}" could not be loaded`),
    });
  }

  #createList(): SidePanel {
    return new SidePanel({
      part: this.#parts.panel,
      filter: this.#filter,
      onOpen: (id) => this.#navigation.activate(id, 'list'),
      onFocus: (id) => {
        // The object whose popup is open has the ring otherwise.
        this.#stage.drawing?.focus(id ?? this.#popup.id);
        if (id !== undefined) this.#popup.reveal(id);
        this.#stage.showLabel(this.#layout.isListed ? undefined : id);
      },
      onHover: (id) => this.#stage.hover(id),
      onLeave: () => {
        const { isDetailed } = this.#popup;
        this.#popup.close();
        if (isDetailed) return;
        if (this.#layout.isSearching) this.#layout.toggleSearch();
        else this.#stage.focus();
      },
      onCovered: (px) => {
        this.#stage.coveredPx = px;
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
    this.#attributes.apply();
    const { shown } = this.#source;
    if (shown !== undefined) this.#draw(shown, true);
    this.#attributes.applyLive();
    void this.#source.load();
    this.#attributes.applyWall();
    addEventListener('hashchange', this.#onHash);
    this.#paper.start();
  }

  disconnectedCallback(): void {
    this.#isConnected = false;
    this.#settled?.disconnect();
    this.#wall.stop();
    this.#source.stop();
    this.#messages.stop();
    removeEventListener('hashchange', this.#onHash);
    this.#paper.stop();
    this.#navigation.clear();
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    // An element that is upgraded gets its attributes before it is connected.
    if (!this.#isConnected) return;
    if (name === 'src') {
      this.#navigation.clear();
      this.#source.forget();
      this.#list.update({ shown: undefined, artboard: undefined });
      this.#stage.reset();
      void this.#source.load();
      this.#attributes.applyWall();
    } else if (name === 'artboard' && value !== null) this.show(value);
    else if (name === 'object') {
      if (value === null) this.#popup.close();
      else this.open(value);
    } else this.#attributes.follow(name);
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
    this.#attributes.applyLayout();
    this.#stage.open(shown.artboards, this.#attributes.texts);
    this.#stage.legend.show(shown.still.map, isFirst);
    this.#attributes.applyControls();
    this.#stage.use(shown.icons, shown.still.map.start);
    this.#stage.drawing?.setFilter(this.#filter.passes);
    if (isFirst) this.#navigation.start(shown, { artboard: this.getAttribute('artboard'), object: this.getAttribute('object') });
    else this.#navigation.renew(shown);
    this.#stage.whenDrawn(() => whenIdle(() => this.#loadParts()));
  }

  #loadParts(): void {
    if (this.#wall.isOn) return;
    this.#list.fill();
    void this.#parts.details.load();
    const seen = this.#source.shown?.still.seen;
    if (seen !== undefined) this.#parts.visits.use((part) => part.countVisit(this, seen, this.#popup));
  }

  #filtered(hidesOthers: boolean): void {
    if (hidesOthers) this.#stage.drawing?.setFilter(this.#filter.passes);
    this.#list.filtered();
    this.#navigation.filtered();
  }

  #report(problem: VisibleProblem | 'live', message: string): void {
    if (problem !== 'live')
      this.#messages.report(problem, this.#attributes.texts, {
        ...{ message, isDrawn: this.#source.shown !== undefined },
        retry: () => void this.#source.load(),
      });
    this.#emit('mapwright-problem', { problem, message });
  }

  readonly #emit: Emit = (name, detail) => {
    const cancelable = name === 'mapwright-click';
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  };

  readonly #onHash = (): void => this.#navigation.followAddress();
}
