/** What the readers of all formats return: items with shapes in the unit of the file, and their values by column. */

import { ConvertError, type FilePicture, type TargetArtboard } from '../conversion.ts';
import type { Notes } from '../notes.ts';

/** x (or longitude) and y (or latitude). */
export type Position = readonly [x: number, y: number];

export type Shape =
  | { readonly kind: 'point'; readonly at: Position }
  /** A circle in pixels. */
  | { readonly kind: 'circle'; readonly at: Position; readonly radius: number }
  /** A polygon and its holes, without the repeated last corners. */
  | { readonly kind: 'ring'; readonly ring: readonly Position[]; readonly holes: readonly (readonly Position[])[] }
  | { readonly kind: 'line'; readonly line: readonly Position[]; readonly width?: number };

/** Texts by column. */
export interface Values {
  get(column: string): string | undefined;
}

/** One row, feature or element. */
export interface Item {
  readonly shapes: readonly Shape[];
  /** By column; numbers as text. */
  readonly values: Values;
  readonly row?: number;
  readonly at: string;
  /** Members of objects that the file itself sets: colours of KML, SVG and simplestyle. */
  readonly style?: Readonly<Record<string, string | number | boolean>>;
  /** HTML of columns for a popup, within the elements that popups show; the others are shown as text. */
  readonly contents?: ReadonlyMap<string, string>;
  /** Members that say what a click does. */
  readonly click?: Readonly<Record<string, string | boolean>>;
  /** Members of an exported object, which replace all defaults. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Bodies of its popups, in an exported document. */
  readonly popups?: readonly Readonly<Record<string, unknown>>[];
}

export interface FileData {
  readonly unit: 'degrees' | 'pixels';
  readonly items: readonly Item[];
  /** In the order of the file. */
  readonly columns: readonly string[];
  /** How the numbers of a CSV are written, by column; other formats have decimal points. */
  readonly decimals?: ReadonlyMap<string, 'point' | 'comma'>;
  /** Rows or elements, with those that were left out. */
  readonly read: number;
  /** Of an SVG, in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly background?: string;
  /** The artboard of an exported document, to which the pixels of its objects refer. */
  readonly artboard?: TargetArtboard;
  /** The column with the groups of the file itself, such as folders or layers: unless the mapping says otherwise, they are the categories. */
  readonly category?: string;
  /** The column with a text about each element: unless the mapping says otherwise, the popups show it. */
  readonly description?: string;
  /** Pictures of an archive. */
  readonly pictures?: readonly FilePicture[];
  /** The layers of a file that may have several, and the one that was read. */
  readonly layers?: readonly string[];
  readonly layer?: string;
  /** Columns that the reader recognized. */
  readonly recognized?: { readonly latitude?: string; readonly longitude?: string; readonly x?: string; readonly y?: string };
}

/** Columns of a file: more are no table that a person can map. */
export const columnsMax = 1000;

/** Cells of a table, with the empty ones before others. */
export const cellsMax = 20_000_000;

/** Collects the names of columns in the order of their first use, up to a limit. */
export class ColumnNames {
  readonly #names = new Set<string>();
  readonly #notes: Notes;
  #isFull = false;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** Values of an item by column; what has no text is left out. */
  valuesOf(properties: Readonly<Record<string, unknown>>): Map<string, string> {
    const values = new Map<string, string>();
    for (const [name, value] of Object.entries(properties)) {
      const text = textOf(value);
      if (text === undefined || !this.#add(name)) continue;
      values.set(name, text);
    }
    return values;
  }

  #add(name: string): boolean {
    if (this.#names.size < columnsMax || this.#names.has(name)) {
      this.#names.add(name);
      return true;
    }
    if (!this.#isFull)
      this.#notes.leaveOut('columns', '', `The file has more than ${columnsMax} columns: the others are left out.`);
    this.#isFull = true;
    return false;
  }

  list(): string[] {
    return [...this.#names];
  }
}

/** @returns `undefined` for a value that says nothing */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return wellFormed(typeof value === 'object' ? jsonOf(value) : String(value));
}

/** @throws {ConvertError} "unreadable" for a value that no program could write as JSON again */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new ConvertError('unreadable', 'A value of the file is nested too deeply. Remove it from the properties.');
  }
}

/** A text without halves of characters, which the API refuses: JSON and XML can name them. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
