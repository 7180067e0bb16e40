/**
 * The engine: every account's state in memory, changed by one path only.
 *
 *     check ─▶ lock ─▶ decide ─▶ encode ─▶ append ─▶ apply ─▶ show ─▶ unlock ─▶ wait until durable ─▶ answer
 *                      └──────── one turn, or slices that only the same project waits for ────────┘
 *
 * From append to show nothing else runs, so log order is decision order. The lock is not held while the disk works: writes to one
 * project pipeline and share syncs. No answer, a rejection or a "not found" included, leaves before everything it depended on is
 * durable.
 */
import { randomBytes } from 'node:crypto';
import type { Deposit } from '../journal/journal.ts';
import { diagnostics, requestHere } from '../lib/diagnostics.ts';
import { RecordTooLargeError, StoppedError } from '../lib/errors.ts';
import type { Fault } from '../lib/fault.ts';
import { idSource } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { continueLater, inSlices } from '../lib/slices.ts';
import type { Change } from '../model/change.ts';
import { type BodyCheck, check, countElements, FaultList } from '../model/check.ts';
import { encodeRecord, runIdLength } from '../model/record.ts';
import type { Compat } from '../model/resource.ts';
import type { FoldReport } from '../snapshot/fold.ts';
import { adoptProject, applyRecord } from '../store/apply.ts';
import { findAccount, type Seen } from '../store/queries.ts';
import type { State } from '../store/state.ts';
import {
  type Batch,
  type BatchDecision,
  type BatchOutcome,
  type BatchShow,
  checkBatch,
  countBatch,
  decideBatch,
} from './batch.ts';
import {
  type Command,
  type Context,
  type Decision,
  lockName,
  type Once,
  type ProjectName,
  projectOf,
  resourceAt,
  type Target,
} from './command.ts';
import { decide } from './decide.ts';
import type { Feed } from './feed.ts';
import type { SealingJournal, Snapshots } from './folding.ts';
import { Locks } from './lock.ts';
import type { MadeProject } from './made-project.ts';
import type { Memory } from './memory.ts';
import { decideOnce, type Repeated } from './once.ts';
import { isLarge, type PreparedRecord, prepareRecord } from './prepare-record.ts';
import { type Bounds, refuseBeyondQuota, refuseProject } from './quotas.ts';
import { Versions } from './version.ts';
import { growthOf } from './weight.ts';

/** What became of a command; `shown` is what the caller's `show` made of the state right after it. */
export type Outcome<T> =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly outcome: 'done'; readonly shown: T };

/** What was decided about an account, or a project, that is not there. */
type Missing = { readonly outcome: 'missing'; readonly version: number; readonly at: undefined };

interface Decided {
  readonly version: number;
  readonly changes?: readonly Change[];
}

interface Finished<T> {
  readonly outcome: T;
  readonly version: number;
}

export interface EngineParts {
  readonly state: State;
  readonly journal: SealingJournal;
  readonly folding: Snapshots;
  readonly memory: Memory;
  /** Told of every record. */
  readonly feed: Feed;
  /** Elements that the collections in one body may hold together. */
  readonly elementsMax: number;
  /** Bytes of memory that the answers of one account that are given again may take. */
  readonly answersBytesMax: number;
  /** What an account may hold for which nothing else is set. */
  readonly quotas: Bounds;
  /** Which original is spoken. */
  readonly compat: Compat;
  /** What a host asks of bodies beside what we do; `undefined` for nothing. */
  readonly bodyCheck?: BodyCheck | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called once when memory and log can no longer be trusted to agree: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

/** Milliseconds between two times of letting go of answers. */
const forgetEveryMs = 60_000;

export class Engine {
  readonly state: State;
  /** Names of versions: what entity tags begin with, and ids of events. */
  readonly versions: Versions;
  readonly #parts: EngineParts;
  readonly #locks = new Locks();
  /** Held by the account whose search goes on. */
  readonly #searches = new Locks();
  readonly #ids;
  /** Requests that are to be carried out once, and are not answered yet: account and key. */
  readonly #inFlight = new Set<string>();
  /** When answers that have expired were last let go of, in milliseconds since 1970. */
  #forgotAt = 0;
  /** Of this start of the server: an old copy of the folder that goes on elsewhere has another one. */
  readonly #runId = randomBytes(runIdLength).toString('hex');
  #failed = false;

  /** See recover.ts, which puts the parts together. */
  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.state = parts.state;
    this.versions = new Versions(parts.journal.lineage, parts.state.runs);
    this.#ids = idSource(parts.clock);
    this.#ids.seen(parts.state.newestId);
  }

  get journal(): SealingJournal {
    return this.#parts.journal;
  }

  get folding(): Snapshots {
    return this.#parts.folding;
  }

  /** What an account may hold for which nothing else is set. */
  get quotas(): Bounds {
    return this.#parts.quotas;
  }

  get memory(): Memory {
    return this.#parts.memory;
  }

  get feed(): Feed {
    return this.#parts.feed;
  }

  /** Which original is spoken: what bodies may hold, what answers show, what is a reference. What is stored is the same. */
  get compat(): Compat {
    return this.#parts.compat;
  }

  /** What a host asks of bodies beside what we do; `undefined` for nothing. */
  get bodyCheck(): BodyCheck | undefined {
    return this.#parts.bodyCheck;
  }

  /** Answers a question with what is durable; at once when nothing that it read is still on its way to the disk. */
  read<T>(query: (state: State) => Seen<T>): Seen<T> | Promise<Seen<T>> {
    this.#refuseWhenFailed();
    return this.#whenDurable(query(this.state));
  }

  /**
   * Answers a question that goes through many members, in slices, between which everything goes on. What it holds until it is done
   * (up to a hundred bytes or two for each member) an account makes it hold once: searches that are not done after a slice take turns.
   */
  search<T>(accountId: string, query: (state: State) => Generator<void, Seen<T>>): Seen<T> | Promise<Seen<T>> {
    this.#refuseWhenFailed();
    const found = inSlices(query(this.state), (rest) => this.#inTurn(accountId, rest));
    return found instanceof Promise ? found.then((seen) => this.#whenDurable(seen)) : this.#whenDurable(found);
  }

  /**
   * Carries out a command, durably.
   *
   * Throws {@link RecordTooLargeError}, MemoryFullError, NoSpaceError, BusyError, QuotaError with nothing changed, and StoppedError when
   * the journal has stopped.
   *
   * @param show looks at the state in the same turn in which it was changed
   */
  execute<T>(command: Command, show: (state: State, written: Target) => T): Promise<Outcome<T>> {
    return this.#change<FaultList, Decision, Outcome<T>>(
      projectOf(command.target),
      () => this.#check(command),
      (faults) => this.#decide(command, faults),
      (decision, prepared) => {
        if (decision.outcome !== 'done') return { outcome: decision, version: decision.version };
        const version = decision.changes.length > 0 ? this.#commitPrepared(decision.changes, prepared) : decision.version;
        return { outcome: { outcome: 'done', shown: show(this.state, decision.target) }, version };
      },
    );
  }

  /**
   * Carries out a batch, durably, as one record. Throws as {@link execute} does, with nothing changed.
   *
   * @param faults what reading found in the document
   */
  batch<T>(batch: Batch, faults: FaultList, show: BatchShow<T>): Promise<BatchOutcome<T>> {
    return this.#change<void, BatchDecision<T>, BatchOutcome<T>>(
      batch,
      () => {
        this.#refuseElements(countBatch(batch));
        return inSlices(checkBatch(batch, faults, this.compat, this.bodyCheck));
      },
      () => decideBatch(this.state, batch, faults, this.context(), show),
      (decision, prepared) => {
        if (decision.outcome !== 'done') return { outcome: decision, version: decision.version };
        const { changes, results } = decision;
        const lsn = changes.length > 0 ? this.#commitPrepared(changes, prepared) : decision.version;
        const version = changes.some(({ op }) => op !== 'put-answer') ? lsn : decision.version;
        return { outcome: { outcome: 'done', results, version }, version: lsn };
      },
    );
  }

  /**
   * Has a request carried out unless it was, or is being, carried out already. The first one's commands are to remember its answer.
   *
   * @param carryOut resolves when all of it is durable
   */
  async once<T>(accountId: string, { key, digest }: Once, carryOut: () => Promise<T>): Promise<Repeated<T>> {
    this.#refuseWhenFailed();
    const now = this.#parts.clock();
    this.#forgetAnswers(now);
    const name = `${accountId}/${key}`;
    if (this.#inFlight.has(name)) return { outcome: 'in flight' };
    const answer = this.state.accounts.get(accountId)?.answers.find(key, now);
    if (answer !== undefined) {
      await this.journal.durable(answer.lsn);
      return answer.digest === digest ? { outcome: 'again', answer } : { outcome: 'other' };
    }
    this.#inFlight.add(name);
    try {
      return { outcome: 'first', result: await carryOut() };
    } finally {
      this.#inFlight.delete(name);
    }
  }

  /** Lets go of the answers that have expired, of accounts that ask no more as well. */
  #forgetAnswers(now: number): void {
    if (Math.abs(now - this.#forgotAt) < forgetEveryMs) return;
    this.#forgotAt = now;
    for (const { answers } of this.state.accounts.values()) answers.forget(now);
  }

  #decide(command: Command, faults: FaultList): Generator<void, Decision> {
    return command.action !== 'delete' && command.remember !== undefined
      ? decideOnce(this.state, command, command.remember, faults, this.context())
      : decide(this.state, command, faults, this.context());
  }

  /**
   * Checks, decides under a project's lock, in slices, and finishes in the turn in which that ended; resolves when it is durable.
   *
   * @param check what comes before the lock; what it finds is decided with
   * @param finish logs what was decided; returns what is told of it, and the LSN that must be durable before it is
   */
  async #change<C, D extends Decided, T>(
    project: ProjectName,
    check: () => C | Promise<C>,
    decide: (checked: C) => Generator<void, D>,
    finish: (decision: D | Missing, prepared: PreparedRecord | undefined) => Finished<T>,
  ): Promise<T> {
    this.#refuseWhenFailed();
    const checking = check();
    const checked = checking instanceof Promise ? await checking : checking;
    const name = lockName(project);
    const wait = this.#locks.acquire(name);
    if (wait !== undefined) await wait;
    let finished: Finished<T>;
    try {
      const deciding = inSlices(decide(checked));
      const decision = deciding instanceof Promise ? await deciding : deciding;
      const preparing = this.#prepare(project, decision);
      const prepared = preparing instanceof Promise ? await preparing : preparing;
      const isSliced = deciding instanceof Promise || preparing instanceof Promise;
      finished = finish(isSliced ? this.#unlessDeleted(project, decision) : decision, prepared);
    } finally {
      this.#locks.release(name);
    }
    const durable = this.journal.durable(finished.version);
    if (durable !== undefined) await durable;
    return finished.outcome;
  }

  /** What is made of a large decision before the turn in which it is committed; `undefined` for all others. */
  #prepare({ accountId }: ProjectName, { changes }: Decided): PreparedRecord | undefined | Promise<PreparedRecord> {
    if (changes === undefined || !isLarge(changes)) return undefined;
    return inSlices(prepareRecord(this.state, accountId, this.#withRunStart(changes), this.#parts.clock(), this.quotas));
  }

  #commitPrepared(changes: readonly Change[], prepared: PreparedRecord | undefined): number {
    if (prepared?.project === undefined) return this.commit(changes, prepared);
    return this.adopt(prepared.project, prepared.encoded);
  }

  #withRunStart(changes: readonly Change[]): readonly Change[] {
    const { runStart } = this;
    return runStart === undefined ? changes : [...changes, runStart];
  }

  /**
   * Logs changes as one record and applies them; to be called in the turn in which they were decided or, under the same lock, prepared.
   *
   * @param prepared the record of these changes, where it is prepared, with {@link runStart}
   * @returns the record's LSN, not durable yet
   */
  commit(changes: readonly Change[], prepared?: PreparedRecord): number {
    this.#refuseWhenFailed();
    refuseBeyondQuota(this.state, changes, this.#parts.quotas);
    const logged = prepared?.changes ?? this.#withRunStart(changes);
    const record = prepared?.encoded ?? encodeRecord({ time: this.#parts.clock(), changes: logged });
    this.memory.admit(record.byteLength, () => prepared?.weight ?? growthOf(this.state, changes));
    const lsn = this.journal.append(record);
    try {
      applyRecord(this.state, lsn, logged);
      this.memory.settle();
    } catch (error) {
      this.#disagree(error);
    }
    this.#committed(lsn, changes, record.byteLength);
    return lsn;
  }

  /** What the next record has to hold besides, at its end: the start of this run, until a record has it. */
  get runStart(): Change | undefined {
    return this.state.runs.newest?.id === this.#runId ? undefined : { op: 'start-run', id: this.#runId };
  }

  /** Throws a QuotaError as {@link adopt} would: before a large record is written for nothing. */
  refuseBeyondQuota({ project }: MadeProject): void {
    const account = this.state.accounts.get(project.accountId);
    if (account !== undefined) refuseProject(account, project, this.#parts.quotas);
  }

  /**
   * Logs a new project that was made apart and puts it into the state. Its account must be there. Throws as {@link commit} does.
   *
   * @param record encoded, with {@link runStart}; or deposited
   * @returns the record's LSN, not durable yet
   */
  adopt(made: MadeProject, record: Uint8Array | Deposit): number {
    this.#refuseWhenFailed();
    this.refuseBeyondQuota(made);
    this.memory.admit(record.byteLength, () => made.weight);
    const lsn = record instanceof Uint8Array ? this.journal.append(record) : this.journal.appendDeposit(record);
    try {
      adoptProject(this.state, lsn, made.project, made.newestId, made.rest);
      this.memory.settle();
    } catch (error) {
      this.#disagree(error);
    }
    this.#committed(lsn, made.changes, record.byteLength);
    return lsn;
  }

  /** Publishes a record. It is applied, and on its way to the disk: an error here must not fail its request. */
  #committed(lsn: number, changes: readonly Change[], bytes: number): void {
    const { feed, log } = this.#parts;
    try {
      feed.committed(lsn, changes, bytes);
    } catch (error) {
      feed.failed(lsn, undefined, error);
    }
    try {
      if (diagnostics.commit.hasSubscribers)
        diagnostics.commit.publish({ lineage: this.journal.lineage, lsn, bytes, request: requestHere() });
    } catch (error) {
      log.error({ err: error, lsn }, 'a record was not published on mapwright:journal:commit');
    }
  }

  /** A record is on its way to the disk and memory does not show it: only a restart can make them agree again. */
  #disagree(error: unknown): never {
    this.#failed = true;
    this.#parts.onFatal(error);
    throw new StoppedError('a record could not be applied');
  }

  context(): Context {
    const { clock, answersBytesMax, compat } = this.#parts;
    return { now: clock(), answersBytesMax, compat, newId: () => this.#ids.next() };
  }

  /** Folds everything so far into a snapshot; `undefined` when there was nothing new. */
  snapshot(): Promise<FoldReport | undefined> {
    return this.folding.fold();
  }

  /** Breaks off a fold, makes everything durable and stops. */
  async close(): Promise<void> {
    this.memory.close();
    await this.feed.close();
    await this.folding.close();
    await this.journal.close();
  }

  #whenDurable<T>(seen: Seen<T>): Seen<T> | Promise<Seen<T>> {
    const wait = this.journal.durable(seen.version);
    return wait === undefined ? seen : wait.then(() => seen);
  }

  async #inTurn<T>(accountId: string, rest: Generator<void, T>): Promise<T> {
    const wait = this.#searches.acquire(accountId);
    if (wait !== undefined) await wait;
    try {
      return await continueLater(rest);
    } finally {
      this.#searches.release(accountId);
    }
  }

  /** What was decided in slices about an account that was deleted meanwhile, which takes no project's lock, comes to nothing. */
  #unlessDeleted<D>({ accountId }: ProjectName, decision: D): D | Missing {
    const { value: account, version } = findAccount(this.state, accountId);
    return account === undefined ? { outcome: 'missing', version, at: undefined } : decision;
  }

  /** Checks the body before the lock is taken; bounds what it would grow to before anything is built from it. */
  #check(command: Command): FaultList | Promise<FaultList> {
    // What is created always grows: no work is done for it when there is no room.
    if (command.action === 'create') this.memory.refuseUnlessFits(1);
    if (command.action === 'delete') return new FaultList();
    const faults = new FaultList(command.faults);
    const resource = resourceAt(command.target);
    this.#refuseElements(countElements(resource, command.body));
    const checking = inSlices(check(resource, this.compat, command.action, command.body, faults, this.bodyCheck));
    return checking instanceof Promise ? checking.then(() => faults) : faults;
  }

  #refuseElements(elements: number): void {
    if (elements > this.#parts.elementsMax) {
      throw new RecordTooLargeError(`${elements} elements in one request; the limit is ${this.#parts.elementsMax}`);
    }
  }

  #refuseWhenFailed(): void {
    if (this.#failed) throw new StoppedError('the engine has stopped');
  }
}
