/** The contract between `viewer.js` and the part that shows a map on a wall. */
import type { MapArtboard } from '../../drawing/map-document.ts';
import type { ShownMap } from '../shown-map.ts';
import type { Texts } from '../texts.ts';
import type { LiveDetail } from './data-words.ts';

/** The settings of a wall by attributes or the address of the page. */
export interface WallChoice {
  readonly isDark: boolean;
  /** Seconds for which each artboard is shown, as written; `null` for the default. */
  readonly seconds: string | null;
}

/** The parts of the element that a wall shows in another way. */
export interface WallHost {
  /** Fires the events, and becomes full screen. */
  readonly element: HTMLElement;
  /** Contains view and list. */
  readonly frame: HTMLElement;
  readonly list: HTMLElement;
  readonly stage: {
    readonly element: HTMLElement;
    readonly canvas: HTMLElement;
    readonly legend: { readonly element: HTMLDetailsElement };
    /** Made again for each map. */
    readonly drawing: { leastLabelPx: number } | undefined;
  };
  readonly source: { readonly shown: ShownMap | undefined; readonly answeredAt: number | undefined };
  readonly navigation: {
    readonly artboard: MapArtboard | undefined;
    showArtboard(artboard: MapArtboard): void;
    /** Removes what is drawn. */
    clear(): void;
  };
  language(): { readonly texts: Texts; readonly languages: readonly string[] };
  /** Draws a map for the first time. */
  draw(shown: ShownMap): void;
}

export interface Wall {
  /** Shows the map as on any page. */
  stop(): void;
}

export interface WallPart {
  /** @param live the last state of the data; `undefined` before the first live result */
  createWall(host: WallHost, choice: WallChoice, live: LiveDetail | undefined): Wall;
}
