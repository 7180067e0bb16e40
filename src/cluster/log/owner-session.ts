/**
 * An owner at work: runs the state machines of `protocol/` over two connections, one for the log and one for the lease. Both are driven from the
 * main thread: a lease that another thread renews would keep a process owner whose main thread hangs.
 *
 *     append()  a batch at a time; resolves when it is acknowledged, however long the database is away
 *     gate()    whether a response may be sent now: the lease holds, or a renewal that was sent after the call succeeds
 *
 * It ends when another process has the token (`gone`) or the database lacks an acknowledged batch (`lost`). Until then it reconnects.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../lib/async/deferred.ts';
import { NotOwnerError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { Connection } from '../database/database-connection.ts';
import { LostRecordsError } from '../database/database-errors.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import type { BatchBytes } from '../database/owner-statements.ts';
import * as statements from '../database/owner-statements.ts';
import type { Durability } from '../database/tables.ts';
import type { LogAnswer } from '../protocol/append.ts';
import * as protocol from '../protocol/owner.ts';
import type { Batch, Position, Token } from '../protocol/terms.ts';
import { now, pauseFor } from './clock.ts';
import { DrivenConnection, pauseMs } from './driven-connection.ts';
import { LeaseWaiters } from './lease-waiters.ts';
import { OwnerCounters } from './owner-counters.ts';

export interface OwnerOptions {
  readonly url: DatabaseUrl;
  readonly durability: Durability;
  readonly shard: number;
  /** From the claim. */
  readonly token: Token;
  readonly timeline: string;
  /** The end of the log that this process has read. */
  readonly acknowledged: Position;
  readonly leaseMs: number;
  readonly log: Log;
  readonly counters?: OwnerCounters;
  /** Called once: the token is gone, or records are lost. */
  readonly onEnded: (error: NotOwnerError | LostRecordsError) => void;
  /** Called with each renewal while an operator asks this owner to hand over. */
  readonly onAsked?: () => void;
}

/** Renewals in one lease. */
const renewalsPerLease = 3;

export class OwnerSession {
  readonly #options: OwnerOptions;
  #owner: protocol.Owner;
  #bytes: BatchBytes | undefined;
  #appended: Deferred<void> | undefined;
  /** When the batch under way was submitted, by `performance.now()`. */
  #submittedAt = 0;
  readonly #counters: OwnerCounters;
  readonly #waiters = new LeaseWaiters();
  readonly #released = new Deferred<void>();
  readonly #ended: Promise<unknown>;
  #isClosed = false;
  /** When the next renewal is due, by `performance.now()`. */
  #renewAt = 0;
  /** Refusals of the batch under way, which lengthen the pause before it is sent again. */
  #refusals = 0;
  /** How the database answered the batch under way last, unless it acknowledged it. */
  refusal: string | undefined;
  /** The newest row of the log, as it was seen last. */
  #newest: Position | undefined;
  readonly #logConnection: DrivenConnection;
  readonly #leaseConnection: DrivenConnection;
  /** Why the session ended; `undefined` while this process owns the shard. */
  ended: NotOwnerError | LostRecordsError | undefined;
  readonly #over = new Deferred<void>();
  /** Resolves when the session ends. */
  readonly over: Promise<void> = this.#over.promise;

  constructor(options: OwnerOptions) {
    this.#options = options;
    this.#counters = options.counters ?? new OwnerCounters();
    this.#owner = protocol.newOwner(options.token, options.timeline, options.acknowledged);
    const { url, durability, log } = options;
    const shared = { url, durability, log, idleMs: () => this.#idleMs, isOver: () => this.#isOver };
    this.#logConnection = new DrivenConnection({
      ...{ ...shared, purpose: 'log' },
      connected: () => this.#set(protocol.logConnected(this.#owner)),
      broken: () => this.#set(protocol.logBroken(this.#owner)),
      step: (connection) => this.#logStep(connection),
    });
    this.#leaseConnection = new DrivenConnection({
      ...{ ...shared, purpose: 'lease' },
      connected: () => this.#set(protocol.leaseConnected(this.#owner)),
      broken: () => this.#set(protocol.leaseBroken(this.#owner)),
      step: (connection) => this.#leaseStep(connection),
    });
    this.#ended = Promise.all([this.#logConnection.run(), this.#leaseConnection.run()]);
  }

  get shard(): number {
    return this.#options.shard;
  }

  get token(): Token {
    return this.#owner.appender.token;
  }

  /** The timeline in which this owner acknowledges. */
  get timeline(): string {
    return this.#owner.appender.timeline;
  }

  /** The end of the last acknowledged batch. */
  get acknowledged(): Position {
    return this.#owner.appender.acknowledged;
  }

  /** Milliseconds until the lease ends; 0 if it has ended. */
  get leaseLeftMs(): number {
    const { renewedAt } = this.#owner.lease;
    return renewedAt === undefined ? 0 : Math.max(0, renewedAt.monotonicMs + this.#options.leaseMs - performance.now());
  }

  /**
   * Appends a batch that follows the last one. Resolves when it is acknowledged; waits while the database is away. Rejects with
   * {@link NotOwnerError} or {@link LostRecordsError} when the session ends: the batch may be in the log, or not.
   */
  append(batch: Batch, bytes: BatchBytes): Promise<void> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    this.#bytes = bytes;
    this.#refusals = 0;
    this.#submittedAt = performance.now();
    this.#appended = new Deferred<void>();
    const { promise } = this.#appended;
    this.#set(protocol.submitted(this.#owner, batch));
    return promise;
  }

  /**
   * Whether a response may be sent whose state was read before this call: `undefined` if it may. Otherwise resolves after a renewal that was
   * sent later, or rejects with UnprovenError after one lease, and with {@link NotOwnerError} when the session ends.
   */
  gate(): Promise<void> | undefined {
    const asked = now();
    if (protocol.mayAnswer(this.#owner, this.#options.leaseMs, asked, asked)) return undefined;
    if (this.ended !== undefined || this.#owner.isReleasing) return Promise.reject(new NotOwnerError());
    const proven = this.#waiters.add(asked, this.#options.leaseMs);
    this.#renewAt = 0;
    this.#leaseConnection.wake();
    return proven;
  }

  /** Answers nothing more; resolves when the batch under way is settled and others may claim at once, or when the session has ended. */
  release(): Promise<void> {
    this.#set(protocol.releasing(this.#owner));
    this.#waiters.reject(new NotOwnerError());
    this.#renewAt = 0;
    return this.#released.promise;
  }

  /** Drops the connections. A statement under way may still commit. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end(new NotOwnerError());
    this.#logConnection.close();
    this.#leaseConnection.close();
    await this.#ended;
  }

  // The two connections

  /** Milliseconds after which time alone may make a statement due: a renewal, or the end of a silence. */
  get #idleMs(): number {
    return Math.min(this.#options.leaseMs / renewalsPerLease, Math.max(1, this.#renewAt - performance.now()));
  }

  #logStep(connection: Connection): Promise<void> | undefined {
    const { leaseMs, shard } = this.#options;
    const due = protocol.logDue(this.#owner, leaseMs, now());
    if (due === undefined) return undefined;
    const { appender } = this.#owner;
    const { batch, token, acknowledged, foundTimeline } = appender;
    const isRepetition = due === 'append' && this.#refusals > 0;
    const send = async (): Promise<LogAnswer> => {
      switch (due) {
        case 'check':
        case 'look':
          return { to: due, ...(await statements.check(connection, shard, acknowledged)) };
        case 'append':
          return {
            to: due,
            answer: await statements.append(connection, shard, token, batch as Batch, this.#bytes as BatchBytes),
          };
        case 'settle':
          return { to: due, ...(await statements.settle(connection, shard, token, foundTimeline)) };
      }
    };
    return (async () => {
      if (isRepetition) {
        // The database refuses for a reason that lasts: no standby is configured, or it is full.
        await delay(pauseFor(this.#refusals, pauseMs));
        await this.#bytes?.putAgain?.();
        if (this.#isOver || protocol.logDue(this.#owner, leaseMs, now()) !== due) return;
      }
      this.#owner = protocol.logSent(this.#owner, leaseMs, now());
      const answer = await send();
      this.#onLogAnswer(answer);
    })();
  }

  #onLogAnswer(answer: LogAnswer): void {
    const { batch } = this.#owner.appender;
    if ('newest' in answer) this.#newest = answer.newest;
    this.#set(protocol.logAnswered(this.#owner, answer));
    if (batch === undefined || this.ended !== undefined) return;
    if (this.#owner.appender.batch === undefined) {
      this.#bytes = undefined;
      this.refusal = undefined;
      this.#counters.appendDurations.observe((performance.now() - this.#submittedAt) / 1000);
      this.#appended?.resolve();
      return;
    }
    if (answer.to !== 'append') return;
    this.#refusals++;
    this.#counters.unacknowledgedAppends++;
    const reason = 'code' in answer.answer ? answer.answer.code : `${answer.answer.rows} rows`;
    this.refusal = reason;
    this.#options.log.warn(
      { lsn: batch.end.lsn, answer: reason },
      'the database did not acknowledge a batch: reading what became of it',
    );
  }

  #leaseStep(connection: Connection): Promise<void> | undefined {
    const { leaseMs } = this.#options;
    const sentAt = now();
    const due = protocol.leaseDue(this.#owner, leaseMs, sentAt);
    if (due === undefined || (due === 'renew' && sentAt.monotonicMs < this.#renewAt)) return undefined;
    const { token, acknowledged } = this.#owner.appender;
    if (due === 'renew') this.#renewAt = sentAt.monotonicMs + leaseMs / renewalsPerLease;
    this.#owner = protocol.leaseStatementSent(this.#owner, leaseMs, sentAt);
    const { renewedAt } = this.#owner.lease;
    const answering = async () => {
      const answer = await this.#leaseAnswer(connection, due, token.owner, acknowledged);
      if (answer.to === 'check') this.#newest = answer.newest;
      this.#set(protocol.leaseAnswered(this.#owner, answer));
      this.#answerWaiters();
      // One attempt in a while: what is wrong may last, and the log connection settles it.
      if (due === 'check' && this.#owner.lease.phase === 'checking' && !this.#isOver) await delay(pauseMs.min);
    };
    if (due !== 'renew') return answering();
    this.#counters.renewals++;
    return answering().finally(() => {
      if (this.#owner.lease.renewedAt === renewedAt) this.#counters.failedRenewals++;
    });
  }

  async #leaseAnswer(
    connection: Connection,
    due: protocol.LeaseStatement,
    owner: string,
    acknowledged: Position,
  ): Promise<protocol.LeaseAnswer> {
    const { shard, onAsked } = this.#options;
    if (due === 'check') return { to: due, asked: acknowledged, ...(await statements.check(connection, shard, acknowledged)) };
    if (due === 'release') return { to: due, answer: await statements.release(connection, shard, owner) };
    const { answer, isAsked } = await statements.renew(connection, shard, owner);
    if (isAsked) onAsked?.();
    return { to: due, answer };
  }

  // Ends

  get #isOver(): boolean {
    return this.#isClosed || this.ended !== undefined;
  }

  #set(owner: protocol.Owner): void {
    this.#owner = owner;
    const status = protocol.statusOf(owner);
    if (status !== 'owner') {
      this.#end(status === 'gone' ? new NotOwnerError() : new LostRecordsError(this.#lossText()));
    }
    this.#wake();
  }

  #lossText(): string {
    const { lsn } = this.acknowledged;
    const { lsn: newest = 0 } = this.#newest ?? {};
    const found =
      newest < lsn
        ? `The log in the database ends with record ${newest}, and record ${lsn} was acknowledged: records ${newest + 1} to ${lsn} are lost.`
        : `The log in the database holds other records up to ${newest} than those that were acknowledged up to ${lsn}.`;
    return `${found} No node serves before an operator decides: mapwright cluster fork --help`;
  }

  #end(error: NotOwnerError | LostRecordsError): void {
    if (this.ended !== undefined) return;
    this.ended = error;
    this.#appended?.promise.catch(() => undefined);
    this.#appended?.reject(error);
    // Clients get the same response in both cases: this node does not answer any more.
    this.#waiters.reject(new NotOwnerError());
    this.#released.resolve();
    this.#over.resolve();
    this.#wake();
    if (!this.#isClosed) this.#options.onEnded(error);
  }

  #answerWaiters(): void {
    const moment = now();
    this.#waiters.answer((asked) => protocol.mayAnswer(this.#owner, this.#options.leaseMs, asked, moment));
    // A request asked after the renewal was sent: the next one proves it.
    if (this.#waiters.size > 0) this.#renewAt = 0;
  }

  #wake(): void {
    this.#logConnection.wake();
    this.#leaseConnection.wake();
  }
}
