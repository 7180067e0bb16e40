/** The threads that make segments ahead and delete old ones: work in the log's folder that may take its time. */
import { type Attempt, attempt } from '../lib/failure.ts';
import { nodeFiles } from '../lib/files.ts';
import { type LargeOrder, makeLarge } from './large-record.ts';
import { makeSpare, type SpareOrder } from './make-spare.ts';
import { Pace } from './pace.ts';
import { type TrimOrder, type TrimResult, trimSegments } from './trim.ts';

export type SpareTask =
  | { readonly kind: 'spare'; readonly order: SpareOrder; readonly pace: SharedArrayBuffer }
  | { readonly kind: 'large'; readonly order: LargeOrder; readonly pace: SharedArrayBuffer }
  | { readonly kind: 'trim'; readonly order: TrimOrder };

/** What `Crew` says of each of them, or what the disk says. */
export default function work(task: SpareTask): Attempt<boolean | number | undefined | TrimResult> {
  return attempt(() => {
    if (task.kind === 'trim') return trimSegments(nodeFiles, task.order);
    const pace = new Pace(task.pace);
    const goOn = () => pace.wait();
    return task.kind === 'spare' ? makeSpare(nodeFiles, task.order, goOn) : makeLarge(nodeFiles, task.order, goOn);
  });
}
