/** Where the details of an object are shown: in a card on the map, or in the panel. */
import type { Box } from '../../../../lib/geo/polygon.ts';
import type { Corner, MapArtboard } from '../../drawing/map-document.ts';
import type { FilesBase } from '../loading/file-address.ts';
import type { Details } from '../shown-map.ts';
import type { Texts } from '../texts.ts';

/** Of the map, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
  /** Height of what is at its top, and stays free. */
  readonly top: number;
}

/** The content of the details, and how it is shown. */
export interface DetailsContent {
  readonly details: Details;
  readonly artboard: MapArtboard;
  /** A point of the object, in pixels of the artboard. */
  readonly point: Corner | undefined;
  readonly texts: Texts;
  /** Of the visitor, the preferred one first. */
  readonly languages: readonly string[];
  readonly filesBase: FilesBase | undefined;
}

export interface DetailsView {
  /** Height of the map that it covers as a sheet at its bottom, in pixels. */
  readonly coveredPx: number;
  /** Padding of the map with which it covers its object no longer; `undefined` if it does not. */
  readonly room: readonly [number, number, number, number] | undefined;
  show(content: DetailsContent): void;
  /** Shows a new version: what was read and what had the focus stay. */
  renew(content: DetailsContent): void;
  hide(): void;
  /** Moves it next to a box in pixels of the map, inside the map. */
  place(at: Box, size: Size): void;
}

export interface DetailsViewOptions {
  readonly element: HTMLElement;
  onClose(): void;
  /** A picture was loaded, so that it has another height. */
  onResize(): void;
}
