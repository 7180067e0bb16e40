/**
 * Followers who were away read the log until they join the others. They read it together: a piece that is read for one goes to all who
 * are within it, so that a thousand who come back after a restart cost about as much as one.
 *
 * Nobody keeps the log from being deleted by reading it slowly: who loses that race is told to begin anew.
 */
import { setImmediate } from 'node:timers/promises';
import type { TurnSlice } from '../../lib/async/cooperative.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { ApiVersion } from '../../model/resource.ts';
import type { State } from '../../store/state.ts';
import { durableAtLast, type Journal } from '../../wal/journal.ts';
import { QueuedEvent } from './event-backlog.ts';
import type { LogEventsRequest, LogPiece } from './log-events.ts';
import type { LogReaderWorker } from './log-reader-worker.ts';
import type { Subscriber } from './subscriber.ts';

export interface CatchUpParts {
  readonly state: State;
  readonly journal: Journal;
  readonly folder: string;
  readonly crew: LogReaderWorker;
  readonly log: Log;
  readonly compat: ApiVersion;
  /** Lets it be told everything from the next record on. */
  join(follower: Subscriber): void;
  /** It cannot go on from where it was. */
  reset(follower: Subscriber): void;
  /** It has something to be written. */
  serve(follower: Subscriber): void;
  /** More texts wait than before. */
  bound(): void;
  /** What all of the feed may do in a turn of the event loop. */
  readonly slice: TurnSlice;
}

export class CatchUp {
  readonly #parts: CatchUpParts;
  /** Who has waited longest comes first. */
  readonly #behind = new Set<Subscriber>();
  #running = false;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  add(follower: Subscriber): void {
    this.#behind.add(follower);
    this.goOn();
  }

  delete(follower: Subscriber): void {
    this.#behind.delete(follower);
  }

  /** To be called when one of them has taken what it was given. */
  goOn(): void {
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
        'subscribers that read the log were cut off: they come again, and go on where they were',
      );
      for (const follower of this.#behind) follower.disconnect();
    } finally {
      this.#running = false;
    }
  }

  #next(): Subscriber | undefined {
    for (const follower of this.#behind) if (follower.isDrained) return follower;
    return undefined;
  }

  /** Whether it has read all there is; it joins the others first, and then reads what came until it did. */
  #arrives(follower: Subscriber): boolean {
    if (follower.joinedAt === undefined && follower.position >= this.#parts.journal.durableLsn) this.#parts.join(follower);
    if (follower.joinedAt === undefined || follower.position < follower.joinedAt) return false;
    this.#behind.delete(follower);
    follower.goLive();
    this.#parts.serve(follower);
    return true;
  }

  async #readFor(first: Subscriber): Promise<void> {
    const { state, journal, folder, crew, log, compat } = this.#parts;
    const { part } = first;
    const from = first.position + 1;
    const to = first.joinedAt ?? journal.durableLsn;
    let piece: LogPiece | undefined;
    let accounts: string[] = [];
    try {
      await durableAtLast(journal, to);
      accounts = [...new Set(this.#group(from, to, part).map(({ wants }) => wants.accountId))];
      const { lineage } = journal;
      piece = await crew.read({ folder, lineage, runs: state.runs.between(from, to), from, to, part, accounts, compat });
    } catch (error) {
      if (first.over) return;
      // Whatever became of the log, those who follow live need nothing of it.
      log.warn({ err: error }, 'the log could not be read for somebody who follows it, and is told to begin anew');
    }
    if (piece !== undefined) await this.#hand(piece, { from, part, accounts });
    else for (const follower of this.#behind) if (follower.isDrained && follower.position < from) this.#giveUp(follower);
  }

  /** Those whom a piece of the log helps on, which begins with that part of a record; who is within one is where it is alone. */
  #group(from: number, to: number, part: number): Subscriber[] {
    const isThere = (follower: Subscriber): boolean =>
      part > 0 || follower.part > 0
        ? follower.position + 1 === from && follower.part === part
        : follower.position + 1 >= from && follower.position < to;
    return [...this.#behind].filter((follower) => follower.isDrained && isThere(follower));
  }

  /** In slices: a piece may be for thousands. */
  async #hand({ to, part, records }: LogPiece, asked: Pick<LogEventsRequest, 'from' | 'part' | 'accounts'>): Promise<void> {
    const texts = records
      .filter(({ text }) => text !== '')
      .map((record) => ({ record, text: new QueuedEvent(record.lsn, Buffer.from(record.text ?? ''), record.isLast) }));
    const end = part > 0 ? to + 1 : to;
    for (const follower of this.#group(asked.from, end, asked.part)) {
      if (this.#parts.slice.isOver) await setImmediate();
      // One that is over since.
      if (!this.#behind.has(follower)) continue;
      // One who came while it was read, for whom nothing was looked for in it.
      if (!asked.accounts.includes(follower.wants.accountId)) continue;
      const until = Math.min(end, follower.joinedAt ?? end);
      const mine = texts.filter(
        ({ record: { lsn }, record }) => lsn > follower.position && lsn <= until && follower.isFor(record),
      );
      // To the end of the row.
      this.#behind.delete(follower);
      if (mine.some(({ record }) => record.text === undefined)) {
        this.#giveUp(follower);
        continue;
      }
      this.#behind.add(follower);
      follower.position = Math.min(to, until);
      follower.part = until > to ? part : 0;
      for (const { text } of mine) follower.give(text, true);
      this.#parts.serve(follower);
    }
    this.#parts.bound();
  }

  #giveUp(follower: Subscriber): void {
    this.#behind.delete(follower);
    follower.part = 0;
    this.#parts.reset(follower);
  }
}
