/** Formats values in messages of several commands. */

import { plural } from '../../lib/text/plural.ts';

export { plural };

/** Quotes a text as one word for a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats bytes in binary units: `441 B`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${value < 100 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[unit]}`;
}

/** Formats a time as RFC 3339 in UTC; an invalid time as its milliseconds. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}
