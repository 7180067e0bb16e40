/**
 * An owner of a shard: appender, lease and silence together. Pure. A driver delivers events of its two connections, and sends what
 * {@link logDue} and {@link leaseDue} name.
 *
 * An owner whose token is gone stays gone. A process that becomes owner again starts with a new claim, a new owner and the log as it is then.
 */
import {
  type Appender,
  answered,
  broken,
  connected,
  doubted,
  dueOf,
  foundGone,
  foundLost,
  type LogAnswer,
  type LogStatement,
  newAppender,
  sent,
  submit,
  verdictOf,
} from './append.ts';
import { type Lease, leaseMoved, leaseNotRenewed, leaseProves, leaseRenewed, leaseSent, noLease } from './lease.ts';
import { isSilent, type WaitingSince, waitingAfterSend } from './silence.ts';
import {
  type Batch,
  type CheckAnswer,
  type Instant,
  outcomeOf,
  type Position,
  type Token,
  type WriteAnswer,
  type WriteError,
} from './terms.ts';

/** A statement for the lease connection. `release` lets others claim at once. */
export type LeaseStatement = 'check' | 'renew' | 'release';

export type LeaseAnswer =
  /** `asked`: the position whose chain was asked for. */
  | ({ readonly to: 'check'; readonly asked: Position } & CheckAnswer)
  | { readonly to: 'renew' | 'release'; readonly answer: WriteAnswer | WriteError };

export interface Owner {
  readonly appender: Appender;
  readonly lease: Lease;
  readonly waitingSince: WaitingSince;
  /** It answers nothing more and gives the shard to others. */
  readonly isReleasing: boolean;
}

export type Status = 'owner' | 'gone' | 'lost';

export function newOwner(token: Token, timeline: string, acknowledged: Position): Owner {
  return { appender: newAppender(token, timeline, acknowledged), lease: noLease, waitingSince: undefined, isReleasing: false };
}

export function statusOf({ appender: { phase } }: Owner): Status {
  return phase === 'gone' || phase === 'lost' ? phase : 'owner';
}

/** The statement to send now on the log connection. */
export function logDue(owner: Owner, leaseMs: number, now: Instant): LogStatement | undefined {
  return isSilent(owner.waitingSince, leaseMs, now.monotonicMs) ? undefined : dueOf(owner.appender);
}

/** The statement to send now on the lease connection. Renewals are due whenever the driver wants one. */
export function leaseDue(owner: Owner, leaseMs: number, now: Instant): LeaseStatement | undefined {
  const { lease, appender, isReleasing } = owner;
  if (lease.sentAt !== undefined || statusOf(owner) !== 'owner' || isSilent(owner.waitingSince, leaseMs, now.monotonicMs)) {
    return undefined;
  }
  if (lease.phase === 'checking') return 'check';
  if (lease.phase !== 'ready') return undefined;
  if (!isReleasing) return 'renew';
  return appender.batch === undefined ? 'release' : undefined;
}

export function logSent(owner: Owner, leaseMs: number, { monotonicMs }: Instant): Owner {
  return {
    ...owner,
    appender: sent(owner.appender),
    waitingSince: waitingAfterSend(owner.waitingSince, leaseMs, monotonicMs),
  };
}

/** @param now read before the statement is sent: the lease counts from here */
export function leaseStatementSent(owner: Owner, leaseMs: number, now: Instant): Owner {
  return {
    ...owner,
    lease: leaseSent(owner.lease, now),
    waitingSince: waitingAfterSend(owner.waitingSince, leaseMs, now.monotonicMs),
  };
}

export function submitted(owner: Owner, batch: Batch): Owner {
  return { ...owner, appender: submit(owner.appender, batch) };
}

export function logConnected(owner: Owner): Owner {
  return { ...owner, appender: connected(owner.appender) };
}

export function logBroken(owner: Owner): Owner {
  return { ...owner, appender: broken(owner.appender) };
}

export function leaseConnected(owner: Owner): Owner {
  return { ...owner, lease: leaseMoved(owner.lease, 'connected') };
}

export function leaseBroken(owner: Owner): Owner {
  return { ...owner, lease: leaseMoved(owner.lease, 'broken') };
}

export function logAnswered(owner: Owner, answer: LogAnswer): Owner {
  return { ...owner, appender: answered(owner.appender, answer), waitingSince: undefined };
}

export function leaseAnswered(owner: Owner, answer: LeaseAnswer): Owner {
  const heard = { ...owner, waitingSince: undefined };
  return answer.to === 'check' ? onCheck(heard, answer) : onRenewal(heard, answer.to, answer.answer);
}

function onCheck(owner: Owner, found: CheckAnswer & { readonly asked: Position }): Owner {
  const { appender, lease } = owner;
  const verdict = verdictOf(appender.token, found.asked, found);
  if (verdict !== 'owner') return { ...owner, appender: verdict === 'gone' ? foundGone(appender) : foundLost(appender) };
  if (found.timeline === appender.timeline) return { ...owner, lease: leaseMoved(lease, 'verified') };
  // The log connection adopts the new timeline first.
  return { ...owner, appender: doubted(appender), lease: leaseMoved(lease, 'doubted') };
}

function onRenewal(owner: Owner, to: 'renew' | 'release', answer: WriteAnswer | WriteError): Owner {
  const { appender, lease } = owner;
  const outcome = outcomeOf(answer, appender.timeline);
  const hasNoRow = !('code' in answer) && answer.rows === 0;
  const isReleased = to === 'release' && outcome === 'acknowledged';
  if (hasNoRow || isReleased) return { ...owner, appender: foundGone(appender), lease: leaseNotRenewed(lease) };
  if (outcome === 'acknowledged') return { ...owner, lease: leaseRenewed(lease) };
  if (!('code' in answer) && answer.timeline !== appender.timeline) {
    return { ...owner, appender: doubted(appender), lease: leaseMoved(lease, 'doubted') };
  }
  return { ...owner, lease: leaseNotRenewed(lease) };
}

/** Stops answering; once the batch under way is settled, the lease is released. */
export function releasing(owner: Owner): Owner {
  return { ...owner, isReleasing: true };
}

/** Whether a response may be sent whose state was read before `asked`. */
export function mayAnswer(owner: Owner, leaseMs: number, asked: Instant, now: Instant): boolean {
  return statusOf(owner) === 'owner' && !owner.isReleasing && leaseProves(owner.lease, leaseMs, asked, now);
}
