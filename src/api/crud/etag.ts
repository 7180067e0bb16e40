/**
 * Strong entity tags (RFC 9110, 8.8.3): the lineage, the run and the LSN of the newest change that the response shows, and the query. No
 * content is hashed. Versions survive a restart. A history that may have lost changes gets another lineage, and an old copy of the folder
 * that continues has other runs, so a tag never names different bytes. The tags also contain the API version, if it is *latest*.
 */
import { createHash } from 'node:crypto';
import type { Scope } from '../authorize.ts';
import type { Api, Request } from '../declaration.ts';

/** Maximum length of a query in a tag, in characters; a longer one is replaced by its digest. */
const queryLengthMax = 512;

/** @param version LSN of the newest change of the shown content */
export function etagOf(api: Api, { url, query, scope }: Request, version: number): string {
  const part = url.includes('?') ? `-${queryPart(new URLSearchParams(query).toString())}` : '';
  return `"${versionTag(api, version)}${keyPart(api, scope)}${part}"`;
}

/** The part of a tag for a query. */
function queryPart(query: string): string {
  return query.length <= queryLengthMax ? query : createHash('sha256').update(query).digest('base64url');
}

/** The tag that a GET of the whole resource returns at a version: for the response to the write that made it. */
export function etagWritten(api: Api, { scope }: Request, version: number): string {
  return `"${versionTag(api, version)}${keyPart(api, scope)}"`;
}

/** The part of a tag for a version: the lineage, the run and the LSN. */
export function versionTag({ engine }: Api, version: number): string {
  return engine.versions.nameOf(version);
}

/** The part of a tag for the key and the API version, on which the shown content depends. */
function keyPart({ engine }: Api, { projects, keyId }: Scope): string {
  const suffix = engine.compat === 'latest' ? '-latest' : '';
  return projects === undefined ? suffix : `${suffix}-${keyId}`;
}
