/** The flusher's thread: one task that lasts as long as the log is open. */
import { type Attempt, attempt } from '../lib/failure.ts';
import { nodeFiles } from '../lib/files.ts';
import { type FolderIdentity, filesIn } from '../lib/open-folder.ts';
import { Control } from './control.ts';
import { Flusher, type FlusherStart } from './flusher.ts';

export interface FlusherTask {
  /** The data folder. */
  readonly root: FolderIdentity | undefined;
  readonly start: FlusherStart;
  readonly control: SharedArrayBuffer;
  readonly halves: readonly SharedArrayBuffer[];
}

/** Reports the start and every op but the last. Ends after `stop`, or with the first error: the end of this task is the end of the log. */
export default function flush(task: FlusherTask): Attempt<void> {
  return attempt(() => {
    const control = new Control(task.control);
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
