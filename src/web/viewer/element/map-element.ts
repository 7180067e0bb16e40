/**
 * `<mapwright-map>`: a published map on any web page. Its attributes and methods, its events and the custom properties of its style are
 * documented in docs/viewer.md.
 */
import { Drawing } from '../drawing/drawing.ts';
import { type MapArtboard, type MapDocument, type MapObject, type MapPopup, readMap } from '../drawing/map-document.ts';
import { icon, make } from './dom.ts';
import { mapInteractions, watchOtherGestures, zoomKey } from './gestures.ts';
import { elementSheet } from './map-element-style.ts';
import { ObjectList } from './object-list.ts';
import { isOwnPage, objectInAddress, putObjectInAddress } from './own-address.ts';
import { type Box, PopupCard } from './popup-card.ts';
import { folderOf, LoadError, loadPublishedMap } from './published-map.ts';
import { linkAddress } from './safe-content.ts';
import { filledIn, type Texts, textsFor } from './texts.ts';
import { tileTemplate } from './tile-template.ts';

/** The details of the events, by name. */
export interface MapwrightEvents {
  /** The map is drawn; again after a new version. `map` is the document as published. */
  'mapwright-ready': { readonly map: unknown; readonly version: number | undefined };
  /** An object was activated. If the event is cancelled, the map does nothing else. */
  'mapwright-click': { readonly object: MapObject; readonly popup: MapPopup | undefined };
  /** Another artboard is shown. */
  'mapwright-artboard': { readonly artboard: MapArtboard };
  /** Something could not be loaded. */
  'mapwright-problem': { readonly problem: Problem; readonly message: string };
}

export type Problem = 'source' | 'missing' | 'network' | 'format' | 'image' | 'tiles';

const problemTexts: Readonly<Record<Problem, keyof Texts>> = {
  source: 'problemSource',
  missing: 'problemMissing',
  network: 'problemNetwork',
  format: 'problemFormat',
  image: 'problemImage',
  tiles: 'problemTiles',
};

const refreshLeastS = 10;
const refreshMostS = 86_400;
const hintMs = 1200;
/** Distance from an object at which a finger still hits it, in pixels. */
const fingerPx = 8;
/** Space of the switch of artboards above the map, in pixels. */
const switchPx = 48;

const icons = { plus: 'M12 5v14M5 12h14', minus: 'M5 12h14', fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5' };

export class MapwrightMapElement extends HTMLElement {
  static readonly observedAttributes = ['src', 'artboard', 'object', 'list', 'search', 'refresh', 'gestures', 'lang'];

  readonly #frame = make('div', { className: 'frame', attributes: { part: 'frame' } });
  readonly #view = make('div', { className: 'view' });
  readonly #canvas = make('div', { className: 'canvas', tabIndex: 0, attributes: { role: 'application' } });
  readonly #switch = make('div', { className: 'artboards', hidden: true, attributes: { role: 'group' } });
  readonly #zoomIn = this.#control(icons.plus, () => this.#drawing?.zoomBy(1));
  readonly #zoomOut = this.#control(icons.minus, () => this.#drawing?.zoomBy(-1));
  readonly #whole = this.#control(icons.fit, () => this.fit());
  readonly #controls = make('div', { className: 'controls' }, this.#zoomIn, this.#zoomOut, this.#whole);
  readonly #credit = make(
    'div',
    { className: 'credit', hidden: true },
    '© ',
    make('a', {
      href: 'https://www.openstreetmap.org/copyright',
      target: '_blank',
      rel: 'noopener',
      textContent: 'OpenStreetMap contributors',
    }),
  );
  readonly #label = make('div', { className: 'label', hidden: true, attributes: { 'aria-hidden': 'true' } });
  readonly #message = make('div', { className: 'message', hidden: true, attributes: { role: 'status' } });
  readonly #hint = make('div', { className: 'hint', attributes: { 'aria-hidden': 'true' } });
  readonly #live = make('div', { className: 'live', attributes: { 'aria-live': 'polite' } });
  readonly #popup = new PopupCard({ onClose: () => this.#close() });
  readonly #list: ObjectList;

  #texts: Texts = textsFor([]);
  #drawing: Drawing | undefined;
  #map: MapDocument | undefined;
  /** The same as it was published or given, with members that are not drawn. */
  #published: unknown;
  #version: number | undefined;
  #address: string | undefined;
  #folder: URL | undefined;
  #popups = new Map<string, MapPopup>();
  #artboards: ReadonlyMap<string, MapArtboard> = new Map();
  /** Objects by artboard and identifier, of artboards that were searched. */
  readonly #objects = new WeakMap<MapArtboard, ReadonlyMap<string, MapObject>>();
  #artboard: MapArtboard | undefined;
  /** The object whose popup is open, and the point of the view where it was clicked. */
  #open: { readonly id: string; readonly at: number[] | undefined } | undefined;
  #opener: 'list' | 'map' | undefined;
  #loading: AbortController | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The animation frame that searches for the object under the pointer. */
  #nextHover = 0;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;
  #settled: ResizeObserver | undefined;
  #isConnected = false;
  /** Whether the document was given by a script, not by `src`. */
  #isGiven = false;

  constructor() {
    super();
    this.#list = new ObjectList(this.#texts, {
      onOpen: (id) => this.#activate(id, 'list'),
      onFocus: (id) => this.#focusObject(id),
      onHover: (id) => this.#hover(id),
      onLeave: () => {
        if (this.#open !== undefined) this.#close();
        else this.#canvas.focus();
      },
    });
    this.#view.append(
      ...[this.#canvas, this.#switch, this.#label, this.#credit, this.#controls],
      // A popup covers a message.
      ...[this.#message, this.#popup.element, this.#hint, this.#live],
    );
    this.#frame.append(this.#list.element, this.#view);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet()];
    root.append(this.#frame);
    this.#listen();
  }

  #control(path: string, act: () => void): HTMLButtonElement {
    return make('button', { type: 'button', onclick: act }, icon(path));
  }

  connectedCallback(): void {
    this.#isConnected = true;
    this.#settled = new ResizeObserver(() => this.#list.resized());
    this.#settled.observe(this);
    this.#applyLanguage();
    this.#applyLayout();
    this.#applyGestures();
    if (this.#map !== undefined) this.#draw();
    if (!this.#isGiven) void this.#load();
    this.#applyRefresh();
    addEventListener('hashchange', this.#onHash);
  }

  disconnectedCallback(): void {
    this.#isConnected = false;
    this.#settled?.disconnect();
    this.#loading?.abort();
    clearInterval(this.#timer);
    clearTimeout(this.#hintTimer);
    removeEventListener('hashchange', this.#onHash);
    this.#clear();
  }

  /** Removes what is drawn. */
  #clear(): void {
    this.#close(false);
    this.#drawing?.dispose();
    this.#drawing = undefined;
    this.#artboard = undefined;
  }

  /** Forgets the map, whose address is another one now. */
  #forget(): void {
    this.#clear();
    this.#map = undefined;
    this.#published = undefined;
    this.#address = undefined;
    this.#popups = new Map();
    this.#artboards = new Map();
    this.#list.items = [];
    this.#credit.hidden = true;
    this.#drawSwitch();
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    // An element that is upgraded gets its attributes before it is connected.
    if (!this.#isConnected) return;
    if (name === 'src') {
      this.#isGiven = false;
      this.#forget();
      void this.#load();
    } else if (name === 'artboard' && value !== null) this.show(value);
    else if (name === 'object') {
      if (value === null) this.#close();
      else this.open(value);
    } else if (name === 'refresh') this.#applyRefresh();
    else if (name === 'gestures') this.#applyGestures();
    else if (name === 'lang') this.#applyLanguage();
    else if (name === 'list' || name === 'search') this.#applyLayout();
  }

  /** The document that is shown, as published; `undefined` before it is loaded. */
  get map(): unknown {
    return this.#published;
  }

  /** Shows a document that the page has itself, in the form of a published map or of a project of the API, instead of one at `src`. */
  set map(document: unknown) {
    this.#isGiven = true;
    this.#loading?.abort();
    this.#take(readMap(document), document, undefined);
  }

  /** The artboard that is shown. */
  get shownArtboard(): MapArtboard | undefined {
    return this.#artboard;
  }

  /** Opens an object: shows its artboard and its popup, if it has one. Returns whether the map has this object. */
  open(id: string): boolean {
    const artboard = this.#artboardOf(id);
    if (artboard === undefined || this.#drawing === undefined) return false;
    if (artboard !== this.#artboard) this.#showArtboard(artboard);
    this.#openPopup(id, undefined);
    this.#reveal(id);
    return true;
  }

  /** Shows an artboard, by its identifier or name. Returns whether the map has it. */
  show(artboard: string): boolean {
    const found = this.#find(artboard);
    if (found === undefined || this.#drawing === undefined) return false;
    if (found !== this.#artboard) this.#showArtboard(found);
    return true;
  }

  /** Shows the whole artboard. */
  fit(): void {
    this.#drawing?.fit();
  }

  /** Reads the published map again, and draws it if it has changed. Resolves whether it has. */
  async refresh(): Promise<boolean> {
    return !this.#isGiven && (await this.#load());
  }

  #find(named: string): MapArtboard | undefined {
    const artboards = this.#map?.artboards ?? [];
    return this.#artboards.get(named) ?? artboards.find(({ name }) => name === named);
  }

  #objectOf(id: string, artboard = this.#artboard): MapObject | undefined {
    if (artboard === undefined) return undefined;
    const objects = this.#objects.get(artboard) ?? firstById(artboard.objects);
    this.#objects.set(artboard, objects);
    return objects.get(id);
  }

  #artboardOf(id: string): MapArtboard | undefined {
    const has = (artboard: MapArtboard): boolean => this.#objectOf(id, artboard) !== undefined;
    return this.#artboard !== undefined && has(this.#artboard) ? this.#artboard : this.#map?.artboards.find(has);
  }

  async #load(): Promise<boolean> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { signal } = loading;
    const isFirst = this.#map === undefined;
    try {
      const src = this.getAttribute('src');
      if (src === null || !URL.canParse(src, document.baseURI)) {
        this.#report('source', 'the attribute "src" must be the address of a published map');
        return false;
      }
      this.#folder = folderOf(src);
      if (isFirst) this.#say(this.#texts.loading);
      const published = await loadPublishedMap(this.#folder, { signal, known: this.#address });
      if (signal.aborted) return false;
      if (isFirst) this.#say(undefined);
      if (published === undefined) return false;
      this.#address = published.address;
      this.#take(published.map, published.document, published.version);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const { kind, message } = error instanceof LoadError ? error : { kind: 'format' as const, message: String(error) };
      this.#report(kind, message);
      return false;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  #take(map: MapDocument, published: unknown, version: number | undefined): void {
    const isFirst = this.#map === undefined;
    this.#map = map;
    this.#published = published;
    this.#version = version;
    if (this.#ownsAddress && map.name !== '') document.title = map.name;
    this.#artboards = firstById(map.artboards);
    // The first popup of an object is its popup.
    this.#popups = new Map([...map.popups].reverse().map((popup) => [popup.attachedTo, popup]));
    if (this.#isConnected) this.#draw(isFirst);
  }

  #draw(isFirst = true): void {
    const map = this.#map;
    if (map === undefined) return;
    this.#say(undefined);
    this.#drawing ??= this.#createDrawing();
    const opened = this.#open?.id;
    this.#drawSwitch();
    const named = isFirst ? this.getAttribute('artboard') : null;
    const kept = this.#artboard === undefined ? undefined : this.#artboards.get(this.#artboard.id);
    const artboard = kept ?? (named === null ? undefined : this.#find(named)) ?? map.artboards[0];
    if (artboard === undefined) {
      this.#say(this.#texts.empty);
      this.#emit('mapwright-ready', { map: this.#published, version: this.#version });
      return;
    }
    this.#showArtboard(artboard);
    const wanted =
      (isFirst ? ((this.#ownsAddress ? objectInAddress() : undefined) ?? this.getAttribute('object')) : opened) ?? undefined;
    this.#emit('mapwright-ready', { map: this.#published, version: this.#version });
    if (wanted !== undefined) this.#reopen(wanted, isFirst);
  }

  #reopen(id: string, isFirst: boolean): void {
    if (isFirst) {
      // The map has no size yet in a page that is being laid out.
      requestAnimationFrame(() => this.#drawing !== undefined && this.open(id));
      return;
    }
    if (this.#artboardOf(id) === this.#artboard) this.#openPopup(id, undefined, false);
    else this.#close();
  }

  #createDrawing(): Drawing {
    const drawing = new Drawing(this.#canvas, {
      tiles: tileTemplate(),
      interactions: mapInteractions({ isCooperative: () => this.#isCooperative, animates }),
      animates,
      onProblem: (problem) =>
        this.#report(problem, `the ${problem} of the artboard "${this.#artboard?.name}" could not be loaded`),
    });
    drawing.map.on('pointermove', ({ dragging, originalEvent, pixel }) => {
      if ((originalEvent as PointerEvent).pointerType === 'touch') return;
      // One search per frame: a mouse reports more often.
      cancelAnimationFrame(this.#nextHover);
      this.#nextHover = requestAnimationFrame(() => this.#hover(dragging ? undefined : drawing.objectAt(pixel)?.id, pixel));
    });
    drawing.map.on('click', ({ pixel, originalEvent, coordinate }) => {
      const isTouch = (originalEvent as PointerEvent).pointerType === 'touch';
      const object = drawing.objectAt(pixel, isTouch ? fingerPx : 0);
      if (object === undefined) this.#close();
      else this.#activate(object.id, 'map', coordinate);
    });
    drawing.map.on('postrender', () => this.#placePopup());
    return drawing;
  }

  #listen(): void {
    watchOtherGestures(
      this.#canvas,
      () => this.#isCooperative,
      (kind) => this.#showHint(filledIn(kind === 'wheel' ? this.#texts.wheelHint : this.#texts.touchHint, { key: zoomKey() })),
    );
    this.#canvas.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#close();
    });
    this.#canvas.addEventListener('pointerleave', () => {
      cancelAnimationFrame(this.#nextHover);
      this.#hover(undefined);
    });
  }

  #showArtboard(artboard: MapArtboard): void {
    const isOther = this.#artboard?.id !== artboard.id;
    if (isOther) this.#close(false);
    this.#hover(undefined);
    this.#artboard = artboard;
    this.#drawing?.setPadding([this.#switch.hidden ? 0 : switchPx, 0, 0, 0]);
    this.#drawing?.show(artboard);
    this.#credit.hidden = this.#drawing?.showsTiles !== true;
    this.#list.items = artboard.objects.filter((object) => this.#acts(object));
    this.#canvas.setAttribute('aria-label', `${filledIn(this.#texts.map, { name: artboard.name })}. ${this.#texts.mapHelp}`);
    for (const button of this.#switch.querySelectorAll('button'))
      button.setAttribute('aria-pressed', `${button.dataset['id'] === artboard.id}`);
    if (isOther) this.#emit('mapwright-artboard', { artboard });
  }

  #drawSwitch(): void {
    const artboards = this.#map?.artboards ?? [];
    this.#switch.hidden = artboards.length < 2;
    this.#switch.replaceChildren(
      ...artboards.map((artboard) => {
        const button = make('button', {
          type: 'button',
          textContent: artboard.name,
          onclick: () => this.#showArtboard(artboard),
        });
        button.dataset['id'] = artboard.id;
        return button;
      }),
    );
  }

  /** Whether a click on an object does something. */
  #acts(object: MapObject): boolean {
    return object.interactive && (this.#popups.has(object.id) || this.#targetOf(object) !== undefined);
  }

  #targetOf({ click_action, click_action_artboard_id, click_action_url }: MapObject): MapArtboard | string | undefined {
    if (click_action === 'change-artboard') return this.#artboards.get(click_action_artboard_id);
    return click_action === 'follow-link' ? linkAddress(click_action_url) : undefined;
  }

  #activate(id: string, opener: 'list' | 'map', at?: number[]): void {
    const object = this.#objectOf(id);
    if (object === undefined) return;
    const popup = this.#popups.get(id);
    this.#opener = opener;
    if (!this.#emit('mapwright-click', { object, popup })) return;
    const target = this.#targetOf(object);
    if (typeof target === 'object') {
      this.#showArtboard(target);
      this.#live.textContent = target.name;
    } else if (target !== undefined) window.open(target, object.open_link_in_new_tab ? '_blank' : '_self', 'noopener');
    else if (popup === undefined) this.#close();
    else {
      this.#openPopup(id, at);
      if (opener === 'list' || this.#popup.coveredPx > 0) this.#reveal(id);
      this.#popup.element.focus({ preventScroll: true });
    }
  }

  #openPopup(id: string, at: number[] | undefined, moves = true): void {
    const popup = this.#popups.get(id);
    const object = this.#objectOf(id);
    if (popup === undefined || object === undefined) {
      this.#close();
      return;
    }
    const anchor = moves ? at : this.#open?.at;
    this.#open = { id, at: anchor };
    this.#popup.show(popup, object.name, this.#texts);
    this.#list.current = id;
    this.#drawing?.focus(id);
    this.#label.hidden = true;
    this.#placePopup();
    if (this.#ownsAddress) putObjectInAddress(id);
  }

  #placePopup(): void {
    if (this.#open === undefined || this.#drawing === undefined) return;
    const { clientWidth: width, clientHeight: height } = this.#view;
    this.#popup.place(this.#popupBox(width, height), { width, height });
  }

  /** What the popup stands next to: the point of a click, or the object; a point in it if it takes much of the map. */
  #popupBox(width: number, height: number): Box {
    const { id = '', at } = this.#open ?? {};
    const box = at === undefined ? this.#drawing?.boxOf(id) : undefined;
    if (box !== undefined && box.right - box.left < width / 2 && box.bottom - box.top < height / 2) return box;
    const point = at ?? this.#drawing?.anchorOf(id);
    const [x = width / 2, y = height / 2] = (point && this.#drawing?.map.getPixelFromCoordinate(point)) ?? [];
    return { left: x, top: y, right: x, bottom: y };
  }

  /** @param returnsFocus whether the focus goes back to where the popup was opened */
  #close(returnsFocus = true): void {
    if (this.#open === undefined) return;
    const { id } = this.#open;
    const hadFocus = this.#popup.element.contains(this.shadowRoot?.activeElement ?? null);
    this.#open = undefined;
    this.#popup.hide();
    this.#drawing?.focus(undefined);
    this.#list.current = undefined;
    if (this.#ownsAddress) putObjectInAddress(undefined);
    if (!returnsFocus || !hadFocus) return;
    if (this.#opener !== 'list' || !this.#list.focus(id)) this.#canvas.focus({ preventScroll: true });
  }

  #hover(id: string | undefined, pixel?: readonly number[]): void {
    const drawing = this.#drawing;
    if (drawing === undefined) return;
    drawing.hover(id);
    const object = id === undefined ? undefined : drawing.featureOf(id)?.object;
    this.#canvas.classList.toggle('acts', object !== undefined && this.#acts(object));
    this.#showLabel(object, pixel);
  }

  #reveal(id: string): void {
    this.#drawing?.reveal(id, [0, 0, this.#popup.coveredPx, 0]);
  }

  #focusObject(id: string | undefined): void {
    const drawing = this.#drawing;
    if (drawing === undefined) return;
    // The object whose popup is open has the ring otherwise.
    drawing.focus(id ?? this.#open?.id);
    const object = id === undefined ? undefined : drawing.featureOf(id)?.object;
    if (id !== undefined) this.#reveal(id);
    this.#showLabel(this.#isListed ? undefined : object);
  }

  #showLabel(object: MapObject | undefined, pixel?: readonly number[]): void {
    const box = object === undefined ? undefined : this.#drawing?.boxOf(object.id);
    this.#label.hidden = object === undefined || object.name === '' || this.#open?.id === object.id;
    if (object === undefined || this.#label.hidden) return;
    this.#label.textContent = object.name;
    const [x = 0, y = 0] = pixel ?? (box === undefined ? [0, 0] : [(box.left + box.right) / 2, box.top]);
    const { offsetWidth, offsetHeight } = this.#label;
    const left = Math.max(4, Math.min(this.#view.clientWidth - offsetWidth - 4, x - offsetWidth / 2));
    const top = Math.max(4, y - offsetHeight - 14);
    this.#label.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  #showHint(text: string): void {
    this.#hint.textContent = text;
    this.#hint.classList.add('shown');
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => this.#hint.classList.remove('shown'), hintMs);
  }

  /** Shows a message instead of the map, or none. */
  #say(text: string | undefined, ...more: Node[]): void {
    this.#message.hidden = text === undefined;
    this.#message.className = 'message center';
    this.#message.replaceChildren(...(text === undefined ? [] : [text, ...more]));
  }

  #report(problem: Problem, message: string): void {
    const text = this.#texts[problemTexts[problem]];
    const retry = make('button', { type: 'button', textContent: this.#texts.retry, onclick: () => void this.#load() });
    // A map that is drawn stays: a message at its bottom is enough.
    const isDrawn = this.#map !== undefined;
    this.#say(text, ...(isDrawn || problem === 'source' ? [] : [retry]));
    this.#message.classList.toggle('center', !isDrawn);
    if (isDrawn) setTimeout(() => this.#message.textContent === text && this.#say(undefined), 10_000);
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

  get #ownsAddress(): boolean {
    return this.#folder !== undefined && !this.#isGiven && isOwnPage(this.#folder);
  }

  readonly #onHash = (): void => {
    if (!this.#ownsAddress) return;
    const id = objectInAddress();
    if (id === undefined) this.#close();
    else if (id !== this.#open?.id) this.open(id);
  };

  #applyGestures(): void {
    this.#canvas.classList.toggle('cooperative', this.#isCooperative);
  }

  #applyLayout(): void {
    this.#frame.classList.toggle('listed', this.#isListed);
    this.#list.element.classList.toggle('quiet', !this.#isListed);
    this.#list.hasSearch = this.hasAttribute('search');
  }

  #applyRefresh(): void {
    clearInterval(this.#timer);
    const given = Number(this.getAttribute('refresh'));
    if (!(given > 0)) return;
    const seconds = Math.max(refreshLeastS, Math.min(refreshMostS, given));
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.refresh();
    }, seconds * 1000);
  }

  #applyLanguage(): void {
    const inherited = this.closest('[lang]')?.getAttribute('lang');
    this.#texts = textsFor([...(inherited ? [inherited] : []), ...navigator.languages]);
    const texts = this.#texts;
    this.#list.setTexts(texts);
    this.#switch.setAttribute('aria-label', texts.artboards);
    for (const [button, text] of [
      [this.#zoomIn, texts.zoomIn],
      [this.#zoomOut, texts.zoomOut],
      [this.#whole, texts.fit],
    ] as const) {
      button.title = text;
      button.setAttribute('aria-label', text);
    }
    if (this.#artboard === undefined) this.#canvas.setAttribute('aria-label', texts.loading);
  }
}

/** A document from elsewhere may have an identifier twice: the first counts. */
const firstById = <Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item] as const).reverse());

const animates = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;
