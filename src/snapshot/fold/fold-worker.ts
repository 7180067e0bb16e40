/** The worker thread for snapshots: at the lowest priority unless they lag, so that requests on the other threads go first. */

import type { FolderIdentity } from '../../lib/files/open-folder.ts';
import { takeLowestPriority, urgently } from '../../lib/threads/priority.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import type { FoldRequest, SnapshotReport } from './fold.ts';

export type FoldJob = {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
} & (
  | { readonly request: FoldRequest }
  /** Path of a snapshot that is read back. */
  | { readonly check: string }
);

export default async function foldInWorker({ root, ...job }: FoldJob): Promise<ThreadResult<SnapshotReport | undefined>> {
  // Before the other modules load, which takes longer than many a snapshot.
  if (!process.argv.includes(urgently)) takeLowestPriority();
  const { nodeFiles } = await import('../../lib/files/files.ts');
  const { filesIn } = await import('../../lib/files/open-folder.ts');
  const { checkSnapshot, fold } = await import('./fold.ts');
  const files = filesIn(nodeFiles, root);
  return toResult(() => ('check' in job ? checkSnapshot(files, job.check) : fold(files, job.request)));
}
