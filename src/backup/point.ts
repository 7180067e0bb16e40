/**
 * A point of a history, as a person names it: a record's number, or a time.
 *
 * **At a time** means: the longest beginning of the history in which no record carries a later time. Records carry the server's clock, and
 * a clock may be set back; a record that says 14:00 after one that says 15:00 is then reached only at 15:00, with everything before it.
 * So a point in time is always a state that was, and a later point never holds less.
 */
export type Point = { readonly lsn: number } | { readonly timeMs: number };

export interface ParsedTime {
  readonly timeMs: number;
  /** The text named no zone, and this machine's was taken. */
  readonly local: boolean;
}

const time = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?)\s?([Zz]|[+-]\d\d:\d\d)?$/;

/** A number, or RFC 3339 with or without seconds and zone; `undefined` for anything else. */
export function parsePoint(text: string): { readonly lsn: number } | ParsedTime | undefined {
  if (/^\d{1,15}$/.test(text)) return { lsn: Number(text) };
  const [, year = '', month = '', day = '', hours = '', minutes = '', seconds = '00', fraction = '', zone] =
    time.exec(text) ?? [];
  if (year === '') return undefined;
  const date = `${year}-${month}-${day}`;
  // A day that the month does not have would become one of the next month.
  const there = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(there.getTime()) || there.toISOString().slice(0, 10) !== date) return undefined;
  const timeMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}${fraction.slice(0, 4)}${zone?.toUpperCase() ?? ''}`);
  return Number.isNaN(timeMs) ? undefined : { timeMs, local: zone === undefined };
}

/** Whether a record still belongs to the history up to the point. */
export function isBefore(point: Point | undefined, lsn: number, timeMs: number): boolean {
  if (point === undefined) return true;
  return 'lsn' in point ? lsn <= point.lsn : timeMs <= point.timeMs;
}
