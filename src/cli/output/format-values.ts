/** Formats values in messages of several commands. */

import { plural } from '../../lib/text/plural.ts';

export { plural };

/** Quotes a text as one word for a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "1.5 MB"; small numbers in bytes. */
export function megabytes(bytes: number): string {
  return bytes < 100_000 ? plural(bytes, 'byte') : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats a time as RFC 3339 in UTC; an invalid time as its milliseconds. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}
