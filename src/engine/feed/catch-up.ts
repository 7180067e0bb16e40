/**
 * Catch-up: subscribers that resume read the log until they join the live ones. They share reads: a piece that is read for one goes to all
 * subscribers whose position is in it, so a thousand that reconnect after a restart cost about as much as one.
 *
 * A slow reader does not hold back the deletion of the log. If its next record is deleted, it gets a `reset`.
 */
import { setImmediate } from 'node:timers/promises';
import type { TurnSlice } from '../../lib/async/cooperative.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { durableAtLast, type Journal } from '../../storage/wal/journal.ts';
import type { State } from '../../store/state.ts';
import { QueuedEvent } from './event-backlog.ts';
import { noTexts } from './event-encoder.ts';
import type { LogEventsRequest, LogPiece } from './log-events.ts';
import type { LogReaderWorker } from './log-reader-worker.ts';
import type { Subscriber } from './subscriber.ts';

interface CatchUpParts {
  readonly state: State;
  readonly journal: Journal;
  readonly folder: string;
  readonly worker: LogReaderWorker;
  readonly log: Log;
  /** The subscriber gets every record from the next one on live. */
  join(subscriber: Subscriber): void;
  /** The subscriber cannot continue from its position. */
  reset(subscriber: Subscriber): void;
  /** The subscriber has events to write. */
  serve(subscriber: Subscriber): void;
  /** Call it when the backlog has grown: enforces its limit. */
  enforceLimit(): void;
  /** The time that the whole feed may use in a turn of the event loop. */
  readonly slice: TurnSlice;
}

export class CatchUp {
  readonly #parts: CatchUpParts;
  /** Subscribers that are not live, the one that has waited longest first. */
  readonly #behind = new Set<Subscriber>();
  #running = false;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  add(subscriber: Subscriber): void {
    this.#behind.add(subscriber);
    this.resume();
  }

  delete(subscriber: Subscriber): void {
    this.#behind.delete(subscriber);
  }

  /** Continues to read. Call it when a subscriber has written all its events. */
  resume(): void {
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        if (this.#parts.slice.isOver) await setImmediate();
        if (next.over || this.#arrives(next)) continue;
        await this.#readFor(next);
      }
    } catch (error) {
      this.#parts.log.error(
        { err: error },
        'cannot serve subscribers that read the log; they were disconnected, and resume when they reconnect',
      );
      for (const subscriber of this.#behind) subscriber.disconnect();
    } finally {
      this.#running = false;
    }
  }

  #next(): Subscriber | undefined {
    for (const subscriber of this.#behind) if (subscriber.isDrained) return subscriber;
    return undefined;
  }

  /** Whether a subscriber becomes live. At the end of the log it joins first, then reads the records that arrived before it joined. */
  #arrives(subscriber: Subscriber): boolean {
    if (subscriber.joinedAt === undefined && subscriber.position >= this.#parts.journal.durableLsn) this.#parts.join(subscriber);
    if (subscriber.joinedAt === undefined || subscriber.position < subscriber.joinedAt) return false;
    this.#behind.delete(subscriber);
    subscriber.goLive();
    this.#parts.serve(subscriber);
    return true;
  }

  async #readFor(first: Subscriber): Promise<void> {
    const { state, journal, folder, worker, log } = this.#parts;
    const { part } = first;
    const from = first.position + 1;
    const to = first.joinedAt ?? journal.durableLsn;
    let piece: LogPiece | undefined;
    let accounts: string[] = [];
    try {
      await durableAtLast(journal, to);
      accounts = [...new Set(this.#group(from, to, part).map(({ subscription }) => subscription.accountId))];
      const { lineage } = journal;
      piece = await worker.read({ folder, lineage, runs: state.runs.between(from, to), from, to, part, accounts });
    } catch (error) {
      if (first.over) return;
      // Live subscribers do not depend on the log.
      log.warn({ err: error }, 'cannot read the log for a subscriber; sent reset');
    }
    if (piece !== undefined) await this.#hand(piece, { from, part, accounts });
    else for (const subscriber of this.#behind) if (subscriber.isDrained && subscriber.position < from) this.#reset(subscriber);
  }

  /**
   * The subscribers that a piece serves, which begins with part `part` of record `from`. Within a large record, a subscriber shares a piece
   * only with subscribers at the same part.
   */
  #group(from: number, to: number, part: number): Subscriber[] {
    const isInPiece = (subscriber: Subscriber): boolean =>
      part > 0 || subscriber.part > 0
        ? subscriber.position + 1 === from && subscriber.part === part
        : subscriber.position + 1 >= from && subscriber.position < to;
    return [...this.#behind].filter((subscriber) => subscriber.isDrained && isInPiece(subscriber));
  }

  /** Queues a piece for its subscribers, in slices: there may be thousands. */
  async #hand({ to, part, records }: LogPiece, request: Pick<LogEventsRequest, 'from' | 'part' | 'accounts'>): Promise<void> {
    const texts = records
      .filter(({ texts }) => texts?.text !== '')
      .map((record) => ({ record, text: QueuedEvent.of(record, record.texts ?? noTexts) }));
    const end = part > 0 ? to + 1 : to;
    for (const subscriber of this.#group(request.from, end, request.part)) {
      if (this.#parts.slice.isOver) await setImmediate();
      // The subscriber has ended meanwhile.
      if (!this.#behind.has(subscriber)) continue;
      // The subscriber came during the read, which skipped the records of its account.
      if (!request.accounts.includes(subscriber.subscription.accountId)) continue;
      const until = Math.min(end, subscriber.joinedAt ?? end);
      const mine = texts.filter(
        ({ record: { lsn }, record }) => lsn > subscriber.position && lsn <= until && subscriber.isFor(record),
      );
      // Moves it to the end of the queue.
      this.#behind.delete(subscriber);
      if (mine.some(({ record }) => record.texts === undefined)) {
        this.#reset(subscriber);
        continue;
      }
      this.#behind.add(subscriber);
      subscriber.position = Math.min(to, until);
      subscriber.part = until > to ? part : 0;
      for (const { text } of mine) subscriber.give(text, true);
      this.#parts.serve(subscriber);
    }
    this.#parts.enforceLimit();
  }

  #reset(subscriber: Subscriber): void {
    this.#behind.delete(subscriber);
    subscriber.part = 0;
    this.#parts.reset(subscriber);
  }
}
