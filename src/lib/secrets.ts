/** What must not be shown or logged, wherever it turns up. */

/** The text without the secrets of API keys: what was typed or sent may be repeated on a screen or in a log, a key may not. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/mw_[\w-]{20,}/gi, 'mw_...');
}
