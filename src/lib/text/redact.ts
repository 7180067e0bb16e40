/** Removes secrets from texts that are shown or logged. */

/** Maximum number of percent-encoding layers to decode in a search for keys. */
const layersMax = 5;

/** Redacts the secrets of API keys in a text, so that user input can be shown and logged. */
export function redactKeys(text: string): string {
  return text.replaceAll(/mw_[\w-]{20,}/gi, 'mw_...');
}

/** As {@link redactKeys}, for a part of a URL: unchanged if it contains no key in any encoding; otherwise decoded and redacted. */
export function redactEncodedKeys(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < layersMax && decoded.includes('%'); layer++) {
    decoded = decoded.replaceAll(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  const shown = redactKeys(decoded);
  return shown === decoded ? text : shown;
}
