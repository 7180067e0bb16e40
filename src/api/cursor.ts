/**
 * Cursors: where a page ended, as an opaque word. They hold on to the rank of the last member seen, so a page goes on at the right place
 * when members before it came or went. After all ranks were made anew (`epoch`) the member itself is looked for.
 */
import { problems } from '../http/problem.ts';
import type { Collection } from '../store/collection.ts';
import type { Member } from '../store/leaf.ts';

const encode = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

export function memberCursor(collection: Collection, last: Member): string {
  return encode([collection.epoch, last.rank, last.value.id]);
}

export function projectCursor(lastId: string): string {
  return encode([lastId]);
}

/** The rank after which the page begins. Throws a 400 problem for a cursor that was not given out here, also where there is nothing. */
export function rankAfter(collection: Collection | undefined, cursor: string | undefined): number {
  if (cursor === undefined) return Number.NEGATIVE_INFINITY;
  const [epoch, rank, id] = decode(cursor);
  if (typeof epoch !== 'number' || typeof rank !== 'number' || typeof id !== 'string') throw malformed();
  if (collection === undefined || epoch === collection.epoch) return rank;
  const member = collection.get(id);
  if (member === undefined)
    throw problems.badRequest('The list was reordered since the page before: start again without "cursor".');
  return member.rank;
}

/** The identifier after which the page of projects begins. */
export function projectAfter(cursor: string | undefined): string {
  if (cursor === undefined) return '';
  const [id] = decode(cursor);
  if (typeof id !== 'string') throw malformed();
  return id;
}

function decode(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Not JSON: as malformed as JSON of another shape.
  }
  throw malformed();
}

function malformed() {
  return problems.badRequest('The query parameter "cursor" must be taken from the Link header of the page before.');
}
