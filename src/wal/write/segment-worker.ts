/** The threads that preallocate segments and delete old ones: work in the log's folder that is not urgent. */

import { nodeFiles } from '../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../lib/files/open-folder.ts';
import { type ThreadResult, toResult } from '../../lib/threads/thread-result.ts';
import { type LargeOrder, makeLarge } from './large-record.ts';
import { preallocateSpare, type SpareOrder, WriteThrottle } from './preallocate.ts';
import { type TrimOrder, type TrimResult, trimSegments } from './trim.ts';

export interface SpareTask {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly job: SpareJob;
}

export type SpareJob =
  | { readonly kind: 'spare'; readonly order: SpareOrder; readonly pace: SharedArrayBuffer }
  | { readonly kind: 'large'; readonly order: LargeOrder; readonly pace: SharedArrayBuffer }
  | { readonly kind: 'trim'; readonly order: TrimOrder };

/** Entry point of the thread: executes a message of the main thread. Returns its result, or the error of the disk. */
export default function segmentWork({ root, job }: SpareTask): ThreadResult<boolean | number | undefined | TrimResult> {
  return toResult(() => {
    const files = filesIn(nodeFiles, root);
    if (job.kind === 'trim') return trimSegments(files, job.order);
    const pace = new WriteThrottle(job.pace);
    const shouldContinue = () => pace.wait();
    return job.kind === 'spare'
      ? preallocateSpare(files, job.order, shouldContinue)
      : makeLarge(files, job.order, shouldContinue);
  });
}
