/** Parses query strings strictly: a misspelt parameter must not silently mean "no filter". */

import { redactEncodedKeys } from '../../lib/text/redact.ts';
import { suggest } from '../../lib/text/suggest.ts';
import { type Problem, problems } from '../problem.ts';

/** The values of a query by parameter name, decoded. */
export type QueryValues = Readonly<Record<string, string>>;

/** The explanation for a parameter that a client might expect but that does not exist; `undefined` for any other. */
export type AbsentParameters = (name: string) => string | undefined;

const none: QueryValues = Object.freeze(Object.create(null) as Record<string, string>);

/** Maximum number of members on one page of a list. */
export const pageMembersMax = 1000;

/** Parses the query of a request to an endpoint; `raw` is the text after the `?`, as sent. Throws as {@link parseQuery} does. */
export function queryOf(
  endpoint: { readonly query?: readonly string[] | 'any'; readonly absentQuery?: AbsentParameters; readonly public?: boolean },
  raw: string,
): QueryValues {
  const known = endpoint.query ?? (endpoint.public === true ? 'any' : []);
  return known === 'any' ? none : parseQuery(raw, known, endpoint.absentQuery);
}

/**
 * Parses a query that may contain only the parameters `known`, each at most once. `+` and `%20` are spaces.
 *
 * Throws a 400 problem for any other parameter, a repeated one, and one that does not decode to UTF-8.
 *
 * @param raw the text after the `?`, as sent
 * @param absent explanations for parameters that do not exist, for the error message
 */
export function parseQuery(raw: string, known: readonly string[], absent?: AbsentParameters): QueryValues {
  if (raw === '') return none;
  const values = Object.create(null) as Record<string, string>;
  for (const pair of raw.split('&')) {
    // Many client libraries write `?a=1&`.
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === undefined) throw problems.badRequest('The name of a query parameter is not valid percent-encoded UTF-8.');
    if (value === undefined) {
      const shown = printable(name);
      throw problems.badParameter(shown, `The query parameter "${shown}" is not valid percent-encoded UTF-8.`);
    }
    if (!known.includes(name)) throw unknownParameter(name, known, absent);
    if (values[name] !== undefined) throw problems.badParameter(name, `The query parameter "${name}" is given more than once.`);
    values[name] = value;
  }
  return values;
}

/** The page size in `?limit=`; `undefined` if absent. Throws a 400 problem unless it is 1..1000. */
export function limitOf(query: QueryValues): number | undefined {
  const text = query['limit'];
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > pageMembersMax) {
    throw problems.badParameter('limit', `The query parameter "limit" must be a whole number from 1 to ${pageMembersMax}.`);
  }
  return limit;
}

/** The boolean value of a parameter; `false` if absent. Throws a 400 problem for a value other than `true` and `false`. */
export function flagOf(query: QueryValues, name: string): boolean {
  const text = query[name];
  if (text === undefined || text === 'false') return false;
  if (text !== 'true') throw problems.badParameter(name, `The query parameter "${name}" must be true or false.`);
  return true;
}

/**
 * The members that `?fields=` names, in the order of `members`; `undefined` if absent. Throws a 400 problem for a name that is not among
 * `members`, an empty one and a repeated one.
 */
export function fieldsOf(query: QueryValues, members: readonly string[]): readonly string[] | undefined {
  const text = query['fields'];
  if (text === undefined) return undefined;
  const named = new Set<string>();
  for (const name of text.split(',')) {
    if (name === '')
      throw problems.badParameter('fields', 'The query parameter "fields" must be a comma-separated list of member names.');
    if (named.has(name))
      throw problems.badParameter('fields', `The query parameter "fields" names "${printable(name)}" more than once.`);
    if (!members.includes(name)) {
      throw problems.badParameter(
        'fields',
        `The query parameter "fields" names "${printable(name)}", which does not exist.${hint(name, members)}`,
      );
    }
    named.add(name);
  }
  return members.filter((member) => named.has(member));
}

function unknownParameter(name: string, known: readonly string[], absent: AbsentParameters | undefined): Problem {
  const explanation = absent?.(name);
  if (explanation !== undefined) return problems.badParameter(printable(name), explanation);
  // Each filter has several operators, which would hide the rest of the list.
  const plain = known.filter((each) => !each.includes('['));
  const valid = known.length === 0 ? 'this endpoint takes none' : `the parameters are: ${named(plain)}`;
  return problems.badParameter(printable(name), `Unknown query parameter "${printable(name)}"; ${valid}.${hint(name, known)}`);
}

/** A suggestion to append to an error message, with the most similar candidate; '' if none is similar. */
export function hint(name: string, candidates: readonly string[]): string {
  const meant = suggest(name, candidates);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Names in quotation marks, as a list in a sentence: `"limit", "cursor"`. */
export const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Client input for an error message: with keys redacted, then cut to a readable length. */
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
