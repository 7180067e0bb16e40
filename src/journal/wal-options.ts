/** What the log is told when it is opened, and what it tells of itself. */

import type { Histogram } from '../lib/histogram.ts';
import type { Log } from '../lib/log.ts';
import type { Crew } from './crew.ts';
import type { Lsn } from './journal.ts';
import type { SpareState } from './spare-keeper.ts';
import type { StallLimits } from './stall-watch.ts';

export interface WalOptions {
  /** Called once, when the log can acknowledge nothing more. The process should end: a restart has all that was acknowledged. */
  readonly onFatal: (error: Error) => void;
  readonly log?: Log;
  /** Told of the newest record that is durable, once for all that became so with one sync. */
  readonly onDurable?: (lsn: Lsn) => void;
  /** How long the disk may take before writes are refused and waits are rejected; without it there is no limit. */
  readonly stall?: StallLimits;
  /** Who works on the files; threads. */
  readonly crew?: Crew;
}

export interface WalStats {
  /** Bytes of records that wait for the disk. */
  readonly queueBytes: number;
  /** Since the log was opened: records that were written, the frames they made (marks and seals included), and their bytes. */
  readonly records: number;
  readonly frames: number;
  readonly bytes: number;
  readonly syncs: number;
  /** The syncs that made batches of records durable, one each, under `always`. */
  readonly batchSyncs: Histogram;
  /** How many records these batches had, under any mode. */
  readonly batchSizes: Histogram;
  /** The current one and all that are sealed. */
  readonly segments: number;
  readonly spare: SpareState;
  /** Why there is no spare, when the last try to make one failed. */
  readonly noSpace: string | undefined;
  /** What the flusher has been at for so long that the disk must have stopped answering; `undefined` while it has not. */
  readonly stalled: Stalled | undefined;
  /** The spare is being made for longer than any disk that is well should need. */
  readonly spareIsLate: boolean;
}

/** A write or a sync of the log that does not return. */
export interface Stalled {
  /** Milliseconds since it began. */
  readonly ms: number;
  /** Path of the segment. */
  readonly segment: string;
}
