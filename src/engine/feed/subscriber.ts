/**
 * A subscriber of the feed: its subscription, its position, and the events that wait until the client reads them.
 *
 *     behind ──▶ joined ──▶ live            a new subscriber begins with joined
 *     reads the  queues live events,               |
 *     log        reads the log up to them          |  a record is too large for a live broadcast
 *       ^------------------------------------------'
 */
import { type Transitions, transition } from '../../lib/invariant.ts';
import type { ProjectName } from '../command.ts';
import type { EventBacklog, Part, QueuedEvent } from './event-backlog.ts';

/** The projects that a subscriber follows, and the key that authorizes it. */
export interface Subscription {
  readonly accountId: string;
  /** `undefined` for all projects that the key reaches. */
  readonly projectId: string | undefined;
  /** The projects that the key reaches; `undefined` for all projects of the account. */
  readonly projects: ReadonlySet<string> | undefined;
  /** Public part of the key. */
  readonly keyId: string;
  /** The key is for reading: it gets events without secret members. */
  readonly readOnly: boolean;
}

/** The response that events are written to. */
export interface Sink {
  /** Writes text; `false` is back-pressure: write no more until {@link Subscriber.drained} is called. */
  write(text: Buffer): boolean;
  /** Ends the response after what was written. */
  end(): void;
  /** Closes the connection without flushing what was written. */
  cut(): void;
}

/** What a subscriber needs from its feed. */
export interface SubscriberHost {
  readonly backlog: EventBacklog;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Names the newest version up to which all records are published. */
  readonly heartbeatText: Buffer;
  /** The subscriber can take events again, or has events to write. */
  onDrained(subscriber: Subscriber): void;
  /** The subscriber has written all its queued events. */
  onIdle(subscriber: Subscriber): void;
  onOver(subscriber: Subscriber): void;
}

type State = 'behind' | 'joined' | 'live' | 'over';

/** `fallBehind`: the subscriber must read a record from the log. `end`: the stream ends, or the client disconnects. */
type Event = 'join' | 'goLive' | 'fallBehind' | 'end';

// biome-ignore format: a table
export const subscriberTransitions: Transitions<State, Event> = {
  behind: { join: 'joined', fallBehind: 'behind', end: 'over' },
  joined: { goLive: 'live', fallBehind: 'behind', end: 'over' },
  live:   { fallBehind: 'behind', end: 'over' },
  over:   { join: 'over', goLive: 'over', fallBehind: 'over', end: 'over' },
};

/** The most bytes in one write. */
const pieceBytes = 64 * 1024;

const comment = Buffer.from(':\n\n');

export class Subscriber {
  readonly subscription: Subscription;
  /** LSN up to which all records were queued. Not maintained while the subscriber is live. */
  position = 0;
  /** Pieces of the next record that were queued. */
  part = 0;
  #state: State = 'behind';
  #joinedAt: number | undefined;
  /** When the key expires, in milliseconds since 1970. */
  untilMs = Number.POSITIVE_INFINITY;
  readonly #sink: Sink;
  readonly #feed: SubscriberHost;
  /** Events from the log, which are written first, and live events. */
  readonly #logEvents: QueuedEvent[] = [];
  readonly #liveEvents: QueuedEvent[] = [];
  /** Bytes of the first event that are already written. */
  #offset = 0;
  #isReady = true;
  #endsNow = false;

  constructor(subscription: Subscription, sink: Sink, feed: SubscriberHost) {
    this.subscription = subscription;
    this.#sink = sink;
    this.#feed = feed;
  }

  /** LSN after which the subscriber gets records live; `undefined` while it is behind. */
  get joinedAt(): number | undefined {
    return this.#joinedAt;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  get over(): boolean {
    return this.#state === 'over';
  }

  /** Queues live events from the record after `lsn` on. */
  join(lsn: number): void {
    this.#on('join');
    this.#joinedAt = lsn;
  }

  /** The subscriber has everything up to {@link joinedAt}. */
  goLive(): void {
    this.#on('goLive');
  }

  /** Whether all events from the log are written and the sink takes more. */
  get isDrained(): boolean {
    return this.#isReady && this.#logEvents.length === 0;
  }

  /** Whether a part of an event is written, and its rest is not. */
  get isWithinEvent(): boolean {
    return this.#offset > 0;
  }

  isFor({ accountId, projectId }: ProjectName): boolean {
    const { subscription } = this;
    if (subscription.accountId !== accountId) return false;
    if (subscription.projectId !== undefined) return subscription.projectId === projectId;
    return subscription.projects === undefined || subscription.projects.has(projectId);
  }

  /** Whether the subscriber gets record `lsn` of a project live. */
  awaits(lsn: number, project: ProjectName): boolean {
    // One that joined later begins after this record; one that is behind reads it from the log.
    return this.#joinedAt !== undefined && lsn > this.#joinedAt && this.isFor(project);
  }

  /** Queues an event, in the form that its key may see. */
  give(event: QueuedEvent, isLogged: boolean): void {
    if (this.over) return;
    const text = this.subscription.readOnly ? event.forReaders : event;
    this.#feed.backlog.hold(text);
    (isLogged ? this.#logEvents : this.#liveEvents).push(text);
  }

  /** The subscriber reads record `lsn` and later ones from the log. Live events that were queued while it was not live are dropped. */
  fallBehind(lsn: number): void {
    const live = this.#liveEvents.splice(0);
    if (this.isLive) {
      this.position = lsn - 1;
      this.part = 0;
      this.#logEvents.push(...live);
    } else for (const text of live) this.#feed.backlog.release(text);
    this.#on('fallBehind');
    this.#joinedAt = undefined;
  }

  waitsFor(text: QueuedEvent): boolean {
    return this.#logEvents.includes(text) || this.#liveEvents.includes(text);
  }

  /** Writes queued events until the sink signals back-pressure. */
  serve(): void {
    if (this.#endsWithKey()) return;
    while (this.#isReady && !this.over) {
      const piece = this.#nextPiece();
      if (piece === undefined) break;
      this.#isReady = this.#sink.write(piece);
    }
    if (this.over) return;
    if (this.#endsNow) this.end();
    else if (this.isDrained) this.#feed.onIdle(this);
  }

  /** The sink takes text again. */
  drained(): void {
    this.#isReady = true;
    if (!this.over) this.#feed.onDrained(this);
  }

  /** Writes a heartbeat: the published version if all events are written, otherwise a comment. */
  heartbeat(): void {
    if (this.#endsWithKey() || !this.#isReady || this.isWithinEvent) return;
    this.#isReady = this.#sink.write(
      this.isLive && this.#liveEvents.length === 0 && this.isDrained ? this.#feed.heartbeatText : comment,
    );
  }

  /** The client has disconnected. */
  onClose(): void {
    if (this.over) return;
    this.#on('end');
    for (const text of [...this.#logEvents.splice(0), ...this.#liveEvents.splice(0)]) this.#feed.backlog.release(text);
    this.#feed.onOver(this);
  }

  /** Ends the stream normally. */
  end(): void {
    if (this.over) return;
    this.onClose();
    this.#sink.end();
  }

  /** Disconnects the client because it reads too slowly. */
  disconnect(): void {
    if (this.over) return;
    this.onClose();
    this.#sink.cut();
  }

  #on(event: Event): void {
    this.#state = transition(subscriberTransitions, this.#state, event);
  }

  #endsWithKey(): boolean {
    if (!this.over && this.#feed.clock() >= this.untilMs) this.end();
    return this.over;
  }

  #nextPiece(): Buffer | undefined {
    const parts: Part[] = [];
    let size = 0;
    while (size < pieceBytes && !this.#endsNow) {
      const queue = this.#logEvents.length > 0 || !this.isLive ? this.#logEvents : this.#liveEvents;
      const [text] = queue;
      if (text === undefined) break;
      const start = this.#offset;
      const end = Math.min(text.bytes.length, start + pieceBytes - size);
      parts.push({ text, start, end });
      size += end - start;
      this.#offset = end;
      if (this.#offset < text.bytes.length) break;
      this.#offset = 0;
      queue.shift();
      this.#endsNow = text.endsStream || (text.isLast && this.subscription.projectId !== undefined);
    }
    if (parts.length === 0) return undefined;
    const { backlog } = this.#feed;
    const piece = backlog.piece(parts);
    for (const { text, end } of parts) if (end === text.bytes.length) backlog.release(text);
    return piece;
  }
}
