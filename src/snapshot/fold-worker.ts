/** The worker thread that folds: of lowest priority, unless it falls behind, so that requests on the other threads go first. */
import os from 'node:os';
import { CorruptError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { type Damage, type FoldReport, type FoldRequest, fold } from './fold.ts';

const lowestPriority = 19;

export interface FoldTask {
  readonly request: FoldRequest;
  /** The log grows faster than it is folded: work like everybody else, not behind them. */
  readonly urgent: boolean;
}

/** An error loses its class on the way between two threads: damage is told as a result. */
export type FoldResult = { readonly report: FoldReport } | { readonly damage: Damage };

export default function foldInWorker({ request, urgent }: FoldTask): FoldResult {
  // On Linux this is the calling thread's priority alone; elsewhere it would be the whole server's. It cannot be raised again, so
  // every fold gets a thread of its own.
  if (!urgent && process.platform === 'linux') os.setPriority(0, lowestPriority);
  try {
    return { report: fold(nodeFiles, request) };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    const { file, offset, found } = error;
    return { damage: { file, offset, found } };
  }
}
