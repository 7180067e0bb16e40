/** Leaves the private members of objects out of the JSON of a project, while it arrives. */
import { StringDecoder } from 'node:string_decoder';
import { invariant } from '../../../lib/invariant.ts';
import type { AnySchema } from '../../../model/members.ts';
import { ObjectSchema, privateObjectMembers } from '../../../model/resources/object.ts';

/**
 * A private member, with the comma before it. No text in JSON contains a quotation mark that is not escaped, so the pattern is never found
 * inside of one; no other resource of a public map has a member of this name.
 */
const privateMember = new RegExp(`,"(?:${privateObjectMembers.join('|')})":"(?:[^"\\\\]|\\\\.)*"`, 'g');

/** More characters than any private member has, with its name; each character of its value is written as twelve at most. */
const memberLengthMax = Math.max(...privateObjectMembers.map((name) => 64 + name.length + 12 * lengthMaxOf(name)));

function lengthMaxOf(member: string): number {
  const { maxLength } = ObjectSchema.properties[member as keyof typeof ObjectSchema.properties] as AnySchema;
  // A longer one would pass in two pieces, each of which is no whole member.
  invariant(maxLength !== undefined, 'the private member "{}" has a maximum length', member);
  return maxLength;
}

/** @param json artboards and popups of a project, as the server writes them: without white space */
export async function* withoutPrivate(json: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const decoder = new StringDecoder();
  let waiting = '';
  for await (const piece of json) {
    waiting += decoder.write(piece);
    const [text, rest] = cut(waiting, waiting.length - memberLengthMax);
    waiting = rest;
    if (text !== '') yield Buffer.from(text);
  }
  const [text] = cut(waiting + decoder.end(), Number.POSITIVE_INFINITY);
  if (text !== '') yield Buffer.from(text);
}

/** The text without the private members that begin before `end`, and the rest of it. */
function cut(all: string, end: number): [text: string, rest: string] {
  let text = '';
  let at = 0;
  for (const { index, 0: found } of all.matchAll(privateMember)) {
    if (index >= end) break;
    text += all.slice(at, index);
    at = index + found.length;
  }
  let to = Math.max(at, Math.min(end, all.length));
  // Both halves of a character stay together.
  if (to > at && to < all.length && /[\ud800-\udbff]/.test(all.charAt(to - 1))) to--;
  return [text + all.slice(at, to), all.slice(to)];
}
