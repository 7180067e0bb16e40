/** Loads the published map at `src`, looks for new versions, and lets one request at a time count. */
import type { TileSource } from '../../drawing/ground/tile-source.ts';
import { isOwnPage } from '../navigation/own-address.ts';
import { folderOf, type LiveSource, LoadError, loadPublishedMap, type ProblemKind, type PublishedMap } from './published-map.ts';

const refreshS = { least: 10, most: 86_400 };

interface MapLoaderOptions {
  /** The attribute `src`. */
  src(): string | null;
  /** True if the page says that it is that of the map: it has several addresses. */
  isPage(): boolean;
  /** The first version is being loaded, or not any more. */
  onLoading(isLoading: boolean): void;
  onMap(map: PublishedMap): void;
  /** `map.json` was read, before `onMap`. @param tiles its sources of map tiles, if it has some */
  onTiles(tiles: readonly TileSource[] | undefined): void;
  /** `map.json` was read. @param isNew whether its version is drawn for the first time */
  onLive(live: LiveSource | undefined, isNew: boolean): void;
  onProblem(problem: ProblemKind | 'source', message: string): void;
}

export class MapLoader {
  readonly #options: MapLoaderOptions;
  #folder: URL | undefined;
  /** The address of the version that was loaded last. */
  #address: string | undefined;
  #loading: AbortController | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isOff = false;

  constructor(options: MapLoaderOptions) {
    this.#options = options;
  }

  /** Whether the page is that of the map itself, whose address names the open object. */
  get ownsPage(): boolean {
    return this.#folder !== undefined && !this.#isOff && (this.#options.isPage() || isOwnPage(this.#folder));
  }

  /** Loads the map, or its new version. Resolves whether there was one. */
  async load(): Promise<boolean> {
    const { onLoading, onMap, onTiles, onLive, onProblem, src: read } = this.#options;
    if (this.#isOff) return false;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { signal } = loading;
    const isFirst = this.#address === undefined;
    try {
      const src = read();
      if (src === null || !URL.canParse(src, document.baseURI)) {
        onProblem('source', 'the attribute "src" must be the address of a published map');
        return false;
      }
      this.#folder = folderOf(src);
      if (isFirst) onLoading(true);
      const { published, live, tiles } = await loadPublishedMap(this.#folder, { signal, known: this.#address });
      if (signal.aborted) return false;
      if (isFirst) onLoading(false);
      onTiles(tiles);
      if (published !== undefined) {
        this.#address = published.address;
        onMap(published);
      }
      // A listener of the page may have removed the map.
      if (!signal.aborted) onLive(live, published !== undefined);
      return published !== undefined;
    } catch (error) {
      if (signal.aborted) return false;
      // A browser that was offline.
      addEventListener('online', this.#again, { once: true });
      const { kind, message } = error instanceof LoadError ? error : { kind: 'format' as const, message: String(error) };
      onProblem(kind, message);
      return false;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  /** Loads nothing any more: a script has given the document. */
  turnOff(): void {
    this.#isOff = true;
    this.#loading?.abort();
  }

  /** Forgets what was loaded or given: the next map is the first one. */
  forget(): void {
    this.#isOff = false;
    this.#address = undefined;
  }

  /** Looks for a new version now and then, while the page is visible. @param seconds not positive, or no number: never */
  refreshEvery(seconds: number): void {
    clearInterval(this.#timer);
    if (!(seconds > 0)) return;
    const used = Math.max(refreshS.least, Math.min(refreshS.most, seconds));
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.load();
    }, used * 1000);
  }

  readonly #again = (): void => void this.load();

  /** Ends the request and the timer. */
  stop(): void {
    removeEventListener('online', this.#again);
    this.#loading?.abort();
    clearInterval(this.#timer);
  }
}
