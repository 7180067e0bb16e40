/**
 * Silence: an owner that hears no answer for one lease sends nothing for two, so that another process may claim. Without it, an owner that
 * the database hears and that hears nothing back would renew its lease forever and serve no client. A late answer ends the silence.
 */

/** When the oldest statement was sent that nothing was heard after, by the monotonic clock in milliseconds; `undefined`: none. */
export type WaitingSince = number | undefined;

export function isSilent(waitingSince: WaitingSince, leaseMs: number, monotonicMs: number): boolean {
  if (waitingSince === undefined) return false;
  const waitedMs = monotonicMs - waitingSince;
  return waitedMs >= leaseMs && waitedMs < 3 * leaseMs;
}

/** The value after a statement was sent. Once the silence is over, a new wait begins. */
export function waitingAfterSend(waitingSince: WaitingSince, leaseMs: number, monotonicMs: number): WaitingSince {
  return waitingSince === undefined || monotonicMs - waitingSince >= 3 * leaseMs ? monotonicMs : waitingSince;
}
