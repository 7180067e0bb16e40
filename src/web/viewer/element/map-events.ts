/** The events of the element: their names and details. */
import type { LiveResult } from '../drawing/live-result.ts';
import type { MapArtboard, MapObject, MapPopup } from '../drawing/map-document.ts';
import type { Problem } from './map-messages.ts';

/** The details of the events, by name. */
export interface MapwrightEvents {
  /** The map is drawn; again after a new version. `map` is the document as published. */
  'mapwright-ready': { readonly map: unknown; readonly version: number | undefined };
  /** An object was activated. If the event is cancelled, the map does nothing else. */
  'mapwright-click': { readonly object: MapObject; readonly popup: MapPopup | undefined };
  /** Another artboard is shown. */
  'mapwright-artboard': { readonly artboard: MapArtboard };
  /** A live result was applied, or its data are not as fresh as they were. `at`: when it was evaluated; `since`: time of the data; RFC 3339. */
  'mapwright-live': Pick<LiveResult, 'at' | 'state'> & { readonly since: string | undefined };
  /** Something could not be loaded. */
  'mapwright-problem': { readonly problem: Problem; readonly message: string };
}

/** Dispatches an event. Returns `false` if a listener has cancelled it. */
export type Emit = <Name extends keyof MapwrightEvents>(name: Name, detail: MapwrightEvents[Name]) => boolean;
