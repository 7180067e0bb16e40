/**
 * Decides if a map is on a wall: by the attribute `display`, and on the page of the map itself by the parameter `display` of its address. The part
 * that shows it there is loaded only then.
 */
import type { ViewerPart } from '../parts/viewer-part.ts';
import type { LiveDetail } from './data-words.ts';
import type { Wall, WallChoice, WallHost } from './wall-contract.ts';

interface WallModeOptions extends WallHost {
  readonly part: ViewerPart<'wall'>;
  readonly source: WallHost['source'] & { readonly ownsPage: boolean };
  /** The map is on no wall any more. */
  onLeave(): void;
}

export class WallMode {
  readonly #options: WallModeOptions;
  #wall: Wall | undefined;
  #live: LiveDetail | undefined;

  constructor(options: WallModeOptions) {
    this.#options = options;
    options.element.addEventListener('mapwright-live', (event) => {
      this.#live = (event as CustomEvent<LiveDetail>).detail;
    });
  }

  get isOn(): boolean {
    return this.#choice !== undefined;
  }

  get #choice(): WallChoice | undefined {
    const { element, source } = this.#options;
    // Another page may use these parameters for itself.
    const address = new URLSearchParams(source.ownsPage ? location.search : '');
    const read = (name: string): string | null => address.get(name) ?? element.getAttribute(name);
    const display = read('display');
    if (display === null || display === 'off' || display === '0') return undefined;
    return { isDark: display === 'dark', seconds: read('display-seconds') };
  }

  /** Follows the attributes and the address. */
  apply(): void {
    const wasOn = this.#wall !== undefined;
    this.stop();
    if (!this.isOn) {
      if (wasOn) this.#options.onLeave();
      return;
    }
    this.#options.part.use(({ createWall }) => {
      // The part may have been on its way for a while.
      this.stop();
      const choice = this.#choice;
      if (choice !== undefined && this.#options.element.isConnected) this.#wall = createWall(this.#options, choice, this.#live);
    });
  }

  stop(): void {
    this.#wall?.stop();
    this.#wall = undefined;
  }
}
