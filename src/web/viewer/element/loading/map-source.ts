/**
 * The map that is shown: a published one, with its new versions and live results, or a document that a script has given. Live results are applied
 * to the document, never to a former result.
 */
import { type LiveResult, readLive } from '../../drawing/live-result.ts';
import { readMap } from '../../drawing/map-document.ts';
import type { VisibleProblem } from '../map-messages.ts';
import { ShownMap, type StillMap } from '../shown-map.ts';
import { LiveLoader } from './live-loader.ts';
import { MapLoader } from './map-loader.ts';

interface MapSourceOptions {
  /** The attribute `src`. */
  src(): string | null;
  /** The first version is being loaded, or not any more. */
  onLoading(isLoading: boolean): void;
  /** There is a document, or another version of it. @param isFirst whether there was none before */
  onMap(shown: ShownMap, isFirst: boolean): void;
  /** The same document has another live result, or none. */
  onUpdate(shown: ShownMap): void;
  /** A live result was applied. */
  onLive(result: LiveResult): void;
  /** @param isVisible whether visitors see it */
  onProblem(problem: VisibleProblem, message: string, isVisible: boolean): void;
}

export class MapSource {
  readonly #options: MapSourceOptions;
  readonly #loader: MapLoader;
  readonly #live: LiveLoader;
  #shown: ShownMap | undefined;
  /** A result for a version that is being loaded. */
  #awaited: LiveResult | undefined;

  constructor(options: MapSourceOptions) {
    this.#options = options;
    this.#loader = new MapLoader({
      src: () => options.src(),
      onLoading: (isLoading) => options.onLoading(isLoading),
      onMap: (published) => this.#take(published),
      onLive: (source, isNew) => {
        this.#live.follow(source, isNew);
        // The map is not live any more. A result without a version comes from a script.
        if (source === undefined && this.#shown?.live?.version !== undefined) this.apply(undefined);
      },
      onProblem: (problem, message) => options.onProblem(problem, message, true),
    });
    this.#live = new LiveLoader({
      onResult: (result) => this.#receive(readLive(result)),
      onProblem: (message, isFirst) => options.onProblem('live', message, isFirst),
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
    if (!is) this.apply(undefined);
  }

  /** Takes a document from a script, instead of the one at `src`. */
  give(document: unknown): void {
    this.#loader.turnOff();
    this.#live.stop();
    this.#take({ map: readMap(document), document, version: undefined, filesBase: undefined });
  }

  /** Shows a live result, or the document as published. Returns whether it was applied: only to the version to which it belongs. */
  apply(result: LiveResult | undefined): boolean {
    const before = this.#shown;
    if (before === undefined || (result !== undefined && before.ageOf(result) !== 0)) return false;
    this.#shown = before.with(result);
    this.#options.onUpdate(this.#shown);
    if (result !== undefined) this.#options.onLive(result);
    return true;
  }

  /** Forgets the map, so that the one at another `src` can be loaded. */
  forget(): void {
    this.#shown = undefined;
    this.#live.stop();
    this.#loader.forget();
  }

  /** Ends requests and timers. The map stays. */
  stop(): void {
    this.#loader.stop();
    this.#live.stop();
  }

  #take(still: StillMap): void {
    const isFirst = this.#shown === undefined;
    const awaited = this.#awaited;
    const shown = new ShownMap(still);
    const isAwaited = awaited !== undefined && shown.ageOf(awaited) === 0;
    this.#shown = isAwaited ? shown.with(awaited) : shown;
    this.#options.onMap(this.#shown, isFirst);
    if (isAwaited) this.#options.onLive(awaited);
  }

  /** Applies a result of the server. One of a later version waits until the map is loaded again. Resolves whether it was applied. */
  async #receive(result: LiveResult): Promise<boolean> {
    if (this.#shown === undefined || this.#shown.ageOf(result) <= 0) return this.apply(result);
    this.#awaited = result;
    await this.#loader.load();
    this.#awaited = undefined;
    return this.#shown.live === result;
  }
}
