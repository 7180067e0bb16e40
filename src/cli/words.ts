/** Words of the messages that more than one command prints. */

import { plural } from '../lib/plural.ts';

export { plural };

/** The text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "1.5 MB"; less than that in bytes. */
export function megabytes(bytes: number): string {
  return bytes < 100_000 ? plural(bytes, 'byte') : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** RFC 3339, UTC; the milliseconds of what is no date. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}
