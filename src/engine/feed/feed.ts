/**
 * The feed: tells who follows an account, or one of its projects, what becomes durable there, in the order of the log.
 *
 *     commit ─▶ wait until durable ─▶ text ─▶ each follower, as fast as it takes it
 *                                      └ made once, and only where somebody follows
 *
 * Who was away names the last LSN that it knows and reads the log up to where it joins the others (catch-up.ts). Where the log does not
 * reach back so far, or is another one, it is told so, and from which record on it now follows.
 *
 * Nothing piles up without bound: when texts that wait are too many bytes, those who have waited longest are cut. They come again, and
 * find in the log what they did not take.
 */
import { setImmediate } from 'node:timers/promises';
import { runCooperatively, TurnSlice } from '../../lib/async/cooperative.ts';
import { StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { eventText, placeText } from '../../lib/text/event-text.ts';
import type { Change } from '../../model/change.ts';
import type { ApiVersion } from '../../model/resource.ts';
import { findProject } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import { durableAtLast, type Journal } from '../../wal/journal.ts';
import { lockName, type ProjectName } from '../command.ts';
import { expiryMs, keyState } from '../key-state.ts';
import { Versions } from '../version.ts';
import { CatchUp } from './catch-up.ts';
import { EventBacklog, QueuedEvent } from './event-backlog.ts';
import { projectChanged, type RecordEvents, recordEvents } from './event-encoder.ts';
import type { LogReaderWorker } from './log-reader-worker.ts';
import { type Sink, Subscriber, type SubscriberHost, type Subscription } from './subscriber.ts';

/** Bytes of a record that is told at once; its text is several times as long, and is made in one piece. */
const broadcastBytesMax = 2 * 1024 * 1024;

/** Bytes of texts that may wait, unless somebody says otherwise. */
export const backlogBytesDefault = 32 * 1024 * 1024;

export interface FeedParts {
  readonly state: State;
  readonly journal: Journal;
  /** Where the log's segments are. */
  readonly folder: string;
  readonly crew: LogReaderWorker;
  readonly log: Log;
  readonly compat: ApiVersion;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Bytes of texts that may wait, unless it is a single one; 32 MiB. */
  readonly backlogBytesMax?: number;
}

/** Counts since the start, but for those who follow now. */
export interface FeedStats {
  readonly subscribers: number;
  readonly unreadBytes: number;
  /** Followers that named where they were. */
  readonly resumed: number;
  /** Of these, who had to be told that they cannot go on from there. */
  readonly resets: number;
  /** Followers that took too little. */
  readonly disconnected: number;
}

/** Why a subscriber cannot go on from where it was. `failed`: the events of a record could not be made. */
export type ResetReason = 'too_old' | 'unknown' | 'failed';

/** A record that is told once it is durable. */
interface Pending {
  readonly lsn: number;
  readonly project: ProjectName;
  /** `undefined` where it is too long to be told at once. */
  readonly changes: readonly Change[] | undefined;
  readonly bytes: number;
}

export class Feed implements SubscriberHost {
  readonly backlog = new EventBacklog();
  readonly clock: () => number;
  readonly #parts: FeedParts;
  readonly #versions: Versions;
  readonly #catchUp: CatchUp;
  readonly #subscribers = new Set<Subscriber>();
  /** Those who have joined, by what they follow. */
  readonly #joined = new Map<string, Set<Subscriber>>();
  readonly #slice = new TurnSlice();
  /** Those who have something to be written. */
  readonly #due = new Set<Subscriber>();
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #isPublishing = false;
  #serving = false;
  #closed = false;
  #resumed = 0;
  #resets = 0;
  #cut = 0;
  #beat: { readonly lsn: number; readonly text: Buffer } = { lsn: -1, text: Buffer.alloc(0) };

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.#versions = new Versions(parts.journal.lineage, parts.state.runs);
    this.#catchUp = new CatchUp({
      ...parts,
      join: (follower) => this.#join(follower),
      reset: (follower) => this.#reset(follower, 'too_old'),
      serve: (follower) => this.onDrained(follower),
      bound: () => this.#bound(),
      slice: this.#slice,
    });
  }

  get stats(): FeedStats {
    const followers = this.#subscribers.size;
    return {
      subscribers: followers,
      unreadBytes: this.backlog.bytes,
      resumed: this.#resumed,
      resets: this.#resets,
      disconnected: this.#cut,
    };
  }

  /** As far as everybody who follows has been told everything. */
  get heartbeatText(): Buffer {
    const { durableLsn } = this.#parts.journal;
    const lsn = Math.min(durableLsn, (this.#pending[0]?.lsn ?? Number.POSITIVE_INFINITY) - 1);
    if (lsn !== this.#beat.lsn) this.#beat = { lsn, text: Buffer.from(placeText(this.#versions.nameOf(lsn))) };
    return this.#beat.text;
  }

  /**
   * Somebody follows from now on, until it is over.
   *
   * @param after the last record that it knows; `undefined` to begin now, `elsewhere` for one of another history
   */
  subscribe(wants: Subscription, after: number | 'elsewhere' | undefined, outlet: Sink): Subscriber {
    const follower = new Subscriber(wants, outlet, this);
    const { state, journal } = this.#parts;
    const key = state.keys.get(wants.keyId);
    const { value: project } = findProject(state, wants.accountId, wants.projectId ?? '');
    const isGone = wants.projectId !== undefined && project === undefined;
    if (this.#closed || isGone || key === undefined || keyState(key, this.clock()) !== 'valid') {
      follower.end();
      return follower;
    }
    follower.untilMs = expiryMs(key);
    this.#subscribers.add(follower);
    if (after !== undefined) this.#resumed++;
    if (after === undefined) void this.#begin(follower, placeText);
    else if (after === 'elsewhere' || after > journal.durableLsn) this.#reset(follower, 'unknown');
    else {
      follower.position = after;
      this.#catchUp.add(follower);
    }
    return follower;
  }

  /** A record was appended and applied. To be called in that turn. */
  committed(lsn: number, changes: readonly Change[], bytes: number): void {
    if (this.#subscribers.size === 0) return;
    const project = projectChanged(changes);
    if (project === undefined) this.#endWithKeys(changes);
    else if (this.#hasSubscribers(project)) {
      const isLong = bytes > broadcastBytesMax;
      this.#pending.push({ lsn, project, changes: isLong ? undefined : changes, bytes: isLong ? 0 : bytes });
      if (!isLong) this.#pendingBytes += bytes;
      // More than anybody could have taken: they find it in the log.
      if (this.#pendingBytes > this.#unreadBytesMax && this.#pending.length > 1) this.#dropPending();
      else void this.#publish();
    }
  }

  /**
   * The events of a record could not be made, which is applied and on its way to the disk. Its live subscribers
   * get a `reset` and end, so that none misses it silently; subscribers that read the log find it there.
   *
   * @param project that the record is about; `undefined` where that is not known
   */
  failed(lsn: number, project: ProjectName | undefined, error: unknown): void {
    this.#parts.log.error(
      { err: error, lsn },
      'the events of a record could not be made; its subscribers get a reset and read everything again',
    );
    for (const follower of this.#subscribers) {
      // One that has not joined reads the record from the log; one that joined behind it needs nothing of it.
      if (follower.joinedAt === undefined || lsn <= follower.joinedAt) continue;
      if (project !== undefined && !follower.isFor(project)) continue;
      const wasLive = follower.isLive;
      this.#leave(follower);
      follower.fallBehind(lsn);
      if (wasLive) void this.#endWithReset(follower, lsn);
    }
  }

  /** Ends everybody. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#endAll();
    await this.#parts.crew.close();
  }

  onDrained(follower: Subscriber): void {
    this.#due.add(follower);
    void this.#serve();
  }

  onIdle(follower: Subscriber): void {
    if (!follower.isLive) this.#catchUp.goOn();
  }

  onOver(follower: Subscriber): void {
    this.#subscribers.delete(follower);
    this.#due.delete(follower);
    this.#catchUp.delete(follower);
    this.#leave(follower);
  }

  get #unreadBytesMax(): number {
    return this.#parts.backlogBytesMax ?? backlogBytesDefault;
  }

  #hasSubscribers(project: ProjectName): boolean {
    return this.#joined.has(lockName(project)) || this.#joined.has(followed({ ...project, projectId: undefined }));
  }

  /** From the next record on the follower is told everything at once. */
  #join(follower: Subscriber): void {
    follower.join(this.#parts.journal.nextLsn - 1);
    const name = followed(follower.wants);
    const others = this.#joined.get(name);
    if (others === undefined) this.#joined.set(name, new Set([follower]));
    else others.add(follower);
  }

  /** From now on it is told nothing at once. */
  #leave(follower: Subscriber): void {
    const name = followed(follower.wants);
    const others = this.#joined.get(name);
    if (others?.delete(follower) === true && others.size === 0) this.#joined.delete(name);
  }

  #reset(follower: Subscriber, reason: ResetReason): void {
    this.#resets++;
    void this.#begin(follower, (version) => resetText(reason, version));
  }

  /** What waits for it comes first. The record must be durable: its place must not be taken back. */
  async #endWithReset(follower: Subscriber, lsn: number): Promise<void> {
    this.#resets++;
    try {
      await durableAtLast(this.#parts.journal, lsn);
    } catch {
      // Nothing becomes durable any more.
      follower.end();
    }
    if (follower.over) return;
    follower.give(new QueuedEvent(lsn, Buffer.from(resetText('failed', this.#versions.nameOf(lsn))), false, true), true);
    this.onDrained(follower);
  }

  /** Lets a follower begin with what comes next, and says from where. What is before it must be durable: its place must not be taken back. */
  async #begin(follower: Subscriber, textAt: (version: string) => string): Promise<void> {
    const { journal } = this.#parts;
    if (follower.joinedAt === undefined) this.#join(follower);
    const lsn = follower.joinedAt as number;
    try {
      await durableAtLast(journal, lsn);
    } catch {
      // Nothing becomes durable any more.
      follower.end();
    }
    if (follower.over) return;
    // Before all its events, which wait until it is live.
    follower.give(new QueuedEvent(lsn, Buffer.from(textAt(this.#versions.nameOf(lsn))), false), true);
    // Something came meanwhile that it has to read from the log.
    const isBehind = follower.joinedAt === undefined;
    if (isBehind) {
      follower.position = lsn;
      this.#catchUp.add(follower);
    } else follower.goLive();
    this.onDrained(follower);
  }

  /** Tells what is pending, in order, each record when it is durable. */
  async #publish(): Promise<void> {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    const { journal } = this.#parts;
    try {
      for (let [next] = this.#pending; next !== undefined; [next] = this.#pending) {
        await durableAtLast(journal, next.lsn);
        // Unless all of it was forsaken meanwhile.
        if (this.#pending[0] === next) await this.#publishOne(next);
        // Only now may a sign of life name it.
        if (this.#pending[0] !== next) continue;
        this.#pending.shift();
        this.#pendingBytes -= next.bytes;
      }
    } catch (error) {
      // When the journal has stopped, nothing is durable any more, and the process is to end. Otherwise they come again.
      if (!(error instanceof StoppedError))
        this.#parts.log.error({ err: error }, 'a record could not be told to those who follow');
      this.#pending = [];
      this.#pendingBytes = 0;
      this.#endAll();
    } finally {
      this.#isPublishing = false;
    }
  }

  async #publishOne(pending: Pending): Promise<void> {
    const { lsn, project, changes } = pending;
    if (changes === undefined) return this.#leaveToLog(lsn, project);
    try {
      const events = await runCooperatively(recordEvents(this.#versions.nameOf(lsn), lsn, project, changes, this.#parts.compat));
      // Unless all of it was forsaken meanwhile.
      if (this.#pending[0] === pending) await this.#broadcast(events);
    } catch (error) {
      this.failed(lsn, project, error);
    }
  }

  /** Whoever follows the project reads this record from the log, a piece at a time, and then goes on from there. */
  #leaveToLog(lsn: number, project: ProjectName): void {
    for (const name of [lockName(project), followed({ ...project, projectId: undefined })]) {
      for (const follower of [...(this.#joined.get(name) ?? [])]) {
        if (lsn <= (follower.joinedAt as number) || !follower.isFor(project)) continue;
        const hasBegun = follower.isLive;
        this.#leave(follower);
        follower.fallBehind(lsn);
        if (hasBegun) this.#catchUp.add(follower);
      }
    }
  }

  /** Gives a text to all its subscribers, in slices. No later record is sent before that is done. */
  async #broadcast({ text: said = '', ...events }: RecordEvents): Promise<void> {
    if (said === '') return;
    const text = new QueuedEvent(events.lsn, Buffer.from(said), events.isLast);
    for (const name of [lockName(events), followed({ ...events, projectId: undefined })]) {
      for (const follower of this.#joined.get(name) ?? []) {
        if (this.#slice.isOver) await setImmediate();
        // Who joined meanwhile begins behind it, who left reads it from the log.
        if (follower.joinedAt === undefined || events.lsn <= follower.joinedAt || !follower.isFor(events)) continue;
        follower.give(text, false);
        if (follower.isLive) this.#due.add(follower);
      }
    }
    this.#bound();
    void this.#serve();
  }

  /** Writes to all who have something coming, others having their turns between. */
  async #serve(): Promise<void> {
    if (this.#serving) return;
    this.#serving = true;
    try {
      for (const follower of this.#due) {
        if (this.#slice.isOver) await setImmediate();
        if (this.#due.delete(follower)) this.#serveOne(follower);
      }
    } finally {
      this.#serving = false;
    }
  }

  #serveOne(follower: Subscriber): void {
    try {
      follower.serve();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'nothing could be written to a subscriber, which is cut off');
      follower.disconnect();
    }
  }

  #bound(): void {
    while (this.backlog.bytes > this.#unreadBytesMax) {
      const { oldest } = this.backlog;
      if (oldest === undefined) return;
      for (const follower of this.#subscribers) if (follower.waitsFor(oldest)) this.#disconnect(follower);
    }
  }

  #dropPending(): void {
    const forsaken = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    for (const follower of this.#subscribers) {
      if (follower.joinedAt !== undefined && forsaken.some(({ project }) => follower.isFor(project))) this.#disconnect(follower);
    }
  }

  #disconnect(follower: Subscriber): void {
    this.#cut++;
    follower.disconnect();
  }

  /** What a key may see ends with it, in the same turn. */
  #endWithKeys(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.op === 'delete-account') {
        for (const follower of this.#subscribers) if (follower.wants.accountId === change.accountId) follower.end();
      } else if (change.op === 'put-key') {
        const { key } = change;
        for (const follower of this.#subscribers) {
          if (follower.wants.keyId !== key.id) continue;
          follower.untilMs = expiryMs(key);
          if (keyState(key, this.clock()) !== 'valid') follower.end();
        }
      }
    }
  }

  #endAll(): void {
    for (const follower of this.#subscribers) follower.end();
  }
}

/** A name for what is followed: a project, or all of an account. */
function followed({ accountId, projectId }: Pick<Subscription, 'accountId' | 'projectId'>): string {
  return lockName({ accountId, projectId: projectId ?? '' });
}

const resetText = (reason: ResetReason, version: string): string =>
  eventText('reset', JSON.stringify({ reason, version }), version);
