/**
 * Functions generated from a resource's schema. An object literal with every member is what V8 creates fastest (tens of nanoseconds, a
 * loop or a spread takes microseconds), and it gives all values of a resource one shape.
 *
 * A row is a value as a positional array: `[id, field, field, ...]`, with `null` where a field has its default and no trailing
 * nulls. Enum words are stored as their index, open structures as JSON text, vertices as `[x, y, x, y, ...]`. Extension members (API
 * version *latest*) come last in a row; in a value they are under a symbol. Both omit them if all have their defaults.
 */
import { jsonDepthMax, nestsDeeper } from '../lib/json/json.ts';
import { memberFrameBytes, weighExtension, weighJson } from './memory-estimate.ts';
import { RecordFormatError, stored } from './stored.ts';
import { type Body, extension, type Row, type Value } from './value.ts';

export type Encoding = 'text' | 'number' | 'flag' | 'word' | 'vertices' | 'object' | 'array';

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
}

export interface Generated {
  /** A new value: members of the checked body, defaults for the rest. `fixed` has the members that the server sets. */
  create(id: string, fixed: Body, body: Body): Value;
  /** `current` with the members of the checked body replaced. */
  merge(current: Value, body: Body): Value;
  toRow(value: Value): Row;
  /** Throws a `RecordFormatError` for anything but the output of {@link Generated.toRow}. */
  fromRow(row: unknown): Value;
  /** The value with its extension members among the others, including defaults. */
  whole(value: Value): Value;
  /** The value as JSON, without its extension members: as `JSON.stringify` writes it, in half of the time. */
  json(value: Value): string;
  /** The JSON of {@link Generated.whole}. */
  wholeJson(value: Value): string;
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
  /** Adds the extension to a new value, unless all its members have their defaults. */
  withExtension(value: { [extension]?: Body }, members: Body, defaults: Body): unknown {
    const hasExtension = Object.entries(members).some(([name, member]) => !isDefault(member, defaults[name]));
    if (hasExtension) value[extension] = members;
    return value;
  },
  ...stored,
  quoted: (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`),
  weighJson,
  weighExtension,
  trim(row: unknown[]): unknown[] {
    while (row.length > 0 && row[row.length - 1] === null) row.pop();
    return row;
  },
};

/** Any empty list equals an empty default. */
function isDefault(member: unknown, fallback: unknown): boolean {
  return member === fallback || (Array.isArray(member) && member.length === 0 && JSON.stringify(fallback) === '[]');
}

type MemberCode = (field: Field, name: string, i: number) => string;

/**
 * @param known the fields of the contract
 * @param others the extension fields of API version *latest*; each has a default
 */
export function generate(known: readonly Field[], others: readonly Field[]): Generated {
  const fields = [...known, ...others];
  const defaults = fields.map((field) => field.fallback);
  const words = fields.map((field) => field.words);
  const positions = fields.map((field) => Object.fromEntries(field.words.map((word, i) => [word, i])));
  const extensionDefaults = Object.fromEntries(others.map(({ name, fallback }) => [name, fallback]));
  const each = (some: readonly Field[], item: MemberCode): string =>
    some.map((field) => item(field, JSON.stringify(field.name), fields.indexOf(field))).join(', ');
  const members = (some: readonly Field[], member: MemberCode): string =>
    each(some, (field, name, i) => `${name}: ${member(field, name, i)}`);
  const literal = (id: string, member: MemberCode): string => `{ id: ${id}, ${members(known, member)} }`;
  /** Code for a value; with its extension if the expression `hasExtension` is true. */
  const value = (id: string, member: MemberCode, hasExtension: string, other: MemberCode = member): string =>
    others.length === 0
      ? `return ${literal(id, member)};`
      : `const value = ${literal(id, member)}; return ${hasExtension} ? helpers.withExtension(value, { ${members(others, other)} }, extensionDefaults) : value;`;
  const sent = others.map(({ name }) => `body[${JSON.stringify(name)}] !== undefined`).join(' || ');
  const make = (parameters: string, body: string) =>
    new Function(
      ...['defaults', 'words', 'positions', 'extension', 'extensionDefaults', 'helpers'],
      `'use strict'; return (${parameters}) => { ${body} };`,
    )(defaults, words, positions, extension, extensionDefaults, helpers);
  const read: MemberCode = (field, name, i) => readItem(field, name, `row[${i + 1}]`, i);
  const row = `[value.id, ${each(known, (field, name, i) => rowItem(field, `value[${name}]`, i))}]`;
  const jsonItems = (some: readonly Field[], holder: string): string =>
    some.map((field) => ` + ${jsonItem(field, holder, fields.indexOf(field))}`).join('');
  const json = `'{"id":' + helpers.quoted(value.id)${jsonItems(known, 'value')}`;
  const extensionItems = each(others, (field, name, i) => rowItem(field, `others[${name}]`, i));
  const shown = `{ id: value.id, ${members(known, (_, name) => `value[${name}]`)}, ${members(others, (_, name) => `others[${name}]`)} }`;
  return {
    create: make('id, fixed, body', value('id', createdMember, sent)),
    merge: make(
      'current, body',
      (others.length === 0 ? '' : 'const others = current[extension] ?? extensionDefaults; ') +
        value(
          'current.id',
          (field, name, i) => mergedMember(field, name, `current[${name}]`, i),
          `others !== extensionDefaults || ${sent}`,
          (field, name, i) => mergedMember(field, name, `others[${name}]`, i),
        ),
    ),
    toRow: make(
      'value',
      others.length === 0
        ? `return helpers.trim(${row});`
        : `const row = ${row}; const others = value[extension]; if (others !== undefined) row.push(${extensionItems}); return helpers.trim(row);`,
    ),
    fromRow: make(
      'row',
      `helpers.row(row, ${fields.length}); ${value("helpers.text(row[0], 'an identifier')", read, `row.length > ${known.length + 1}`)}`,
    ),
    whole: make(
      'value',
      others.length === 0 ? 'return value;' : `const others = value[extension] ?? extensionDefaults; return ${shown};`,
    ),
    json: make('value', `return ${json} + '}';`),
    wholeJson: make(
      'value',
      `const others = value[extension] ?? extensionDefaults; return ${json}${jsonItems(others, 'others')} + '}';`,
    ),
    weighMember: make(
      'value',
      `let bytes = ${memberFrameBytes(known.length)} + helpers.weighJson(value.id); ` +
        known.map((field) => weighedMember(field, fields.indexOf(field))).join('') +
        'return value[extension] === undefined ? bytes : bytes + helpers.weighExtension(value);',
    ),
  };
}

/** Code for a member in a JSON object that has members before it. */
function jsonItem({ name, encoding, fallback }: Field, holder: string, i: number): string {
  const item = `${holder}[${JSON.stringify(name)}]`;
  const key = `,${JSON.stringify(name)}:`;
  const content = {
    ...{ text: `helpers.quoted(${item})`, word: `helpers.quoted(${item})`, number: item, flag: item },
    ...{ vertices: `JSON.stringify(${item})`, object: `JSON.stringify(${item})`, array: `JSON.stringify(${item})` },
  }[encoding];
  const code = `${JSON.stringify(key)} + ${content}`;
  return fallback === undefined
    ? code
    : `(${item} === defaults[${i}] ? ${JSON.stringify(key + JSON.stringify(fallback))} : ${code})`;
}

/** A flag is in the slot of its member, and enum words are shared. */
function weighedMember({ name, encoding }: Field, i: number): string {
  if (encoding === 'flag' || encoding === 'word') return '';
  const item = `value[${JSON.stringify(name)}]`;
  return `if (${item} !== defaults[${i}]) bytes += helpers.weighJson(${item}); `;
}

function createdMember(field: Field, name: string, i: number): string {
  if (field.readOnly) return `fixed[${name}]`;
  if (field.fills) return `body[${name}] === undefined ? defaults[${i}] : { ...defaults[${i}], ...body[${name}] }`;
  return field.fallback === undefined ? `body[${name}]` : `body[${name}] ?? defaults[${i}]`;
}

function mergedMember(field: Field, name: string, current: string, i: number): string {
  if (field.readOnly) return current;
  if (field.fills) return `body[${name}] === undefined ? ${current} : { ...defaults[${i}], ...body[${name}] }`;
  return `body[${name}] ?? ${current}`;
}

function rowItem(field: Field, value: string, i: number): string {
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
    // A string needs no call.
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
