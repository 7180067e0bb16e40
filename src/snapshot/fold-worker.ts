/** The worker thread that folds: of lowest priority, unless it falls behind, so that requests on the other threads go first. */
import { type Attempt, attempt } from '../lib/failure.ts';
import type { FolderIdentity } from '../lib/open-folder.ts';
import { takeLowestPriority, urgently } from '../lib/priority.ts';
import type { FoldReport, FoldRequest } from './fold.ts';

export interface FoldJob {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly request: FoldRequest;
}

export default async function foldInWorker({ root, request }: FoldJob): Promise<Attempt<FoldReport>> {
  // Before the rest of the program is read, which takes as long as many a fold.
  if (!process.argv.includes(urgently)) takeLowestPriority();
  const { nodeFiles } = await import('../lib/files.ts');
  const { filesIn } = await import('../lib/open-folder.ts');
  const { fold } = await import('./fold.ts');
  return attempt(() => fold(filesIn(nodeFiles, root), request));
}
