/**
 * The query of a list: page size, cursor, fields, and, derived from the declaration of the resource, filters (`?type=spot`) and the sort
 * order (`?sort=name,-created`).
 */
import Type, { type TSchema } from 'typebox';
import { problems } from '../../http/problem.ts';
import {
  type AbsentParameters,
  fieldsOf,
  flagOf,
  hint,
  limitOf,
  named,
  pageMembersMax,
  printable,
  type QueryValues,
} from '../../http/request/query.ts';
import type { Field } from '../../model/generate.ts';
import type { Resource } from '../../model/resource.ts';
import type { Criteria, Filter, Scalar, ScalarMember, SortMember } from '../../store/list/selection.ts';
import type { Fields } from '../../store/list/views.ts';
import type { Request } from '../declaration.ts';

/** Maximum number of members to sort by. */
const sortMembersMax = 8;

export const fieldsQuery = Type.String({
  description: 'Members to return, separated by commas. `id` is always included; other required members only if named',
});

/** Query parameters of a list with pages. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: pageMembersMax, description: 'Maximum number of members on a page. Default: all' }),
  cursor: Type.String({ description: 'Cursor from the Link header of the previous page' }),
};

/** Query parameters of every list of resources. */
const common = { ...pageQuery, fields: fieldsQuery };

/** Query parameters of lists and single resources that can be shown with the members that their bodies may have, too. */
export const inputsQuery = ({ inputs, noun }: Resource): Record<string, TSchema> =>
  inputs.length === 0
    ? {}
    : {
        places: Type.Boolean({
          description: `Add the places of ${noun}s on an artboard of type "osm": ${inputs.map((name) => `\`${name}\``).join(', ')}`,
        }),
      };

/** Whether a request asks for the members that are only in bodies. */
export const asksForInputs = ({ query }: WithQuery): boolean => flagOf(query, 'places');

type WithQuery = Pick<Request, 'query'>;

/** A parsed list query. */
export interface ListQuery {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  readonly fields: Fields;
  /** `undefined`: all members, in the order of the list. */
  readonly criteria: Criteria | undefined;
}

/**
 * Query parameters of the list of a resource, and those that it cannot have. Throws if a member has the name of another parameter, which
 * is a bug in the declaration of the resource.
 */
export function listParameters(resource: Resource): {
  readonly query: Readonly<Record<string, TSchema>>;
  readonly absentQuery: AbsentParameters;
} {
  const { noun, scalars, members, inputs } = resource;
  const names = scalars.map(({ name }) => name);
  const query: Record<string, TSchema> = {
    ...common,
    ...inputsQuery(resource),
    sort: Type.String({
      description: `Up to ${sortMembersMax} members to sort by, separated by commas; "-" before one sorts it in descending order`,
    }),
  };
  for (const scalar of scalars) {
    if (Object.hasOwn(query, scalar.name))
      throw new Error(`${noun}: the member "${scalar.name}" has the name of a query parameter of every list`);
    query[scalar.name] = schemaOf(scalar, `Return only those whose "${scalar.name}" has exactly this value`);
  }
  const others = members.filter((name) => !names.includes(name));
  const absentQuery = Object.fromEntries(
    others.map((name) => [name, `"${name}" is ${notScalar}: lists cannot be filtered by it.`]),
  );
  for (const name of inputs)
    if (query[name] === undefined) absentQuery[name] = `"${name}" is not stored: lists cannot be filtered by it.`;
  return { query, absentQuery };
}

const notScalar = 'an array or an object';

function schemaOf({ encoding, words }: Field, description: string): TSchema {
  if (encoding === 'number') return Type.Number({ description });
  if (encoding === 'flag') return Type.Boolean({ description });
  return encoding === 'word' ? Type.Enum([...words], { description }) : Type.String({ description });
}

/** Parses the query of a list. Throws a 400 problem for invalid values. */
export function readListQuery(request: WithQuery, resource: Resource): ListQuery {
  const { query } = request;
  return {
    limit: limitOf(query),
    cursor: query['cursor'],
    fields: wantedFields(request, resource),
    criteria: criteriaOf(query, resource),
  };
}

/** The members to return; `undefined` for all. Throws a 400 problem for unknown members. */
export function wantedFields(request: WithQuery, { members, inputs }: Resource): Fields {
  const { query } = request;
  const fields = fieldsOf(query, inputs.length > 0 && asksForInputs(request) ? [...members, ...inputs] : members);
  return fields && new Set(fields);
}

function criteriaOf(query: QueryValues, resource: Resource): Criteria | undefined {
  let plain = true;
  for (const name in query) if (!Object.hasOwn(common, name) && name !== 'places') plain = false;
  if (plain) return undefined;
  const filters: Filter[] = [];
  for (const scalar of resource.scalars) {
    const text = query[scalar.name];
    if (text !== undefined) filters.push({ ...scalarMember(scalar), value: readAs(scalar, text) });
  }
  return { filters, sort: sortOf(query['sort'], resource) };
}

const scalarMember = ({ name, fallback }: Field): ScalarMember => ({ name, fallback: fallback as Scalar | undefined });

/** A number in JSON syntax. */
const jsonNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** The value of a filter, parsed as the type of its member. */
function readAs({ name, encoding, words }: Field, text: string): Scalar {
  switch (encoding) {
    case 'number': {
      const number = jsonNumber.test(text) ? Number(text) : Number.NaN;
      if (!Number.isFinite(number)) throw mustBe(name, 'a JSON number');
      return number;
    }
    case 'flag':
      if (text !== 'true' && text !== 'false') throw mustBe(name, '"true" or "false"');
      return text === 'true';
    case 'word':
      if (!words.includes(text)) throw mustBe(name, `one of ${words.map((word) => `"${word}"`).join(', ')}`, hint(text, words));
      return text;
    default:
      return text;
  }
}

const mustBe = (name: string, what: string, more = '') =>
  problems.badRequest(`The query parameter "${name}" must be ${what}.${more}`);

/** Parses `?sort=`. */
function sortOf(text: string | undefined, { scalars, members }: Resource): readonly SortMember[] {
  if (text === undefined) return [];
  const sort: SortMember[] = [];
  for (const part of text.split(',', sortMembersMax + 1)) {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    const shown = `The query parameter "sort" names "${printable(name)}"`;
    if (name === '') {
      throw problems.badRequest(
        'The query parameter "sort" must be a comma-separated list of member names. Write "-" before a name for descending order.',
      );
    }
    if (sort.some((before) => before.name === name)) throw problems.badRequest(`${shown} more than once.`);
    const scalar = scalars.find((scalar) => scalar.name === name);
    if (scalar === undefined) {
      if (members.includes(name)) throw problems.badRequest(`${shown}, which is ${notScalar}: lists cannot be sorted by it.`);
      const names = scalars.map((scalar) => scalar.name);
      throw problems.badRequest(`${shown}, which does not exist; the sortable members are: ${named(names)}.${hint(name, names)}`);
    }
    sort.push({ ...scalarMember(scalar), descending });
  }
  if (sort.length > sortMembersMax)
    throw problems.badRequest(`The query parameter "sort" names more than ${sortMembersMax} members.`);
  return sort;
}
