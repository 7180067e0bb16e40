/** The contract between `viewer.js` and the part that shares, prints and saves what a map shows. */
import type { Colour } from '../../drawing/colours.ts';
import type { Drawing } from '../../drawing/drawing.ts';
import type { MapDrawers } from '../../drawing/flat/flat-map.ts';
import type { LoadOutlines } from '../../drawing/ground/outlines-contract.ts';
import type { LabelMode, MapArtboard, MapObject } from '../../drawing/map-document.ts';
import type { ViewBox } from '../../drawing/view/first-view.ts';
import type { ShownMap } from '../shown-map.ts';
import type { Texts } from '../texts.ts';

/** The parts of the element that the menu uses. */
export interface ShareHost {
  readonly element: HTMLElement;
  readonly stage: {
    readonly element: HTMLElement;
    readonly canvas: HTMLElement;
    /** Opens and closes the menu. */
    readonly menu: HTMLButtonElement;
    readonly badge: { readonly element: HTMLElement };
    readonly drawing: Drawing | undefined;
    readonly look: { readonly labels: LabelMode; readonly hasNoGroups: boolean };
  };
  readonly source: { readonly shown: ShownMap | undefined };
  readonly navigation: {
    readonly artboard: MapArtboard | undefined;
    /** True if the address of the page is that of the map. */
    readonly usesAddress: boolean;
    fragmentOf(view: ViewBox | undefined): string;
  };
  readonly popup: { readonly id: string | undefined };
  readonly filter: { passes(object: MapObject): boolean };
  readonly drawers: MapDrawers;
  readonly loadOutlines: LoadOutlines;
  colourOf(text: string, fallback: string): Colour;
  language(): { readonly texts: Texts; readonly languages: readonly string[] };
}

export interface ShareMenu {
  /** Opens or closes it. */
  toggle(): void;
}

export interface SharePart {
  createMenu(host: ShareHost): ShareMenu;
}
