/**
 * Cursors: where a page ended, as an opaque word. They hold on to the rank of the last member seen, so a page goes on at the right place
 * when members before it came or went. After all ranks were made anew (`epoch`) the member itself is looked for.
 *
 * In a list that is sorted, a cursor holds on to the values that the last member was sorted by, and to its identifier. Long texts are cut:
 * a digest tells whether the member still has the same ones. Where it does not, and another member's text begins with as much of them as is
 * there, nobody knows where the page before ended. A cursor of a list that is filtered or sorted goes with the same filters and order only.
 */
import { createHash } from 'node:crypto';
import { problems } from '../../http/problem.ts';
import type { Representation } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';
import type { Collection } from '../../store/collection.ts';
import { type Criteria, type CutText, type Keyset, type Scalar, type SortMember, scalarOf } from '../../store/list/selection.ts';
import type { Member } from '../../store/member.ts';

/** UTF-16 code units that the texts in one cursor have together: escaped and encoded, they are some two thousand characters at most. */
const textLengthMax = 256;
/** Of a digest, in base64url: 96 bits of chance. */
const digestLength = 16;

const encode = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** @param criteria those of the list, where it is filtered */
export function memberCursor({ epoch }: Pick<Collection, 'epoch'>, last: Member, criteria?: Criteria): string {
  return encode([...boundTo(criteria), epoch, last.rank, last.value.id]);
}

/** @param criteria those of the list, where it is filtered */
export function projectCursor(lastId: string, criteria?: Criteria): string {
  return encode([...boundTo(criteria), lastId]);
}

/** The cursor of a sorted list. */
export function keysetCursor(last: Value, criteria: Criteria): string {
  const values = valuesOf(last, criteria.sort);
  const texts = values.filter((value) => typeof value === 'string').length;
  const lengthMax = Math.floor(textLengthMax / Math.max(texts, 1));
  const isCut = (value: Scalar): value is string => typeof value === 'string' && value.length > lengthMax;
  const shown = values.map((value) => (isCut(value) ? [value.slice(0, lengthMax)] : value));
  const digest = values.some(isCut) ? [digestOf([last.id, ...values])] : [];
  return encode([...boundTo(criteria), last.id, shown, ...digest]);
}

/** Where a page of members begins. */
export interface Position {
  readonly epoch: number;
  readonly rank: number;
  /** The last member of the page before. */
  readonly id: string;
}

/**
 * Reads a cursor; `undefined` without one. Throws a 400 problem for one that was not given out here, whatever there is to list.
 *
 * @param criteria those of the list, where it is filtered
 */
export function memberPosition(cursor: string | undefined, criteria?: Criteria): Position | undefined {
  if (cursor === undefined) return undefined;
  const [epoch, rank, id] = decode(cursor, criteria);
  if (typeof epoch !== 'number' || typeof rank !== 'number' || typeof id !== 'string') throw malformed();
  return { epoch, rank, id };
}

/** The rank after which the page begins; `undefined` when ranks were made anew and the member that the position holds on to is gone. */
export function rankAfter(collection: Collection, position: Position | undefined): number | undefined {
  if (position === undefined) return Number.NEGATIVE_INFINITY;
  return position.epoch === collection.epoch ? position.rank : collection.get(position.id)?.rank;
}

/**
 * The identifier after which the page of projects begins.
 *
 * @param criteria those of the list, where it is filtered
 */
export function projectAfter(cursor: string | undefined, criteria?: Criteria): string {
  if (cursor === undefined) return '';
  const [id] = decode(cursor, criteria);
  if (typeof id !== 'string') throw malformed();
  return id;
}

/** Where a page of a sorted list begins. */
export interface SortedPosition extends Keyset {
  /** Of the values and the identifier, where a text is cut. */
  readonly digest: string | undefined;
}

/** Reads the cursor of a sorted list; `undefined` without one. Throws a 400 problem for one that was not given out here. */
export function sortedPosition(
  cursor: string | undefined,
  criteria: Criteria,
  { scalars }: Representation,
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

/** What stands before the page: whole, where the last member of the page before still has the texts of which the cursor has a part. */
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

/** What a cursor begins with that goes with these filters and this order only. */
function boundTo(criteria: Criteria | undefined): [string][] {
  if (criteria === undefined) return [];
  const { filters, sort } = criteria;
  return [[digestOf([filters.map(({ name, value }) => [name, value]), sort.map(({ name, descending }) => [name, descending])])]];
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
    // Not JSON: as malformed as JSON of another shape.
  }
  throw malformed();
}

function foreign() {
  return problems.badRequest(
    'The query parameter "cursor" goes only with the filters and the "sort" of the page before: take it from the Link header of that page.',
  );
}

function malformed() {
  return problems.badRequest('The query parameter "cursor" must be taken from the Link header of the page before.');
}
