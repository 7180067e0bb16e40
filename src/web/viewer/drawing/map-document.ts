/**
 * The members of a project that a map shows. A document comes from a server or from a file on any host, so {@link readMap} checks every
 * member: an absent or wrong one gets its default, and all later code can rely on the types.
 */

import {
  arrowEnds,
  type FieldKind,
  type FieldPlace,
  fieldKinds,
  fieldPlaces,
  isStaleMinutes,
  labelChoices,
  labelSizes,
  type PropertyValue,
} from '../../../lib/draw/public-map.ts';
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
  category: '',
  icon: '',
  label: 'auto',
  label_size: labelSizes.usual as number,
  closed: true,
  arrow: 'none',
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
  tiles: '',
};

/** The defaults by resource; a test compares them with the API. */
export const documentDefaults = { object: objectDefaults, popup: popupDefaults, artboard: artboardDefaults };

/** A spot, a polygon or a line. */
export type MapObject = Readonly<typeof objectDefaults> & {
  readonly coords: readonly Corner[];
  /** Rings of a polygon that are no part of it. */
  readonly holes: readonly (readonly Corner[])[];
  /** Read it with {@link propertyOf}: a name may be one that every object has. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Written in place of the name, by a live result; '' for the name. */
  readonly label_text: string;
};
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

/** Objects that visitors show and hide as one. They have its name. */
export interface MapCategory {
  readonly name: string;
  /** As visitors read it. */
  readonly label: string;
  /** '' for none. */
  readonly color: string;
  /** As that of an object; '' for none. */
  readonly icon: string;
  /** True if its objects are hidden until the visitor shows them. */
  readonly hidden: boolean;
}

/** A property of objects that visitors see. */
export interface MapField {
  /** Of the property. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly show: readonly FieldPlace[];
}

/** The first view. */
export interface MapStart {
  /** That of the first artboard if the map does not say. */
  readonly artboardId: string;
  /** Of OpenStreetMap, or steps from the whole picture, each twice as large; `undefined` for what fits. */
  readonly zoom: number | undefined;
  /** The centre: degrees on an OpenStreetMap artboard, pixels elsewhere; `undefined` for the middle of what fits. */
  readonly centre: { readonly lat: number; readonly lng: number } | Corner | undefined;
}

/** The part of `settings.public_map` that the map shows. */
export interface PublicMap {
  readonly description: string;
  readonly categories: readonly MapCategory[];
  readonly fields: readonly MapField[];
  readonly start: MapStart | undefined;
  /** Minutes without fresh data after which a live map is shown as published; `undefined` for never. */
  readonly staleMinutes: number | undefined;
}

/** True if a map has categories or fields for which visitors need a panel. */
export const needsPanel = ({ categories, fields }: PublicMap): boolean =>
  categories.length > 0 || fields.some(({ show }) => show.some((place) => place !== 'popup'));

/** An icon as an SVG path in a square. */
export interface MapIcon {
  readonly path: string;
  /** Side of the square. */
  readonly size: number;
}

/** A project as a map shows it. */
export interface MapDocument extends PublicMap {
  readonly id: string;
  readonly name: string;
  readonly artboards: readonly MapArtboard[];
  readonly popups: readonly MapPopup[];
  readonly labels: LabelMode;
  readonly legend: readonly LegendEntry[];
  /** By their names, such as `maki:toilet`. */
  readonly icons: ReadonlyMap<string, MapIcon>;
}

/** A property of an object; `undefined` if it has none of that name, or one that is no text, number or boolean. */
export function propertyOf({ properties }: Pick<MapObject, 'properties'>, name: string): PropertyValue | undefined {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
  // Not a coordinate: any finite number can be shown.
  const isShown = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isShown ? (value as PropertyValue) : undefined;
}

/** The name of an object or an artboard as visitors read it; '' for one that has none, or only that of new ones. */
export const nameOf = ({ name }: { readonly name: string }): string =>
  name === objectDefaults.name || name === artboardDefaults.name ? '' : name.trim();

/** The text at an object on the map. */
export const labelOf = (object: MapObject): string => nameOf({ name: object.label_text }) || nameOf(object);

type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The objects in a list; none for any other value. */
export const listOf = (value: unknown): Plain[] => (Array.isArray(value) ? value.filter(isPlain) : []);

/** Beyond these, the arithmetic of a browser's canvas is no longer exact enough to draw anything. */
const coordinateMax = 1e12;
const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(-coordinateMax, Math.min(coordinateMax, value)) : undefined;

/** A copy of some values, with the members of another object that are known and of their types. There may be 100,000 of them. */
function withMembers<Members extends object>(defaults: object, given: Plain, values: Members): Mutable<Members> {
  const read = { ...values } as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(defaults, name)) continue;
    const value = typeof read[name] === 'number' ? finite(given[name]) : given[name];
    if (typeof value === typeof read[name]) read[name] = value;
  }
  return read as Members;
}

type Mutable<Members> = { -readonly [Name in keyof Members]: Members[Name] };

/** Whether an identifier can name a drawn object: not if it is empty, or a name that every object has. */
export const isUsableId = (id: string): boolean => id !== '' && !(id in Object.prototype);

/** Shared, so that objects without them need no memory for them. */
const noHoles: MapObject['holes'] = [];
const newObject: MapObject = { ...objectDefaults, coords: [], holes: noHoles, properties: {}, label_text: '' };

/** An object of any origin, checked. */
export const readObject = (given: unknown): MapObject => changedObject(newObject, given);

/** An object with other values of some members, of any origin, checked: a wrong member changes nothing. */
export function changedObject(object: MapObject, members: unknown): MapObject {
  const plain = isPlain(members) ? members : {};
  const { coords, holes, properties, label_text } = plain;
  const read = withMembers(objectDefaults, plain, object);
  read.label = oneOf(labelChoices, read.label, object.label);
  read.label_size = Math.max(labelSizes.min, Math.min(labelSizes.max, read.label_size));
  read.arrow = oneOf(arrowEnds, read.arrow, object.arrow);
  if (Array.isArray(coords)) read.coords = ringOf(coords);
  if (Array.isArray(holes)) read.holes = holes.length === 0 ? noHoles : holes.filter(Array.isArray).map(ringOf);
  if (isPlain(properties)) read.properties = properties;
  if (typeof label_text === 'string') read.label_text = label_text;
  return read;
}

const ringOf = (given: unknown): Corner[] => listOf(given).map(({ x, y }) => ({ x: finite(x) ?? 0, y: finite(y) ?? 0 }));

const oneOf = <Word extends string>(words: readonly Word[], given: unknown, otherwise: string): string =>
  words.find((word) => word === given) ?? otherwise;

/** A popup of any origin, checked. */
export const readPopup = (given: unknown): MapPopup => changedPopup(popupDefaults, given);

/** A popup with other values of some members, of any origin, checked: a wrong member changes nothing. */
export const changedPopup = (popup: MapPopup, members: unknown): MapPopup =>
  withMembers(popupDefaults, isPlain(members) ? members : {}, popup);

/** An artboard of any origin, checked. @param settings of its project */
export function readArtboard(given: unknown, settings?: unknown): MapArtboard {
  const plain = isPlain(given) ? given : {};
  return {
    ...withMembers(artboardDefaults, plain, artboardDefaults),
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
  const artboards = listOf(given['artboards']).map((artboard) => readArtboard(artboard, given['settings']));
  const settings = readSettings(given['settings']);
  const { start } = settings;
  return {
    id: textOf(given['id']),
    name: textOf(given['name']),
    artboards,
    popups: listOf(given['popups']).map(readPopup),
    icons: readIcons(given['icons']),
    ...settings,
    start: start && { ...start, artboardId: start.artboardId || (artboards[0]?.id ?? '') },
  };
}

function readSettings(given: unknown): PublicMap & Pick<MapDocument, 'labels' | 'legend'> {
  const { labels, legend, public_map } = isPlain(given) ? given : {};
  return {
    ...readPublicMap(public_map),
    labels: readLabelMode(labels) ?? 'none',
    legend: listOf(legend).flatMap(({ color, name }) =>
      typeof color === 'string' && typeof name === 'string' ? [{ color, name }] : [],
    ),
  };
}

/** A server publishes at most so many; each takes memory for every object. */
const fieldsMax = 64;

function readPublicMap(given: unknown): PublicMap {
  const { description, categories, fields, start, stale_minutes } = isPlain(given) ? given : {};
  const named = <Item extends { readonly name: string }>(items: readonly Item[]): Item[] => {
    const names = new Set<string>();
    // Of two with one name, the first counts.
    return items.filter(({ name }) => !names.has(name) && names.add(name));
  };
  return {
    description: textOf(description),
    categories: named(
      listOf(categories).map(({ name, label, color, icon, hidden }) => ({
        ...{ name: textOf(name), label: textOf(label) || textOf(name) },
        ...{ color: textOf(color), icon: textOf(icon), hidden: hidden === true },
      })),
    ),
    fields: named(
      listOf(fields)
        .slice(0, fieldsMax)
        .map(({ name, label, kind, show }) => ({
          ...{ name: textOf(name), label: textOf(label) || textOf(name) },
          kind: fieldKinds.find((each) => each === kind) ?? 'text',
          show: fieldPlaces.filter((place) => (Array.isArray(show) ? show.includes(place) : place === 'popup')),
        })),
    ),
    start: isPlain(start) ? readStart(start) : undefined,
    staleMinutes: isStaleMinutes(stale_minutes) ? stale_minutes : undefined,
  };
}

function readStart({ artboard_id, zoom, lat, lng, x, y }: Plain): MapStart {
  const [latitude, longitude, left, top] = [finite(lat), finite(lng), finite(x), finite(y)];
  const place = latitude === undefined || longitude === undefined ? undefined : { lat: latitude, lng: longitude };
  const pixel = left === undefined || top === undefined ? undefined : { x: left, y: top };
  return { artboardId: textOf(artboard_id), zoom: finite(zoom), centre: place ?? pixel };
}

/** The icons of a document or of a live result. */
export const readIcons = (given: unknown): ReadonlyMap<string, MapIcon> =>
  new Map(
    Object.entries(isPlain(given) ? given : {}).flatMap(([name, icon]): [string, MapIcon][] => {
      const { path, size } = isPlain(icon) ? icon : {};
      const side = finite(size);
      return typeof path === 'string' && side !== undefined && side > 0 ? [[name, { path, size: side }]] : [];
    }),
  );

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');

/** `undefined` for any other value. */
export const readLabelMode = (given: unknown): LabelMode | undefined => labelModes.find((mode) => mode === given);
