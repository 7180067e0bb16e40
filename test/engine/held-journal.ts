/** A journal whose disk the test controls: no record is durable before {@link HeldJournal.sync}. */
import { setImmediate } from 'node:timers/promises';
import { Engine } from '../../src/engine/engine.ts';
import { projectChanged, type RecordEvents, recordEvents } from '../../src/engine/feed/event-encoder.ts';
import { Feed, type FeedParts } from '../../src/engine/feed/feed.ts';
import type { LogReaderWorker } from '../../src/engine/feed/log-reader-worker.ts';
import { MemoryBudget } from '../../src/engine/memory/memory-budget.ts';
import { Versions } from '../../src/engine/version-names.ts';
import { unbounded } from '../../src/engine/write/quotas.ts';
import { runCooperatively } from '../../src/lib/async/cooperative.ts';
import { StalledError } from '../../src/lib/errors.ts';
import { type SealingJournal, SnapshotScheduler } from '../../src/storage/snapshot/scheduler.ts';
import type { PreparedRecord } from '../../src/storage/wal/journal.ts';
import { applyRecord } from '../../src/store/apply.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { Runs } from '../../src/store/runs.ts';
import { State } from '../../src/store/state.ts';
import { accountIn, recordingLog } from '../support/engine.ts';

export class HeldJournal implements SealingJournal {
  readonly lineage = '0'.repeat(32);
  readonly recordBytesMax = 1024 * 1024;
  readonly preparedBytesMax = 16 * 1024 * 1024;
  readonly sealed = [];
  readonly noSpace = undefined;
  readonly records: Buffer[] = [];
  durableLsn = 0;
  /** Thrown by every append while it is set. */
  refusal: Error | undefined;
  #waiting: { lsn: number; resolve: () => void; reject: (error: Error) => void }[] = [];

  get nextLsn(): number {
    return this.records.length + 1;
  }

  append(record: Uint8Array): number {
    if (this.refusal !== undefined) throw this.refusal;
    return this.records.push(Buffer.from(record));
  }

  async prepare(
    byteLength: number,
    fill: (into: Buffer) => Promise<void>,
  ): Promise<PreparedRecord & { readonly record: Buffer }> {
    const record = Buffer.alloc(byteLength);
    await fill(record);
    return { byteLength, record };
  }

  commitPrepared(deposit: PreparedRecord): number {
    return this.append((deposit as PreparedRecord & { readonly record: Buffer }).record);
  }

  abort(): void {}

  durable(lsn: number): Promise<void> | undefined {
    if (lsn <= this.durableLsn) return undefined;
    return new Promise((resolve, reject) => this.#waiting.push({ lsn, resolve, reject }));
  }

  /** Makes every record up to `lsn` durable. */
  sync(lsn = this.records.length): void {
    this.durableLsn = lsn;
    const ready = this.#waiting.filter((waiter) => waiter.lsn <= lsn);
    this.#waiting = this.#waiting.filter((waiter) => waiter.lsn > lsn);
    for (const { resolve } of ready) resolve();
  }

  /** The syncs of all waiting writes take too long. */
  stall(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new StalledError('unconfirmed', 30_000));
  }

  /** Syncs until a promise is settled. */
  async settle<T>(answer: Promise<T>): Promise<T> {
    for (let open = true; open; ) {
      this.sync();
      const over = answer.then(
        () => false,
        () => false,
      );
      open = await Promise.race([over, setImmediate(true)]);
    }
    return answer;
  }

  async seal(): Promise<number> {
    return this.durableLsn;
  }

  async trim(): Promise<readonly never[]> {
    return [];
  }

  async close(): Promise<void> {}

  /** Applies the records that a state does not have yet. */
  goOn(state: State, lsn = this.records.length): State {
    while (state.lsn < lsn) applyRecord(state, state.lsn + 1, decodeRecord(this.records[state.lsn] as Buffer).changes);
    return state;
  }

  /** The state that the records up to `lsn` alone make, as a restart would. */
  replayed(lsn = this.records.length): State {
    return this.goOn(new State(runLeaves), lsn);
  }
}

export interface Held {
  readonly journal: HeldJournal;
  readonly engine: Engine;
  readonly accountId: string;
  readonly fatal: unknown[];
}

/** Reads the durable records of a held journal. */
export function logOf(journal: HeldJournal): LogReaderWorker {
  return {
    async read({ lineage, runs, from, to }) {
      const versions = new Versions(lineage, new Runs(runs));
      const records: RecordEvents[] = [];
      for (let lsn = from; lsn <= to; lsn++) {
        if (lsn > journal.durableLsn) throw new Error(`record ${lsn} is not durable`);
        const { changes } = decodeRecord(journal.records[lsn - 1] as Buffer);
        const project = projectChanged(changes);
        if (project !== undefined)
          records.push(await runCooperatively(recordEvents(versions.nameOf(lsn), lsn, project, changes)));
      }
      return { to, part: 0, records };
    },
    async close() {},
  };
}

/** An engine with one account, on a held journal, with all so far durable. */
export async function held(memory = new MemoryBudget(Number.POSITIVE_INFINITY), feed: Partial<FeedParts> = {}): Promise<Held> {
  const journal = new HeldJournal();
  const { log } = recordingLog();
  const fatal: unknown[] = [];
  const snapshots = new SnapshotScheduler(journal, 0, {
    files: undefined as never, // no snapshot is made here
    journalFolder: '',
    snapshotFolder: '',
    bytes: Number.POSITIVE_INFINITY,
    minutes: Number.POSITIVE_INFINITY,
    pauseMs: 0,
    log,
  });
  const state = new State(runLeaves);
  const engine = new Engine({
    state,
    journal,
    snapshots,
    memory,
    feed: new Feed({ state, journal, folder: '', worker: logOf(journal), log, clock: Date.now, ...feed }),
    elementsMax: 50_000,
    responsesBytesMax: 1024 * 1024,
    quotas: unbounded,
    log,
    clock: Date.now,
    onFatal: (error) => fatal.push(error),
  });
  return { journal, engine, accountId: await journal.settle(accountIn(engine)), fatal };
}

/** Resolves when the next command has its lock and is about to be decided. */
export function deciding(engine: Engine): Promise<void> {
  const { writer } = engine;
  const context = writer.context.bind(writer);
  return new Promise((resolve) => {
    writer.context = () => {
      writer.context = context;
      resolve();
      return context();
    };
  });
}

/** Turns the event loop, to show that nothing happens without the disk. Wait for what must happen with {@link until}. */
export async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}

/** Turns the event loop until a condition holds. After 20 s the test continues, and its assertions show what is missing. */
export async function until(holds: () => boolean): Promise<void> {
  for (const start = performance.now(); !holds() && performance.now() - start < 20_000; ) await setImmediate();
}

/** Whether a promise is still pending after twenty turns of the event loop. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await turns();
  return !settled;
}
