/**
 * Appends batches, one at a time, and settles those whose outcome is unknown. Pure: answers come in as events, {@link Appender.due} names
 * the statement to send next on the log connection.
 *
 *     disconnected -> checking -> ready -> appending -> ready            acknowledged
 *                       ^  |                  '-> checking               refused, or unknown
 *                       |  '-> settling -> looking -> ready              the row is there: durable; its predecessor is: send it again
 *                       '---------'  0 rows, or an unknown outcome
 *
 * Settling raises the owner's own epoch. That waits for an append that may still run in the server, prevents those that have not begun,
 * and its own replicated commit proves everything before it. Only then does a row in the log prove anything: before, it may be visible
 * and not replicated.
 *
 * Two states are final. `gone`: another process has the token. `lost`: the database lacks a batch that it acknowledged.
 */
import { invariant, type Transitions, transition } from '../../lib/invariant.ts';
import {
  type Batch,
  type CheckAnswer,
  isAt,
  outcomeOf,
  type Position,
  type Token,
  type WriteAnswer,
  type WriteError,
} from './terms.ts';

export type AppendPhase = 'disconnected' | 'checking' | 'ready' | 'appending' | 'settling' | 'looking' | 'gone' | 'lost';

type Step =
  | 'connected'
  | 'broken'
  /** The connection is checked, and nothing is unknown. */
  | 'verified'
  /** The connection is checked, and a batch or the timeline is to be settled. */
  | 'unsettled'
  | 'submitted'
  | 'acknowledged'
  /** Refused or unknown: what happened is read. */
  | 'doubted'
  | 'settled'
  /** The batch is not in the log. */
  | 'absent'
  | 'gone'
  | 'lost';

// biome-ignore format: a table
export const appendTransitions: Transitions<AppendPhase, Step> = {
  disconnected: { connected: 'checking', gone: 'gone', lost: 'lost' },
  checking:     { broken: 'disconnected', verified: 'ready', unsettled: 'settling', gone: 'gone', lost: 'lost' },
  ready:        { broken: 'disconnected', submitted: 'appending', doubted: 'checking', gone: 'gone', lost: 'lost' },
  appending:    { broken: 'disconnected', acknowledged: 'ready', doubted: 'checking', gone: 'gone', lost: 'lost' },
  settling:     { broken: 'disconnected', doubted: 'checking', settled: 'looking', gone: 'gone', lost: 'lost' },
  looking:      { broken: 'disconnected', acknowledged: 'ready', doubted: 'checking', absent: 'ready', gone: 'gone', lost: 'lost' },
  gone:         { connected: 'gone', broken: 'gone', submitted: 'gone', doubted: 'gone', gone: 'gone', lost: 'gone' },
  lost:         { connected: 'lost', broken: 'lost', submitted: 'lost', doubted: 'lost', gone: 'lost', lost: 'lost' },
};

/** A statement for the log connection. The arguments are in the {@link Appender}. */
export type LogStatement = 'check' | 'append' | 'settle' | 'look';

export interface Appender {
  readonly phase: AppendPhase;
  /** What the next statement carries. Its epoch may be that of an own settle that is not acknowledged, as the last check found it. */
  readonly token: Token;
  /** The highest epoch of this owner that was acknowledged. */
  readonly acknowledgedEpoch: number;
  /** The timeline in which this owner acknowledges. */
  readonly timeline: string;
  /** The timeline that the last check found; it is adopted when a settle is acknowledged in it. */
  readonly foundTimeline: string;
  /** The end of the last acknowledged batch. */
  readonly acknowledged: Position;
  readonly batch: Batch | undefined;
  /** Whether the batch may be in the log. */
  readonly isUnknown: boolean;
  /** Whether the statement of this phase was sent. */
  readonly isSent: boolean;
}

export type LogAnswer =
  | ({ readonly to: 'check' | 'look' } & CheckAnswer)
  | { readonly to: 'append'; readonly answer: WriteAnswer | WriteError }
  /** `epoch`: the raised epoch, unless there is no row. */
  | { readonly to: 'settle'; readonly answer: WriteAnswer | WriteError; readonly epoch?: number };

/** An owner whose claim is acknowledged and whose log is read up to `acknowledged`, without a connection. */
export function newAppender(token: Token, timeline: string, acknowledged: Position): Appender {
  const nothing = { batch: undefined, isUnknown: false, isSent: false };
  const { epoch: acknowledgedEpoch } = token;
  return { phase: 'disconnected', token, acknowledgedEpoch, timeline, foundTimeline: timeline, acknowledged, ...nothing };
}

function moved(appender: Appender, step: Step, changes: Partial<Appender> = {}): Appender {
  return { ...appender, isSent: false, ...changes, phase: transition(appendTransitions, appender.phase, step) };
}

/** The statement to send next; `undefined` if there is none, or it is on its way. */
export function dueOf({ phase, isSent, batch }: Appender): LogStatement | undefined {
  if (isSent) return undefined;
  const statements = { checking: 'check', appending: 'append', settling: 'settle', looking: 'look' } as const;
  if (phase === 'ready') return batch === undefined ? undefined : 'append';
  return phase in statements ? statements[phase as keyof typeof statements] : undefined;
}

/** The due statement was sent. */
export function sent(appender: Appender): Appender {
  const due = dueOf(appender);
  invariant(due !== undefined, 'a statement is due in the phase "{}"', appender.phase);
  if (due !== 'append') return { ...appender, isSent: true };
  return { ...moved(appender, 'submitted'), isSent: true, isUnknown: true };
}

/** Takes the next batch. Nothing else may be under way. */
export function submit(appender: Appender, batch: Batch): Appender {
  invariant(appender.batch === undefined, 'one batch at a time; {} is under way', appender.batch?.end.lsn);
  invariant(
    isAt(batch.before, appender.acknowledged),
    'a batch follows the last acknowledged one, {}',
    appender.acknowledged.lsn,
  );
  return { ...appender, batch };
}

export function connected(appender: Appender): Appender {
  return moved(appender, 'connected');
}

export function broken(appender: Appender): Appender {
  return moved(appender, 'broken');
}

/** Another connection found reason to doubt the database: this one is checked again, unless its statement still runs. */
export function doubted(appender: Appender): Appender {
  return appender.phase === 'ready' ? moved(appender, 'doubted') : appender;
}

export function foundGone(appender: Appender): Appender {
  return moved(appender, 'gone');
}

export function foundLost(appender: Appender): Appender {
  return moved(appender, 'lost');
}

export function answered(appender: Appender, answer: LogAnswer): Appender {
  // The other connection may have found this while a statement was under way.
  if (appender.phase === 'gone' || appender.phase === 'lost') return appender;
  switch (answer.to) {
    case 'check':
      return onCheck(appender, answer);
    case 'append':
      return onAppend(appender, answer.answer);
    case 'settle':
      return onSettle(appender, answer.answer, answer.epoch);
    case 'look':
      return onLook(appender, answer);
  }
}

/** What a check found of an owner. */
type Verdict = 'owner' | 'gone' | 'lost';

/** @param asked the position whose chain the check asked for: an acknowledged batch */
export function verdictOf({ owner }: Token, asked: Position, found: CheckAnswer): Verdict {
  if (found.token.owner !== owner) return 'gone';
  return found.chainAt === asked.chain ? 'owner' : 'lost';
}

/** As {@link verdictOf}, on the only connection that raises the epoch: a lower one was taken back after it was acknowledged. */
function verdictOnLog({ token, acknowledgedEpoch, acknowledged }: Appender, found: CheckAnswer): Verdict {
  const verdict = verdictOf(token, acknowledged, found);
  return verdict === 'owner' && found.token.epoch < acknowledgedEpoch ? 'lost' : verdict;
}

function onCheck(appender: Appender, found: CheckAnswer): Appender {
  const verdict = verdictOnLog(appender, found);
  if (verdict !== 'owner') return moved(appender, verdict);
  const { batch, acknowledged, timeline } = appender;
  const isKnown = isAt(found.newest, acknowledged) || (batch !== undefined && isAt(found.newest, batch.end));
  if (!isKnown) return moved(appender, 'lost');
  // A higher epoch of this owner is a settle of its own that was not acknowledged. A failover may take it back.
  const changes = { token: found.token, foundTimeline: found.timeline };
  const isUnsettled =
    appender.isUnknown ||
    !isAt(found.newest, acknowledged) ||
    found.timeline !== timeline ||
    found.token.epoch !== appender.acknowledgedEpoch;
  return moved(appender, isUnsettled ? 'unsettled' : 'verified', changes);
}

function onAppend(appender: Appender, answer: WriteAnswer | WriteError): Appender {
  const outcome = outcomeOf(answer, appender.timeline);
  if (outcome === 'acknowledged') return acknowledge(appender);
  return moved(appender, 'doubted', { isUnknown: outcome === 'unknown' });
}

function onSettle(appender: Appender, answer: WriteAnswer | WriteError, epoch: number | undefined): Appender {
  const { foundTimeline, token } = appender;
  if (outcomeOf(answer, foundTimeline) !== 'acknowledged' || epoch === undefined) return moved(appender, 'doubted');
  return moved(appender, 'settled', { token: { ...token, epoch }, acknowledgedEpoch: epoch, timeline: foundTimeline });
}

function onLook(appender: Appender, found: CheckAnswer): Appender {
  const { batch, acknowledged, timeline } = appender;
  const verdict = verdictOnLog(appender, found);
  if (verdict !== 'owner') return moved(appender, verdict);
  // A pooler may have led this statement to another server.
  if (found.timeline !== timeline) return moved(appender, 'doubted');
  if (batch !== undefined && isAt(found.newest, batch.end)) return acknowledge(appender);
  return isAt(found.newest, acknowledged) ? moved(appender, 'absent', { isUnknown: false }) : moved(appender, 'lost');
}

function acknowledge(appender: Appender): Appender {
  const { batch } = appender;
  invariant(batch !== undefined, 'a batch is acknowledged in the phase "{}"', appender.phase);
  return moved(appender, 'acknowledged', { acknowledged: batch.end, batch: undefined, isUnknown: false });
}
