/** Parses durations (`90d`), dates and times in human-readable form. */

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a duration such as `90s`, `30m`, `24h`, `90d`, `8w` or `0`; `undefined` for any other text. */
export function durationMs(text: string): number | undefined {
  if (text === '0') return 0;
  const [, count, unit] = /^([0-9]{1,5})([smhdw])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * (unitMs[unit] as number);
}

const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const moment =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/i;

/** Unix time in milliseconds of an RFC 3339 time, or of the start of a date in UTC; `undefined` for any other text. */
export function momentMs(text: string): number | undefined {
  const date = day.test(text) ? text : moment.exec(text)?.[1];
  // Date.parse would turn 31 February into a day in March.
  if (date === undefined || !isDay(date)) return undefined;
  return Date.parse(text.toUpperCase());
}

function isDay(date: string): boolean {
  const ms = Date.parse(date);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(date);
}
