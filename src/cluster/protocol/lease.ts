/**
 * The lease of an owner: the right to answer reads. Pure: clocks and answers are arguments.
 *
 *     disconnected -> checking -> ready -> renewing -> ready
 *
 * A renewal is a replicated commit, so a database that lost its standby lets leases end by itself. The lease holds for a fixed time from
 * before the renewal was sent, by both clocks of the process: the monotonic clock stops while some machines are suspended, the wall clock
 * can be set back. Writes do not depend on it; the token alone protects them.
 */
import { invariant, type Transitions, transition } from '../../lib/invariant.ts';
import type { Instant } from './terms.ts';

export type LeasePhase = 'disconnected' | 'checking' | 'ready' | 'renewing';

type Step =
  | 'connected'
  | 'broken'
  | 'verified'
  | 'sent'
  | 'answered'
  /** The database is not the one that was checked. */
  | 'doubted';

// biome-ignore format: a table
export const leaseTransitions: Transitions<LeasePhase, Step> = {
  disconnected: { connected: 'checking' },
  checking:     { broken: 'disconnected', verified: 'ready', doubted: 'checking' },
  ready:        { broken: 'disconnected', sent: 'renewing', doubted: 'checking' },
  renewing:     { broken: 'disconnected', answered: 'ready', doubted: 'checking' },
};

export interface Lease {
  readonly phase: LeasePhase;
  /** When the statement under way was sent. */
  readonly sentAt: Instant | undefined;
  /** When the newest acknowledged renewal was sent. */
  readonly renewedAt: Instant | undefined;
}

export const noLease: Lease = { phase: 'disconnected', sentAt: undefined, renewedAt: undefined };

/** @param step not `sent`, which {@link leaseSent} does */
export function leaseMoved(lease: Lease, step: Exclude<Step, 'sent' | 'answered'>): Lease {
  return { ...lease, sentAt: undefined, phase: transition(leaseTransitions, lease.phase, step) };
}

/** The statement of the phase is sent now: a check, or a renewal. */
export function leaseSent(lease: Lease, now: Instant): Lease {
  invariant(lease.sentAt === undefined, 'one statement at a time on the lease connection, which is {}', lease.phase);
  return {
    ...lease,
    sentAt: now,
    phase: lease.phase === 'ready' ? transition(leaseTransitions, lease.phase, 'sent') : lease.phase,
  };
}

/** The renewal under way was acknowledged. */
export function leaseRenewed(lease: Lease): Lease {
  const { sentAt } = lease;
  return { phase: transition(leaseTransitions, lease.phase, 'answered'), sentAt: undefined, renewedAt: sentAt };
}

/** The renewal under way was not acknowledged. */
export function leaseNotRenewed(lease: Lease): Lease {
  return { ...lease, phase: transition(leaseTransitions, lease.phase, 'answered'), sentAt: undefined };
}

/** Whether the lease holds at `now`. */
export function leaseHolds({ renewedAt }: Lease, leaseMs: number, now: Instant): boolean {
  return (
    renewedAt !== undefined &&
    isWithin(now.monotonicMs - renewedAt.monotonicMs, leaseMs) &&
    isWithin(now.wallMs - renewedAt.wallMs, leaseMs)
  );
}

/** Whether less than `ms` has passed. A clock that went backwards has passed any time. */
function isWithin(elapsedMs: number, ms: number): boolean {
  return elapsedMs >= 0 && elapsedMs < ms;
}

/**
 * Whether a response may be sent whose state was read before `asked`: the lease holds, or a renewal that was sent after the question
 * proved later that this process was still the owner.
 */
export function leaseProves(lease: Lease, leaseMs: number, asked: Instant, now: Instant): boolean {
  if (leaseHolds(lease, leaseMs, now)) return true;
  return lease.renewedAt !== undefined && lease.renewedAt.monotonicMs > asked.monotonicMs;
}
