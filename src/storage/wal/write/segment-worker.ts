/** The threads that preallocate segments and delete old ones: work in the log's folder that is not urgent. */

import { type Deletion, deleteFiles, nodeFiles } from '../../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../../lib/files/open-folder.ts';
import { type ThreadResult, toResult } from '../../../lib/threads/thread-result.ts';
import { type LargeOrder, makeLarge } from './large-record.ts';
import { preallocateSpare, type SpareOrder, WriteThrottle } from './preallocate.ts';

export interface SpareTask {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly job: SpareJob;
}

export type SpareJob =
  | { readonly kind: 'spare'; readonly order: SpareOrder; readonly throttle: SharedArrayBuffer }
  | { readonly kind: 'large'; readonly order: LargeOrder; readonly throttle: SharedArrayBuffer }
  | { readonly kind: 'delete'; readonly paths: readonly string[] };

/** Entry point of the thread: executes a message of the main thread. Returns its result, or the error of the disk. */
export default function segmentWork({ root, job }: SpareTask): ThreadResult<boolean | number | undefined | Deletion> {
  return toResult(() => {
    const files = filesIn(nodeFiles, root);
    if (job.kind === 'delete') return deleteFiles(files, job.paths);
    const throttle = new WriteThrottle(job.throttle);
    const shouldContinue = () => throttle.wait();
    return job.kind === 'spare'
      ? preallocateSpare(files, job.order, shouldContinue)
      : makeLarge(files, job.order, shouldContinue);
  });
}
