/** The worker thread that folds: lowest priority of its own, so that requests on the other threads go first. */
import os from 'node:os';
import { nodeFiles } from '../lib/files.ts';
import { type FoldReport, type FoldRequest, fold } from './fold.ts';

const lowestPriority = 19;

// On Linux this is the calling thread's priority alone; elsewhere it would be the whole server's.
if (process.platform === 'linux') os.setPriority(0, lowestPriority);

export default function foldInWorker(request: FoldRequest): FoldReport {
  return fold(nodeFiles, request);
}
