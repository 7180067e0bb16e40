/** Versions of resources, as in entity tags. */

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
