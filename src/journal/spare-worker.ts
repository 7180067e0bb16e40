/** The threads that make segments ahead and delete old ones: work in the log's folder that may take its time. */
import { nodeFiles } from '../lib/files.ts';
import { type LargeOrder, makeLarge } from './large-record.ts';
import { makeSpare, type SpareOrder } from './make-spare.ts';
import { Pace } from './pace.ts';
import { type TrimOrder, type TrimResult, trimSegments } from './trim.ts';

export interface SpareTask {
  readonly order: SpareOrder;
  readonly pace: SharedArrayBuffer;
}

/** True when the spare is made, false when the pace said stop. Throws what the disk says. */
export default function spare(task: SpareTask): boolean {
  const pace = new Pace(task.pace);
  return makeSpare(nodeFiles, task.order, () => pace.wait());
}

export interface LargeTask {
  readonly order: LargeOrder;
  readonly pace: SharedArrayBuffer;
}

export function large(task: LargeTask): number | undefined {
  const pace = new Pace(task.pace);
  return makeLarge(nodeFiles, task.order, () => pace.wait());
}

export function trim(order: TrimOrder): TrimResult {
  return trimSegments(nodeFiles, order);
}
