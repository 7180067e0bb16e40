/**
 * The kinds of members that resources are declared with, as TypeBox schemas. Each contains its default, so that a declaration reads like
 * the table of the contract. Everything else about a member (type, check, encoding) is derived from the schema.
 */
import Type, {
  type TEnum,
  type TNumber,
  type TSchema,
  type TSchemaOptions,
  type TString,
  type TStringOptions,
  type TUnsafe,
} from 'typebox';
import type { MemberForm } from './form.ts';

/** Member names of collections of resources. */
export type CollectionName = 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions' | 'files' | 'versions';

/** The schema keywords of a member that code is derived from. */
export interface AnySchema extends TSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: AnySchema;
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly additionalProperties?: boolean;
  readonly patternProperties?: Readonly<Record<string, AnySchema>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly readOnly?: boolean;
  /** Stored, and in no body. */
  readonly hidden?: boolean;
  /** A key for reading sees the default instead. Named as an OpenAPI extension. */
  readonly 'x-secret'?: true;
  /** The text is a time. Named as an OpenAPI extension. */
  readonly 'x-time'?: true;
  /** Collection of the target, if the member is a reference or a list of references. Named as an OpenAPI extension. */
  readonly 'x-references'?: CollectionName;
  /** The text may have addresses of files: it is one, or it is HTML with attributes that are. */
  readonly 'x-files'?: FileTexts;
  /** The largest size of the value as JSON, in bytes. It is kept as text. */
  readonly 'x-json-bytes-max'?: number;
  /** The text is an address to follow, which may be a place in the map: `#ID`. */
  readonly 'x-link'?: true;
  /** The member in a form of the console. No description of the API has it. */
  readonly 'x-form'?: MemberForm;
}

/** Keywords of a member that its declaration adds. */
export interface MemberOptions extends TSchemaOptions {
  readonly description?: string;
  readonly 'x-form'?: MemberForm;
}

/**
 * Where a member has addresses of files: its text is `alone` the address, they are in its HTML, each text in its `values` may be one, or the
 * pictures of its `public_map` may be: icons of categories, and the logo.
 */
export type FileTexts = 'alone' | 'html' | 'values' | 'public_map';

/** A string. Colours and URLs are strings, too, and are not checked further. */
export const text = (fallback = '', options: MemberOptions & TStringOptions = {}) =>
  Type.String({ default: fallback, ...options });

/** The address of a picture: anywhere, or of a file of the project. */
export const pictureAddress = (options: MemberOptions) => Type.String({ default: '', ...options, 'x-files': 'alone' });

/** An address to follow: anywhere, or `#ID` of an artboard or an object of the project. */
export const linkAddress = (options: MemberOptions) => Type.String({ default: '', ...options, 'x-link': true });

/** HTML or text, which may show files of the project. */
export const html = (options: MemberOptions) => Type.String({ default: '', ...options, 'x-files': 'html' });

/**
 * The identifier of something in that collection of the same project; '' for none. Any string is accepted: the target may be deleted at
 * any time, so only an explicit request checks references.
 */
export const reference = (collection: CollectionName, options: MemberOptions) =>
  Type.String({ default: '', ...options, 'x-references': collection });

/** A list of identifiers, each as in {@link reference}. */
export const references = (collection: CollectionName, options: MemberOptions) =>
  Type.Array(Type.String(), { default: [], ...options, 'x-references': collection });

/** Any finite number. */
export const number = (fallback: number, options: MemberOptions & { minimum?: number; maximum?: number } = {}) =>
  Type.Number({ default: fallback, ...options });

export const flag = (fallback: boolean, options: MemberOptions = {}) => Type.Boolean({ default: fallback, ...options });

/** One of a fixed set of words. Their order is part of the stored format: append, never reorder. */
export const oneOf = <const Words extends string[]>(
  words: readonly [...Words],
  fallback: Words[number],
  options: MemberOptions = {},
) => Type.Enum(words, { default: fallback, ...options });

/** An enum without a default. The type has a mark, so that types of bodies know it. */
export interface NeededEnum<Words extends string[] = string[]> extends TEnum<Words> {
  readonly '~needed': true;
}

/** An enum without a default: a create must contain the member. */
export const requiredOneOf = <const Words extends string[]>(words: readonly [...Words], options: MemberOptions = {}) =>
  Type.Enum(words, options) as NeededEnum<[...Words]>;

/** A string that the server sets. */
export interface ReadOnlyText extends TString {
  readonly readOnly: true;
}

/** A member that the server sets; requests cannot change it. */
export const readOnlyText = (description: string) => Type.String({ readOnly: true, description }) as ReadOnlyText;

/** A time that the server sets: RFC 3339 in UTC with milliseconds. */
export const readOnlyTime = (description: string) =>
  Type.String({
    readOnly: true,
    description: `${description}: RFC 3339, UTC, with milliseconds`,
    'x-time': true,
  }) as ReadOnlyText;

/** A number that the server sets. */
export interface ReadOnlyNumber extends TNumber {
  readonly readOnly: true;
}

export const readOnlyNumber = (description: string) => Type.Number({ readOnly: true, description }) as ReadOnlyNumber;

/** A string that the server sets and that no response has. */
export const hiddenText = (description: string) => Type.String({ readOnly: true, hidden: true, description }) as ReadOnlyText;

/** Any JSON object, stored as sent. TypeBox would infer the type `object`, whose members cannot be accessed. */
export const openObject = (options: MemberOptions = {}) =>
  Type.Object({}, { additionalProperties: true, ...options }) as unknown as TUnsafe<Record<string, unknown>>;

/** A list of JSON objects, stored as sent. */
export const openObjects = (options: MemberOptions = {}) => Type.Array(openObject(), { default: [], ...options });

export const texts = (options: MemberOptions = {}) => Type.Array(Type.String(), { default: [], ...options });

/** Corners of a polygon; a vertex has exactly `x` and `y`. */
export const vertices = (options: MemberOptions = {}) =>
  Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false }), { default: [], ...options });

/** Rings of corners within a polygon. */
export const rings = (options: MemberOptions & { readonly maxItems: number }) =>
  Type.Array(Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false })), {
    default: [],
    ...options,
  });

/** Bounds of {@link namedValues}. */
interface NamedValuesBounds {
  /** How many values. */
  readonly most: number;
  /** Characters of a name. */
  readonly nameLengthMax: number;
  /** Characters of a text. */
  readonly textLengthMax: number;
  /** The whole as JSON, in bytes. */
  readonly bytesMax: number;
}

/** An object of texts, numbers and booleans by names with a bounded length. It is kept as JSON text. Its texts may be addresses of files. */
export const namedValues = ({ most, nameLengthMax, textLengthMax, bytesMax }: NamedValuesBounds, options: MemberOptions) =>
  Type.Record(
    Type.String({ pattern: `^[\\s\\S]{1,${nameLengthMax}}$` }),
    Type.Union([Type.String({ maxLength: textLengthMax }), Type.Number(), Type.Boolean()]),
    {
      ...{ default: {}, ...options, maxProperties: most, additionalProperties: false },
      ...{ 'x-files': 'values', 'x-json-bytes-max': bytesMax },
    },
  ) as unknown as TUnsafe<Record<string, string | number | boolean>>;

/** A member of a project or an artboard that is an ordered collection of resources. */
export const collectionOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { default: [], description });
