/** Query strings, read strictly: a parameter that is misspelt must not silently mean "all of it". */

import { redactEncodedKeys } from '../../lib/text/redact.ts';
import { suggest } from '../../lib/text/suggest.ts';
import { type Problem, problems } from '../problem.ts';

/** The values of a query by parameter name, decoded. */
export type QueryValues = Readonly<Record<string, string>>;

/** Parameters that somebody might expect, by name, each with the reason why it does not exist. */
export type AbsentParameters = Readonly<Record<string, string>>;

const none: QueryValues = Object.freeze(Object.create(null) as Record<string, string>);

/** Members of a list that one page may hold. */
export const pageMembersMax = 1000;

/** The query of a request to an endpoint: what follows the `?`, as sent. Throws as {@link parseQuery} does. */
export function queryOf(
  endpoint: { readonly query?: readonly string[] | 'any'; readonly absentQuery?: AbsentParameters; readonly public?: boolean },
  raw: string,
): QueryValues {
  const known = endpoint.query ?? (endpoint.public === true ? 'any' : []);
  return known === 'any' ? none : parseQuery(raw, known, endpoint.absentQuery);
}

/**
 * Reads a query in which only the parameters `known` may stand, each at most once. `+` and `%20` are spaces.
 *
 * Throws a 400 problem for any other parameter, a repeated one, and one that does not decode to UTF-8.
 *
 * @param raw what follows the `?`, as sent
 * @param absent what is said of a parameter instead of that it does not exist
 */
export function parseQuery(raw: string, known: readonly string[], absent?: AbsentParameters): QueryValues {
  if (raw === '') return none;
  const values = Object.create(null) as Record<string, string>;
  for (const pair of raw.split('&')) {
    // `?a=1&` is what many a client library writes.
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      throw problems.badRequest('A query parameter is not valid percent-encoded UTF-8.');
    }
    if (!known.includes(name)) throw unknownParameter(name, known, absent);
    if (values[name] !== undefined) throw problems.badRequest(`The query parameter "${name}" is given more than once.`);
    values[name] = value;
  }
  return values;
}

/** The page size that `?limit=` asks for, `undefined` when it does not stand in the query. Throws a 400 problem unless it is 1..1000. */
export function limitOf(query: QueryValues): number | undefined {
  const text = query['limit'];
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > pageMembersMax) {
    throw problems.badRequest(`The query parameter "limit" must be a whole number from 1 to ${pageMembersMax}.`);
  }
  return limit;
}

/** Whether a parameter that is `true` or `false` is the former; without it, it is not. Throws a 400 problem for anything else. */
export function flagOf(query: QueryValues, name: string): boolean {
  const text = query[name];
  if (text === undefined || text === 'false') return false;
  if (text !== 'true') throw problems.badRequest(`The query parameter "${name}" must be true or false.`);
  return true;
}

/**
 * The members that `?fields=` names, in the order of `members`, `undefined` when it does not stand in the query. Throws a 400 problem
 * for a name that is not among `members`, an empty one and a repeated one.
 */
export function fieldsOf(query: QueryValues, members: readonly string[]): readonly string[] | undefined {
  const text = query['fields'];
  if (text === undefined) return undefined;
  const named = new Set<string>();
  for (const name of text.split(',')) {
    if (name === '') throw problems.badRequest('The query parameter "fields" must be member names with commas between them.');
    if (named.has(name)) throw problems.badRequest(`The query parameter "fields" names "${printable(name)}" more than once.`);
    if (!members.includes(name)) {
      throw problems.badRequest(
        `The query parameter "fields" names "${printable(name)}", which does not exist.${hint(name, members)}`,
      );
    }
    named.add(name);
  }
  return members.filter((member) => named.has(member));
}

function unknownParameter(name: string, known: readonly string[], absent: AbsentParameters | undefined): Problem {
  if (absent !== undefined && Object.hasOwn(absent, name)) return problems.badRequest(absent[name] as string);
  const there = known.length === 0 ? 'this address takes none' : `there are: ${named(known)}`;
  return problems.badRequest(`There is no query parameter "${printable(name)}" here; ${there}.${hint(name, known)}`);
}

/** A sentence to add to a refusal: which of the names that exist was probably meant; '' where none is close. */
export function hint(name: string, candidates: readonly string[]): string {
  const meant = suggest(name, candidates);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Names as a sentence has them: `"limit", "cursor"`. */
export const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** A stranger's word in a sentence of ours: without keys, then cut to a length that leaves the sentence readable. */
export function printable(name: string): string {
  const shown = redactEncodedKeys(name);
  return shown.length > 64 ? `${shown.slice(0, 64)}...` : shown;
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
