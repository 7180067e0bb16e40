/**
 * The claim of a shard by a process that does not own it. Pure: clocks and answers are arguments.
 *
 *     disconnected -> watching -> claiming -> won
 *                        ^  |        '-> watching                    0 rows, or unknown
 *                        |  '-> confirming -> won                    it finds its own name: raise the epoch, as settling does
 *                        '----------'  0 rows, or unknown
 *
 * The claimer has seen the same beat for 1.25 leases by its own monotonic clock, counted from the answer, and claims with the beat and the timeline
 * that it saw: a renewal and a claim compare and set the same row. The factor allows clocks that differ by 25 %.
 *
 * A claim whose answer is lost may still run in the server and win later. So the random owner stays the same until the claim is won.
 */
import { invariant, type Transitions, transition } from '../../lib/invariant.ts';
import { type Instant, outcomeOf, type Token, type WriteAnswer, type WriteError } from './terms.ts';

export const watchFactor = 1.25;

export type ClaimPhase = 'disconnected' | 'watching' | 'claiming' | 'confirming' | 'won';

type Step = 'connected' | 'broken' | 'seen' | 'due' | 'own' | 'failed' | 'won';

// biome-ignore format: a table
export const claimTransitions: Transitions<ClaimPhase, Step> = {
  disconnected: { connected: 'watching' },
  watching:     { broken: 'disconnected', seen: 'watching', due: 'claiming', own: 'confirming' },
  claiming:     { broken: 'disconnected', own: 'confirming', failed: 'watching', won: 'won' },
  confirming:   { broken: 'disconnected', failed: 'watching', won: 'won' },
  won:          { broken: 'won' },
};

/**
 * A beat, and since when it was seen, by the claimer's monotonic clock. A failover may take back a renewal that was visible and not replicated; the
 * next renewal then has the same beat. So a beat counts in the timeline in which it was seen.
 */
export interface Sighting {
  readonly owner: string;
  readonly beat: number;
  readonly timeline: string;
  readonly sinceMs: number;
}

export interface Claim {
  readonly phase: ClaimPhase;
  /** The random owner of this claim, and of every repetition of it. */
  readonly owner: string;
  /** The lineage to begin if the database has changed its timeline while no process owned the shard. */
  readonly newLineage: string;
  readonly sighting: Sighting | undefined;
  /** The shard's row, as it was seen last. */
  readonly shard: ShardRow | undefined;
  /** The timeline of the database, as it was seen last. */
  readonly timeline: string;
  readonly isSent: boolean;
}

export interface ShardRow {
  readonly epoch: number;
  readonly lineage: string;
  /** The timeline that its last owner acknowledged in. */
  readonly timeline: string;
}

/** The answer to `observe`. */
export interface Observation {
  readonly owner: string;
  readonly beat: number;
  readonly released: boolean;
  readonly shard: ShardRow;
  readonly timeline: string;
}

export type ClaimStatement = 'observe' | 'claim' | 'confirm';

export type ClaimAnswer =
  | ({ readonly to: 'observe' } & Observation)
  /** `shard`: the row after it, unless there is none. */
  | { readonly to: 'claim' | 'confirm'; readonly answer: WriteAnswer | WriteError; readonly shard?: ShardRow };

export function newClaim(owner: string, newLineage: string): Claim {
  const nothing = { sighting: undefined, shard: undefined, timeline: '', isSent: false };
  return { phase: 'disconnected', owner, newLineage, ...nothing };
}

function moved(claim: Claim, step: Step, changes: Partial<Claim> = {}): Claim {
  return { ...claim, isSent: false, ...changes, phase: transition(claimTransitions, claim.phase, step) };
}

/** The statement to send next. The driver chooses when to observe again. */
export function claimDue({ phase, isSent }: Claim): ClaimStatement | undefined {
  if (isSent) return undefined;
  const statements = { watching: 'observe', claiming: 'claim', confirming: 'confirm' } as const;
  return phase in statements ? statements[phase as keyof typeof statements] : undefined;
}

export function claimSent(claim: Claim): Claim {
  invariant(claimDue(claim) !== undefined, 'a statement is due in the phase "{}"', claim.phase);
  return { ...claim, isSent: true };
}

export function claimConnected(claim: Claim): Claim {
  return moved(claim, 'connected');
}

export function claimBroken(claim: Claim): Claim {
  return moved(claim, 'broken');
}

/** The claim is not sent now: this process waits for the outcome of another one. It watches on, and what it has seen stays. */
export function claimPostponed(claim: Claim): Claim {
  invariant(!claim.isSent, 'a claim is postponed before it is sent, in the phase "{}"', claim.phase);
  return moved(claim, 'failed');
}

/** The shard's row that a `confirm` writes: a database in another timeline begins a new lineage. */
export function confirmedRow({ shard, timeline, newLineage }: Claim): ShardRow {
  invariant(shard !== undefined, 'a claim is confirmed after it was seen, in timeline {}', timeline);
  return { epoch: shard.epoch + 1, lineage: shard.timeline === timeline ? shard.lineage : newLineage, timeline };
}

/** The token of a claim that is won. */
export function wonToken({ phase, owner, shard }: Claim): Token {
  invariant(phase === 'won' && shard !== undefined, 'a claim is won before its token is used: {}', phase);
  return { epoch: shard.epoch, owner };
}

export function claimAnswered(claim: Claim, answer: ClaimAnswer, leaseMs: number, now: Instant): Claim {
  if (answer.to === 'observe') return onObservation(claim, answer, leaseMs, now);
  return answer.to === 'claim' ? onClaim(claim, answer.answer, answer.shard) : onConfirm(claim, answer.answer, answer.shard);
}

function onObservation(claim: Claim, seen: Observation, leaseMs: number, { monotonicMs }: Instant): Claim {
  const { owner, beat, released, shard, timeline } = seen;
  const { sighting: before } = claim;
  const isSame = before?.owner === owner && before.beat === beat && before.timeline === timeline;
  const sighting = isSame ? before : { owner, beat, timeline, sinceMs: monotonicMs };
  const changes = { sighting, shard, timeline };
  if (owner === claim.owner) return moved(claim, 'own', changes);
  const isDue = released || monotonicMs - sighting.sinceMs >= watchFactor * leaseMs;
  return moved(claim, isDue ? 'due' : 'seen', changes);
}

function onClaim(claim: Claim, answer: WriteAnswer | WriteError, shard: ShardRow | undefined): Claim {
  if ('code' in answer || shard === undefined) return moved(claim, 'failed');
  const isWon = outcomeOf(answer, shard.timeline) === 'acknowledged';
  // Made in another timeline than the last owner's, or not surely replicated: raise the epoch before anything is read.
  return moved(claim, isWon ? 'won' : 'own', { shard, timeline: answer.timeline });
}

function onConfirm(claim: Claim, answer: WriteAnswer | WriteError, shard: ShardRow | undefined): Claim {
  if (shard === undefined || outcomeOf(answer, claim.timeline) !== 'acknowledged') return moved(claim, 'failed');
  return moved(claim, 'won', { shard });
}
