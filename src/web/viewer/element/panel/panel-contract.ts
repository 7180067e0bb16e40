/** The contract between `viewer.js` and the part of the panel. */
import type { Colour } from '../../drawing/colours.ts';
import type { MapArtboard } from '../../drawing/map-document.ts';
import type { MapFilter } from '../filter/map-filter.ts';
import type { ShownMap } from '../shown-map.ts';
import type { Texts } from '../texts.ts';

/** The content of the panel. */
export interface PanelState {
  readonly shown: ShownMap | undefined;
  readonly artboard: MapArtboard | undefined;
  readonly texts: Texts;
  /** Languages of the visitor, the preferred one first. */
  readonly languages: readonly string[];
  /** True if there are categories and filters, and not the list alone. */
  readonly isPanel: boolean;
  /** True if there is a field that searches the map. */
  readonly hasField: boolean;
  /** The object that is open. */
  readonly current: string | undefined;
  /** True if the panel shows the details of that object instead of the list. */
  readonly isDetailed: boolean;
}

/** The functions that the panel uses of the script that loads it. */
export interface PanelHost {
  readonly filter: MapFilter;
  onOpen(id: string): void;
  /** The keyboard has reached an object, or left the list. */
  onFocus(id: string | undefined): void;
  onHover(id: string | undefined): void;
  /** Escape, or the link that skips the list. */
  onLeave(): void;
  /** The panel covers this height of the map, as a sheet at its bottom. */
  onCovered(px: number): void;
  colourOf(text: string, fallback: string): Colour;
  /** Adds a style sheet to the element. */
  addSheet(sheet: CSSStyleSheet): void;
}

export interface Panel {
  update(state: PanelState): void;
  /** Moves the focus to the row of an object; whether it has one. */
  focus(id: string): boolean;
  focusSearch(): void;
  /** Leaves the map more room, if the panel is a sheet above it. */
  makeRoom(): void;
  resized(): void;
}

export interface PanelPart {
  createPanel(element: HTMLElement, details: HTMLElement, host: PanelHost): Panel;
}
