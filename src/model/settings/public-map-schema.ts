/** `settings.public_map` of a project: what visitors of its map can filter and read, and the first view. */
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  categoryLengthMax,
  fieldKinds,
  fieldPlaces,
  headerBounds,
  languageForm,
  propertyBounds,
  publicMapBounds,
  staleMinutesMax,
} from '../../lib/draw/public-map.ts';
import { latitudeMax, longitudeMax } from '../../lib/geo/geo.ts';
import { reference } from '../members.ts';

const labelLengthMax = 200;
const descriptionLengthMax = 10_000;

const CategorySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: categoryLengthMax, description: 'The `category` of its objects' }),
    label: Type.Optional(Type.String({ maxLength: labelLengthMax, description: 'Name for visitors; default: the name' })),
    color: Type.Optional(Type.String({ description: 'Colour in the list of categories' })),
    icon: Type.Optional(
      Type.String({ description: 'Icon in the list of categories: `maki:NAME`, `temaki:NAME`, or the address of a picture' }),
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'Hide its objects until the visitor shows them; default false' })),
  },
  { additionalProperties: false },
);

const FieldSchema = Type.Object(
  {
    name: Type.String({
      ...{ minLength: 1, maxLength: propertyBounds.nameLengthMax },
      description: 'The member of `properties` that becomes public',
    }),
    label: Type.Optional(Type.String({ maxLength: labelLengthMax, description: 'Name for visitors; default: the name' })),
    kind: Type.Optional(Type.Enum([...fieldKinds], { description: 'How its values are shown and filtered; default `text`' })),
    show: Type.Optional(
      Type.Array(Type.Enum([...fieldPlaces]), {
        maxItems: fieldPlaces.length,
        description: 'Where visitors find it; default `["popup"]`',
      }),
    ),
  },
  { additionalProperties: false },
);

const StartSchema = Type.Refine(
  Type.Object(
    {
      artboard_id: Type.Optional(
        reference('artboards', { description: 'Identifier of the first artboard; default: the first one' }),
      ),
      zoom: Type.Optional(
        Type.Number({
          minimum: -30,
          maximum: 30,
          description: 'Zoom of an OpenStreetMap artboard; of others, steps from the whole picture, each twice as large',
        }),
      ),
      lat: Type.Optional(Type.Number({ minimum: -latitudeMax, maximum: latitudeMax, description: 'Latitude of the centre' })),
      lng: Type.Optional(Type.Number({ minimum: -longitudeMax, maximum: longitudeMax, description: 'Longitude of the centre' })),
      x: Type.Optional(Type.Number({ description: 'Pixel of the artboard in the centre' })),
      y: Type.Optional(Type.Number({ description: 'Pixel of the artboard in the centre' })),
    },
    {
      additionalProperties: false,
      examples: [{ artboard_id: '01a1fe79-c6f5-7073-bc78-97c123599c3d', zoom: 12.5, lat: 48.208, lng: 16.373 }],
      description: 'The first view, instead of all objects',
    },
  ),
  ({ lat, lng, x, y }) =>
    (lat === undefined) === (lng === undefined) &&
    (x === undefined) === (y === undefined) &&
    (lat === undefined || x === undefined),
  () => 'must have either lat and lng, or x and y, or none of them',
);

const { addressLengthMax } = headerBounds;

const HeaderLinkSchema = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: headerBounds.labelLengthMax, description: 'Text of the link' }),
    url: Type.String({
      ...{ minLength: 1, maxLength: addressLengthMax },
      description: 'http, https, mailto, tel, or a relative address; of another one, nothing is shown',
    }),
  },
  { additionalProperties: false },
);

const HeaderSchema = Type.Object(
  {
    title: Type.Optional(
      Type.String({ maxLength: headerBounds.titleLengthMax, description: 'Heading; default: the name of the map' }),
    ),
    logo: Type.Optional(Type.String({ maxLength: addressLengthMax, description: 'Address of a picture before the heading' })),
    accent: Type.Optional(Type.String({ maxLength: 128, description: 'Colour of the line below the header, and of buttons' })),
    links: Type.Optional(
      Type.Array(HeaderLinkSchema, { maxItems: headerBounds.links, description: 'Links, such as an imprint, in their order' }),
    ),
  },
  { additionalProperties: false, description: 'The header of the page of the map; default: none' },
);

/** A list whose elements have different names. */
const named = <Item extends TSchema>(item: Item, maxItems: number, description: string) =>
  Type.Refine(
    Type.Array(item, { maxItems, description }),
    (items) => twiceIn(items as readonly Named[]) === undefined,
    (items) => `has the name ${JSON.stringify(twiceIn(items as readonly Named[]))} twice`,
  );

interface Named {
  readonly name?: unknown;
}

/** The first name that an earlier element has, too. */
function twiceIn(items: readonly Named[]): unknown {
  const names = new Set<unknown>();
  return items.find((item) => names.size === names.add(item?.name).size)?.name;
}

export const PublicMapSchema = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: descriptionLengthMax, description: 'About the map, as plain text' })),
    categories: Type.Optional(named(CategorySchema, publicMapBounds.categories, 'The categories in their order')),
    fields: Type.Optional(
      named(FieldSchema, publicMapBounds.fields, 'The properties of objects that are public, in their order'),
    ),
    start: Type.Optional(StartSchema),
    lang: Type.Optional(
      Type.String({
        pattern: languageForm,
        examples: ['de'],
        description: 'Language of the texts of the map, such as `de` or `pt-BR`; default `en`',
      }),
    ),
    header: Type.Optional(HeaderSchema),
    indexed: Type.Optional(Type.Boolean({ description: 'Search engines may list the page of the map; default false' })),
    stale_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: staleMinutesMax,
        description: 'Minutes without fresh data after which a live map is shown as published; default: never',
      }),
    ),
  },
  { additionalProperties: false, description: 'What visitors of the public map can filter and read, and its first view' },
);

export type PublicMap = Static<typeof PublicMapSchema>;

/** The members of its parts, for messages. */
export const membersOfPublicMap: Readonly<Record<string, { readonly noun: string; readonly names: readonly string[] }>> = {
  '': { noun: 'public_map', names: Object.keys(PublicMapSchema.properties) },
  categories: { noun: 'a category', names: Object.keys(CategorySchema.properties) },
  fields: { noun: 'a field', names: Object.keys(FieldSchema.properties) },
  header: { noun: 'a header', names: Object.keys(HeaderSchema.properties) },
  links: { noun: 'a link', names: Object.keys(HeaderLinkSchema.properties) },
  start: { noun: 'a start', names: ['artboard_id', 'zoom', 'lat', 'lng', 'x', 'y'] },
};

let checker: ReturnType<typeof Compile> | undefined;

/** The value if it is a valid `public_map`; `undefined` otherwise. */
export function fittingPublicMap(value: unknown): PublicMap | undefined {
  checker ??= Compile(PublicMapSchema);
  return value !== undefined && checker.Check(value) ? (value as PublicMap) : undefined;
}

/** The names of the properties that are public. */
export const publicPropertyNames = (map: PublicMap | undefined): ReadonlySet<string> =>
  new Set(map?.fields?.map(({ name }) => name));
