/** The worker thread that folds: of lowest priority, unless it falls behind, so that requests on the other threads go first. */
import { type Attempt, attempt } from '../lib/failure.ts';
import { takeLowestPriority, urgently } from '../lib/priority.ts';
import type { FoldReport, FoldRequest } from './fold.ts';

export default async function foldInWorker(request: FoldRequest): Promise<Attempt<FoldReport>> {
  // Before the rest of the program is read, which takes as long as many a fold.
  if (!process.argv.includes(urgently)) takeLowestPriority();
  const { nodeFiles } = await import('../lib/files.ts');
  const { fold } = await import('./fold.ts');
  return attempt(() => fold(nodeFiles, request));
}
