/**
 * One who follows what becomes durable: what it wants, how far it is, and the texts that wait until it takes them.
 *
 *     behind ──▶ joined ──▶ live            a newcomer begins with joined
 *     reads the  live texts wait,                  |
 *     log        it reads the log up to them       |  something came that is too long to be told at once
 *       ^------------------------------------------'
 */
import { type Transitions, transition } from '../../lib/invariant.ts';
import type { ProjectName } from '../command.ts';
import type { EventBacklog, Part, QueuedEvent } from './event-backlog.ts';

/** What is wanted, and by whom. */
export interface Subscription {
  readonly accountId: string;
  /** `undefined` for all that the key reaches. */
  readonly projectId: string | undefined;
  /** The projects that the key reaches; `undefined` for all of the account. */
  readonly projects: ReadonlySet<string> | undefined;
  /** Public part of the key. */
  readonly keyId: string;
}

/** Where the texts go. */
export interface Sink {
  /** Takes text; `false` when there is room for no more until {@link Subscriber.drained} is called. */
  write(text: Buffer): boolean;
  /** No more comes. */
  end(): void;
  /** What waits is not taken: it goes without a word. */
  cut(): void;
}

/** What a follower needs of its feed. */
export interface SubscriberHost {
  readonly backlog: EventBacklog;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The text of a word to one who is waiting: up to where everything has been told. */
  readonly heartbeatText: Buffer;
  /** There is room again: it is to be served when it is its turn. */
  onDrained(follower: Subscriber): void;
  /** It has taken all there was. */
  onIdle(follower: Subscriber): void;
  onOver(follower: Subscriber): void;
}

type State = 'behind' | 'joined' | 'live' | 'over';

/** `fallBehind`: a record must be read from the log. `end`: the stream ends, or the client is gone. */
type Event = 'join' | 'goLive' | 'fallBehind' | 'end';

// biome-ignore format: a table
export const followerTransitions: Transitions<State, Event> = {
  behind: { join: 'joined',  goLive: 'invalid', fallBehind: 'behind', end: 'over' },
  joined: { join: 'invalid', goLive: 'live',    fallBehind: 'behind', end: 'over' },
  live:   { join: 'invalid', goLive: 'invalid', fallBehind: 'behind', end: 'over' },
  over:   { join: 'over',    goLive: 'over',    fallBehind: 'over',   end: 'over' },
};

/** Bytes that are written at a time. */
const pieceBytes = 64 * 1024;

const comment = Buffer.from(':\n\n');

export class Subscriber {
  readonly wants: Subscription;
  /** All records up to here were handed over; counts until it is live. */
  position = 0;
  /** Pieces that were handed over of the record after that. */
  part = 0;
  #state: State = 'behind';
  #joinedAt: number | undefined;
  /** When its key expires, in milliseconds since 1970. */
  untilMs = Number.POSITIVE_INFINITY;
  readonly #outlet: Sink;
  readonly #feed: SubscriberHost;
  /** Texts from the log, which come first, and those that are told at once. */
  readonly #logged: QueuedEvent[] = [];
  readonly #told: QueuedEvent[] = [];
  /** Bytes of the first text that were written already. */
  #offset = 0;
  #isReady = true;
  #endsNow = false;

  constructor(wants: Subscription, outlet: Sink, feed: SubscriberHost) {
    this.wants = wants;
    this.#outlet = outlet;
    this.#feed = feed;
  }

  /** The record after this one is the first that it gets live; `undefined` until it has joined. */
  get joinedAt(): number | undefined {
    return this.#joinedAt;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  get over(): boolean {
    return this.#state === 'over';
  }

  /** Live texts wait for it from the record after `lsn` on. */
  join(lsn: number): void {
    this.#on('join');
    this.#joinedAt = lsn;
  }

  /** It has everything up to where it joined. */
  goLive(): void {
    this.#on('goLive');
  }

  /** It has taken all that it was handed from the log, and there is room for more. */
  get isDrained(): boolean {
    return this.#isReady && this.#logged.length === 0;
  }

  isFor({ accountId, projectId }: ProjectName): boolean {
    const { wants } = this;
    if (wants.accountId !== accountId) return false;
    if (wants.projectId !== undefined) return wants.projectId === projectId;
    return wants.projects === undefined || wants.projects.has(projectId);
  }

  /** Hands over a text, which waits for its turn. */
  give(text: QueuedEvent, isLogged: boolean): void {
    if (this.over) return;
    this.#feed.backlog.hold(text);
    (isLogged ? this.#logged : this.#told).push(text);
  }

  /** Record `lsn`, and what comes after it, is not told to it: it reads it from the log. */
  fallBehind(lsn: number): void {
    const told = this.#told.splice(0);
    if (this.isLive) {
      this.position = lsn - 1;
      this.part = 0;
      this.#logged.push(...told);
    } else for (const text of told) this.#feed.backlog.release(text);
    this.#on('fallBehind');
    this.#joinedAt = undefined;
  }

  waitsFor(text: QueuedEvent): boolean {
    return this.#logged.includes(text) || this.#told.includes(text);
  }

  /** Writes what waits, as long as there is room. */
  serve(): void {
    if (this.#endsWithKey()) return;
    while (this.#isReady && !this.over) {
      const piece = this.#nextPiece();
      if (piece === undefined) break;
      this.#isReady = this.#outlet.write(piece);
    }
    if (this.over) return;
    if (this.#endsNow) this.end();
    else if (this.isDrained) this.#feed.onIdle(this);
  }

  /** There is room again. */
  drained(): void {
    this.#isReady = true;
    if (!this.over) this.#feed.onDrained(this);
  }

  /** Nothing was written for a while. */
  heartbeat(): void {
    if (this.#endsWithKey() || !this.#isReady) return;
    this.#isReady = this.#outlet.write(
      this.isLive && this.#told.length === 0 && this.isDrained ? this.#feed.heartbeatText : comment,
    );
  }

  /** The client is gone. */
  onClose(): void {
    if (this.over) return;
    this.#on('end');
    for (const text of [...this.#logged.splice(0), ...this.#told.splice(0)]) this.#feed.backlog.release(text);
    this.#feed.onOver(this);
  }

  /** Ends in good order. */
  end(): void {
    if (this.over) return;
    this.onClose();
    this.#outlet.end();
  }

  /** Ends because it takes too little. */
  disconnect(): void {
    if (this.over) return;
    this.onClose();
    this.#outlet.cut();
  }

  #on(event: Event): void {
    this.#state = transition(followerTransitions, this.#state, event);
  }

  #endsWithKey(): boolean {
    if (!this.over && this.#feed.clock() >= this.untilMs) this.end();
    return this.over;
  }

  #nextPiece(): Buffer | undefined {
    const parts: Part[] = [];
    let size = 0;
    while (size < pieceBytes && !this.#endsNow) {
      const queue = this.#logged.length > 0 || !this.isLive ? this.#logged : this.#told;
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
      this.#endsNow = text.endsStream || (text.isLast && this.wants.projectId !== undefined);
    }
    if (parts.length === 0) return undefined;
    const { backlog: unread } = this.#feed;
    const piece = unread.piece(parts);
    for (const { text, end } of parts) if (end === text.bytes.length) unread.release(text);
    return piece;
  }
}
