/**
 * Identifiers that the page makes: UUIDv7 (RFC 9562), ascending. Their time is that of the server, by its last response: a wrong clock of this
 * computer stops nothing.
 */

/** Random bytes as hexadecimal digits. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export class PageIds {
  /** The time of the server at `at`, in milliseconds; `at` is a time of `performance.now()`, which no clock sets. */
  #known: { readonly time: number; readonly at: number } | undefined;
  #newest = 0;

  /** @param date the header `Date` of a response that has just come */
  heard(date: string | null): void {
    const time = Date.parse(date ?? '');
    if (Number.isFinite(time)) this.#known = { time, at: performance.now() };
  }

  next(): string {
    const known = this.#known;
    const time = Math.floor(known === undefined ? Date.now() : known.time + performance.now() - known.at);
    this.#newest = Math.max(this.#newest + 1, time);
    const random = randomHex(10);
    const hex = this.#newest.toString(16).padStart(12, '0');
    const variant = (Number.parseInt(random.charAt(4), 16) % 4) + 8;
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${random.slice(0, 3)}-${variant.toString(16)}${random.slice(5, 8)}-${random.slice(8)}`;
  }
}
