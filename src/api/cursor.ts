/**
 * Cursors: where a page ended, as an opaque word. They hold on to the rank of the last member seen, so a page goes on at the right place
 * when members before it came or went. After all ranks were made anew (`epoch`) the member itself is looked for.
 */
import { problems } from '../http/problem.ts';
import type { Collection } from '../store/collection.ts';
import type { Member } from '../store/member.ts';

const encode = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

export function memberCursor(collection: Collection, last: Member): string {
  return encode([collection.epoch, last.rank, last.value.id]);
}

export function projectCursor(lastId: string): string {
  return encode([lastId]);
}

/** Where a page of members begins. */
export interface Position {
  readonly epoch: number;
  readonly rank: number;
  /** The last member of the page before. */
  readonly id: string;
}

/** Reads a cursor; `undefined` without one. Throws a 400 problem for one that was not given out here, whatever there is to list. */
export function memberPosition(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [epoch, rank, id] = decode(cursor);
  if (typeof epoch !== 'number' || typeof rank !== 'number' || typeof id !== 'string') throw malformed();
  return { epoch, rank, id };
}

/** The rank after which the page begins; `undefined` when ranks were made anew and the member that the position holds on to is gone. */
export function rankAfter(collection: Collection, position: Position | undefined): number | undefined {
  if (position === undefined) return Number.NEGATIVE_INFINITY;
  return position.epoch === collection.epoch ? position.rank : collection.get(position.id)?.rank;
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
