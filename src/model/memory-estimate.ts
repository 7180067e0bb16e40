/**
 * Estimates the memory of values, from V8's object sizes on a 64-bit machine; tends to be too high.
 */
import type { Value } from './value.ts';

const slotBytes = 8;
/** Minimum number of slots of an object, used or not. */
const slotsMin = 4;
/** A member name in an open structure: as a string, and in the object's shape or dictionary. */
const nameBytes = 56;
const objectBytes = 24;
const arrayBytes = 48;
const stringBytes = 16;
const numberBytes = 16;
/** An optional member of a value: its slot and its part of the list of such slots, which V8 keeps beside the object. */
export const optionalMemberBytes = 40;
/** Named values that are kept as text, without the text. */
export const jsonTextBytes = 40;
/** Memory of a member besides its value: rank, version, slot in a leaf. */
export const memberBytes = 72;

/** A key and its identifier in a map, without the texts. */
const mapEntryBytes = 48;

const latin1 = /^[\0-\xff]*$/;

/** Estimated memory of a resource's value, in bytes. Its member names are shared with the schema and cost nothing. */
export function weigh(value: Value): number {
  let bytes = objectBytes;
  for (const name in value) bytes += slotBytes + weighJson(value[name]);
  return bytes;
}

/** Estimated memory that an index of keys has for a value, with copies of key and identifier; 0 for a value without key. In bytes. */
export function weighKey({ id, key }: Value): number {
  return key === undefined || key === '' ? 0 : mapEntryBytes + weighJson(key) + weighJson(id);
}

/** Estimated memory of any JSON value, without the slot that holds it; in bytes. */
export function weighJson(value: unknown): number {
  if (typeof value === 'string')
    return stringBytes + slotBytes * Math.ceil((value.length * (latin1.test(value) ? 1 : 2)) / slotBytes);
  // Small integers are stored in the slot itself.
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

/** A vertex: by far the most frequent object, and all vertices share one shape. */
const isVertex = (value: object, names: number): boolean => names === 2 && 'x' in value && 'y' in value;

/** Estimated memory of a decoded member with this number of fields, without what its identifier and fields refer to; in bytes. */
export const memberFrameBytes = (fields: number): number => memberBytes + objectBytes + slotBytes * (fields + 1);
