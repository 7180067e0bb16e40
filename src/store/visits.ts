/**
 * The visits of a published map: counts for each UTC day, and no visitor in them. A project has them as bytes, since few of them are ever
 * read: a list of days in ascending order, each as its number and its packed row.
 */
import { idBytes, uuidBytes, uuidFrom } from '../lib/text/ids.ts';
import { pack, RecordFormatError, stored, unpack } from '../model/stored.ts';
import type { Row } from '../model/value.ts';

/** Days that are kept: the newest one and those before it. */
export const visitDaysMax = 400;

/** Different places that are counted in a day; openings of further ones are counted together. */
export const placesPerDayMax = 100;

export interface DayVisits {
  /** Days since 1970, in UTC. */
  readonly day: number;
  /** Openings of the map. */
  readonly opened: number;
  /** Searches without a result. */
  readonly searches: number;
  /** Openings of places beyond {@link placesPerDayMax}. */
  readonly other: number;
  /** Openings of places, by identifier. */
  readonly places: ReadonlyMap<string, number>;
}

const dayMs = 86_400_000;

/** The day of a time. @param time Unix time in milliseconds */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** `2026-11-30` */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Adds counts of one day to those of another. Places beyond the limit are added to `other`. */
export function addVisits(to: DayVisits, added: DayVisits): DayVisits {
  const places = new Map(to.places);
  let other = to.other + added.other;
  for (const [id, count] of added.places) {
    const before = places.get(id);
    if (before === undefined && places.size >= placesPerDayMax) other += count;
    else places.set(id, (before ?? 0) + count);
  }
  return { day: to.day, opened: to.opened + added.opened, searches: to.searches + added.searches, other, places };
}

export const noVisits = (day: number): DayVisits => ({ day, opened: 0, searches: 0, other: 0, places: new Map() });

// Stored form

/** A day far in the future, which no clock shows. */
const dayMax = 0xffff;

/** The identifiers of its places are one item: as texts they would take more than twice the bytes. */
export function visitsRow({ day, opened, searches, other, places }: DayVisits): Row {
  return [day, opened, searches, other, Buffer.concat([...places.keys()].map(uuidBytes)), [...places.values()]];
}

export function visitsFromRow(item: unknown): DayVisits {
  const [day, opened, searches, other, idItem, countItem] = stored.list(item, 'the visits of a day');
  const ids = stored.bytes(idItem, 'the places of a day');
  const counts = stored.list(countItem, 'the openings of places');
  if (counts.length > placesPerDayMax || ids.byteLength !== counts.length * idBytes)
    throw new RecordFormatError(`a day has ${counts.length} counts for places of ${ids.byteLength} bytes`);
  const places = new Map<string, number>();
  counts.forEach((count, i) => {
    const id = uuidFrom(ids.subarray(i * idBytes, (i + 1) * idBytes));
    places.set(id, stored.count(count, 'the openings of a place'));
  });
  if (places.size !== counts.length) throw new RecordFormatError('a day has a place twice');
  return {
    day: dayFrom(day),
    opened: stored.count(opened, 'the openings of a map'),
    searches: stored.count(searches, 'the searches of a day'),
    other: stored.count(other, 'the openings of other places'),
    places,
  };
}

const dayFrom = (item: unknown): number => stored.count(item, 'the day of visits', dayMax);

interface PackedDay {
  readonly day: number;
  readonly bytes: Uint8Array;
}

function packedDays(visits: Uint8Array | undefined): PackedDay[] {
  if (visits === undefined) return [];
  const items = unpack(visits);
  const days: PackedDay[] = [];
  for (let i = 0; i < items.length; i += 2) {
    const day = dayFrom(items[i]);
    if (day <= (days.at(-1)?.day ?? -1)) throw new RecordFormatError('the days of visits are not in ascending order');
    days.push({ day, bytes: stored.bytes(items[i + 1], 'the visits of a day') });
  }
  if (days.length > visitDaysMax) throw new RecordFormatError(`visits of ${days.length} days, more than ${visitDaysMax}`);
  return days;
}

function dayIn({ day, bytes }: PackedDay): DayVisits {
  const visits = visitsFromRow(unpack(bytes));
  if (visits.day !== day) throw new RecordFormatError(`the list says day ${day}, the row is of day ${visits.day}`);
  return visits;
}

/** The days from one to another, both included, in ascending order. Throws {@link RecordFormatError} for what this file did not write. */
export const daysIn = (visits: Uint8Array | undefined, from = 0, to = dayMax): DayVisits[] =>
  packedDays(visits)
    .filter(({ day }) => day >= from && day <= to)
    .map(dayIn);

/** Replaces some days, in any order, and forgets those that are too old. */
export function withDays(visits: Uint8Array | undefined, days: readonly DayVisits[]): Uint8Array {
  const all = new Map(packedDays(visits).map((packed) => [packed.day, packed]));
  for (const each of days) all.set(each.day, { day: each.day, bytes: pack(visitsRow(each)) });
  const newest = Math.max(...all.keys());
  const kept = [...all.values()].filter(({ day }) => day > newest - visitDaysMax).sort((a, b) => a.day - b.day);
  // A copy of its own: the encoder's bytes are part of a larger buffer.
  return new Uint8Array(pack(kept.flatMap(({ day, bytes }) => [day, bytes])));
}

/** A copy of stored visits, so that the bytes around them can be freed. Throws {@link RecordFormatError} for what this file did not write. */
export function checkedVisits(visits: Uint8Array): Uint8Array {
  daysIn(visits);
  return new Uint8Array(visits);
}
