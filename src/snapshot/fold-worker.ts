/** The worker thread that folds: of lowest priority, unless it falls behind, so that requests on the other threads go first. */
import os from 'node:os';
import { nodeFiles } from '../lib/files.ts';
import { type FoldReport, type FoldRequest, fold } from './fold.ts';

const lowestPriority = 19;

export interface FoldTask {
  readonly request: FoldRequest;
  /** The log grows faster than it is folded: work like everybody else, not behind them. */
  readonly urgent: boolean;
}

export default function foldInWorker({ request, urgent }: FoldTask): FoldReport {
  // On Linux this is the calling thread's priority alone; elsewhere it would be the whole server's. It cannot be raised again, so
  // every fold gets a thread of its own.
  if (!urgent && process.platform === 'linux') os.setPriority(0, lowestPriority);
  return fold(nodeFiles, request);
}
