/**
 * Functions generated from a resource's schema. A literal with every member in its place is what V8 builds fastest (tens of
 * nanoseconds, against microseconds for a loop or a spread), gives all values of a resource one shape, and is written by no hand.
 *
 * A row is a value as a positional array: `[id, field, field, ...]`, with `null` where a field has its default and no trailing
 * nulls. Words of an enum travel as their position, open structures as JSON text, vertices as `[x, y, x, y, ...]`.
 */
import { jsonDepthMax, nestsDeeper } from '../lib/json.ts';
import { RecordFormatError, stored } from './stored.ts';
import type { Body, Row, Value } from './value.ts';

export type Encoding = 'text' | 'number' | 'flag' | 'word' | 'vertices' | 'object' | 'array';

/** One member that a resource stores itself: not its identifier, not a collection. */
export interface Field {
  readonly name: string;
  readonly encoding: Encoding;
  /** The default, deeply frozen; `undefined` when the member is required or set by the server. */
  readonly fallback: unknown;
  /** The words of an enum, in stored order. */
  readonly words: readonly string[];
  /** Set by the server, given to {@link Generated.create} beside the body. */
  readonly readOnly: boolean;
  /** An object whose members left out take their own defaults. */
  readonly fills: boolean;
}

export interface Generated {
  /** A new value: members of the checked body, defaults for the rest. `fixed` holds what the server sets. */
  create(id: string, fixed: Body, body: Body): Value;
  /** `current` with the members of the checked body in their places. */
  merge(current: Value, body: Body): Value;
  toRow(value: Value): Row;
  /** Throws a `RecordFormatError` for a row that {@link Generated.toRow} does not make. */
  fromRow(row: unknown): Value;
}

interface Vertex {
  readonly x: number;
  readonly y: number;
}

const helpers = {
  flatten(vertices: readonly Vertex[]): number[] {
    const flat = new Array<number>(vertices.length * 2);
    let at = 0;
    for (const { x, y } of vertices) {
      flat[at++] = x;
      flat[at++] = y;
    }
    return flat;
  },
  vertices(item: unknown, what: string): Vertex[] {
    const flat = stored.list(item, what);
    const vertices = new Array<Vertex>(Math.floor(flat.length / 2));
    for (let i = 0; i < vertices.length; i++) {
      vertices[i] = { x: stored.number(flat[2 * i], what), y: stored.number(flat[2 * i + 1], what) };
    }
    if (2 * vertices.length !== flat.length) throw new RecordFormatError(`${what} end with half a vertex`);
    return vertices;
  },
  /** An open structure: what is inside it is the client's, and nothing here looks at it; only answers must be able to write it. */
  json(item: unknown, isArray: boolean, what: string): unknown {
    const text = stored.text(item, what);
    let value: unknown;
    try {
      if (nestsDeeper(text, jsonDepthMax)) throw new SyntaxError('it is nested too deeply');
      value = JSON.parse(text);
    } catch (error) {
      throw new RecordFormatError(`${what} cannot be parsed: ${(error as Error).message}`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value) !== isArray) {
      throw new RecordFormatError(`${what} is not ${isArray ? 'an array' : 'an object'}`);
    }
    return value;
  },
  row(item: unknown, fields: number): void {
    const { length } = stored.list(item, 'a row');
    if (length > fields + 1) throw new RecordFormatError(`a row has ${length} items, at most ${fields + 1} are known`);
  },
  ...stored,
  trim(row: unknown[]): unknown[] {
    while (row.length > 0 && row[row.length - 1] === null) row.pop();
    return row;
  },
};

export function generate(fields: readonly Field[]): Generated {
  const defaults = fields.map((field) => field.fallback);
  const words = fields.map((field) => field.words);
  const positions = fields.map((field) => Object.fromEntries(field.words.map((word, i) => [word, i])));
  const literal = (id: string, member: (field: Field, name: string, i: number) => string) =>
    `return { id: ${id}, ${fields.map((field, i) => `${JSON.stringify(field.name)}: ${member(field, JSON.stringify(field.name), i)}`).join(', ')} };`;
  const make = (parameters: string, body: string) =>
    new Function('defaults', 'words', 'positions', 'helpers', `'use strict'; return (${parameters}) => { ${body} };`)(
      defaults,
      words,
      positions,
      helpers,
    );
  return {
    create: make('id, fixed, body', literal('id', createdMember)),
    merge: make('current, body', literal('current.id', mergedMember)),
    toRow: make('value', `return helpers.trim([value.id, ${fields.map(rowItem).join(', ')}]);`),
    fromRow: make(
      'row',
      `helpers.row(row, ${fields.length}); ${literal("helpers.text(row[0], 'an identifier')", (field, name, i) => readItem(field, name, `row[${i + 1}]`, i))}`,
    ),
  };
}

function createdMember(field: Field, name: string, i: number): string {
  if (field.readOnly) return `fixed[${name}]`;
  if (field.fills) return `body[${name}] === undefined ? defaults[${i}] : { ...defaults[${i}], ...body[${name}] }`;
  return field.fallback === undefined ? `body[${name}]` : `body[${name}] ?? defaults[${i}]`;
}

function mergedMember(field: Field, name: string, i: number): string {
  if (field.readOnly) return `current[${name}]`;
  if (field.fills) return `body[${name}] === undefined ? current[${name}] : { ...defaults[${i}], ...body[${name}] }`;
  return `body[${name}] ?? current[${name}]`;
}

function rowItem(field: Field, i: number): string {
  const value = `value[${JSON.stringify(field.name)}]`;
  const json = `JSON.stringify(${value})`;
  const encoded = {
    ...{ text: value, number: value, flag: value, object: json, array: json },
    ...{ word: `positions[${i}][${value}]`, vertices: `helpers.flatten(${value})` },
  }[field.encoding];
  if (field.fallback === undefined) return encoded;
  const isDefault = field.encoding === 'vertices' ? `${value}.length === 0` : `${value} === defaults[${i}]`;
  return `${isDefault} ? null : ${encoded}`;
}

function readItem(field: Field, name: string, item: string, i: number): string {
  const decoded = {
    // What is right is seen without a call.
    text: `typeof ${item} === 'string' ? ${item} : helpers.text(${item}, ${name})`,
    number: `helpers.number(${item}, ${name})`,
    flag: `helpers.flag(${item}, ${name})`,
    word: `helpers.word(words[${i}], ${item}, ${name})`,
    vertices: `helpers.vertices(${item}, ${name})`,
    object: `helpers.json(${item}, false, ${name})`,
    array: `helpers.json(${item}, true, ${name})`,
  }[field.encoding];
  return field.fallback === undefined ? decoded : `${item} == null ? defaults[${i}] : ${decoded}`;
}
