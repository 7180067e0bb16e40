/** Pauses of a worker thread, where its job can be cancelled. */
import { workerData } from 'node:worker_threads';
import { StoppedError } from '../errors.ts';

/** A word that a JobThread sets to 1 to cancel the jobs of its thread. */
export interface Cancellation {
  readonly cancelled: Int32Array;
}

const { cancelled = new Int32Array(new SharedArrayBuffer(4)) } = (workerData ?? {}) as Partial<Cancellation>;

/** Blocks this thread, so that the journal can use the disk. Throws StoppedError if the job is cancelled; also without a wait. */
export function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(cancelled, 0, 0, milliseconds);
  if (Atomics.load(cancelled, 0) !== 0) throw new StoppedError('the job was cancelled');
}
