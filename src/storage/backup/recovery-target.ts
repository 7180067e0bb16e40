/**
 * A recovery target: a record number or a time.
 *
 * A time selects the longest prefix of the history in which no record has a later time. Records carry the server's clock, which may be set
 * back. A record of 14:00 after a record of 15:00 is therefore included only from 15:00 on, along with everything before it. So a time
 * always selects a state that existed, and a later time never selects less.
 */
export type RecoveryTarget = { readonly lsn: number } | { readonly timeMs: number };

export interface ParsedTime {
  readonly timeMs: number;
  /** The text named no time zone, so that of this machine was used. */
  readonly local: boolean;
}

const time = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?)\s?([Zz]|[+-]\d\d:\d\d)?$/;

/** Parses a number, or RFC 3339 with or without seconds and zone; `undefined` for anything else. */
export function parseRecoveryTarget(text: string): { readonly lsn: number } | ParsedTime | undefined {
  if (/^\d{1,15}$/.test(text)) return { lsn: Number(text) };
  const [, year = '', month = '', day = '', hours = '', minutes = '', seconds = '00', fraction = '', zone] =
    time.exec(text) ?? [];
  if (year === '') return undefined;
  const date = `${year}-${month}-${day}`;
  // Date rolls over a day that the month does not have.
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return undefined;
  const timeMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}${fraction.slice(0, 4)}${zone?.toUpperCase() ?? ''}`);
  return Number.isNaN(timeMs) ? undefined : { timeMs, local: zone === undefined };
}

/** Whether a record belongs to the history up to the target. */
export function isBefore(point: RecoveryTarget | undefined, lsn: number, timeMs: number): boolean {
  if (point === undefined) return true;
  return 'lsn' in point ? lsn <= point.lsn : timeMs <= point.timeMs;
}
