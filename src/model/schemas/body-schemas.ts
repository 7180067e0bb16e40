/**
 * Request bodies as TypeBox schemas, derived from the schemas of resources. They are complete: nested collections have the schemas of their
 * elements. (The server uses schemas that leave these open, and checks elements one by one.)
 */
import Type, {
  type TArray,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
} from 'typebox';

/** Members that the server sets. */
type ReadOnly = 'id' | 'user_id' | 'created';
const readOnly: ReadonlySet<string> = new Set<ReadOnly>(['id', 'user_id', 'created']);

/** Writable members, without nested collections. */
type Own<P extends TProperties, Held extends TProperties> = Exclude<keyof P, ReadOnly | keyof Held>;

export type CreateBody<
  P extends TProperties,
  Required extends keyof P = never,
  Held extends TProperties = Record<never, never>,
> = TObject<
  { [Name in Own<P, Held>]: Name extends Required ? P[Name] : TOptional<P[Name]> } & {
    [Name in keyof Held]: TOptional<TArray<Held[Name]>>;
  }
>;

export type UpdateBody<P extends TProperties, Held extends TProperties = Record<never, never>> = TObject<
  { [Name in Own<P, Held>]: TOptional<P[Name]> } & { [Name in keyof Held]: TOptional<TArray<Held[Name]>> } & {
    [Name in keyof P & ReadOnly]: TOptional<TString>;
  }
>;

/** An element of a collection that is sent whole: an existing one, with its identifier, or a new one. */
export type Element<Create extends TSchema, P extends TProperties> = TUnion<[TObject<Omit<P, 'id'> & { id: TString }>, Create]>;

/**
 * The body of a create. Missing members get their defaults.
 *
 * @param required members without a default
 * @param held schemas of the elements of nested collections
 */
export function createBody<
  P extends TProperties,
  Required extends keyof P & string = never,
  Held extends TProperties = Record<never, never>,
>(schema: TObject<P>, required: readonly Required[] = [], held?: Held): CreateBody<P, Required, Held> {
  const needed = new Set<string>(required);
  const members = ownMembers(schema, held).map(([name, member]) => [
    name,
    needed.has(name) ? plain(member) : Type.Optional(plain(member)),
  ]);
  return object(schema, [...members, ...collections(schema, held, 'default')], 'Create') as never;
}

/** The body of a PATCH. Missing members stay unchanged. Read-only members may be sent with their current value. */
export function updateBody<P extends TProperties, Held extends TProperties = Record<never, never>>(
  schema: TObject<P>,
  held?: Held,
): UpdateBody<P, Held> {
  const members = ownMembers(schema, held).map(([name, member]) => [name, Type.Optional(plain(member, 'default'))]);
  const sentBack = Object.keys(schema.properties).filter((name) => readOnly.has(name));
  const unchanged = sentBack.map((name) => [name, Type.Optional(Type.String(described(schema, name)))]);
  return object(schema, [...unchanged, ...members, ...collections(schema, held)], 'Update') as never;
}

/** The schema of an element in an array that replaces a collection. */
export function element<Create extends TSchema, P extends TProperties>(create: Create, update: TObject<P>): Element<Create, P> {
  const known = { ...update.properties, id: Type.String(described(update, 'id')) };
  return Type.Union([Type.Object(known, { additionalProperties: false }), create]) as never;
}

/**
 * The resource as in responses.
 *
 * @param held schemas of the elements of nested collections
 */
export function resource<P extends TProperties, Held extends TProperties = Record<never, never>>(
  schema: TObject<P>,
  held?: Held,
): TObject<Omit<P, keyof Held> & { [Name in keyof Held]: TArray<Held[Name]> }> {
  const own = Object.entries(schema.properties).filter(([name]) => !(name in (held ?? {})));
  const members = own.map(([name, member]) => [name, plain(member)]);
  return object(schema, [...members, ...collections(schema, held, 'required')]) as never;
}

type Member = readonly [name: string, schema: TSchema];

const ownMembers = ({ properties }: TObject, held: TProperties = {}): Member[] =>
  Object.entries(properties).filter(([name]) => !readOnly.has(name) && !(name in held));

const described = ({ properties }: TObject, name: string): { description?: string } => {
  const { description } = properties[name] as { description?: string };
  return description === undefined ? {} : { description };
};

function collections(schema: TObject, held: TProperties = {}, use: 'required' | 'default' | 'optional' = 'optional'): Member[] {
  return Object.entries(held).map(([name, one]) => {
    const list = Type.Array(one, { ...described(schema, name), ...(use === 'optional' ? {} : { default: [] }) });
    return [name, use === 'required' ? list : Type.Optional(list)];
  });
}

/** An object schema with the title of another one and a suffix. */
function object(schema: TObject, members: readonly (readonly unknown[])[], suffix = ''): TObject {
  const { title, description } = schema as { readonly title?: string; readonly description?: string };
  return Type.Object(Object.fromEntries(members) as TProperties, {
    title: `${title}${suffix}`,
    ...(description === undefined || suffix !== '' ? {} : { description }),
    additionalProperties: false,
  });
}

/**
 * A schema with standard keywords only. Strict JSON Schema validators reject `x-references`.
 *
 * @param without another keyword to leave out
 */
export function plain<S extends TSchema>(schema: S, without?: 'default'): S {
  // TypeBox keeps its own data in non-enumerable members.
  const kept: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  delete kept['x-references'];
  if (without !== undefined) delete kept[without];
  if ('enum' in kept) kept['type'] = 'string';
  return kept as S;
}
