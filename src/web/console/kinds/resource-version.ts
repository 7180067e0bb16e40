/** Versions of resources, as in entity tags: `"HISTORY.RUN-NUMBER"`. Each start of the server is another run; numbers go on. */

const pattern = /^(?:W\/)?"?([0-9a-f.]+)-([0-9a-z]+)/;

/** The name of a version in an entity tag, quoted for `If-Match`: without what depends on the form of the response. */
export function versionIn(etag: string): string {
  const [, history, lsn] = pattern.exec(etag) ?? [];
  return history === undefined ? etag : `"${history}-${lsn}"`;
}

/** The number of the record that made a version; higher is later. 0 if it is unknown. */
export function numberOf(version: string | undefined): number {
  const [, , lsn = '0'] = pattern.exec(version ?? '') ?? [];
  return Number.parseInt(lsn, 36);
}

/** True if a version was before another one of the same history, in any run. Versions of different histories are in no order. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => pattern.exec(each)?.[1]?.split('.', 1)[0]);
  return a !== undefined && a === b && numberOf(version) < numberOf(other);
}
