/**
 * A map on a wall, out of reach: it has no controls, shows its artboards one after the other, and tries again what has failed after a bounded pause.
 * Screen readers find the name of the artboard and the time, and announce another state of the data alone.
 */
import { nameOf } from '../../drawing/map-document.ts';
import { make, setText } from '../dom.ts';
import { artboardTitle, filledIn, knownLanguages } from '../texts.ts';
import { AwakeScreen } from './awake-screen.ts';
import { dataWords, type LiveDetail, TimeWords } from './data-words.ts';
import { KeptPictures } from './kept-pictures.ts';
import { LostPictures } from './lost-pictures.ts';
import { RepeatedTurn } from './repeated-turn.ts';
import type { Wall, WallChoice, WallHost } from './wall-contract.ts';
import { wallSheet } from './wall-style.ts';
import { wallTextsFor } from './wall-texts.ts';

/** Seconds for which an artboard is shown. */
const turnS = { least: 3, usual: 20, most: 86_400 };
const minuteMs = 60_000;
/** Share of the height of the window. */
const labelShare = 0.02;
const fadeMs = 400;

export class MapWall implements Wall {
  readonly #host: WallHost;
  readonly #words: TimeWords;
  readonly #listening = new AbortController();
  readonly #awake = new AwakeScreen();
  readonly #name = make('strong', { className: 'wall-name' });
  readonly #state = make('span', { className: 'wall-state', hidden: true });
  readonly #clock = make('time');
  readonly #bar = make('div', { className: 'wall-bar' }, this.#name, this.#state, this.#clock);
  readonly #turns: RepeatedTurn;
  readonly #minutes: RepeatedTurn;
  readonly #lost: LostPictures;
  readonly #kept = new KeptPictures();
  /** Where the legend is on other pages. */
  readonly #legendPlace = new Comment('legend');
  #live: LiveDetail | undefined;

  constructor(host: WallHost, { isDark, seconds }: WallChoice, live: LiveDetail | undefined) {
    this.#host = host;
    this.#live = live;
    this.#words = new TimeWords(knownLanguages(host.language().languages));
    const { frame, stage, list } = host;
    (frame.getRootNode() as ShadowRoot).adoptedStyleSheets.push(wallSheet());
    frame.classList.add('wall');
    frame.classList.toggle('dark', isDark);
    // In the bar it covers nothing: it cannot be closed.
    const legend = stage.legend.element;
    legend.replaceWith(this.#legendPlace);
    this.#name.after(legend);
    frame.append(this.#bar);
    list.inert = true;
    stage.canvas.tabIndex = -1;
    const turnMs = pauseOf(seconds);
    this.#turns = new RepeatedTurn(
      () => turnMs,
      () => this.#turn(),
    );
    this.#minutes = new RepeatedTurn(
      () => minuteMs - (Date.now() % minuteMs),
      () => this.#tell(),
    );
    this.#lost = new LostPictures(() => this.#redraw());
    this.#listen();
    this.#arrive();
    void this.#awake.ask();
  }

  #listen(): void {
    const { signal } = this.#listening;
    const { element } = this.#host;
    const on = (target: EventTarget, name: string, act: (event: Event) => void): void =>
      target.addEventListener(name, act, { signal });
    on(element, 'mapwright-artboard', () => {
      this.#lost.forget();
      this.#turns.restart();
      this.#arrive();
      this.#fadeIn();
    });
    on(element, 'mapwright-ready', () => {
      // The next result says what the data of another version are like.
      if (this.#host.source.shown?.live === undefined) this.#live = undefined;
      this.#arrive();
    });
    on(element, 'mapwright-live', (event) => {
      this.#live = (event as CustomEvent<LiveDetail>).detail;
      this.#tell();
    });
    on(element, 'mapwright-problem', (event) => {
      const { problem } = (event as CustomEvent<{ readonly problem: string }>).detail;
      if (['image', 'tiles'].includes(problem)) this.#lost.miss();
    });
    on(element, 'click', () => this.#fill());
    on(window, 'resize', () => this.#resize());
    on(window, 'online', () => this.#lost.online());
    on(document, 'visibilitychange', () => {
      void this.#awake.ask();
      this.#tell();
    });
  }

  /** Takes the whole screen, which browsers allow after a touch alone. */
  #fill(): void {
    if (document.fullscreenElement === null) this.#host.element.requestFullscreen?.().catch(() => undefined);
  }

  #resize(): void {
    const { drawing } = this.#host.stage;
    if (drawing !== undefined) drawing.leastLabelPx = Math.ceil(innerHeight * labelShare);
  }

  /** Shows the next artboard. */
  #turn(): void {
    const { source, navigation } = this.#host;
    const artboards = source.shown?.artboards ?? [];
    const at = artboards.findIndex(({ id }) => id === navigation.artboard?.id);
    const next = artboards[(at + 1) % artboards.length];
    if (next !== undefined && next.id !== navigation.artboard?.id && document.visibilityState === 'visible')
      navigation.showArtboard(next);
  }

  /** Draws the map as if it were new: its pictures are asked for again. */
  #redraw(): void {
    const { source, navigation } = this.#host;
    if (source.shown === undefined) return;
    navigation.clear();
    this.#host.draw(source.shown);
  }

  #fadeIn(): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.#host.stage.element.animate({ opacity: [0, 1] }, { duration: fadeMs });
  }

  /** Follows the artboard and the map that are shown. */
  #arrive(): void {
    const { stage, source } = this.#host;
    const { name, label } = this.#called;
    this.#kept.keep(source.shown?.artboards ?? []);
    setText(this.#name, name);
    stage.legend.element.open = true;
    this.#resize();
    stage.canvas.setAttribute('role', 'img');
    stage.canvas.setAttribute('aria-label', label);
    this.#tell();
  }

  /** The name of the artboard that is shown, and what screen readers call the map. */
  get #called(): { readonly name: string; readonly label: string } {
    const { source, navigation } = this.#host;
    const { texts } = this.#host.language();
    const artboards = source.shown?.artboards ?? [];
    const at = artboards.findIndex(({ id }) => id === navigation.artboard?.id);
    const artboard = artboards[at];
    if (artboard === undefined) return { name: '', label: texts.loading };
    const title = artboardTitle(artboard, at, texts);
    // One artboard needs no number.
    return { name: artboards.length > 1 ? title : nameOf(artboard), label: filledIn(texts.map, { name: title }) };
  }

  /** Writes the time and the state of the data. */
  #tell(): void {
    const now = Date.now();
    const { source } = this.#host;
    setText(this.#clock, this.#words.timeOf(now));
    this.#state.hidden = this.#live === undefined;
    if (this.#live === undefined) return;
    const texts = wallTextsFor(this.#host.language().languages);
    const { state = 'fresh' } = this.#live;
    const before = this.#state.dataset['state'];
    // Screen readers say another state, and not each other time of the same one.
    this.#state.ariaLive = before === undefined || before === state ? 'off' : 'polite';
    this.#state.dataset['state'] = state;
    setText(this.#state, dataWords(this.#live, source.answeredAt ?? now, now, this.#words, texts));
  }

  stop(): void {
    const { frame, stage, list } = this.#host;
    this.#listening.abort();
    this.#turns.stop();
    this.#minutes.stop();
    this.#lost.forget();
    this.#awake.stop();
    this.#legendPlace.replaceWith(stage.legend.element);
    this.#bar.remove();
    frame.classList.remove('wall', 'dark');
    list.inert = false;
    stage.canvas.tabIndex = 0;
    stage.canvas.setAttribute('role', 'application');
    stage.canvas.setAttribute('aria-label', `${this.#called.label}. ${this.#host.language().texts.mapHelp}`);
    if (stage.drawing !== undefined) stage.drawing.leastLabelPx = 0;
  }
}

/** Milliseconds for which an artboard is shown, of the attribute; `undefined`: for ever. */
function pauseOf(text: string | null): number | undefined {
  const given = text === null || text.trim() === '' ? Number.NaN : Number(text);
  if (given <= 0) return undefined;
  return 1000 * (Number.isNaN(given) ? turnS.usual : Math.max(turnS.least, Math.min(turnS.most, given)));
}
