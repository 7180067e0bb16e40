/**
 * The feed: publishes the durable changes of an account, or of one of its projects, to its subscribers, in log order.
 *
 *     commit ─▶ wait until durable ─▶ encode the events ─▶ each subscriber, as fast as it reads
 *                                      └ once, and only if a project has subscribers
 *
 * A subscriber that resumes names the last LSN that it knows and reads the log until it joins the live ones (catch-up.ts). If the log does
 * not reach back to that LSN, or has another history, the subscriber gets a `reset` with the version from which it continues.
 *
 * The backlog is bounded: when queued events exceed the limit, the feed disconnects the subscribers that wait for the oldest event. They
 * reconnect and read from the log what they missed.
 */
import { setImmediate } from 'node:timers/promises';
import { runCooperatively, TurnSlice } from '../../lib/async/cooperative.ts';
import { StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { eventText, placeText } from '../../lib/text/event-text.ts';
import { durableAtLast, type Journal } from '../../storage/wal/journal.ts';
import { findProject } from '../../store/find.ts';
import { type Change, operationOf } from '../../store/operations/operations.ts';
import type { State } from '../../store/state.ts';
import type { ProjectName } from '../command.ts';
import { expiryMs, keyState } from '../key-state.ts';
import { Versions } from '../version-names.ts';
import { Audience } from './audience.ts';
import { CatchUp } from './catch-up.ts';
import { EventBacklog, QueuedEvent } from './event-backlog.ts';
import { projectChanged, type RecordEvents, recordEvents } from './event-encoder.ts';
import type { LogReaderWorker } from './log-reader-worker.ts';
import { type PendingRecord, PublicationQueue } from './publication-queue.ts';
import { type Sink, Subscriber, type SubscriberHost, type Subscription } from './subscriber.ts';

/** The largest record that is broadcast live, in bytes. Its event text is several times as long and is encoded in one piece. */
const broadcastBytesMax = 2 * 1024 * 1024;

/** Default limit of the event backlog, in bytes. */
export const backlogBytesDefault = 32 * 1024 * 1024;

export interface FeedParts {
  readonly state: State;
  readonly journal: Journal;
  /** The folder of the log's segments. */
  readonly folder: string;
  readonly worker: LogReaderWorker;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Limit of the event backlog, in bytes; a single event may be larger. Default 32 MiB. */
  readonly backlogBytesMax?: number;
}

/** `subscribers` and `backlogBytes` are current values; the others count since the start. */
interface FeedStats {
  readonly subscribers: number;
  readonly backlogBytes: number;
  /** Subscriptions that named the version from which they resume. */
  readonly resumed: number;
  /** `reset` events sent: subscribers that could not continue from their position. */
  readonly resets: number;
  /** Subscribers that were disconnected because they read too slowly. */
  readonly disconnected: number;
}

/** Why a subscriber cannot continue from its position. `failed`: encoding the events of a record failed. */
type ResetReason = 'too_old' | 'unknown' | 'failed';

export class Feed implements SubscriberHost {
  readonly backlog = new EventBacklog();
  readonly clock: () => number;
  readonly #parts: FeedParts;
  readonly #versions: Versions;
  readonly #catchUp: CatchUp;
  readonly #audience = new Audience();
  readonly #publications: PublicationQueue;
  readonly #slice = new TurnSlice();
  /** Subscribers that have events to write. */
  readonly #due = new Set<Subscriber>();
  #serving = false;
  #closed = false;
  #resumed = 0;
  #resets = 0;
  #disconnected = 0;
  #beat: { readonly lsn: number; readonly text: Buffer } = { lsn: -1, text: Buffer.alloc(0) };

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.#versions = new Versions(parts.journal.lineage, parts.state.runs);
    this.#catchUp = new CatchUp({
      ...parts,
      join: (subscriber) => this.#join(subscriber),
      reset: (subscriber) => this.#reset(subscriber, 'too_old'),
      serve: (subscriber) => this.onDrained(subscriber),
      enforceLimit: () => this.#enforceLimit(),
      slice: this.#slice,
    });
    this.#publications = new PublicationQueue({
      journal: parts.journal,
      publish: (record) => this.#publish(record),
      onFailure: (error) => this.#publishingFailed(error),
    });
  }

  get stats(): FeedStats {
    return {
      subscribers: this.#audience.size,
      backlogBytes: this.backlog.bytes,
      resumed: this.#resumed,
      resets: this.#resets,
      disconnected: this.#disconnected,
    };
  }

  /** Names the newest version up to which all records are published. */
  get heartbeatText(): Buffer {
    const { durableLsn } = this.#parts.journal;
    const lsn = Math.min(durableLsn, this.#publications.firstLsn - 1);
    if (lsn !== this.#beat.lsn) this.#beat = { lsn, text: Buffer.from(placeText(this.#versions.nameOf(lsn))) };
    return this.#beat.text;
  }

  /**
   * Adds a subscriber, which stays until it ends. It ends immediately if the project is gone or the key is not valid.
   *
   * @param after LSN of the last record that the client knows; `undefined` to begin now, `elsewhere` for a record of another history
   */
  subscribe(subscription: Subscription, after: number | 'elsewhere' | undefined, sink: Sink): Subscriber {
    const subscriber = new Subscriber(subscription, sink, this);
    const { state, journal } = this.#parts;
    const untilMs = validUntilMs(state, subscription, this.clock());
    const { value: project } = findProject(state, subscription.accountId, subscription.projectId ?? '');
    const isGone = subscription.projectId !== undefined && project === undefined;
    if (this.#closed || isGone || untilMs === undefined) {
      subscriber.end();
      return subscriber;
    }
    subscriber.untilMs = untilMs;
    this.#audience.add(subscriber);
    if (after !== undefined) this.#resumed++;
    if (after === undefined) void this.#begin(subscriber, placeText);
    else if (after === 'elsewhere' || after > journal.durableLsn) this.#reset(subscriber, 'unknown');
    else {
      subscriber.position = after;
      this.#catchUp.add(subscriber);
    }
    return subscriber;
  }

  /** Queues a record for publication. Call it in the turn in which the record was appended and applied. */
  committed(lsn: number, changes: readonly Change[], bytes: number): void {
    if (this.#audience.size === 0) return;
    const project = projectChanged(changes);
    if (project === undefined) this.#endWithAccess(changes);
    else if (this.#audience.hasJoined(project)) {
      const isLong = bytes > broadcastBytesMax;
      this.#publications.push({ lsn, project, changes: isLong ? undefined : changes, bytes: isLong ? 0 : bytes });
      // More than the backlog holds: its subscribers reconnect and read it from the log.
      if (this.#publications.bytes > this.#backlogBytesMax && this.#publications.length > 1) this.#dropPending();
      else void this.#publications.run();
    }
  }

  /**
   * Handles a record whose events could not be encoded. The record is applied and is being written. Its live subscribers get a `reset` and
   * end, so that none misses the record silently; subscribers that read the log find it there.
   *
   * @param project the record's project; `undefined` if it is unknown
   */
  failed(lsn: number, project: ProjectName | undefined, error: unknown): void {
    this.#parts.log.error(
      { err: error, lsn },
      'cannot encode the events of a record; sent reset to its subscribers, which read everything again',
    );
    for (const subscriber of this.#audience) {
      // A subscriber that has not joined reads the record from the log; one that joined after it does not need it.
      if (subscriber.joinedAt === undefined || lsn <= subscriber.joinedAt) continue;
      if (project !== undefined && !subscriber.isFor(project)) continue;
      const wasLive = subscriber.isLive;
      this.#audience.leave(subscriber);
      subscriber.fallBehind(lsn);
      if (wasLive) void this.#endWithReset(subscriber, lsn);
    }
  }

  /** Ends all subscribers and stops the log reader. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#audience.endAll();
    await this.#parts.worker.close();
  }

  onDrained(subscriber: Subscriber): void {
    this.#due.add(subscriber);
    void this.#serve();
  }

  onIdle(subscriber: Subscriber): void {
    if (!subscriber.isLive) this.#catchUp.resume();
  }

  onOver(subscriber: Subscriber): void {
    this.#audience.delete(subscriber);
    this.#due.delete(subscriber);
    this.#catchUp.delete(subscriber);
  }

  get #backlogBytesMax(): number {
    return this.#parts.backlogBytesMax ?? backlogBytesDefault;
  }

  /** The subscriber gets every record from the next one on live. */
  #join(subscriber: Subscriber): void {
    this.#audience.join(subscriber, this.#parts.journal.nextLsn - 1);
  }

  #reset(subscriber: Subscriber, reason: ResetReason): void {
    this.#resets++;
    void this.#begin(subscriber, (version) => resetText(reason, version));
  }

  /** Ends a subscriber with a `reset` after its queued events. Waits until the record is durable, since the `reset` names its version. */
  async #endWithReset(subscriber: Subscriber, lsn: number): Promise<void> {
    this.#resets++;
    try {
      await durableAtLast(this.#parts.journal, lsn);
    } catch {
      // The journal has stopped.
      subscriber.end();
    }
    if (subscriber.over) return;
    subscriber.give(new QueuedEvent(lsn, Buffer.from(resetText('failed', this.#versions.nameOf(lsn))), false, true), true);
    this.onDrained(subscriber);
  }

  /** Starts a subscriber at the next record and sends it that version, once all records up to that version are durable. */
  async #begin(subscriber: Subscriber, textAt: (version: string) => string): Promise<void> {
    const { journal } = this.#parts;
    if (subscriber.joinedAt === undefined) this.#join(subscriber);
    const lsn = subscriber.joinedAt as number;
    try {
      await durableAtLast(journal, lsn);
    } catch {
      // The journal has stopped.
      subscriber.end();
    }
    if (subscriber.over) return;
    // The version precedes all events: these wait until the subscriber is live.
    subscriber.give(new QueuedEvent(lsn, Buffer.from(textAt(this.#versions.nameOf(lsn))), false), true);
    // A record arrived meanwhile that the subscriber must read from the log.
    const isBehind = subscriber.joinedAt === undefined;
    if (isBehind) {
      subscriber.position = lsn;
      this.#catchUp.add(subscriber);
    } else subscriber.goLive();
    this.onDrained(subscriber);
  }

  /** Publishes a record that is durable. */
  async #publish(record: PendingRecord): Promise<void> {
    const { lsn, project, changes } = record;
    if (changes === undefined) return this.#leaveToLog(lsn, project);
    try {
      const events = await runCooperatively(recordEvents(this.#versions.nameOf(lsn), lsn, project, changes));
      // The pending records may have been dropped meanwhile.
      if (this.#publications.isFirst(record)) await this.#broadcast(events);
    } catch (error) {
      this.failed(lsn, project, error);
    }
  }

  /** When the journal has stopped, the process must end. After other errors the subscribers reconnect. */
  #publishingFailed(error: unknown): void {
    if (!(error instanceof StoppedError))
      this.#parts.log.error({ err: error }, 'cannot publish a record to its subscribers; all subscribers were disconnected');
    this.#audience.endAll();
  }

  /** The project's subscribers read this record from the log, a bounded piece at a time, and then become live again. */
  #leaveToLog(lsn: number, project: ProjectName): void {
    for (const subscriber of [...this.#audience.joined(project)]) {
      if (!subscriber.awaits(lsn, project)) continue;
      const hasBegun = subscriber.isLive;
      this.#audience.leave(subscriber);
      subscriber.fallBehind(lsn);
      if (hasBegun) this.#catchUp.add(subscriber);
    }
  }

  /** Queues events for all their subscribers, in slices. No later record is broadcast before that is done. */
  async #broadcast(events: RecordEvents): Promise<void> {
    if (events.texts === undefined || events.texts.text === '') return;
    const queued = QueuedEvent.of(events, events.texts);
    for (const subscriber of this.#audience.joined(events)) {
      if (this.#slice.isOver) await setImmediate();
      if (!subscriber.awaits(events.lsn, events)) continue;
      subscriber.give(queued, false);
      if (subscriber.isLive) this.#due.add(subscriber);
    }
    this.#enforceLimit();
    void this.#serve();
  }

  /** Writes queued events to all due subscribers, in slices. */
  async #serve(): Promise<void> {
    if (this.#serving) return;
    this.#serving = true;
    try {
      for (const subscriber of this.#due) {
        if (this.#slice.isOver) await setImmediate();
        if (this.#due.delete(subscriber)) this.#serveOne(subscriber);
      }
    } finally {
      this.#serving = false;
    }
  }

  #serveOne(subscriber: Subscriber): void {
    try {
      subscriber.serve();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'cannot write to a subscriber; it was disconnected');
      subscriber.disconnect();
    }
  }

  /** Disconnects subscribers that wait for the oldest events until the backlog is within its limit. */
  #enforceLimit(): void {
    while (this.backlog.bytes > this.#backlogBytesMax) {
      const { oldest } = this.backlog;
      if (oldest === undefined) return;
      for (const subscriber of this.#audience) if (subscriber.waitsFor(oldest)) this.#disconnect(subscriber);
    }
  }

  #dropPending(): void {
    const dropped = this.#publications.drop();
    for (const subscriber of this.#audience) {
      if (subscriber.joinedAt !== undefined && dropped.some(({ project }) => subscriber.isFor(project)))
        this.#disconnect(subscriber);
    }
  }

  #disconnect(subscriber: Subscriber): void {
    this.#disconnected++;
    subscriber.disconnect();
  }

  /** Ends the subscribers whose account, key or person may do something else from now on, in the same turn: they connect again. */
  #endWithAccess(changes: readonly Change[]): void {
    const { state } = this.#parts;
    for (const change of changes) {
      const isEnded = endingOf(change, state);
      if (isEnded === undefined) continue;
      for (const subscriber of this.#audience.ofAccount(operationOf(change).placeOf(change).accountId ?? '')) {
        const untilMs = isEnded(subscriber.subscription) ? undefined : validUntilMs(state, subscriber.subscription, this.clock());
        if (untilMs === undefined) subscriber.end();
        else subscriber.untilMs = untilMs;
      }
    }
  }
}

/** Which subscriptions a change ends in any case; `undefined` if it ends none and no key with it. */
function endingOf(change: Change, { keys }: State): ((subscription: Subscription) => boolean) | undefined {
  switch (change.op) {
    case 'delete-account':
      return ({ accountId }) => accountId === change.accountId;
    case 'put-key':
    case 'delete-key':
    case 'delete-person':
      return () => false;
    case 'put-person':
      return ({ keyId }) => keys.get(keyId)?.person === change.person.id;
    default:
      return undefined;
  }
}

/** Unix time in milliseconds; `undefined` if the key, or the account of a request without a key, is not valid. */
function validUntilMs(state: State, { accountId, keyId }: Subscription, nowMs: number): number | undefined {
  if (keyId === '') return state.accounts.has(accountId) ? Number.POSITIVE_INFINITY : undefined;
  const key = state.keys.get(keyId);
  return key !== undefined && keyState(state, key, nowMs) === 'valid' ? expiryMs(key) : undefined;
}

const resetText = (reason: ResetReason, version: string): string =>
  eventText('reset', JSON.stringify({ reason, version }), version);
