/** The worker thread for snapshots: at the lowest priority unless they lag, so that requests on the other threads go first. */

import type { FolderIdentity } from '../../../lib/files/open-folder.ts';
import { takePriority, urgently } from '../../../lib/threads/priority.ts';
import { type ThreadResult, toResult } from '../../../lib/threads/thread-result.ts';
import type { SnapshotReport, SnapshotRequest } from './snapshot-run.ts';

export type SnapshotJob = {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
} & (
  | { readonly request: SnapshotRequest }
  /** Path of a snapshot that is read back. */
  | { readonly check: string }
);

export default async function runInWorker({ root, ...job }: SnapshotJob): Promise<ThreadResult<SnapshotReport | undefined>> {
  // Before the other modules load, which takes longer than many a snapshot.
  if (!process.argv.includes(urgently)) takePriority('lowest');
  const { nodeFiles } = await import('../../../lib/files/files.ts');
  const { filesIn } = await import('../../../lib/files/open-folder.ts');
  const { checkSnapshot, runSnapshot } = await import('./snapshot-run.ts');
  const files = filesIn(nodeFiles, root);
  return toResult(() => ('check' in job ? checkSnapshot(files, job.check) : runSnapshot(files, job.request)));
}
