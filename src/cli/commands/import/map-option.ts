/** The options --map, --category and --fields of `mapwright import`: which columns of a file become members of objects. */
import fs from 'node:fs';
import Type from 'typebox';
import { type FieldKind, type FieldPlace, fieldKinds, fieldPlaces } from '../../../lib/draw/public-map.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../../model/bodies/check-body.ts';
import type { GivenMapping } from '../../../web/convert/converter.ts';
import { paletteNames } from '../../../web/convert/map/palettes.ts';
import { meantOrAll, UsageError } from '../../option-parsing.ts';
import { assertFile } from '../../output/named-file.ts';

type GivenColor = NonNullable<GivenMapping['color']>;

const example = 'Write for example --map name=title,color=sales:viridis';

/** Members of objects by the words of --map. */
const columnsOf = {
  name: (column: string): GivenMapping => ({ name: column }),
  lat: (column: string): GivenMapping => ({ latitude: column }),
  lng: (column: string): GivenMapping => ({ longitude: column }),
  x: (column: string): GivenMapping => ({ x: column }),
  y: (column: string): GivenMapping => ({ y: column }),
  color: (text: string): GivenMapping => ({ color: colorOf(text) }),
  radius: (column: string): GivenMapping => ({ radius: { column } }),
} as const;

/** The beginning of the name of a file, as curl has it. */
const filePrefix = '@';

/**
 * Parses `name=title,color=sales:viridis`, or reads a mapping from `@file.json` in the form in which the console saves one.
 *
 * @throws {UsageError}
 */
export function mappingFrom(text: string): GivenMapping {
  if (text.startsWith(filePrefix)) return readMapping(text.slice(filePrefix.length));
  let mapping: GivenMapping = {};
  for (const part of text.split(',')) {
    const [member = '', column] = cut(part, part.indexOf('='));
    if (!isMember(member) || column === undefined || column === '') {
      const names = Object.keys(columnsOf);
      const what = column === undefined ? `"${part}" is not MEMBER=COLUMN` : `"${member}" is not a member that a column can set`;
      throw new UsageError(
        `--map: ${isMember(member) ? `"${part}" names no column` : what}. ${meantOrAll(member, names)} ${example}`,
      );
    }
    mapping = { ...mapping, ...columnsOf[member](column) };
  }
  return mapping;
}

const isMember = (name: string): name is keyof typeof columnsOf => Object.hasOwn(columnsOf, name);

const cut = (text: string, at: number): [string, string?] => (at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]);

/** `sales`, `sales:viridis`, `kind:category`, `sales:#fff:#00f`, in any order after the column. */
function colorOf(text: string): GivenColor {
  const [column = '', ...details] = text.split(':');
  let color: GivenColor = { column };
  for (const detail of details) {
    if (detail === 'category' || detail === 'value') color = { ...color, by: detail };
    else if (detail === 'quantiles' || detail === 'equal') color = { ...color, steps: detail };
    else if (/^\d+$/.test(detail)) color = { ...color, count: Number(detail) };
    else if (!detail.startsWith('#')) color = { ...color, palette: detail };
    else color = color.from === undefined ? { ...color, from: detail } : { ...color, to: detail };
  }
  return color;
}

/** The word that removes a choice of the last import. */
const noColumn = 'none' as const;

/** Parses `Type`, `Type:pastel`, `auto` or `none`. A colon before another word belongs to the name of the column. */
export function categoryFrom(text: string): GivenMapping['category'] {
  if (text === noColumn || text === 'auto') return text;
  const [column, palette] = cut(text, text.lastIndexOf(':'));
  return palette !== undefined && paletteNames.category.includes(palette) ? { column, palette } : { column: text };
}

/**
 * Parses `Opening hours,Website:link,Phone:telephone:popup+list`, `all` or `none`.
 *
 * @throws {UsageError}
 */
export function fieldsFrom(text: string): GivenMapping['fields'] {
  if (text === noColumn) return undefined;
  return text === 'all' ? text : text.split(',').map(fieldFrom);
}

/** A colon before a word that is neither a kind nor places belongs to the name of the column. */
function fieldFrom(text: string): Exclude<GivenMapping['fields'], 'all' | undefined>[number] {
  const [column, detail] = cut(text, text.lastIndexOf(':'));
  if (column.trim() === '')
    throw new UsageError(`--fields: "${text}" names no column. Write for example --fields 'Opening hours,Website:link'`);
  const kind = fieldKinds.find((each): each is FieldKind => each === detail);
  if (kind !== undefined) return { ...fieldFrom(column), kind };
  const places = detail?.split('+') ?? [];
  const isPlace = (place: string): place is FieldPlace => fieldPlaces.some((each) => each === place);
  return places.length > 0 && places.every(isPlace) ? { ...fieldFrom(column), show: places } : { column: text.trim() };
}

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Number());
const closed = { additionalProperties: false };
const mappingShape = shapeOf(
  'mapping',
  Type.Object(
    {
      ...{ latitude: text, longitude: text, x: text, y: text, name: text, key: text, popupTitle: text, popupContent: text },
      color: Type.Optional(
        Type.Object(
          {
            column: Type.String(),
            by: Type.Optional(Type.Enum(['category', 'value'])),
            ...{ palette: text, from: text, to: text, steps: Type.Optional(Type.Enum(['quantiles', 'equal'])), count: number },
          },
          closed,
        ),
      ),
      radius: Type.Optional(Type.Object({ column: Type.String(), least: number, most: number }, closed)),
      category: Type.Optional(Type.Object({ column: Type.String(), palette: text }, closed)),
      fields: Type.Optional(
        Type.Array(
          Type.Object(
            {
              ...{ column: Type.String(), label: text, kind: Type.Optional(Type.Enum([...fieldKinds])) },
              show: Type.Optional(Type.Array(Type.Enum([...fieldPlaces]))),
            },
            closed,
          ),
        ),
      ),
    },
    closed,
  ),
);

function readMapping(file: string): GivenMapping {
  assertFile(file, 'mapping', 'Name a JSON file.');
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${file} is not JSON: ${(error as Error).message}. Write a mapping such as {"name": "title", "key": "id"}.`,
    );
  }
  const fieldErrors = new FieldErrorList();
  if (checkShape(mappingShape, value, '', fieldErrors)) return value as GivenMapping;
  const [first] = fieldErrors.toArray();
  throw new UsageError(`${file} is not a mapping: ${first?.pointer || 'the document'} ${first?.detail}.`);
}
