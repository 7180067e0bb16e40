/** What `convert` takes and returns: options, mapping, conversion and report. Plain data, which also passes to and from a worker. */
import type { FieldKind, FieldPlace } from '../../lib/draw/public-map.ts';
import type { MapArea } from '../../lib/geo/geo.ts';

export type Format =
  | 'geojson'
  /** Features line by line, or with record separators. */
  | 'geojsonl'
  | 'topojson'
  | 'esrijson'
  | 'overpass'
  | 'umap'
  /** A list of records with members of any name, or one per line. */
  | 'json'
  | 'wkt'
  | 'kml'
  /** KML in a ZIP archive, with its pictures. */
  | 'kmz'
  | 'gpx'
  | 'svg'
  | 'csv'
  | 'xlsx'
  /** In a ZIP archive. */
  | 'shapefile';

export type TargetArtboard = MapArea & {
  readonly type: 'color' | 'image' | 'osm';
  /** Whether it becomes a map for this file, so that pixels could be used instead. */
  readonly isNew?: boolean;
};

export type Placement = 'keep' | 'centre' | 'fit' | 'pixels';

export interface ConvertOptions {
  /** A label of the WHATWG encodings for the text, such as `windows-1251`. Recognized if left out. */
  readonly encoding?: string;
  /** The artboard that gets the objects. Left out: a new one, {@link Conversion.artboard}, that fits the file. */
  readonly artboard?: TargetArtboard;
  /** Members that are left out are recognized or have their default. */
  readonly mapping?: GivenMapping;
  /**
   * Places on an OpenStreetMap artboard: `keep` (default), or `centre`: {@link Conversion.artboard} then has centre and zoom for the data, and
   * the pixels refer to it. On another artboard: `fit` (default for places; a margin of 5 %), or `pixels` (default for SVG, for columns x and y,
   * and for documents marked `"unit": "pixels"`).
   */
  readonly placement?: Placement;
  /** The layer of a file that has several; default: the first one. */
  readonly layer?: string;
  /** Exchanges latitude and longitude: the remedy of the warning `swapped-axes`. */
  readonly swapAxes?: boolean;
  /** Categories of the project: they keep their colours and icons. */
  readonly categories?: readonly KnownCategory[];
  /** Width of lines of which the file says none, in pixels; 0 leaves all lines out. Default: 2. */
  readonly lineWidth?: number;
  /** @param share from 0 to 1 */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** How columns become members of objects; saved in `settings.imports[<id of the artboard>]`. Names of columns are those of the file. */
export interface Mapping {
  /** Of a CSV, in degrees. */
  readonly latitude?: string;
  readonly longitude?: string;
  /** Of a CSV, in pixels of the artboard. */
  readonly x?: string;
  readonly y?: string;
  /** A column, or a text with names of columns in braces, `{street} {number}`. */
  readonly name?: string;
  /** Its values find the same objects again in the next import. */
  readonly key?: string;
  readonly category?: CategoryMapping;
  /** Properties that visitors see. All other columns are properties that they do not see. */
  readonly fields?: readonly FieldMapping[];
  readonly color?: ColorMapping;
  readonly radius?: RadiusMapping;
  /** Text with names of columns in braces, `{city}`. */
  readonly popupTitle?: string;
  /** HTML with names of columns in braces; the values are escaped. */
  readonly popupContent?: string;
}

/** A mapping of which the converter completes the rest. `undefined` is the same as no member. */
export type GivenMapping = {
  readonly [Name in Exclude<keyof Mapping, 'color' | 'category' | 'fields'>]?: Mapping[Name] | undefined;
} & {
  /** By value for a column of numbers, and else by category. */
  readonly color?: (Omit<ColorMapping, 'by'> & Partial<Pick<ColorMapping, 'by'>>) | undefined;
  /** Left out: the groups of the file itself, such as folders. `auto`: also the column that looks like one, if there is one. */
  readonly category?: CategoryMapping | 'auto' | 'none' | undefined;
  /** `all`: the first columns that visitors may want. Kinds and places that are left out are recognized. */
  readonly fields?: readonly (Pick<FieldMapping, 'column'> & Partial<FieldMapping>)[] | 'all' | undefined;
};

/** The values of the column are the categories of the objects. */
export interface CategoryMapping {
  /** If it has the groups of the file itself, colours in the file stay. */
  readonly column: string;
  /** One of {@link paletteNames}, for categories that the project does not have. Without effect if the mapping has a `color`. */
  readonly palette?: string;
}

/** A column that visitors see. */
export interface FieldMapping {
  readonly column: string;
  /** The name for visitors; default: the name of the column. */
  readonly label?: string;
  readonly kind: FieldKind;
  readonly show: readonly FieldPlace[];
}

/** A category of the project; an empty text is none. */
export interface KnownCategory {
  readonly name: string;
  readonly color?: string;
  readonly icon?: string;
}

/** A category of the file. */
export interface ConvertedCategory extends Required<KnownCategory> {
  /** How many rows or elements have it. */
  readonly count: number;
}

export interface ColorMapping {
  readonly column: string;
  readonly by: 'category' | 'value';
  /** One of {@link paletteNames}. */
  readonly palette?: string;
  /** Colours of the least and the greatest value, instead of a palette. */
  readonly from?: string;
  readonly to?: string;
  /** Classes of equally many values (default), or of equal width. */
  readonly steps?: 'quantiles' | 'equal';
  /** Number of classes: 2 to 12, default 5. */
  readonly count?: number;
}

/** The area of a spot grows with the value: a spot of four times the value has twice the radius. */
export interface RadiusMapping {
  readonly column: string;
  /** Radius in pixels that no spot is below; default 3. */
  readonly least?: number;
  /** Radius of the greatest value, in pixels; default 30. */
  readonly most?: number;
}

/** The body of a request that creates an object or a popup. */
export type Body = Readonly<Record<string, unknown>>;

export interface ConvertedObject {
  /** Body of `POST …/objects`; places are pixels. */
  readonly body: Body;
  /** Members of {@link body} that only style a new object: an update of an existing one leaves them as they are. */
  readonly styles: readonly string[];
  /** Members of {@link body} that follow its category: an object that is in it already keeps them. */
  readonly looks?: readonly string[];
  /** Row of a CSV as a spreadsheet counts: the header is row 1. */
  readonly row: number | undefined;
  /** For people: `row 12`, `element 3, Room A`. */
  readonly at: string;
}

export interface ConvertedPopup {
  /** Index in {@link Conversion.objects}. */
  readonly object: number;
  /** Body of `POST …/popups`, without `attachedTo`. */
  readonly body: Body;
}

export interface Column {
  readonly name: string;
  readonly kind: 'number' | 'text' | 'empty';
  /** Number of different values, at most 1,000. */
  readonly distinct: number;
  /** Of a column of numbers. */
  readonly least?: number;
  readonly most?: number;
  /** The kind of field that its values are. */
  readonly fieldKind: FieldKind;
  readonly role?: 'latitude' | 'longitude' | 'name' | 'address';
}

export interface Conversion {
  readonly format: Format;
  readonly objects: readonly ConvertedObject[];
  readonly popups: readonly ConvertedPopup[];
  readonly columns: readonly Column[];
  /** The first 20 rows, each with a text per column. */
  readonly rows: readonly (readonly string[])[];
  /** The given mapping with what was recognized. */
  readonly mapping: Mapping;
  /**
   * Members of the artboard to which the pixels refer: centre and zoom with the placement `centre`, all of them for a new artboard. A new one
   * of type `image` shows {@link background}.
   */
  readonly artboard?: Partial<TargetArtboard>;
  /** Of an SVG: the remaining picture, without scripts and links to other hosts. */
  readonly background?: string;
  readonly legend?: readonly LegendEntry[];
  /** Pictures to upload before the objects. */
  readonly pictures?: readonly FilePicture[];
  /** The categories of the mapped column, the most frequent first. */
  readonly categories: readonly ConvertedCategory[];
  /** Keys of rows and elements that make no object: objects with them are in the file. */
  readonly keysLeftOut: readonly string[];
  /** Columns that are properties of the objects. */
  readonly properties: readonly string[];
  /** The layers of a file that may have several, and the one that was read. */
  readonly layers?: readonly string[];
  readonly layer?: string;
  /** Whether the file has lines without a width of their own, to which {@link ConvertOptions.lineWidth} applies. */
  readonly hasLines: boolean;
  readonly report: Report;
}

/** A picture of an archive, which popups show. */
export interface FilePicture {
  /** Its path in the archive. */
  readonly name: string;
  /** Media type, by its name. */
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Stands for its address in the contents of {@link Conversion.popups}; `withPictures` replaces it. */
  readonly mark: string;
}

export interface LegendEntry {
  readonly color: string;
  readonly name: string;
}

export interface Report {
  /** Rows or elements of the file. */
  readonly read: number;
  /** Objects. */
  readonly made: number;
  /** At most 1,000, and then one that counts the others. */
  readonly notes: readonly Note[];
  readonly warning?: 'swapped-axes';
  /** Corners, if there were too many. */
  readonly simplified?: { readonly before: number; readonly after: number };
}

export interface Note {
  /** A word for programs, such as `latitude` or `holes`. */
  readonly code: string;
  /** As {@link ConvertedObject.at}; empty if the note is about the whole file. */
  readonly at: string;
  /** A sentence for people. */
  readonly detail: string;
  /** The row or element, or the part that the note names, is not imported. */
  readonly leftOut: boolean;
}

export interface Layers {
  readonly names: readonly string[];
  /** The one that was read. */
  readonly chosen: string;
}

export type ConvertErrorCode = 'unreadable' | 'refused' | 'too-large' | 'coordinates' | 'columns' | 'aborted';

/** Nothing can be imported. The message says what is wrong, where, and what to do. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError';
  readonly code: ConvertErrorCode;
  /** Columns of the file, if the mapping must name some of them. */
  readonly columns: readonly string[];
  /** The layers of the file, if another one may be read. */
  readonly layers: Layers | undefined;

  constructor(code: ConvertErrorCode, message: string, columns: readonly string[] = [], layers?: Layers) {
    super(message);
    this.code = code;
    this.columns = columns;
    this.layers = layers;
  }
}
