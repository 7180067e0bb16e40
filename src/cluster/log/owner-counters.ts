/** Counts what an owner does with the database. A node keeps one for all of its sessions, so that its metrics only grow. */
import { durationBoundsS, Histogram } from '../../lib/observability/histogram.ts';

export class OwnerCounters {
  /** Seconds from the order to append a batch to its acknowledgement. */
  readonly appendDurations = new Histogram(durationBoundsS);
  /** Answers to an append that did not acknowledge it: refused, or unknown. */
  unacknowledgedAppends = 0;
  renewals = 0;
  /** Renewals that were not acknowledged, also because the connection was lost. */
  failedRenewals = 0;
}
