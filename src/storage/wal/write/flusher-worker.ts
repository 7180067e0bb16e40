/** The flusher's thread: one task that lasts as long as the log is open. */

import { nodeFiles } from '../../../lib/files/files.ts';
import { type FolderIdentity, filesIn } from '../../../lib/files/open-folder.ts';
import { type ThreadResult, toResult } from '../../../lib/threads/thread-result.ts';
import { Flusher, type FlusherStart } from './flusher.ts';
import { OpChannel } from './op-channel.ts';

export interface FlusherTask {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly start: FlusherStart;
  readonly control: SharedArrayBuffer;
  readonly halves: readonly SharedArrayBuffer[];
}

/** Reports the start and every op but the last. Ends after `stop`, or with the first error: the end of this task is the end of the log. */
export default function flush(task: FlusherTask): ThreadResult<void> {
  return toResult(() => {
    const control = new OpChannel(task.control);
    const flusher = new Flusher(filesIn(nodeFiles, task.root), task.start, task.halves);
    control.report(flusher.report());
    for (;;) {
      const op = control.receive();
      const report = flusher.perform(op);
      if (op.kind === 'stop') return;
      control.report(report);
    }
  });
}
