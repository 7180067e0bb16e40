/**
 * The kinds of member that resources are declared with, as TypeBox schemas. Each carries its default, so that a declaration reads like
 * the table of the contract; everything else about a member (type, check, default, encoding) is derived from the schema.
 */
import Type, { type TSchema, type TSchemaOptions, type TUnsafe } from 'typebox';

/** Names under which resources hold collections of resources. */
export type CollectionName = 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions';

/** What a schema may say of a member, for whatever is derived from schemas. */
export interface AnySchema extends TSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: AnySchema;
  readonly properties?: Readonly<Record<string, AnySchema>>;
  readonly additionalProperties?: boolean;
  readonly minimum?: number;
  readonly default?: unknown;
  readonly readOnly?: boolean;
  /** It is a reference, or a list of them: the collection of what it names. An extension of JSON Schema's words, as OpenAPI wants them spelt. */
  readonly 'x-references'?: CollectionName;
}

/** A string; colours and URLs are strings too and are not checked further. */
export const text = (fallback = '', options: TSchemaOptions = {}) => Type.String({ default: fallback, ...options });

/**
 * The identifier of something in that collection of the same project, '' for nothing. Any other string passes as well: what is referred
 * to may be deleted at any time, so it is looked for only when somebody asks.
 */
export const reference = (collection: CollectionName, description: string) =>
  Type.String({ default: '', description, 'x-references': collection });

/** Identifiers of things in that collection, each as in {@link reference}. */
export const references = (collection: CollectionName, description: string) =>
  Type.Array(Type.String(), { default: [], description, 'x-references': collection });

/** Any finite number. */
export const number = (fallback: number, options: { minimum?: number; description?: string } = {}) =>
  Type.Number({ default: fallback, ...options });

export const flag = (fallback: boolean, options: TSchemaOptions = {}) => Type.Boolean({ default: fallback, ...options });

/** One of a fixed set of words. Their order is part of the stored format: append, never reorder. */
export const oneOf = <const Words extends string[]>(
  words: readonly [...Words],
  fallback: Words[number],
  options: TSchemaOptions = {},
) => Type.Enum(words, { default: fallback, ...options });

/** A set of words without a default: the member must be sent when the resource is created. */
export const requiredOneOf = <const Words extends string[]>(words: readonly [...Words], options: TSchemaOptions = {}) =>
  Type.Enum(words, options);

/** A member that the server sets and no request changes. */
export const readOnlyText = (description: string) => Type.String({ readOnly: true, description });

/** Any JSON object, kept as it was sent. TypeBox would call its type `object`, of which nobody can read a member. */
const anyObject = (options: TSchemaOptions = {}) =>
  Type.Object({}, { additionalProperties: true, ...options }) as unknown as TUnsafe<Record<string, unknown>>;

export const openObject = (fallback: Record<string, unknown>, options: TSchemaOptions = {}) =>
  anyObject({ default: fallback, ...options });

/** Any JSON objects, kept as they were sent. */
export const openObjects = (options: TSchemaOptions = {}) => Type.Array(anyObject(), { default: [], ...options });

export const texts = (options: TSchemaOptions = {}) => Type.Array(Type.String(), { default: [], ...options });

/** Corners of a polygon; a vertex is exactly `x` and `y`. */
export const vertices = (options: TSchemaOptions = {}) =>
  Type.Array(Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false }), { default: [], ...options });

/** A member of a project or an artboard that is itself a collection of resources, in its order. */
export const collectionOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { default: [], description });
