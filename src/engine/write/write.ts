/**
 * A write, from command to result, in the order in which it happens:
 *
 *     check ─▶ lock ─▶ decide ─▶ commit: encode, append, apply, publish ─▶ present ─▶ unlock ─▶ wait until durable ─▶ return
 *                      └──────── one turn, or slices that only the same project waits for ────────┘
 *
 * From append to present nothing else runs, so log order is decision order. The lock is not held while the disk works: writes to one
 * project pipeline and share syncs. No result, a rejection or a "not found" included, is returned before everything it depends on is
 * durable.
 */
import { randomBytes } from 'node:crypto';
import { inSlices } from '../../lib/async/cooperative.ts';
import { RecordTooLargeError, StoppedError } from '../../lib/errors.ts';
import type { Fault } from '../../lib/field-error.ts';
import { diagnostics, requestHere } from '../../lib/observability/diagnostics.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { idSource } from '../../lib/text/ids.ts';
import type { Change } from '../../model/change.ts';
import { type BodyCheck, check, countElements, FaultList } from '../../model/check-body.ts';
import { encodeRecord, runIdLength } from '../../model/record.ts';
import type { Compat } from '../../model/resource.ts';
import { adoptProject, applyRecord } from '../../store/apply.ts';
import { findAccount } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { Deposit, Journal } from '../../wal/journal.ts';
import { type Command, type Context, lockName, type ProjectName, projectOf, resourceAt, type Target } from '../command.ts';
import type { Feed } from '../feed/feed.ts';
import { Locks } from '../lock.ts';
import { growthOf } from '../memory/change-estimate.ts';
import type { Memory } from '../memory/memory-budget.ts';
import type { MadeProject } from '../projects/detached-project.ts';
import { decide } from './decide.ts';
import { type Batch, type BatchOutcome, type BatchShow, checkBatch, countBatch, decideBatch } from './decide-batch.ts';
import { isLarge, type PreparedRecord, prepareRecord } from './prepare-record.ts';
import { type Bounds, refuseBeyondQuota, refuseProject } from './quotas.ts';

/** The result of a command. `shown` is what the caller's `present` returned. */
export type Outcome<T> =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly outcome: 'done'; readonly shown: T };

/** The decision about an account, or a project, that does not exist. */
type Missing = { readonly outcome: 'missing'; readonly version: number; readonly at: undefined };

export interface WriterParts {
  readonly state: State;
  readonly journal: Journal;
  readonly memory: Memory;
  /** Receives every record. */
  readonly feed: Feed;
  /** Elements that the collections in one body may hold together. */
  readonly elementsMax: number;
  /** Memory limit of one account's stored responses, in bytes. */
  readonly answersBytesMax: number;
  /** Quotas of accounts that have no quotas of their own. */
  readonly quotas: Bounds;
  /** API version of bodies, responses and references. Stored data does not depend on it. */
  readonly compat: Compat;
  /** The host's additional check of bodies; `undefined` for none. */
  readonly bodyCheck?: BodyCheck | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called once when memory and log may disagree: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export class Writer {
  readonly #parts: WriterParts;
  readonly #state: State;
  readonly #journal: Journal;
  readonly #memory: Memory;
  readonly #locks = new Locks();
  readonly #ids;
  /** The id of this start of the server. An old copy of the folder that is opened elsewhere gets another one. */
  readonly #runId = randomBytes(runIdLength).toString('hex');
  #failed = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#journal = parts.journal;
    this.#memory = parts.memory;
    this.#ids = idSource(parts.clock);
    this.#ids.seen(parts.state.newestId);
  }

  /**
   * Executes a command durably.
   *
   * Throws {@link RecordTooLargeError}, MemoryFullError, NoSpaceError, BusyError, QuotaError with nothing changed, and StoppedError when
   * the journal has stopped.
   *
   * @param present makes the result from the state, in the turn in which the state changed
   */
  async execute<T>(command: Command, present: (state: State, written: Target) => T): Promise<Outcome<T>> {
    this.refuseWhenFailed();
    const checking = this.#check(command);
    const faults = checking instanceof Promise ? await checking : checking;
    const project = projectOf(command.target);
    const lock = lockName(project);
    const wait = this.#locks.acquire(lock);
    if (wait !== undefined) await wait;
    let outcome: Outcome<T>;
    let lsn: number;
    try {
      const deciding = inSlices(decide(this.#state, command, faults, this.context()));
      const decided = deciding instanceof Promise ? await deciding : deciding;
      const preparing = this.#prepare(project, decided);
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      const isSliced = deciding instanceof Promise || preparing instanceof Promise;
      const decision = isSliced ? this.#unlessDeleted(project, decided) : decided;
      lsn = decision.version;
      if (decision.outcome !== 'done') outcome = decision;
      else {
        if (decision.changes.length > 0) lsn = this.#commitPrepared(decision.changes, prepared);
        outcome = { outcome: 'done', shown: present(this.#state, decision.target) };
      }
    } finally {
      this.#locks.release(lock);
    }
    const durable = this.#journal.durable(lsn);
    if (durable !== undefined) await durable;
    return outcome;
  }

  /**
   * Executes a batch durably, as one record. The steps and the errors are those of {@link execute}.
   *
   * @param faults of reading the document
   */
  async batch<T>(batch: Batch, faults: FaultList, show: BatchShow<T>): Promise<BatchOutcome<T>> {
    this.refuseWhenFailed();
    this.#refuseElements(countBatch(batch));
    const checking = inSlices(checkBatch(batch, faults, this.#parts.compat, this.#parts.bodyCheck));
    if (checking instanceof Promise) await checking;
    const lock = lockName(batch);
    const wait = this.#locks.acquire(lock);
    if (wait !== undefined) await wait;
    let outcome: BatchOutcome<T>;
    let lsn: number;
    try {
      const deciding = inSlices(decideBatch(this.#state, batch, faults, this.context(), show));
      const decided = deciding instanceof Promise ? await deciding : deciding;
      const preparing = this.#prepare(batch, decided);
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      const isSliced = deciding instanceof Promise || preparing instanceof Promise;
      const decision = isSliced ? this.#unlessDeleted(batch, decided) : decided;
      lsn = decision.version;
      if (decision.outcome !== 'done') outcome = decision;
      else {
        const { changes, results, version } = decision;
        if (changes.length > 0) lsn = this.#commitPrepared(changes, prepared);
        const changesProject = changes.some(({ op }) => op !== 'put-answer');
        outcome = { outcome: 'done', results, version: changesProject ? lsn : version };
      }
    } finally {
      this.#locks.release(lock);
    }
    const durable = this.#journal.durable(lsn);
    if (durable !== undefined) await durable;
    return outcome;
  }

  /**
   * Logs changes as one record and applies them. Call it in the turn in which they were decided or, under the same lock, prepared.
   *
   * @param prepared the record of these changes with {@link runStart}, if it is prepared
   * @returns the record's LSN, not durable yet
   */
  commit(changes: readonly Change[], prepared?: PreparedRecord): number {
    this.refuseWhenFailed();
    refuseBeyondQuota(this.#state, changes, this.#parts.quotas);
    const logged = prepared?.changes ?? this.#withRunStart(changes);
    const record = prepared?.encoded ?? encodeRecord({ time: this.#parts.clock(), changes: logged });
    this.#memory.admit(record.byteLength, () => prepared?.weight ?? growthOf(this.#state, changes));
    const lsn = this.#journal.append(record);
    try {
      applyRecord(this.#state, lsn, logged);
      this.#memory.settle();
    } catch (error) {
      this.#disagree(error);
    }
    this.#publish(lsn, changes, record.byteLength);
    return lsn;
  }

  /** The change that the next record must have at its end: the start of this run, until a record has it. */
  get runStart(): Change | undefined {
    return this.#state.runs.newest?.id === this.#runId ? undefined : { op: 'start-run', id: this.#runId };
  }

  /** Throws a QuotaError as {@link adopt} would. Call it before a large record is written. */
  refuseBeyondQuota({ project }: MadeProject): void {
    const account = this.#state.accounts.get(project.accountId);
    if (account !== undefined) refuseProject(account, project, this.#parts.quotas);
  }

  /**
   * Logs a new project that was built apart and puts it into the state. Its account must exist. Throws as {@link commit} does.
   *
   * @param record encoded, with {@link runStart}; or deposited
   * @returns the record's LSN, not durable yet
   */
  adopt(made: MadeProject, record: Uint8Array | Deposit): number {
    this.refuseWhenFailed();
    this.refuseBeyondQuota(made);
    this.#memory.admit(record.byteLength, () => made.weight);
    const lsn = record instanceof Uint8Array ? this.#journal.append(record) : this.#journal.appendDeposit(record);
    try {
      adoptProject(this.#state, lsn, made.project, made.newestId, made.rest);
      this.#memory.settle();
    } catch (error) {
      this.#disagree(error);
    }
    this.#publish(lsn, made.changes, record.byteLength);
    return lsn;
  }

  context(): Context {
    const { clock, answersBytesMax, compat } = this.#parts;
    return { now: clock(), answersBytesMax, compat, newId: () => this.#ids.next() };
  }

  /** Throws a StoppedError after memory and log disagreed. */
  refuseWhenFailed(): void {
    if (this.#failed) throw new StoppedError('the engine has stopped');
  }

  /** Checks the body before the lock is taken. Bounds what the body would grow to before anything is built from it. */
  #check(command: Command): FaultList | Promise<FaultList> {
    // A create always grows: when there is no room, no work is done for it.
    if (command.action === 'create') this.#memory.refuseUnlessFits(1);
    if (command.action === 'delete') return new FaultList();
    const { compat, bodyCheck } = this.#parts;
    const faults = new FaultList(command.faults);
    const resource = resourceAt(command.target);
    this.#refuseElements(countElements(resource, command.body));
    const checking = inSlices(check(resource, compat, command.action, command.body, faults, bodyCheck));
    return checking instanceof Promise ? checking.then(() => faults) : faults;
  }

  #refuseElements(elements: number): void {
    if (elements > this.#parts.elementsMax) {
      throw new RecordTooLargeError(`${elements} elements in one request; the limit is ${this.#parts.elementsMax}`);
    }
  }

  /** The record of a large decision, prepared in slices before the turn in which it is committed; `undefined` for a small one. */
  #prepare(
    { accountId }: ProjectName,
    { changes }: { readonly version: number; readonly changes?: readonly Change[] },
  ): PreparedRecord | undefined | Promise<PreparedRecord> {
    if (changes === undefined || !isLarge(changes)) return undefined;
    const { clock, quotas } = this.#parts;
    return inSlices(prepareRecord(this.#state, accountId, this.#withRunStart(changes), clock(), quotas));
  }

  #commitPrepared(changes: readonly Change[], prepared: PreparedRecord | undefined): number {
    if (prepared?.project === undefined) return this.commit(changes, prepared);
    return this.adopt(prepared.project, prepared.encoded);
  }

  #withRunStart(changes: readonly Change[]): readonly Change[] {
    const { runStart } = this;
    return runStart === undefined ? changes : [...changes, runStart];
  }

  /** A decision that took several slices is void if its account was deleted meanwhile, since that takes no project's lock. */
  #unlessDeleted<D>({ accountId }: ProjectName, decision: D): D | Missing {
    const { value: account, version } = findAccount(this.#state, accountId);
    return account === undefined ? { outcome: 'missing', version, at: undefined } : decision;
  }

  /** Publishes a record. It is applied, and on its way to the disk: an error here must not fail its request. */
  #publish(lsn: number, changes: readonly Change[], bytes: number): void {
    const { feed, log } = this.#parts;
    try {
      feed.committed(lsn, changes, bytes);
    } catch (error) {
      feed.failed(lsn, undefined, error);
    }
    try {
      if (diagnostics.commit.hasSubscribers)
        diagnostics.commit.publish({ lineage: this.#journal.lineage, lsn, bytes, request: requestHere() });
    } catch (error) {
      log.error({ err: error, lsn }, 'a record was not published on mapwright:journal:commit');
    }
  }

  /** The journal has a record that memory does not show: only a restart can make them agree again. */
  #disagree(error: unknown): never {
    this.#failed = true;
    this.#parts.onFatal(error);
    throw new StoppedError('a record could not be applied');
  }
}
