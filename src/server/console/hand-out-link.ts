/** The links that sign a browser in once, as people get them. */
import type { LinkPurpose, MadeLink } from '../../engine/session-keys.ts';
import { pathWithCode } from './console-code.ts';
import type { ConsoleParts } from './console-parts.ts';

export interface HandedOutLink {
  /** Path of the console below the server, with the code. */
  readonly path: string;
  /** RFC 3339 */
  readonly expires: string;
}

/**
 * Notes a link that is durable in the audit log.
 *
 * @param by who made it; '' for a command
 * @param project identifier of the project to show; `undefined` for the first screen
 */
export async function handOutLink(
  { audit, shard }: ConsoleParts,
  { key: { id: link, accountId: account, person, label, expires }, text }: MadeLink,
  by: string,
  project?: string,
): Promise<HandedOutLink> {
  const purpose = label as LinkPurpose;
  await audit.changed('link.created', { link, account, person, purpose, expires, by });
  return { path: pathWithCode(shard, text, project), expires };
}
