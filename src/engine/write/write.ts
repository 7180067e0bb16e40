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
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { RecordTooLargeError, StoppedError } from '../../lib/errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { currentRequest, diagnostics } from '../../lib/observability/diagnostics.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { idSource } from '../../lib/text/ids.ts';
import { type BodyCheck, check, countElements, FieldErrorList } from '../../model/bodies/check-body.ts';
import type { Journal, PreparedRecord } from '../../storage/wal/journal.ts';
import { applyRecord, attachProject } from '../../store/apply.ts';
import { findAccount } from '../../store/find.ts';
import type { Change } from '../../store/operations/operations.ts';
import { encodeRecord, signed } from '../../store/operations/record.ts';
import { runIdLength } from '../../store/runs.ts';
import type { State } from '../../store/state.ts';
import {
  type Command,
  type Context,
  type Decision,
  lockName,
  type ProjectName,
  projectOf,
  resourceAt,
  type Target,
} from '../command.ts';
import type { Feed } from '../feed/feed.ts';
import { Locks } from '../lock.ts';
import { memoryGrowth } from '../memory/change-estimate.ts';
import type { MemoryBudget } from '../memory/memory-budget.ts';
import { type BuiltRecord, buildRecord, isLarge } from './build-record.ts';
import { decide } from './decide.ts';
import { type Batch, type BatchOutcome, type BatchShow, checkBatch, countBatch, decideBatch } from './decide-batch.ts';
import type { DetachedProject } from './detached-project.ts';
import { type Bounds, refuseBeyondQuota, refuseProject } from './quotas.ts';
import { isPatch } from './resolve-patch.ts';

/** The result of a command. `shown` is what the caller's `present` returned. */
export type WriteOutcome<T> =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'invalid'; readonly fieldErrors: readonly FieldError[] }
  | { readonly outcome: 'done'; readonly shown: T };

/** A record that was built before the turn in which it is committed. */
interface CommittedRecord extends Pick<BuiltRecord, 'changes' | 'weight'> {
  readonly encoded: Uint8Array | PreparedRecord;
}

interface TransactOptions {
  /** What must be done under the lock before the decision: other writes to the project wait for it. */
  readonly preparing?: (() => Promise<void>) | undefined;
  /** Whether a record that is larger than a segment gets one of its own. Otherwise the change is a {@link RecordTooLargeError}. */
  readonly hasOwnSegment?: boolean;
}

/** The common members of decisions about one command and about a batch. */
interface AnyDecision {
  /** LSN of the newest record that the decision depends on. */
  readonly version: number;
  /** The changes, if it is decided to change something; none if nothing differs. */
  readonly changes?: readonly Change[];
  readonly replaces?: boolean;
}

/** The decision about an account, or a project, that does not exist. */
type Missing = { readonly outcome: 'missing'; readonly version: number; readonly at: undefined };

/** Why a record is committed. */
export interface Cause {
  /** The person of the request, or the public part of its key; '' for none. */
  readonly by: string;
  /** Whether the request replaces a whole collection. */
  readonly replaces: boolean;
}

const unknownCause: Cause = { by: '', replaces: false };

/** A decision, with its record if that was built already. */
interface Decided<D> {
  readonly decision: D;
  readonly built: BuiltRecord | undefined;
}

export interface WriterParts {
  readonly state: State;
  readonly journal: Journal;
  readonly memory: MemoryBudget;
  /** Receives every record. */
  readonly feed: Feed;
  /** Elements that the collections in one body may hold together. */
  readonly elementsMax: number;
  /** Memory limit of one account's stored responses, in bytes. */
  readonly responsesBytesMax: number;
  /** Quotas of accounts that have no quotas of their own. */
  readonly quotas: Bounds;
  /** The host's additional check of bodies; `undefined` for none. */
  readonly bodyCheck?: BodyCheck | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called once when memory and log may disagree: the process must end. */
  readonly onFatal: (error: unknown) => void;
  /** Called with each record's changes, in its turn, before they are applied; not with those of {@link Writer.attach}. Must not throw. */
  readonly onCommit?: ((changes: readonly Change[], cause: Cause) => void) | undefined;
}

export class Writer {
  readonly #parts: WriterParts;
  readonly #state: State;
  readonly #journal: Journal;
  readonly #memory: MemoryBudget;
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
   * Throws, or rejects with, {@link RecordTooLargeError}, MemoryFullError, NoSpaceError, BusyError, QuotaError with nothing changed, and StoppedError when
   * the journal has stopped.
   *
   * @param present makes the result from the state, in the turn in which the state changed
   */
  execute<T>(command: Command, present: (state: State, written: Target) => T): Promise<WriteOutcome<T>> {
    this.refuseWhenFailed();
    const { accountId, projectId } = projectOf(command.target);
    const transact = (fieldErrors: FieldErrorList) =>
      this.transact(
        { accountId, projectId, by: command.by },
        () => decide(this.#state, command, fieldErrors, this.context()),
        present,
      );
    const checking = this.#check(command);
    return checking instanceof Promise ? checking.then(transact) : transact(checking);
  }

  /**
   * Decides and commits one change of a project, under its lock: the part of {@link execute} after the check of a body.
   *
   * @param deciding makes the decision, in the turn in which the lock is taken, or when `preparing` is done
   */
  transact<T>(
    project: ProjectName & Pick<Command, 'by'>,
    deciding: () => Generator<void, Decision>,
    present: (state: State, written: Target) => T,
    options?: TransactOptions,
  ): Promise<WriteOutcome<T>> {
    const outcomeOf = (decision: Decision | Missing): WriteOutcome<T> => {
      if (decision.outcome === 'conflict') throw new Error('only an operation of a batch has identifiers and places');
      return decision.outcome === 'done' ? { outcome: 'done', shown: present(this.#state, decision.target) } : decision;
    };
    return this.#transact(project, deciding, outcomeOf, options);
  }

  /**
   * Executes a batch durably, as one record. The steps and the errors are those of {@link execute}.
   *
   * @param fieldErrors of reading the document
   */
  async batch<T>(batch: Batch, fieldErrors: FieldErrorList, show: BatchShow<T>): Promise<BatchOutcome<T>> {
    this.refuseWhenFailed();
    this.#refuseElements(countBatch(batch));
    const checking = runCooperatively(checkBatch(batch, fieldErrors, this.#parts.bodyCheck));
    if (checking instanceof Promise) await checking;
    const deciding = () => decideBatch(this.#state, batch, fieldErrors, this.context(), show);
    return await this.#transact(batch, deciding, (decision, lsn): BatchOutcome<T> => {
      if (decision.outcome !== 'done') return decision;
      const { changes, results, version } = decision;
      const changesProject = changes.some(({ op }) => op !== 'put-response');
      return { outcome: 'done', results, version: changesProject ? lsn : version };
    });
  }

  /**
   * Decides and commits under the lock of a project, and waits until what the outcome shows is durable.
   *
   * @param outcomeOf makes the outcome in the turn of the commit; it gets the LSN of the record, or of what a decision without one depends on
   */
  async #transact<D extends AnyDecision, Outcome>(
    project: ProjectName & Pick<Command, 'by'>,
    deciding: () => Generator<void, D>,
    outcomeOf: (decision: D | Missing, lsn: number) => Outcome,
    { preparing, hasOwnSegment = false }: TransactOptions = {},
  ): Promise<Outcome> {
    this.refuseWhenFailed();
    const lock = lockName(project);
    const wait = this.#locks.acquire(lock);
    if (wait !== undefined) await wait;
    let outcome: Outcome;
    let lsn: number;
    let prepared: PreparedRecord | undefined;
    try {
      if (preparing !== undefined) await preparing();
      const pending = runCooperatively(this.#withRecord(project, deciding()));
      let decided: Decided<D | Missing> = pending instanceof Promise ? this.#unlessDeleted(project, await pending) : pending;
      if (hasOwnSegment && decided.built !== undefined && decided.built.encoded.byteLength > this.#journal.recordBytesMax) {
        prepared = await this.#prepare(decided.built);
        decided = this.#unlessDeleted(project, decided);
      }
      const { decision, built } = decided;
      const { version, changes, replaces = false }: AnyDecision = decision;
      const isChange = changes !== undefined && changes.length > 0;
      lsn = isChange ? this.#commitBuilt(changes, built, { by: project.by ?? '', replaces }, prepared) : version;
      outcome = outcomeOf(decision, lsn);
    } finally {
      if (prepared !== undefined) this.#journal.abort(prepared);
      this.#locks.release(lock);
    }
    const durable = this.#journal.durable(lsn);
    if (durable !== undefined) await durable;
    return outcome;
  }

  /**
   * Logs changes as one record and applies them. Call it in the turn in which they were decided or, under the same lock, built.
   *
   * @param built the record of these changes with {@link runStart}, if it is built; it may be a prepared one
   * @returns the record's LSN, not durable yet
   */
  commit(changes: readonly Change[], built?: CommittedRecord, cause = unknownCause): number {
    this.refuseWhenFailed();
    refuseBeyondQuota(this.#state, changes, this.#parts.quotas);
    const logged = built?.changes ?? this.#withRunStart(signed(changes, cause.by));
    const record = built?.encoded ?? encodeRecord({ time: this.#parts.clock(), changes: logged });
    this.#memory.admit(record.byteLength, () => built?.weight ?? memoryGrowth(this.#state, changes));
    const lsn = record instanceof Uint8Array ? this.#journal.append(record) : this.#journal.commitPrepared(record);
    try {
      this.#parts.onCommit?.(changes, cause);
      applyRecord(this.#state, lsn, logged);
      this.#memory.repackLeaves();
    } catch (error) {
      this.#disagree(error);
    }
    this.#publish(lsn, logged, record.byteLength);
    return lsn;
  }

  /** The change that the next record must have at its end: the start of this run, until a record has it. */
  get runStart(): Change | undefined {
    return this.#state.runs.newest?.id === this.#runId ? undefined : { op: 'start-run', id: this.#runId };
  }

  /** Throws a QuotaError as {@link attach} would. Call it before a large record is written. */
  refuseBeyondQuota({ project }: DetachedProject): void {
    const account = this.#state.accounts.get(project.accountId);
    if (account !== undefined) refuseProject(this.#state, account, project, this.#parts.quotas);
  }

  /** Throws a QuotaError as {@link commit} would. Call it before a large record is written. */
  refuseChangesBeyondQuota(changes: readonly Change[]): void {
    refuseBeyondQuota(this.#state, changes, this.#parts.quotas);
  }

  /**
   * Logs a new project that was built detached and puts it into the state. Its account must exist. Throws as {@link commit} does.
   *
   * @param record the encoded record, with {@link runStart}, or a prepared one
   * @returns the record's LSN, not durable yet
   */
  attach(made: DetachedProject, record: Uint8Array | PreparedRecord): number {
    this.refuseWhenFailed();
    this.refuseBeyondQuota(made);
    this.#memory.admit(record.byteLength, () => made.weight);
    const lsn = record instanceof Uint8Array ? this.#journal.append(record) : this.#journal.commitPrepared(record);
    try {
      attachProject(this.#state, lsn, made.project, made.newestId, made.rest);
      this.#memory.repackLeaves();
    } catch (error) {
      this.#disagree(error);
    }
    this.#publish(lsn, made.changes, record.byteLength);
    return lsn;
  }

  context(): Context {
    const { clock, responsesBytesMax, bodyCheck } = this.#parts;
    return { now: clock(), responsesBytesMax, bodyCheck, newId: () => this.#ids.next(), noteId: (id) => this.#ids.seen(id) };
  }

  /** Throws a StoppedError after memory and log disagreed. */
  refuseWhenFailed(): void {
    if (this.#failed) throw new StoppedError('the engine has stopped');
  }

  /** Checks the body before the lock is taken. Bounds what the body would grow to before anything is built from it. */
  #check(command: Command): FieldErrorList | Promise<FieldErrorList> {
    // A create always grows: when there is no room, no work is done for it.
    if (command.action === 'create') this.#memory.refuseUnlessFits(1);
    if (command.action === 'delete') return new FieldErrorList();
    const { bodyCheck } = this.#parts;
    const fieldErrors = new FieldErrorList(command.fieldErrors);
    const resource = resourceAt(command.target);
    this.#refuseElements(countElements(resource, command.body));
    if (isPatch(command)) return fieldErrors;
    const checking = runCooperatively(check(resource, command.action, command.body, fieldErrors, bodyCheck));
    return checking instanceof Promise ? checking.then(() => fieldErrors) : fieldErrors;
  }

  #refuseElements(elements: number): void {
    if (elements > this.#parts.elementsMax) {
      throw new RecordTooLargeError(`${elements} elements in one request; the limit is ${this.#parts.elementsMax}`);
    }
  }

  /** Decides, and builds the record of a large decision: in slices, before the turn in which it is committed. */
  *#withRecord<D extends AnyDecision>(
    { accountId, by = '' }: ProjectName & Pick<Command, 'by'>,
    deciding: Generator<void, D>,
  ): Generator<void, Decided<D>> {
    const decision = yield* deciding;
    const { changes } = decision;
    if (changes === undefined || !isLarge(changes)) return { decision, built: undefined };
    const { clock, quotas } = this.#parts;
    const built = yield* buildRecord(this.#state, { accountId, by }, this.#withRunStart(changes), clock(), quotas);
    return { decision, built };
  }

  #commitBuilt(changes: readonly Change[], built: BuiltRecord | undefined, cause: Cause, prepared?: PreparedRecord): number {
    if (built === undefined) return this.commit(changes, undefined, cause);
    const encoded = prepared ?? built.encoded;
    return built.project === undefined ? this.commit(changes, { ...built, encoded }, cause) : this.attach(built.project, encoded);
  }

  /** Writes a record into a segment of its own, before its turn. */
  async #prepare({ changes, encoded }: BuiltRecord): Promise<PreparedRecord> {
    this.refuseChangesBeyondQuota(changes);
    return await this.#journal.prepare(encoded.byteLength, async (into) => runCooperatively(copied(encoded, into)));
  }

  #withRunStart(changes: readonly Change[]): readonly Change[] {
    const { runStart } = this;
    return runStart === undefined ? changes : [...changes, runStart];
  }

  /** A decision that took several slices is void if its account was deleted meanwhile, since that takes no project's lock. */
  #unlessDeleted<D>({ accountId }: ProjectName, decided: Decided<D>): Decided<D | Missing> {
    const { value: account, version } = findAccount(this.#state, accountId);
    return account === undefined ? { decision: { outcome: 'missing', version, at: undefined }, built: undefined } : decided;
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
        diagnostics.commit.publish({ lineage: this.#journal.lineage, lsn, bytes, request: currentRequest() });
    } catch (error) {
      log.error({ err: error, lsn }, 'a record was not published on mapwright:wal:commit');
    }
  }

  /** The journal has a record that memory does not show: only a restart can make them agree again. */
  #disagree(error: unknown): never {
    this.#failed = true;
    this.#parts.onFatal(error);
    throw new StoppedError('a record could not be applied');
  }
}

/** Bytes that are copied in one turn. */
const copiedBytes = 1024 * 1024;

/** Copies bytes in slices. */
function* copied(bytes: Uint8Array, into: Uint8Array): Generator<void, void> {
  for (let at = 0; at < bytes.byteLength; at += copiedBytes) {
    into.set(bytes.subarray(at, at + copiedBytes), at);
    yield;
  }
}
