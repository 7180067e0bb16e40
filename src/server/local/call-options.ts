/**
 * Converts the options of calls without HTTP to the parameters and headers of a request. Unknown options and wrong types are TypeErrors: a
 * misspelt `ifMatch` must not write unconditionally, and a misspelt filter must not list everything.
 */
import { didYouMean } from '../../lib/text/suggest.ts';
import { type Input, localEtag, localText } from './local-api.ts';
import type * as bodies from './local-bodies.ts';

type CallOption = keyof bodies.CreateOptions;

export const createOptions = ['ifMatch', 'strict', 'idempotencyKey'] as const satisfies readonly CallOption[];
export const updateOptions = ['ifMatch', 'strict'] as const satisfies readonly CallOption[];
export const duplicateOptions = ['ifMatch', 'idempotencyKey'] as const satisfies readonly CallOption[];
export const publishOptions = ['ifMatch'] as const satisfies readonly CallOption[];
export const importOptions = ['idempotencyKey'] as const satisfies readonly CallOption[];

const listOptions = ['filter', 'sort', 'fields'] as const;

/** Parameters of a list that cannot be member names. */
const listParameters = ['cursor', 'limit', 'sort', 'fields'];

/** @param known the options of this call */
export function askedBy(options: bodies.CreateOptions = {}, known: readonly CallOption[]): Pick<Input, 'query' | 'headers'> {
  refuseOthers(options, known);
  const { ifMatch, strict, idempotencyKey } = options;
  if (strict !== undefined && typeof strict !== 'boolean') throw new TypeError('the option "strict" must be true or false');
  return {
    query: { strict: strict === undefined ? undefined : String(strict) },
    headers: {
      'if-match': ifMatch === undefined ? undefined : tagIn(ifMatch),
      'idempotency-key': idempotencyKey === undefined ? undefined : localText(idempotencyKey, 'the option "idempotencyKey"'),
    },
  };
}

interface AnyListOptions {
  readonly filter?: object;
  readonly sort?: readonly string[];
  readonly fields?: readonly PropertyKey[];
}

/** Filters become separate parameters, as in the query of a request. */
export function queryOfCall(options: AnyListOptions = {}): Readonly<Record<string, string | undefined>> {
  refuseOthers(options, listOptions);
  const { filter = {}, sort, fields } = options;
  if (!isPlain(filter)) throw new TypeError('the option "filter" must be an object');
  const filters = Object.entries(filter).map(([name, value]) => [name, filterValue(name, value)]);
  return { ...Object.fromEntries(filters), sort: namesIn(sort, 'sort'), fields: namesIn(fields, 'fields') };
}

function filterValue(name: string, value: unknown): string | undefined {
  if (listParameters.includes(name)) throw new TypeError(`the option "filter" needs names of members; "${name}" is not one`);
  if (value === undefined) return undefined;
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw new TypeError(`the filter "${name}" must be a string, a number or a boolean`);
  return String(value);
}

/** Names in a parameter; an empty list is the same as no option. */
function namesIn(names: readonly unknown[] | undefined, option: string): string | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    throw new TypeError(`the option "${option}" must be an array of strings`);
  return names.length === 0 ? undefined : names.join(',');
}

function tagIn(ifMatch: string | object): string {
  const tag = typeof ifMatch === 'string' ? ifMatch : localEtag(ifMatch);
  if (tag === undefined)
    throw new TypeError('ifMatch must be an entity tag, or an object that this server returned, not a copy of it');
  return tag;
}

function refuseOthers(options: object, known: readonly string[]): void {
  if (!isPlain(options)) throw new TypeError('the options of a call must be an object, or omitted');
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known);
    throw new TypeError(`this call has no option "${name}"${hint === '' ? `; its options are ${known.join(', ')}` : hint}`);
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
