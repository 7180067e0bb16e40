/** Readable addresses of published maps: `/p/lindenhof`. A name is unique; one that was given up stays its account's for a year. */
import { mapNameForm } from '../../lib/draw/map-name.ts';
import { RecordFormatError, stored } from '../stored.ts';
import type { Row } from '../value.ts';

/** The rule of a name, for messages. */
export const nameRule = '3 to 26 of a to z, 0 to 9 and -';

/** Names of one account at most, with those that were given up and are still kept. */
export const namesMax = 1000;

/** Milliseconds for which a name that was given up stays the account's: 365 days. */
export const nameKeptMs = 365 * 24 * 3600 * 1000;

export interface PublicName {
  readonly name: string;
  /** The project whose map it leads to; '' once it was given up. */
  readonly projectId: string;
  /** RFC 3339: other accounts can take it from then on; '' while it leads to a map. */
  readonly until: string;
}

export const isPublicName = (text: string): boolean => mapNameForm.test(text);

/** True if an account has given a name up so long ago that others can take it. @param now milliseconds since 1970 */
export const isExpired = ({ until }: PublicName, now: number): boolean => until !== '' && Date.parse(until) <= now;

export const publicNameRow = ({ name, projectId, until }: PublicName): Row => [name, projectId, until];

export function publicNameFromRow(item: unknown): PublicName {
  const [name, projectId, until] = stored.list(item, 'a name of a published map');
  const found = {
    name: stored.text(name, 'a name of a published map'),
    projectId: stored.text(projectId, 'the project of a name'),
    until: stored.text(until, 'the end of a name'),
  };
  if (!isPublicName(found.name)) throw new RecordFormatError('a name of a published map has the wrong form');
  if (found.until !== '' && Number.isNaN(Date.parse(found.until))) throw new RecordFormatError('the end of a name is not a time');
  return found;
}
