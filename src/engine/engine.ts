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
import { RecordTooLargeError, StoppedError } from '../lib/errors.ts';
import type { Fault } from '../lib/fault.ts';
import { idSource } from '../lib/ids.ts';
import type { Change } from '../model/change.ts';
import { check, countElements, FaultList } from '../model/check.ts';
import { encodeRecord } from '../model/record.ts';
import type { FoldReport } from '../snapshot/fold.ts';
import { applyRecord } from '../store/apply.ts';
import { findAccount, type Seen } from '../store/queries.ts';
import type { State } from '../store/state.ts';
import { type Command, type Context, type Decision, lockName, resourceAt, type Target } from './command.ts';
import { decide } from './decide.ts';
import type { Folding, SealingJournal } from './folding.ts';
import { Locks } from './lock.ts';
import type { Memory } from './memory.ts';
import { continueLater, inSlices } from './slices.ts';
import { growthOf } from './weight.ts';

/** What became of a command; `shown` is what the caller's `show` made of the state right after it. */
export type Outcome<T> =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'invalid'; readonly faults: readonly Fault[] }
  | { readonly outcome: 'done'; readonly shown: T };

export interface EngineParts {
  readonly state: State;
  readonly journal: SealingJournal;
  readonly folding: Folding;
  readonly memory: Memory;
  /** Elements that the collections in one body may hold together. */
  readonly elementsMax: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called once when memory and log can no longer be trusted to agree: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export class Engine {
  readonly state: State;
  readonly #parts: EngineParts;
  readonly #locks = new Locks();
  /** Held by the account whose search goes on. */
  readonly #searches = new Locks();
  readonly #ids;
  #failed = false;

  /** See recover.ts, which puts the parts together. */
  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.state = parts.state;
    this.#ids = idSource(parts.clock);
    this.#ids.seen(parts.state.newestId);
  }

  get journal(): SealingJournal {
    return this.#parts.journal;
  }

  get folding(): Folding {
    return this.#parts.folding;
  }

  get memory(): Memory {
    return this.#parts.memory;
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
   * Throws {@link RecordTooLargeError}, MemoryFullError, NoSpaceError, BusyError with nothing changed, and StoppedError when the journal
   * has stopped.
   *
   * @param show looks at the state in the same turn in which it was changed
   */
  async execute<T>(command: Command, show: (state: State, written: Target) => T): Promise<Outcome<T>> {
    this.#refuseWhenFailed();
    // What is created always grows: no work is done for it when there is no room.
    if (command.action === 'create') this.memory.refuseUnlessFits(1);
    const checked = this.#check(command);
    const faults = checked instanceof Promise ? await checked : checked;
    const name = lockName(command.target);
    const wait = this.#locks.acquire(name);
    if (wait !== undefined) await wait;
    let outcome: Outcome<T>;
    let version: number;
    try {
      const deciding = inSlices(decide(this.state, command, faults, this.context()));
      const decision = deciding instanceof Promise ? this.#unlessDeleted(command, await deciding) : deciding;
      version = decision.version;
      if (decision.outcome === 'done') {
        if (decision.changes.length > 0) version = this.commit(decision.changes);
        outcome = { outcome: 'done', shown: show(this.state, decision.target) };
      } else {
        outcome = decision;
      }
    } finally {
      this.#locks.release(name);
    }
    const durable = this.journal.durable(version);
    if (durable !== undefined) await durable;
    return outcome;
  }

  /**
   * Logs changes as one record and applies them; to be called in the turn in which they were decided.
   *
   * @returns the record's LSN, not durable yet
   */
  commit(changes: readonly Change[]): number {
    this.#refuseWhenFailed();
    const record = encodeRecord({ time: this.#parts.clock(), changes });
    this.memory.admit(record.byteLength, () => growthOf(this.state, changes));
    const lsn = this.journal.append(record);
    try {
      applyRecord(this.state, lsn, changes);
      this.memory.settle();
    } catch (error) {
      // The record is on its way to the disk and memory does not show it: only a restart can make them agree again.
      this.#failed = true;
      this.#parts.onFatal(error);
      throw new StoppedError('a record could not be applied');
    }
    return lsn;
  }

  context(): Context {
    return { now: this.#parts.clock(), newId: () => this.#ids.next() };
  }

  /** Folds everything so far into a snapshot; `undefined` when there was nothing new. */
  snapshot(): Promise<FoldReport | undefined> {
    return this.folding.fold();
  }

  /** Breaks off a fold, makes everything durable and stops. */
  async close(): Promise<void> {
    this.memory.close();
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
  #unlessDeleted({ target }: Command, decision: Decision): Decision {
    const { value: account, version } = findAccount(
      this.state,
      target.kind === 'project' ? target.accountId : target.path.accountId,
    );
    return account === undefined ? { outcome: 'missing', version } : decision;
  }

  /** Checks the body before the lock is taken; bounds what it would grow to before anything is built from it. */
  #check(command: Command): FaultList | Promise<FaultList> {
    if (command.action === 'delete') return new FaultList();
    const faults = new FaultList(command.faults);
    const resource = resourceAt(command.target);
    const elements = countElements(resource, command.body);
    if (elements > this.#parts.elementsMax) {
      throw new RecordTooLargeError(`${elements} elements in one request; the limit is ${this.#parts.elementsMax}`);
    }
    const checking = inSlices(check(resource, command.action, command.body, faults));
    return checking instanceof Promise ? checking.then(() => faults) : faults;
  }

  #refuseWhenFailed(): void {
    if (this.#failed) throw new StoppedError('the engine has stopped');
  }
}
