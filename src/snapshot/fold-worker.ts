/** The worker thread that folds: of lowest priority, unless it falls behind, so that requests on the other threads go first. */
import { type Attempt, attempt } from '../lib/failure.ts';
import { nodeFiles } from '../lib/files.ts';
import { takeLowestPriority } from '../lib/priority.ts';
import { type FoldReport, type FoldRequest, fold } from './fold.ts';

export interface FoldTask {
  readonly request: FoldRequest;
  /** The log grows faster than it is folded: work like everybody else, not behind them. */
  readonly urgent: boolean;
}

export default function foldInWorker({ request, urgent }: FoldTask): Attempt<FoldReport> {
  // It cannot be raised again, so every fold gets a thread of its own.
  if (!urgent) takeLowestPriority();
  return attempt(() => fold(nodeFiles, request));
}
