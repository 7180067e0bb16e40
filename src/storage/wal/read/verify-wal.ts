/** Verification: reads every segment, also those that snapshots cover, and lists all damage instead of stopping at the first. */
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { Chain, foundAt } from '../format/chain.ts';
import { listSegments } from '../format/segment.ts';
import type { Lsn } from '../journal.ts';
import { readSegment, type Segment } from './read-segment.ts';

interface WalFinding {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  readonly problem: string;
}

/**
 * All problems of a log folder, oldest segment first. A torn tail is listed, too: a crash leaves one, and a log that is being written
 * looks like it.
 *
 * @param after LSN of a snapshot: segments with records up to here may be missing, in any order
 * @param onBytes called with the number of bytes read since the last call
 */
export function verifyJournal(
  files: Files,
  folder: string,
  after: Lsn = 0,
  onBytes: (bytes: number) => void = () => undefined,
): WalFinding[] {
  const findings: WalFinding[] = [];
  let chain = new Chain();
  const list = listSegments(files, folder);
  for (const listed of list) {
    const isLast = listed === list.at(-1);
    try {
      const segment = readSegment(files, listed);
      findings.push(...findingsIn(segment, isLast));
      if (segment.firstLsn <= after + 1 && segment.firstLsn > (chain.nextLsn ?? 0)) chain = new Chain();
      chain.follow(segment);
      onBytes(segment.header.segmentBytes);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      const { file, offset, found } = error;
      // The next segment reports the end of this one too.
      const known = findings.some((finding) => finding.file === file && finding.offset === offset);
      if (!known) findings.push({ file, offset, problem: found });
      // Continue from this segment, so that one bad segment gives one problem.
      chain = new Chain();
    }
  }
  return findings;
}

function findingsIn(segment: Segment, isLast: boolean): WalFinding[] {
  const { end, path } = segment;
  if (end.kind === 'open') return [];
  if (end.kind === 'sealed')
    return isLast ? [{ file: path, offset: end.offset, problem: 'sealed, and its successor does not exist' }] : [];
  const kind = end.kind === 'torn' && isLast ? 'a torn tail: ' : '';
  return [{ file: path, offset: end.offset, problem: kind + foundAt(segment) }];
}
