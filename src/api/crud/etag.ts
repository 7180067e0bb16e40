/**
 * Entity tags (RFC 9110, 8.8.3), strong: the history, the run and the LSN of the newest change that shows in the answer, and what of it was
 * asked for. No content is hashed. Versions survive a restart, a history that may have lost something gets another lineage, and an old copy
 * of the folder that goes on has runs of its own, so no tag is ever given to other bytes. Nor is it when the folder is served in the newer original's way: the tags say so.
 */
import { createHash } from 'node:crypto';
import type { Scope } from '../authorize.ts';
import type { Api, Request } from '../declaration.ts';

/** Characters of a query that a tag repeats; of a longer one it has a digest. */
const queryLengthMax = 512;

/** @param version LSN of the newest change of what is shown */
export function etagOf(api: Api, { url, query, scope }: Request, version: number): string {
  const part = url.includes('?') ? `-${asked(new URLSearchParams(query).toString())}` : '';
  return `"${versionTag(api, version)}${keyPart(api, scope)}${part}"`;
}

/** A query as it stands in a tag. */
function asked(query: string): string {
  return query.length <= queryLengthMax ? query : createHash('sha256').update(query).digest('base64url');
}

/** The tag that a GET of a resource, whole, gives at a version: for the answer to the write that made it. */
export function etagWritten(api: Api, { scope }: Request, version: number): string {
  return `"${versionTag(api, version)}${keyPart(api, scope)}"`;
}

/** The part of a tag that names a version: the history, the run, and the LSN. */
export function versionTag({ engine }: Api, version: number): string {
  return engine.versions.nameOf(version);
}

/** The part of a tag that names who sees what is tagged, and by which original. */
function keyPart({ engine }: Api, { projects, keyId }: Scope): string {
  const face = engine.compat === 'latest' ? '-latest' : '';
  return projects === undefined ? face : `${face}-${keyId}`;
}
