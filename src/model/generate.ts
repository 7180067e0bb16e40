/**
 * Functions generated from a resource's schema. An object literal with every member is what V8 creates fastest (tens of nanoseconds, a
 * loop or a spread takes microseconds), and it gives all values of a resource one shape.
 *
 * A row is a value as a positional array: `[id, field, field, ...]`, with `null` where a field has its default and no trailing
 * nulls. Enum words are stored as their index, open structures as JSON text, vertices as `[x, y, x, y, ...]`, rings as a list of these.
 * Named values, with the encoding `json`, are JSON text in memory, too: see `json-text.ts`.
 */
import { jsonDepthMax, nestsDeeper } from '../lib/json/json.ts';
import { JsonText } from './json-text.ts';
import { jsonTextBytes, memberFrameBytes, optionalMemberBytes, weighJson } from './memory-estimate.ts';
import { RecordFormatError, stored } from './stored.ts';
import type { Body, Row, Value } from './value.ts';

export type Encoding = 'text' | 'number' | 'flag' | 'word' | 'vertices' | 'rings' | 'object' | 'array' | 'json';

/** A member that a resource stores itself: not its identifier, not a collection. */
export interface Field {
  readonly name: string;
  readonly encoding: Encoding;
  /** The default, deeply frozen; `undefined` if the member is required or set by the server. */
  readonly fallback: unknown;
  /** The words of an enum, in stored order. */
  readonly words: readonly string[];
  /** Set by the server: {@link Generated.create} gets it in `fixed`. */
  readonly readOnly: boolean;
  /** An object whose missing members get their own defaults. */
  readonly fills: boolean;
  /** Beyond the contract: absent from values, and from responses, while it has its default. */
  readonly isOptional: boolean;
  /** Stored, and in no response. */
  readonly isHidden: boolean;
  /** A key for reading sees the default instead. */
  readonly isSecret: boolean;
  /** A time, RFC 3339 in UTC with milliseconds. */
  readonly isTime: boolean;
  /** The largest size of an open structure as JSON, in bytes; `undefined` without its own. */
  readonly jsonBytesMax: number | undefined;
}

export interface Generated {
  /** A new value: members of the checked body, defaults for the rest. `fixed` has the members that the server sets. */
  create(id: string, fixed: Body, body: Body): Value;
  /** `current` with the members of the checked body replaced. */
  merge(current: Value, body: Body): Value;
  toRow(value: Value): Row;
  /** Throws a `RecordFormatError` for anything but the output of {@link Generated.toRow}. */
  fromRow(row: unknown): Value;
  /** The value as JSON: as `JSON.stringify` writes it, in half of the time. */
  json(value: Value): string;
  /** Estimated memory of a decoded member with this value, in bytes. Defaults and enum words are shared by all values. */
  weighMember(value: Value): number;
}

interface Vertex {
  readonly x: number;
  readonly y: number;
}

/** Characters that JSON escapes in a string. Of surrogates it escapes only lone ones, which `JSON.stringify` finds. */
const escaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

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
    if (2 * vertices.length !== flat.length) throw new RecordFormatError(`${what} have an odd number of coordinates`);
    return vertices;
  },
  rings(item: unknown, what: string): Vertex[][] {
    return stored.list(item, what).map((ring) => helpers.vertices(ring, what));
  },
  flattenAll: (rings: readonly (readonly Vertex[])[]): number[][] => rings.map((ring) => helpers.flatten(ring)),
  jsonText: JsonText.of,
  storedJsonText: (item: unknown, what: string): JsonText => JsonText.stored(stored.text(item, what)),
  /** An open structure: its content is not interpreted, but it must be valid JSON, since responses contain it. */
  json(item: unknown, isArray: boolean, what: string): unknown {
    const text = stored.text(item, what);
    let value: unknown;
    try {
      if (nestsDeeper(text, jsonDepthMax)) throw new SyntaxError(`it is nested deeper than ${jsonDepthMax} levels`);
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
    if (length > fields + 1) throw new RecordFormatError(`a row has ${length} items; at most ${fields + 1} are allowed`);
  },
  ...stored,
  quoted: (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`),
  weighJson,
  trim(row: unknown[]): unknown[] {
    while (row.length > 0 && row[row.length - 1] === null) row.pop();
    return row;
  },
};

type MemberCode = (field: Field, name: string, i: number) => string;

/** @param fields in row order */
export function generate(fields: readonly Field[]): Generated {
  const defaults = fields.map((field) => field.fallback);
  const words = fields.map((field) => field.words);
  const positions = fields.map((field) => Object.fromEntries(field.words.map((word, i) => [word, i])));
  const codes = (some: readonly Field[], code: MemberCode): string[] =>
    some.map((field) => code(field, JSON.stringify(field.name), fields.indexOf(field)));
  const always = fields.filter(({ isOptional }) => !isOptional);
  const optional = fields.filter(({ isOptional }) => isOptional);
  /** Code for a value: a literal, to which the optional members that do not have their defaults are added. */
  const value = (id: string, member: MemberCode): string => {
    const literal = `{ id: ${id}, ${codes(always, (field, name, i) => `${name}: ${member(field, name, i)}`).join(', ')} }`;
    const added = codes(optional, (field, name, i) => {
      const isOther = isOtherCode(field, i);
      return `const o${i} = ${member(field, name, i)}; if (${isOther}) value[${name}] = o${i};`;
    });
    return added.length === 0 ? `return ${literal};` : `const value = ${literal}; ${added.join(' ')} return value;`;
  };
  const make = (parameters: string, body: string) =>
    new Function(...['defaults', 'words', 'positions', 'helpers'], `'use strict'; return (${parameters}) => { ${body} };`)(
      defaults,
      words,
      positions,
      helpers,
    );
  return {
    create: make('id, fixed, body', value('id', createdMember)),
    merge: make('current, body', value('current.id', mergedMember)),
    toRow: make('value', `return helpers.trim([value.id, ${codes(fields, rowItem).join(', ')}]);`),
    fromRow: make('row', `helpers.row(row, ${fields.length}); ${value("helpers.text(row[0], 'an identifier')", readItem)}`),
    json: make(
      'value',
      `return '{"id":' + helpers.quoted(value.id) + ${codes(
        fields.filter(({ isHidden }) => !isHidden),
        jsonItem,
      ).join(' + ')} + '}';`,
    ),
    weighMember: make(
      'value',
      `let bytes = ${memberFrameBytes(always.length)} + helpers.weighJson(value.id); ${codes(fields, weighedMember).join('')} return bytes;`,
    ),
  };
}

/** Code for a condition: the optional member `o<i>` does not have its default. */
function isOtherCode({ encoding, fallback }: Field, i: number): string {
  if (encoding === 'array' || encoding === 'rings') return `o${i}.length > 0`;
  const isOther = `o${i} !== defaults[${i}]`;
  if (encoding === 'object') return `${isOther} && JSON.stringify(o${i}) !== ${JSON.stringify(JSON.stringify(fallback))}`;
  return encoding === 'json' ? `o${i} !== undefined && !o${i}.isEmpty` : isOther;
}

/** Code for a member in a JSON object that has members before it. */
function jsonItem({ encoding, fallback, isOptional }: Field, name: string, i: number): string {
  const item = `value[${name}]`;
  const key = `,${name}:`;
  const content = {
    ...{ text: `helpers.quoted(${item})`, word: `helpers.quoted(${item})`, number: item, flag: item },
    ...{ vertices: `JSON.stringify(${item})`, object: `JSON.stringify(${item})`, array: `JSON.stringify(${item})` },
    ...{ rings: `JSON.stringify(${item})`, json: `${item}.checked` },
  }[encoding];
  const code = `${JSON.stringify(key)} + ${content}`;
  if (isOptional) return `(${item} === undefined ? '' : ${code})`;
  return fallback === undefined
    ? code
    : `(${item} === defaults[${i}] ? ${JSON.stringify(key + JSON.stringify(fallback))} : ${code})`;
}

/** A flag is in the slot of its member, and enum words are shared. */
function weighedMember({ encoding, isOptional }: Field, name: string, i: number): string {
  const item = `value[${name}]`;
  const isShared = encoding === 'flag' || encoding === 'word';
  if (encoding === 'json')
    return `if (${item} !== undefined) bytes += ${optionalMemberBytes + jsonTextBytes} + helpers.weighJson(${item}.text); `;
  if (isOptional)
    return `if (${item} !== undefined) bytes += ${optionalMemberBytes}${isShared ? '' : ` + helpers.weighJson(${item})`}; `;
  return isShared ? '' : `if (${item} !== defaults[${i}]) bytes += helpers.weighJson(${item}); `;
}

function createdMember(field: Field, name: string, i: number): string {
  if (field.readOnly) return `fixed[${name}]`;
  if (field.encoding === 'json') return `body[${name}] === undefined ? undefined : helpers.jsonText(body[${name}])`;
  if (field.fills) return `body[${name}] === undefined ? defaults[${i}] : { ...defaults[${i}], ...body[${name}] }`;
  return field.fallback === undefined ? `body[${name}]` : `body[${name}] ?? defaults[${i}]`;
}

function mergedMember(field: Field, name: string, i: number): string {
  const current = `current[${name}]`;
  if (field.readOnly) return current;
  if (field.encoding === 'json') return `body[${name}] === undefined ? ${current} : helpers.jsonText(body[${name}])`;
  if (field.fills) return `body[${name}] === undefined ? ${current} : { ...defaults[${i}], ...body[${name}] }`;
  return `body[${name}] ?? ${current}${field.isOptional ? ` ?? defaults[${i}]` : ''}`;
}

function rowItem(field: Field, name: string, i: number): string {
  const value = `value[${name}]`;
  const json = `JSON.stringify(${value})`;
  const encoded = {
    ...{ text: value, number: value, flag: value, object: json, array: json },
    ...{ word: `positions[${i}][${value}]`, vertices: `helpers.flatten(${value})` },
    ...{ rings: `helpers.flattenAll(${value})`, json: `${value}.text` },
  }[field.encoding];
  if (field.fallback === undefined) return encoded;
  if (field.isOptional) return `${value} === undefined ? null : ${encoded}`;
  const isDefault = field.encoding === 'vertices' ? `${value}.length === 0` : `${value} === defaults[${i}]`;
  return `${isDefault} ? null : ${encoded}`;
}

function readItem(field: Field, name: string, i: number): string {
  const item = `row[${i + 1}]`;
  const decoded = {
    // A string needs no call.
    text: `typeof ${item} === 'string' ? ${item} : helpers.text(${item}, ${name})`,
    number: `helpers.number(${item}, ${name})`,
    flag: `helpers.flag(${item}, ${name})`,
    word: `helpers.word(words[${i}], ${item}, ${name})`,
    vertices: `helpers.vertices(${item}, ${name})`,
    object: `helpers.json(${item}, false, ${name})`,
    array: `helpers.json(${item}, true, ${name})`,
    rings: `helpers.rings(${item}, ${name})`,
    json: `helpers.storedJsonText(${item}, ${name})`,
  }[field.encoding];
  if (field.encoding === 'json') return `${item} == null ? undefined : ${decoded}`;
  return field.fallback === undefined ? decoded : `${item} == null ? defaults[${i}] : ${decoded}`;
}
