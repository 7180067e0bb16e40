/**
 * The members of a project that a map shows. A document comes from a server or from a file on any host, so {@link readMap} checks every
 * member: an absent or wrong one gets its default, and all later code can rely on the types.
 */

import type { Bounds } from '../../../lib/geo/geo.ts';

/** A corner of a polygon, in pixels of the artboard. */
export interface Corner {
  readonly x: number;
  readonly y: number;
}

const objectDefaults = {
  id: '',
  name: 'Untitled Object',
  type: 'spot',
  click_action: 'none',
  open_link_in_new_tab: false,
  click_action_url: '',
  click_action_artboard_id: '',
  x: 0,
  y: 0,
  radius: 20,
  pin: true,
  color: '#3b82f6',
  opacity: 1,
  stroke_color: '#000000',
  stroke_width: 0,
  stroke_opacity: 1,
  hover_color: '#000000',
  hover_opacity: 0.5,
  hover_stroke_color: '#000000',
  hover_stroke_width: 0,
  hover_stroke_opacity: 1,
  blend_mode: 'normal',
  interactive: true,
};

const popupDefaults = {
  id: '',
  attachedTo: '',
  maxWidth: 500,
  title: '',
  image: '',
  content: '',
  buttonText: '',
  buttonAction: 'follow-link',
  buttonLink: '',
  openLinkInNewTab: false,
};

const artboardDefaults = {
  id: '',
  name: 'Untitled Artboard',
  type: 'color',
  image_url: '',
  width: 800,
  height: 600,
  bg_color: '#ffffff',
  osm_lat: 0,
  osm_lng: 0,
  osm_zoom: 1,
};

/** The defaults by resource; a test compares them with the API. */
export const documentDefaults = { object: objectDefaults, popup: popupDefaults, artboard: artboardDefaults };

/** A spot or a polygon. */
export type MapObject = Readonly<typeof objectDefaults> & { readonly coords: readonly Corner[] };
export type MapPopup = Readonly<typeof popupDefaults>;
export type MapArtboard = Readonly<typeof artboardDefaults> & {
  readonly objects: readonly MapObject[];
  /** How far a map can be moved, to the limits of the world if `undefined`. Across the antimeridian `east` is less than `west`. */
  readonly bounds: Bounds | undefined;
};

/** Which names are written on the map: none, those with enough room, or all. */
export const labelModes = ['none', 'auto', 'all'] as const;
export type LabelMode = (typeof labelModes)[number];

/** What a colour means. */
export interface LegendEntry {
  readonly color: string;
  readonly name: string;
}

/** A project as a map shows it. */
export interface MapDocument {
  readonly id: string;
  readonly name: string;
  readonly artboards: readonly MapArtboard[];
  readonly popups: readonly MapPopup[];
  readonly labels: LabelMode;
  readonly legend: readonly LegendEntry[];
}

/** The name of an object or an artboard as visitors read it; '' for one that has none, or only that of new ones. */
export const nameOf = ({ name }: { readonly name: string }): string =>
  name === objectDefaults.name || name === artboardDefaults.name ? '' : name.trim();

type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The objects in a list; none for any other value. */
export const listOf = (value: unknown): Plain[] => (Array.isArray(value) ? value.filter(isPlain) : []);

/** Beyond these, the arithmetic of a browser's canvas is no longer exact enough to draw anything. */
const coordinateMax = 1e12;
const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(-coordinateMax, Math.min(coordinateMax, value)) : undefined;

/** @param otherwise the values of absent and of wrong members */
function withDefaults<Members extends object>(defaults: Members, given: Plain, otherwise: Members = defaults): Members {
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(defaults)) {
    const fallback: unknown = otherwise[name as keyof Members];
    const value = typeof fallback === 'number' ? finite(given[name]) : given[name];
    read[name] = typeof value === typeof fallback ? value : fallback;
  }
  return read as Members;
}

/** Whether an identifier can name a drawn object: not if it is empty, or a name that every object has. */
export const isUsableId = (id: string): boolean => id !== '' && !(id in Object.prototype);

/** An object of any origin, checked. */
export const readObject = (given: unknown): MapObject => changedObject({ ...objectDefaults, coords: [] }, given);

/** An object with other values of some members, of any origin, checked: a wrong member changes nothing. */
export function changedObject(object: MapObject, members: unknown): MapObject {
  const plain = isPlain(members) ? members : {};
  const { coords: given } = plain;
  const coords = Array.isArray(given)
    ? listOf(given).map(({ x, y }) => ({ x: finite(x) ?? 0, y: finite(y) ?? 0 }))
    : object.coords;
  return { ...withDefaults(objectDefaults, plain, object), coords };
}

/** A popup of any origin, checked. */
export const readPopup = (given: unknown): MapPopup => changedPopup(popupDefaults, given);

/** A popup with other values of some members, of any origin, checked: a wrong member changes nothing. */
export const changedPopup = (popup: MapPopup, members: unknown): MapPopup =>
  withDefaults(popupDefaults, isPlain(members) ? members : {}, popup);

/** An artboard of any origin, checked. @param settings of its project */
export function readArtboard(given: unknown, settings?: unknown): MapArtboard {
  const plain = isPlain(given) ? given : {};
  return {
    ...withDefaults(artboardDefaults, plain),
    objects: listOf(plain['objects']).map(readObject),
    bounds: boundsIn(settings),
  };
}

function boundsIn(settings: unknown): Bounds | undefined {
  const given = isPlain(settings) ? settings['max_bounds'] : undefined;
  if (!isPlain(given)) return undefined;
  const [south, west, north, east] = ['south', 'west', 'north', 'east'].map((side) => finite(given[side]) ?? Number.NaN) as [
    number,
    number,
    number,
    number,
  ];
  return south < north && west !== east && Math.abs(west) <= 180 && Math.abs(east) <= 180
    ? { south, west, north, east }
    : undefined;
}

/** A project of any origin, checked. Throws a TypeError if it is no project at all. */
export function readMap(given: unknown): MapDocument {
  if (!isPlain(given) || !Array.isArray(given['artboards'])) throw new TypeError('the document has no list "artboards"');
  return {
    id: typeof given['id'] === 'string' ? given['id'] : '',
    name: typeof given['name'] === 'string' ? given['name'] : '',
    artboards: listOf(given['artboards']).map((artboard) => readArtboard(artboard, given['settings'])),
    popups: listOf(given['popups']).map(readPopup),
    ...readSettings(given['settings']),
  };
}

function readSettings(given: unknown): Pick<MapDocument, 'labels' | 'legend'> {
  const { labels, legend } = isPlain(given) ? given : {};
  return {
    labels: readLabelMode(labels) ?? 'none',
    legend: listOf(legend).flatMap(({ color, name }) =>
      typeof color === 'string' && typeof name === 'string' ? [{ color, name }] : [],
    ),
  };
}

/** `undefined` for any other value. */
export const readLabelMode = (given: unknown): LabelMode | undefined => labelModes.find((mode) => mode === given);
