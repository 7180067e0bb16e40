/**
 * The schemas of a resource in responses and in the bodies of create, update and import, derived from its declaration. The checkers of
 * requests, the description of the API, the types of the client and `mapwright/schemas` are derived from these.
 */
import Type, {
  type TArray,
  type TEnum,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
} from 'typebox';
import type { AnySchema, NeededEnum, ReadOnlyNumber, ReadOnlyText } from '../members.ts';
import { article, capital, nounOf } from '../noun.ts';

/** `import` is a create from an export: read-only members are allowed and ignored. */
export type CheckMode = 'create' | 'update' | 'import';

/** The schemas of a resource, complete: nested collections have the schemas of their elements. */
export interface Bodies extends Readonly<Record<CheckMode, TObject>> {
  readonly response: TObject;
  /** Members of the other bodies that no response has. The engine converts them to others. */
  readonly inputs: readonly string[];
  /** Members that are stored, and in no body. */
  readonly hidden: Readonly<Record<string, AnySchema>>;
}

type HeldBodies = Readonly<Record<string, Bodies>>;
type NothingHeld = Readonly<Record<never, never>>;
// biome-ignore lint/complexity/noBannedTypes: no members, as opposed to any.
type NoInputs = {};

type ReadOnlyIn<P extends TProperties> = {
  [Name in keyof P]: P[Name] extends ReadOnlyText | ReadOnlyNumber ? Name : never;
}[keyof P];
/** Writable members, without nested collections. */
type Own<P extends TProperties, Held> = Exclude<keyof P, ReadOnlyIn<P> | keyof Held>;
/** The schema of a needed member as it is in a body. */
type Plain<Member> = Member extends NeededEnum<infer Words> ? TEnum<Words> : Member;

/** An element of a collection that is sent whole: an existing one, with its identifier, or a new one. */
type Element<B extends Bodies> = TUnion<[TObject<Omit<B['update']['properties'], 'id'> & { id: TString }>, B['create']]>;

/** The schemas of a resource with these members, with the elements of these collections, and with these inputs. */
export interface BodiesOf<P extends TProperties, Held extends HeldBodies, Input extends TProperties> extends Bodies {
  readonly response: TObject<{
    [Name in keyof P]: Name extends keyof Held ? TArray<Held[Name]['response']> : Plain<P[Name]>;
  }>;
  readonly create: TObject<
    { [Name in Own<P, Held>]: P[Name] extends NeededEnum<infer Words> ? TEnum<Words> : TOptional<P[Name]> } & {
      [Name in keyof Held]: TOptional<TArray<Held[Name]['create']>>;
    } & { [Name in keyof Input]: TOptional<Input[Name]> }
  >;
  readonly update: TObject<
    { [Name in Own<P, Held>]: TOptional<Plain<P[Name]>> } & { [Name in ReadOnlyIn<P>]: TOptional<TString> } & {
      [Name in keyof Held]: TOptional<TArray<Element<Held[Name]>>>;
    } & { [Name in keyof Input]: TOptional<Input[Name]> }
  >;
}

/** Suffix of the titles of a resource's bodies. */
const titles = { create: 'Create', update: 'Update', import: 'Import' } as const satisfies Record<CheckMode, string>;

const descriptions: Readonly<Record<CheckMode, (noun: string) => string>> = {
  create: (noun) => `A new ${noun}. Omitted members take their defaults.`,
  update: (noun) => `Changes of ${article(noun)}. Omitted members are unchanged.`,
  import: (noun) => `${capital(article(noun))} from an export. Omitted members take their defaults.`,
};

/**
 * Derives the schemas of a resource from its declaration. A member without a default is required in a create and an import.
 *
 * @param held the schemas of the elements of its collections
 * @param inputs members that only requests have
 */
export function bodiesOf<P extends TProperties, Held extends HeldBodies = NothingHeld, Input extends TProperties = NoInputs>(
  schema: TObject<P>,
  held: Held = {} as Held,
  inputs: Input = {} as Input,
): BodiesOf<P, Held, Input> {
  const { title = '', description } = schema as AnySchema;
  const all = Object.entries<AnySchema>(schema.properties);
  const properties = all.filter(([, { hidden }]) => hidden !== true);
  const hidden = Object.fromEntries(all.filter(([, member]) => member.hidden === true));
  const body = (mode: CheckMode): TObject => {
    const members: TProperties = {};
    for (const [name, property] of properties) {
      const member = memberOf(property, held[name], mode);
      if (member !== undefined) members[name] = member;
    }
    for (const [name, input] of Object.entries(inputs)) members[name] = Type.Optional(input);
    const said = { title: `${title}${titles[mode]}`, description: descriptions[mode](nounOf(title)) };
    return Type.Object(members, { ...said, additionalProperties: false });
  };
  const shown = properties.map(([name, property]) => [
    name,
    held[name] === undefined ? property : listOf(property, held[name].response),
  ]);
  const response = Type.Object(Object.fromEntries(shown), {
    title,
    ...(description && { description }),
    additionalProperties: false,
  });
  const inputNames = Object.keys(inputs);
  return {
    response,
    create: body('create'),
    update: body('update'),
    import: body('import'),
    inputs: inputNames,
    hidden,
  } as never;
}

/** A member in a body; `undefined` if the body may not have it. */
function memberOf(property: AnySchema, held: Bodies | undefined, mode: CheckMode): TSchema | undefined {
  const { readOnly, default: fallback, description = '' } = property;
  if (readOnly === true) {
    if (mode === 'create') return undefined;
    if (mode === 'import') return Type.Optional(property);
    return Type.Optional({
      ...without(property, 'readOnly', 'examples'),
      description: `${description}. May be sent with its current value`,
    });
  }
  if (held !== undefined) {
    const list = mode === 'update' ? listOf(property, elementOf(held), wholeCollection) : listOf(property, held[mode]);
    return Type.Optional(list);
  }
  // What an update leaves out stays as it is.
  if (mode === 'update') return Type.Optional(without(property, 'default'));
  return fallback === undefined ? property : Type.Optional(property);
}

const wholeCollection =
  ': the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted';

/** A collection. An update's has no default: it keeps a collection that it leaves out. */
function listOf({ description = '' }: AnySchema, items: TSchema, note = ''): TArray {
  return Type.Array(items, { description: description + note, ...(note === '' ? { default: [] } : {}) });
}

function elementOf({ create, update }: Bodies): TUnion {
  const id = Type.String({ description: (update.properties['id'] as AnySchema).description ?? '' });
  return Type.Union([Type.Object({ ...update.properties, id }, { additionalProperties: false }), create]);
}

/**
 * The schema that checks a body. Elements of its collections are checked one by one, so it leaves these open. It allows any value for a
 * read-only member of an update: only the engine knows whether that is the current value.
 */
export function ownBody({ response, ...bodies }: Bodies, held: ReadonlySet<string>, mode: CheckMode): TObject {
  const members = Object.entries(bodies[mode].properties).map(([name, property]) => {
    if (held.has(name)) return [name, Type.Optional(Type.Array(Type.Unknown()))];
    const isFixed = mode === 'update' && (response.properties[name] as AnySchema | undefined)?.readOnly === true;
    return [name, isFixed ? Type.Optional(Type.Unknown()) : property];
  });
  return Type.Object(Object.fromEntries(members) as TProperties, { additionalProperties: false });
}

/** A copy of a schema without some keywords. TypeBox keeps its own data in non-enumerable members. */
export function without<S extends TSchema>(schema: S, ...keywords: readonly string[]): S {
  const copy: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  for (const keyword of keywords) delete copy[keyword];
  return copy as S;
}
