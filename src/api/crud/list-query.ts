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
import type { Resource } from '../../model/resource.ts';
import type { Criteria, SortMember } from '../../store/list/selection.ts';
import type { Fields } from '../../store/list/views.ts';
import type { Request } from '../declaration.ts';
import { explainOperator, filterParameters, filtersIn, scalarMember } from './filter-query.ts';

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
const common = {
  ...pageQuery,
  fields: fieldsQuery,
  count: Type.Boolean({ description: 'Add the header `X-Total-Count`: the number of members on all pages together' }),
};

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
  /** The number of members on all pages is asked for. */
  readonly count: boolean;
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
  const query: Record<string, TSchema> = {
    ...common,
    ...inputsQuery(resource),
    sort: Type.String({
      description: `Up to ${sortMembersMax} members to sort by, separated by commas; "-" before one sorts it in descending order`,
    }),
  };
  for (const [name, schema] of Object.entries(filterParameters(resource))) {
    if (Object.hasOwn(query, name))
      throw new Error(`${noun}: the member "${name}" has the name of a query parameter of every list`);
    query[name] = schema;
  }
  const names = scalars.map(({ name }) => name);
  const absentQuery = (name: string): string | undefined => {
    if (members.includes(name) && !names.includes(name)) return `"${name}" is ${notScalar}: lists cannot be filtered by it.`;
    if (inputs.includes(name)) return `"${name}" is not stored: lists cannot be filtered by it.`;
    return explainOperator(name, resource);
  };
  return { query, absentQuery };
}

const notScalar = 'an array or an object';

/** Parses the query of a list. Throws a 400 problem for invalid values. */
export function readListQuery(request: WithQuery, resource: Resource): ListQuery {
  const { query } = request;
  return {
    limit: limitOf(query),
    cursor: query['cursor'],
    fields: wantedFields(request, resource),
    count: flagOf(query, 'count'),
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
  return { filters: filtersIn(query, resource), sort: sortOf(query['sort'], resource) };
}

const badSort = (detail: string) => problems.badParameter('sort', detail);

/** Parses `?sort=`. */
function sortOf(text: string | undefined, { scalars, members }: Resource): readonly SortMember[] {
  if (text === undefined) return [];
  const sort: SortMember[] = [];
  for (const part of text.split(',', sortMembersMax + 1)) {
    const descending = part.startsWith('-');
    const name = descending ? part.slice(1) : part;
    const shown = `The query parameter "sort" names "${printable(name)}"`;
    if (name === '') {
      throw badSort(
        'The query parameter "sort" must be a comma-separated list of member names. Write "-" before a name for descending order.',
      );
    }
    if (sort.some((before) => before.name === name)) throw badSort(`${shown} more than once.`);
    const scalar = scalars.find((scalar) => scalar.name === name);
    if (scalar === undefined) {
      if (members.includes(name)) throw badSort(`${shown}, which is ${notScalar}: lists cannot be sorted by it.`);
      const names = scalars.map((scalar) => scalar.name);
      throw badSort(`${shown}, which does not exist; the sortable members are: ${named(names)}.${hint(name, names)}`);
    }
    sort.push({ ...scalarMember(scalar), descending });
  }
  if (sort.length > sortMembersMax) throw badSort(`The query parameter "sort" names more than ${sortMembersMax} members.`);
  return sort;
}
