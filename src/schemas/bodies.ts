/**
 * The bodies of requests as TypeBox schemas, from the schema of a resource. They are whole: where a body holds a collection, they say what its
 * elements may be. (The server checks those one by one, with schemas that leave it open.)
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

/** Members that a body may hold, less those of which each is a collection. */
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

/** An element of a collection that is sent whole: one that is there, by its identifier, or a new one. */
export type Element<Create extends TSchema, P extends TProperties> = TUnion<[TObject<Omit<P, 'id'> & { id: TString }>, Create]>;

/**
 * The body of a create: what is left out takes its default.
 *
 * @param required members without a default
 * @param held what the elements of collections may be
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

/** The body of a PATCH: what is left out stays as it is. Read-only members may be sent with the value that they have. */
export function updateBody<P extends TProperties, Held extends TProperties = Record<never, never>>(
  schema: TObject<P>,
  held?: Held,
): UpdateBody<P, Held> {
  const members = ownMembers(schema, held).map(([name, member]) => [name, Type.Optional(plain(member, 'default'))]);
  const sentBack = Object.keys(schema.properties).filter((name) => readOnly.has(name));
  const unchanged = sentBack.map((name) => [name, Type.Optional(Type.String(described(schema, name)))]);
  return object(schema, [...unchanged, ...members, ...collections(schema, held)], 'Update') as never;
}

/** What an array that becomes a collection may hold. */
export function element<Create extends TSchema, P extends TProperties>(create: Create, update: TObject<P>): Element<Create, P> {
  const known = { ...update.properties, id: Type.String(described(update, 'id')) };
  return Type.Union([Type.Object(known, { additionalProperties: false }), create]) as never;
}

/**
 * The resource as answers show it.
 *
 * @param held what the elements of collections are
 */
export function resource<P extends TProperties, Held extends TProperties = Record<never, never>>(
  schema: TObject<P>,
  held?: Held,
): TObject<Omit<P, keyof Held> & { [Name in keyof Held]: TArray<Held[Name]> }> {
  const own = Object.entries(schema.properties).filter(([name]) => !(name in (held ?? {})));
  const members = own.map(([name, member]) => [name, plain(member)]);
  return object(schema, [...members, ...collections(schema, held, 'required')]) as never;
}

/** A resource with further members, or others in the place of its own. */
export const extended = <P extends TProperties, More extends TProperties>(
  schema: TObject<P>,
  more: More,
): TObject<Omit<P, keyof More> & More> => object(schema, Object.entries({ ...schema.properties, ...more })) as never;

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

/** An object under the name of another, or what becomes of it. */
function object(schema: TObject, members: readonly (readonly unknown[])[], suffix = ''): TObject {
  const { title, description } = schema as { readonly title?: string; readonly description?: string };
  return Type.Object(Object.fromEntries(members) as TProperties, {
    title: `${title}${suffix}`,
    ...(description === undefined || suffix !== '' ? {} : { description }),
    additionalProperties: false,
  });
}

/**
 * A schema in the words that every validator of JSON Schema knows: `x-references` is not among them, and strict ones refuse what they do not know.
 *
 * @param without another word to leave out
 */
export function plain<S extends TSchema>(schema: S, without?: 'default'): S {
  // What TypeBox knows of a schema is in members that are not listed.
  const kept: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  delete kept['x-references'];
  if (without !== undefined) delete kept[without];
  if ('enum' in kept) kept['type'] = 'string';
  return kept as S;
}
