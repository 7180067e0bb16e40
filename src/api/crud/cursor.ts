/**
 * Cursors: opaque strings that mark the end of a page. A cursor holds the rank of the last member of the page, so paging continues
 * correctly when earlier members are added or deleted. If all ranks were renumbered (`epoch`), the member itself is searched.
 *
 * In a sorted list, a cursor holds the sort values of the last member and its identifier (keyset pagination). Long texts are cut, and a
 * digest shows whether the member still has the same ones. If it does not, and the text of another member begins with the same part, the
 * position is lost. A cursor of a filtered or sorted list is valid only with the same filters and order.
 */
import { createHash } from 'node:crypto';
import { problems } from '../../http/problem.ts';
import type { Resource } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
import { type Scalar, scalarOf } from '../../store/list/filters.ts';
import type { Criteria, CutText, Keyset, SortMember } from '../../store/list/selection.ts';
import type { Member } from '../../store/member.ts';

/** Maximum length of all texts in one cursor, in UTF-16 code units: escaped and encoded, they are at most some two thousand characters. */
const textLengthMax = 256;
/** Length of a digest in base64url: 96 bits. */
const digestLength = 16;

const encode = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** @param criteria of the list, if it is filtered */
export function memberCursor({ epoch }: Pick<Collection, 'epoch'>, last: Member, criteria?: Criteria): string {
  return encode([...boundTo(criteria), epoch, last.rank, last.value.id]);
}

/** @param criteria of the list, if it is filtered */
export function projectCursor(lastId: string, criteria?: Criteria): string {
  return encode([...boundTo(criteria), lastId]);
}

/** Makes the cursor of a sorted list. */
export function keysetCursor(last: Value, criteria: Criteria): string {
  const values = valuesOf(last, criteria.sort);
  const texts = values.filter((value) => typeof value === 'string').length;
  const lengthMax = Math.floor(textLengthMax / Math.max(texts, 1));
  const isCut = (value: Scalar): value is string => typeof value === 'string' && value.length > lengthMax;
  const shown = values.map((value) => (isCut(value) ? [value.slice(0, lengthMax)] : value));
  const digest = values.some(isCut) ? [digestOf([last.id, ...values])] : [];
  return encode([...boundTo(criteria), last.id, shown, ...digest]);
}

/** The start of a page of members. */
export interface CursorPosition {
  readonly epoch: number;
  readonly rank: number;
  /** The last member of the previous page. */
  readonly id: string;
}

/**
 * Parses a cursor; `undefined` without one. Throws a 400 problem for an invalid one, whatever the list contains.
 *
 * @param criteria of the list, if it is filtered
 */
export function memberPosition(cursor: string | undefined, criteria?: Criteria): CursorPosition | undefined {
  if (cursor === undefined) return undefined;
  const [epoch, rank, id] = decode(cursor, criteria);
  if (typeof epoch !== 'number' || typeof rank !== 'number' || typeof id !== 'string') throw malformed();
  return { epoch, rank, id };
}

/** The rank after which the page begins; `undefined` if the ranks were renumbered and the member of the position is gone. */
export function rankAfter(collection: Collection, position: CursorPosition | undefined): number | undefined {
  if (position === undefined) return Number.NEGATIVE_INFINITY;
  return position.epoch === collection.epoch ? position.rank : collection.get(position.id)?.rank;
}

/**
 * The identifier after which the page of projects begins.
 *
 * @param criteria of the list, if it is filtered
 */
export function projectAfter(cursor: string | undefined, criteria?: Criteria): string {
  if (cursor === undefined) return '';
  const [id] = decode(cursor, criteria);
  if (typeof id !== 'string') throw malformed();
  return id;
}

/** The start of a page of a sorted list. */
export interface SortedPosition extends Keyset {
  /** Digest of the values and the identifier, if a text is cut. */
  readonly digest: string | undefined;
}

/** Parses the cursor of a sorted list; `undefined` without one. Throws a 400 problem for an invalid one. */
export function sortedPosition(
  cursor: string | undefined,
  criteria: Criteria,
  { scalars }: Resource,
): SortedPosition | undefined {
  if (cursor === undefined) return undefined;
  const [id, shown, digest] = decode(cursor, criteria);
  if (typeof id !== 'string' || !Array.isArray(shown) || shown.length !== criteria.sort.length) throw malformed();
  const values = criteria.sort.map(({ name }, i): Scalar | CutText => {
    const value: unknown = shown[i];
    const encoding = scalars.find((scalar) => scalar.name === name)?.encoding;
    if (encoding === 'number' && Number.isFinite(value)) return value as number;
    if (encoding === 'flag' && typeof value === 'boolean') return value;
    if (encoding === 'number' || encoding === 'flag') throw malformed();
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && typeof value[0] === 'string') return { begin: value[0] };
    throw malformed();
  });
  const isCut = values.some((value) => typeof value === 'object');
  if (isCut !== (typeof digest === 'string')) throw malformed();
  return { id, values, digest: isCut ? (digest as string) : undefined };
}

/** The keyset before the page: complete if the last member of the previous page still has the texts that the cursor abbreviates. */
export function keysetAt(
  position: SortedPosition | undefined,
  sort: readonly SortMember[],
  find: (id: string) => Value | undefined,
): Keyset | undefined {
  if (position?.digest === undefined) return position;
  const last = find(position.id);
  const values = last && valuesOf(last, sort);
  return values !== undefined && digestOf([position.id, ...values]) === position.digest ? { id: position.id, values } : position;
}

const valuesOf = (value: Value, sort: readonly SortMember[]): Scalar[] => sort.map((member) => scalarOf(value, member));

/** Prefix of cursors that are valid with these filters and this order only. */
function boundTo(criteria: Criteria | undefined): [string][] {
  if (criteria === undefined) return [];
  const { filters, sort } = criteria;
  return [
    [
      digestOf([
        filters.map(({ name, operator, value }) => (operator === undefined ? [name, value] : [name, value, operator])),
        sort.map(({ name, descending }) => [name, descending]),
      ]),
    ],
  ];
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, digestLength);
}

function decode(cursor: string, criteria: Criteria | undefined): unknown[] {
  const parts = parse(cursor);
  if (criteria === undefined) return parts;
  const [bound, ...rest] = parts;
  if (!Array.isArray(bound) || bound[0] !== boundTo(criteria)[0]?.[0]) throw foreign();
  return rest;
}

function parse(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Invalid JSON is treated like JSON of another shape.
  }
  throw malformed();
}

function foreign() {
  return problems.badParameter(
    'cursor',
    'The query parameter "cursor" is valid only with the same filters and "sort" as the previous page. Use the URL in the Link header of that page.',
  );
}

function malformed() {
  return problems.badParameter(
    'cursor',
    'The query parameter "cursor" must be the value from the Link header of the previous page.',
  );
}
