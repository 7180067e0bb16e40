/** Words of the messages that more than one command prints. */

/** "1 record", "2 records". */
export function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The text without the secrets of API keys: what was typed may be repeated on a screen or in a log, a key may not. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/mw_[\w-]{20,}/g, 'mw_...');
}
