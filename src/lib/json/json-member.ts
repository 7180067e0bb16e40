/** Replaces members in the bytes of a large document without parsing it. The server wrote it itself, without spaces. */
import { closeBrace, comma, openBrace, openBracket, quote } from './json-bytes.ts';
import { JsonScan, jsonDepthFollowed, jsonPartBytes, scannedBytes } from './json-scan.ts';
import { afterContainer, afterString } from './json-split.ts';

/** A member of an object: its name as JSON, the first byte of its value, and the place after its last one. */
interface PlacedMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Ends of large containers, by their first byte. */
type Ends = ReadonlyMap<number, number>;

/** New JSON of members of the elements of lists, by the name of the list and that of the member. It is not longer than any value of the member. */
export type ListReplacements = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Replaces members of the elements of lists; in slices of one element. The lists are members of the document.
 *
 * Throws if the document does not have the expected form.
 *
 * @param bytes are changed in place, without a copy of the document
 * @returns the parts of `bytes` that make the new document
 */
export function* replacingMembers(bytes: Buffer, replacements: ListReplacements): Generator<void, Buffer[]> {
  const lists = new Map(Array.from(replacements, ([list, members]) => [JSON.stringify(list), asJson(members)] as const));
  const ends = yield* findingEnds(bytes);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { name, start, end } of membersAt(bytes, 0, ends)) {
    const members = lists.get(name);
    if (members !== undefined) {
      parts.push(bytes.subarray(from, yield* replacingInList(bytes, start, end, members, ends)));
      from = end;
    }
    yield;
  }
  // What was not found would stay.
  if (parts.length < lists.size) throw unexpected(`not each of the lists ${[...lists.keys()].join(', ')}`);
  return [...parts, bytes.subarray(from)];
}

const unexpected = (found: string): Error => new Error(`cannot replace members of a document: it has ${found}`);

/** Of an empty list. */
const emptyBytes = 2;

const asJson = (members: ReadonlyMap<string, string>): ReadonlyMap<string, Buffer> =>
  new Map(Array.from(members, ([name, json]) => [JSON.stringify(name), Buffer.from(json)] as const));

/** @returns where the shorter list ends */
function* replacingInList(
  bytes: Buffer,
  start: number,
  end: number,
  replacements: ReadonlyMap<string, Buffer>,
  ends: Ends,
): Generator<void, number> {
  /** The place of the next byte, and the first one that has not moved there yet. */
  let to = start;
  let from = start;
  let at = start + 1;
  while (bytes[at] === openBrace) {
    let last = at + 1;
    for (const member of membersAt(bytes, at, ends)) {
      last = member.end;
      const json = replacements.get(member.name);
      if (json === undefined) continue;
      if (json.length > member.end - member.start) throw unexpected(`a shorter value of ${member.name} than its replacement`);
      to += bytes.copy(bytes, to, from, member.start);
      to += json.copy(bytes, to);
      from = member.end;
    }
    // The brace and the comma.
    at = last + 2;
    yield;
  }
  if (at !== end && end !== start + emptyBytes) throw unexpected('a list with something other than objects, or with spaces');
  return to + bytes.copy(bytes, to, from, end);
}

function* findingEnds(bytes: Buffer): Generator<void, Ends> {
  const scan = new JsonScan(bytes, jsonDepthFollowed, false, jsonPartBytes, false);
  while (!scan.isOver) {
    scan.run(scannedBytes);
    yield;
  }
  return scan.ends;
}

/** The members of the object that begins at `objectAt`. */
function* membersAt(bytes: Buffer, objectAt: number, ends: Ends): Generator<PlacedMember, void> {
  for (let at = objectAt + 1; bytes[at] === quote; ) {
    const colonAt = afterString(bytes, at);
    const start = colonAt + 1;
    const end = afterValue(bytes, start, ends);
    const isLast = bytes[end] !== comma;
    yield { name: bytes.toString('utf8', at, colonAt), start, end };
    if (isLast) return;
    at = end + 1;
  }
}

function afterValue(bytes: Buffer, at: number, ends: Ends): number {
  const byte = bytes[at];
  if (byte === quote) return afterString(bytes, at);
  if (byte === openBrace || byte === openBracket) return (ends.get(at) ?? afterContainer(bytes, at) - 1) + 1;
  let end = at;
  while (end < bytes.length && bytes[end] !== comma && bytes[end] !== closeBrace) end++;
  return end;
}
