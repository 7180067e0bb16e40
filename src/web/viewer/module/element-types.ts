/** The types of the element that programs use: its attributes, its events, and what templates of frameworks may set. */
import type { FallbackTile } from '../drawing/ground/tile-requests.ts';
import type { LabelMode } from '../drawing/map-document.ts';
import type { MapwrightEvents } from '../element/map-events.ts';

/** The attributes of `<mapwright-map>`. True or '' is an attribute that is present, false one that is absent. */
export interface MapwrightMapAttributes {
  /** Address of the map: a folder with `map.json`. */
  src?: string | undefined;
  /** Artboard that is shown first, by identifier or name. */
  artboard?: string | undefined;
  /** Object whose popup is open, by identifier or name. */
  object?: string | undefined;
  /** The list of objects is visible. */
  list?: boolean | undefined;
  /** A button opens the list, with a field for a search. */
  search?: boolean | undefined;
  /** Seconds between two looks for a new version, at least 10. */
  refresh?: number | `${number}` | undefined;
  /** `off` shows a live map as it was published. */
  live?: 'off' | undefined;
  /** Which gestures belong to the map. Default: `cooperative`. */
  gestures?: 'cooperative' | 'greedy' | undefined;
  /** Names of objects on the map. */
  labels?: LabelMode | undefined;
  /** `off` draws every spot by itself. */
  cluster?: 'off' | undefined;
  /** `off` shows no legend. */
  legend?: 'off' | undefined;
  /** `off` shows no panel. */
  panel?: 'off' | undefined;
  /** The address of the page follows what the visitor sees. */
  permalink?: boolean | 'page' | undefined;
  /** `off` shows no switch of artboards. */
  switcher?: 'off' | undefined;
  /** The map is on a wall. */
  display?: boolean | 'dark' | 'off' | undefined;
  /** Seconds for which a wall shows each artboard, 3 to 86,400, or 0. Default: 20. */
  'display-seconds'?: number | `${number}` | undefined;
  /** A button opens a menu that shares, prints and saves what the map shows. */
  menu?: boolean | 'off' | undefined;
  /** Language of the texts: `en`, `de`. */
  lang?: string | undefined;
}

/** The properties that a template may set, besides attributes. */
export interface MapwrightMapProperties {
  /** A project, or a document as published, in place of one at `src`. */
  map?: unknown;
  /** Gets the address of a tile that does not load; resolves to the address of another picture. */
  fallbackTile?: FallbackTile | undefined;
}

/** The events of `<mapwright-map>`, by name. */
export type MapwrightMapEventMap = { [Name in keyof MapwrightEvents]: CustomEvent<MapwrightEvents[Name]> };

/** Listeners as React and Preact name them: `onmapwright-click`. */
export type MapwrightMapListeners = {
  [Name in keyof MapwrightMapEventMap as `on${Name}`]?: ((event: MapwrightMapEventMap[Name]) => void) | undefined;
};

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Text;

/** Listeners as Vue names them: `onMapwrightClick`, which is `@mapwright-click` in a template. */
export type MapwrightMapVueListeners = {
  [Name in keyof MapwrightMapEventMap as `on${Capitalize<Camel<Name>>}`]?:
    | ((event: MapwrightMapEventMap[Name]) => void)
    | undefined;
};
