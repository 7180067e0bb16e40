/**
 * The list of blobs that nothing refers to, as a text beside them: when each was found, so that the day of a blob goes on after a restart, and
 * whose it was. A line each: digest, time, size in bytes, account. What cannot be read is left out: the day of its blob begins again.
 */
import { isDigest } from '../../storage/blobs/blob-path.ts';
import type { Unreferenced } from '../../store/file-index.ts';

/** Knowledge of a former process about a blob. */
type Former = Pick<Unreferenced, 'since' | 'bytes' | 'accountId'>;

/** @param now the time when those are found that were not found before, Unix time in milliseconds */
export function listOf(unreferenced: ReadonlyMap<string, Unreferenced>, now: number): string {
  let text = '';
  for (const [digest, { since = now, bytes, accountId }] of unreferenced) text += `${digest} ${since} ${bytes} ${accountId}\n`;
  return text;
}

export function unreferencedIn(text: string): Map<string, Former> {
  const found = new Map<string, Former>();
  for (const line of text.split('\n')) {
    const [digest = '', since = '', bytes = '', accountId = ''] = line.split(' ');
    if (isDigest(digest) && isCount(since) && isCount(bytes))
      found.set(digest, { since: Number(since), bytes: Number(bytes), accountId });
  }
  return found;
}

const isCount = (text: string): boolean => /^\d{1,15}$/.test(text);
