/** What must not be shown or logged, wherever it turns up. */

/** How often a text may be percent-encoded and still be looked through. */
const layersMax = 5;

/** The text without the secrets of API keys: what was typed or sent may be repeated on a screen or in a log, a key may not. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/mw_[\w-]{20,}/gi, 'mw_...');
}

/** The same for a part of a URL: as it is when there is no key in it, however it is percent-encoded; decoded and without it otherwise. */
export function withoutEncodedKeys(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < layersMax && decoded.includes('%'); layer++) {
    decoded = decoded.replaceAll(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  const shown = withoutKeys(decoded);
  return shown === decoded ? text : shown;
}
