/**
 * What values weigh in memory: an estimate of V8's own figures on a 64-bit machine, meant to be rather too much.
 */
import type { Field } from './generate.ts';
import { newer, type Value } from './value.ts';

const slotBytes = 8;
/** Slots that an object has at the least, used or not. */
const slotsMin = 4;
/** A name of an open structure: as a string, and in the shape or the dictionary of its object. */
const nameBytes = 56;
const objectBytes = 24;
const arrayBytes = 48;
const stringBytes = 16;
const numberBytes = 16;
/** What a member takes beside its value: its place, its version, its slot in a leaf. */
export const memberBytes = 72;

const latin1 = /^[\0-\xff]*$/;

/** Bytes of a resource's value: its own names are the schema's, and cost nothing. */
export function weigh(value: Value): number {
  let bytes = objectBytes;
  for (const name in value) bytes += slotBytes + weighJson(value[name]);
  return bytes + weighNewer(value);
}

/** Bytes of what only the newer original knows. */
function weighNewer({ [newer]: members }: Value): number {
  return members === undefined ? 0 : slotBytes + weighJson(members);
}

/** Bytes of any JSON, without the slot that holds it. */
function weighJson(value: unknown): number {
  if (typeof value === 'string')
    return stringBytes + slotBytes * Math.ceil((value.length * (latin1.test(value) ? 1 : 2)) / slotBytes);
  // Small whole numbers stand in the slot itself.
  if (typeof value === 'number') return (value | 0) === value ? 0 : numberBytes;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let bytes = arrayBytes;
    for (const item of value) bytes += slotBytes + weighJson(item);
    return bytes;
  }
  let bytes = objectBytes;
  let names = 0;
  for (const name in value) {
    names++;
    bytes += weighJson((value as Readonly<Record<string, unknown>>)[name]);
  }
  bytes += slotBytes * Math.max(names, slotsMin);
  return isVertex(value, names) ? bytes : bytes + nameBytes * names;
}

/** By far the most frequent object, and one whose shape is the same everywhere. */
const isVertex = (value: object, names: number): boolean => names === 2 && 'x' in value && 'y' in value;

/** Bytes of a decoded member and its place, where defaults and the words of enums are what every value of its resource shares. */
export function weighMember(fields: readonly Field[], value: Value): number {
  let bytes = memberBytes + objectBytes + slotBytes + weighJson(value.id);
  for (const { name, encoding, fallback } of fields) {
    const item = value[name];
    bytes += slotBytes + (item === fallback || encoding === 'word' ? 0 : weighJson(item));
  }
  return bytes + weighNewer(value);
}
