/**
 * Entity tags (RFC 9110, 8.8.3), strong: the history, the LSN of the newest change that shows in the answer, and what of it was asked for.
 * Nothing is hashed. Versions survive a restart, and a history that may have lost something gets another lineage, so no tag is ever given
 * to other bytes.
 */
import type { Api, Request } from './endpoint.ts';

/** Of the 32 digits of a lineage: 64 bits of chance are enough to tell histories apart. */
const lineageDigits = 16;

/** @param version LSN of the newest change of what is shown */
export function etagOf({ engine }: Api, { url, query, principal }: Request, version: number): string {
  const tag = `${engine.journal.lineage.slice(0, lineageDigits)}-${version.toString(36)}`;
  const scope = principal.projects === undefined ? '' : `-${principal.keyId}`;
  const part = url.includes('?') ? `-${new URLSearchParams(query)}` : '';
  return `"${tag}${scope}${part}"`;
}
