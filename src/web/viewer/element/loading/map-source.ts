/**
 * The map that is shown: a published one, with its new versions and live results, or a document that a script has given. Live results are applied
 * to the document, never to a former result.
 */
import type { TileSource } from '../../drawing/ground/tile-source.ts';
import { type LiveResult, readLive } from '../../drawing/live-result.ts';
import { readMap } from '../../drawing/map-document.ts';
import type { VisibleProblem } from '../map-messages.ts';
import { ShownMap, type StillMap } from '../shown-map.ts';
import { DataAge, type DataState, type KnownData } from './data-age.ts';
import { LiveLoader } from './live-loader.ts';
import { MapLoader } from './map-loader.ts';

interface MapSourceOptions {
  /** The attribute `src`. */
  src(): string | null;
  /** The same as that of {@link MapLoader}. */
  isPage(): boolean;
  /** The first version is being loaded, or not any more. */
  onLoading(isLoading: boolean): void;
  /** There is a document, or another version of it. @param isFirst whether there was none before */
  onMap(shown: ShownMap, isFirst: boolean): void;
  /** The same as that of {@link MapLoader}. */
  onTiles(tiles: readonly TileSource[] | undefined): void;
  /** The same document has another live result, or none. */
  onUpdate(shown: ShownMap): void;
  /** A live result was applied, or its data are not as fresh as they were. @param at when it was evaluated */
  onLive(at: string | undefined, data: DataState): void;
  /** Called at least when something of it has changed. */
  onData(known: KnownData): void;
  onProblem(problem: VisibleProblem | 'live', message: string): void;
}

const isVisible = (): boolean => document.visibilityState === 'visible';

const fresh: DataState = { state: 'fresh', since: undefined };

export class MapSource {
  readonly #options: MapSourceOptions;
  readonly #loader: MapLoader;
  readonly #live: LiveLoader;
  readonly #age = new DataAge({ onChange: (known) => this.#show(known), isVisible });
  #shown: ShownMap | undefined;
  /** A result for a version that is being loaded. */
  #awaited: LiveResult | undefined;
  /** The former argument of `onLive`. */
  #said: DataState = fresh;
  #isLive = true;
  /** Seconds between two live results; `undefined` if the map is still. */
  #refresh: number | undefined;

  constructor(options: MapSourceOptions) {
    this.#options = options;
    this.#loader = new MapLoader({
      src: () => options.src(),
      isPage: () => options.isPage(),
      onLoading: (isLoading) => options.onLoading(isLoading),
      onMap: (published) => this.#take(published),
      onTiles: (tiles) => options.onTiles(tiles),
      onLive: (source, isNew) => {
        this.#live.follow(source, isNew);
        this.#refresh = source?.refresh;
        this.#followAge();
        // The map is not live any more. A result without a version comes from a script.
        if (source === undefined && this.#shown?.live?.version !== undefined) this.apply(undefined);
      },
      onProblem: (problem, message) => options.onProblem(problem, message),
    });
    this.#live = new LiveLoader({
      onResult: (result) => this.#receive(readLive(result)),
      onAnswer: () => {
        this.#age.answered();
        this.#age.check();
      },
      onProblem: (message) => {
        this.#age.lost();
        options.onProblem('live', message);
      },
      onVisibility: () => this.#age.wake(),
    });
  }

  /** The document with its live result; `undefined` before it is loaded. */
  get shown(): ShownMap | undefined {
    return this.#shown;
  }

  /** When the live result was answered last, also without a change: milliseconds since 1970. */
  get answeredAt(): number | undefined {
    return this.#live.answeredAt;
  }

  /** As for {@link MapLoader.ownsPage}. */
  get ownsPage(): boolean {
    return this.#loader.ownsPage;
  }

  /** Loads the map, or its new version. Resolves whether there was one. */
  load(): Promise<boolean> {
    return this.#loader.load();
  }

  /** As for {@link MapLoader.refreshEvery}. */
  refreshEvery(seconds: number): void {
    this.#loader.refreshEvery(seconds);
  }

  /** Whether live results are loaded. Without them, the map is shown as it was published. */
  set isLive(is: boolean) {
    this.#live.isOff = !is;
    this.#isLive = is;
    this.#followAge();
    if (!is) this.apply(undefined);
  }

  /** Takes a document from a script, instead of the one at `src`. */
  give(document: unknown): void {
    this.#loader.turnOff();
    this.#stopLive();
    this.#options.onTiles(undefined);
    this.#take({ map: readMap(document), document, version: undefined, filesBase: undefined });
  }

  /**
   * Shows a live result, or the document as published. Returns whether it was applied: only to the version to which it belongs.
   *
   * @param isStill as for {@link ShownMap}
   */
  apply(result: LiveResult | undefined, isStill = false): boolean {
    const before = this.#shown;
    if (before === undefined || (result !== undefined && before.ageOf(result) !== 0)) return false;
    this.#shown = before.with(result, isStill);
    this.#options.onUpdate(this.#shown);
    if (result !== undefined) this.#say(result);
    return true;
  }

  /** Forgets the map, so that the one at another `src` can be loaded. */
  forget(): void {
    this.#shown = undefined;
    this.#stopLive();
    this.#loader.forget();
  }

  /** Ends requests and timers. The map stays. */
  stop(): void {
    this.#loader.stop();
    this.#stopLive();
  }

  #stopLive(): void {
    this.#live.stop();
    this.#refresh = undefined;
    this.#followAge();
  }

  #followAge(): void {
    const refresh = this.#isLive ? this.#refresh : undefined;
    if (refresh === undefined) this.#said = fresh;
    this.#age.follow(refresh);
  }

  /** Data that are too old, if the map says so, give way to the document as published, and come back when they are fresh. */
  #show(known: KnownData): void {
    const { live, isStill } = this.#shown ?? {};
    if (live !== undefined && isStill !== known.isOver && this.#shown !== undefined) {
      this.#shown = this.#shown.with(live, known.isOver);
      this.#options.onUpdate(this.#shown);
    }
    const { state, since } = this.#said;
    if (known.state !== state || known.since !== since) this.#say({ at: live?.at, ...known });
    this.#options.onData(known);
  }

  #say({ at, state, since }: Pick<LiveResult, 'at'> & DataState): void {
    this.#said = { state, since };
    this.#options.onLive(at, this.#said);
  }

  #take(still: StillMap): void {
    const isFirst = this.#shown === undefined;
    const awaited = this.#awaited;
    const shown = new ShownMap(still);
    this.#age.overMs = (still.map.staleMinutes ?? Number.POSITIVE_INFINITY) * 60_000;
    const isAwaited = awaited !== undefined && shown.ageOf(awaited) === 0;
    this.#shown = isAwaited ? shown.with(awaited, this.#isOver(awaited)) : shown;
    this.#options.onMap(this.#shown, isFirst);
    if (isAwaited) this.#say(awaited);
  }

  /** Applies a result of the server. One of a later version waits until the map is loaded again. Resolves whether it was applied. */
  async #receive(result: LiveResult): Promise<boolean> {
    const age = this.#shown?.ageOf(result) ?? 0;
    if (age < 0) return false;
    if (age === 0) return this.apply(result, this.#isOver(result));
    this.#awaited = result;
    await this.#loader.load();
    this.#awaited = undefined;
    return this.#shown?.live === result;
  }

  /** Notes an answer. Returns true if its data are too old to be shown. */
  #isOver(answer: LiveResult): boolean {
    this.#age.answered(answer);
    return this.#age.known.isOver;
  }
}
