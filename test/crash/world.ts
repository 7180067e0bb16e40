/**
 * A server's engine on a simulated disk, the client who talks to it, and the ledger of what that client knows. Everything that happens to
 * the disk, and every answer, goes into one stream of events, in the order in which it happened.
 *
 * The engine is the real one, opened by `openEngine`; the work that threads do is done on this thread, each piece in a turn of its own.
 */
import type { Command, Target } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type CreatedKey, createKey, revokeKey } from '../../src/engine/keys.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { duplicateProject } from '../../src/engine/projects/project-writer.ts';
import { publishProject, unpublishProject } from '../../src/engine/projects/publish-project.ts';
import { endSessions } from '../../src/engine/session-keys.ts';
import { BusyError } from '../../src/lib/errors.ts';
import type { Key } from '../../src/model/account.ts';
import { FieldErrorList } from '../../src/model/bodies/check-body.ts';
import { noRegistry } from '../../src/server/admin/registry.ts';
import { BlobMemory } from '../../src/storage/blobs/blob-memory.ts';
import type { Folders } from '../../src/storage/recovery/recover-folder.ts';
import type { SnapshotReport } from '../../src/storage/snapshot/run/snapshot-run.ts';
import type { SnapshotWorker } from '../../src/storage/snapshot/run/snapshot-worker.ts';
import type { SyncMode } from '../../src/storage/wal/format/segment.ts';
import type { Lsn, PreparedRecord } from '../../src/storage/wal/journal.ts';
import { applyRecord } from '../../src/store/apply.ts';
import { findMember, findProject } from '../../src/store/find.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { type Contents, Disk, type Operation, rootPath } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { dump, member, project, publishing, recordingLog } from '../support/engine.ts';
import { inlineSnapshotWorker } from '../support/in-thread.ts';
import { systemError } from '../support/system-error.ts';
import { InlineWorker } from '../wal/inline-worker.ts';
import type { Clock } from './chance.ts';
import { judge, Violation } from './rules.ts';

export const folders: Folders = {
  journal: `${rootPath}/journal`,
  snapshots: `${rootPath}/snapshots`,
  marker: `${rootPath}/format`,
};

/** A record, and the whole state after it as text. */
export interface Commit {
  readonly record: Uint8Array;
  readonly text: string;
}

/** What is known at one moment. */
export interface Ledger {
  /** What was appended, in commit order; by LSN, from 0 on. */
  readonly history: readonly Commit[];
  /** The newest record that no crash may take back: it was acknowledged under `always`, or synced by a clean stop. */
  readonly acknowledged: Lsn;
  /** The newest record that an answer showed. */
  readonly shown: Lsn;
  /** The newest record acknowledged without a sync: the death of the process may not take it back, a power cut may. */
  readonly written: Lsn;
  /** Whether the power was cut since: what was only written may be gone already. */
  readonly cut: boolean;
  /** The newest snapshot that was reported. */
  readonly reported: Lsn;
  /** Under which answers were given; `undefined` before the first. */
  readonly lineage: string | undefined;
  /** Whether every process so far synced always: then the lineage never changes. */
  readonly steady: boolean;
}

export const blankLedger: Ledger = {
  history: [{ record: Buffer.alloc(0), text: dump(new State(runLeaves)) }],
  acknowledged: 0,
  shown: 0,
  written: 0,
  cut: false,
  reported: 0,
  lineage: undefined,
  steady: true,
};

export type Event =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'ledger'; readonly ledger: Ledger }
  /** The power was cut, and this is what was left. */
  | { readonly kind: 'power'; readonly contents: Contents };

export interface Setting {
  readonly sync: SyncMode;
  readonly segmentBytes: number;
}

/** Blobs in memory that outlive the engine. */
class KeptBlobs extends BlobMemory {
  override async close(): Promise<void> {}
}

function* noResult(): Generator<void, undefined> {
  yield;
  return undefined;
}

/** How often a client asks again. With segments as small as these the next one is often not ready yet. */
const busyMax = 50;

export class World {
  readonly clock: Clock;
  readonly setting: Setting;
  /** The disk and the promises with which it began. */
  readonly start: Disk;
  readonly promised: Ledger;
  readonly events: Event[] = [];
  /** The code of the error that an operation meets; nothing when it goes well. */
  fault: (operation: Operation) => string | undefined = () => undefined;
  #disk: Disk;
  #files: SimulatedDisk | undefined;
  #engine: Engine | undefined;
  #ledger: Ledger;
  #syncs = true;
  #book = new State(runLeaves);
  /** The bytes of maps, which are not on the simulated disk: test/blobs/crash examines those. */
  readonly #blobs = new KeptBlobs();

  constructor(clock: Clock, setting: Setting, disk = new Disk(), ledger = blankLedger) {
    this.clock = clock;
    this.setting = setting;
    this.start = disk.copy();
    this.#disk = disk;
    this.promised = ledger;
    this.#ledger = ledger;
  }

  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('no engine is open');
    return this.#engine;
  }

  /** The disk as it is now. */
  get disk(): Disk {
    return this.#disk;
  }

  /** The records that were appended, and not lost since; by LSN, from 0 on. */
  get history(): readonly Commit[] {
    return this.#ledger.history;
  }

  /** A new process opens the folder. What it finds may be read at once, so it is shown. */
  async open(setting: Partial<Setting> = {}): Promise<void> {
    const { sync, segmentBytes } = { ...this.setting, ...setting };
    const files = new SimulatedDisk(this.#disk);
    files.after = (operation) => this.events.push({ kind: 'operation', operation });
    files.before = (operation) => {
      const code = this.fault(operation);
      if (code === 'KILL') files.kill();
      if (code !== undefined) throw systemError(code === 'KILL' ? 'EIO' : code, operation.kind, operation.path);
    };
    this.#files = files;
    const { log } = recordingLog();
    const inline = inlineSnapshotWorker(files);
    const snapshotWorker: SnapshotWorker = {
      ...inline,
      run: async ({ request, urgent }) => {
        await turns(1);
        return inline.run({ request: { ...request, pauseMs: 0 }, urgent });
      },
    };
    const { engine, recovery } = await openEngine(folders, {
      ...{ files, sync, segmentBytes, log, snapshotPauseMs: 0, onFatal: () => undefined },
      // A budget is of the whole process, whose heap has all states of a long exploration.
      memoryBytes: Number.POSITIVE_INFINITY,
      workers: { journal: new InlineWorker(files), snapshot: snapshotWorker, blobs: this.#blobs },
    });
    this.#engine = engine;
    const { lsn } = engine.state;
    const outcome = { lsn, text: dump(engine.state), lineage: engine.journal.lineage, snapshotLsn: recovery.snapshotLsn };
    const violation = judge(outcome, this.#ledger, true);
    if (violation !== undefined) throw violation;
    if (engine.journal.nextLsn !== lsn + 1)
      throw new Violation('numbers', `record ${engine.journal.nextLsn} would follow ${lsn}`);
    this.#syncs = sync === 'always';
    this.#rewind(lsn);
    const steady = this.#ledger.steady && sync === 'always';
    this.#note({
      history: this.#ledger.history.slice(0, lsn + 1),
      shown: lsn,
      written: 0,
      lineage: engine.journal.lineage,
      steady,
    });
    const append = engine.journal.append.bind(engine.journal);
    engine.journal.append = (record) => this.#appended(append(record), record);
    const { prepare: deposit, commitPrepared: appendDeposit } = engine.journal;
    const deposited = new Map<PreparedRecord, Buffer>();
    engine.journal.prepare = async (byteLength, fill) => {
      const record = Buffer.alloc(byteLength);
      await fill(record);
      const made = await deposit.call(engine.journal, byteLength, async (into) => {
        record.copy(into);
      });
      deposited.set(made, record);
      return made;
    };
    engine.journal.commitPrepared = (made) =>
      this.#appended(appendDeposit.call(engine.journal, made), deposited.get(made) as Buffer);
  }

  /** Carries out a command that changes something, again where the server is busy. Returns the identifier of what it was about. */
  write(command: Command): Promise<string> {
    return this.#untilFree(() => this.#write(command));
  }

  async #untilFree<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof BusyError) || tries === busyMax) throw error;
        await turns(1);
      }
    }
  }

  async #write(command: Command): Promise<string> {
    const { engine } = this;
    let lsn = 0;
    const outcome = await engine.writer.execute(command, (state, written) => {
      lsn = state.lsn;
      return written.kind === 'project' ? written.projectId : written.id;
    });
    if (outcome.outcome !== 'done') throw new Error(`${command.action}: ${JSON.stringify(outcome)}`);
    this.#acknowledge(lsn);
    return outcome.shown;
  }

  /** Carries out commands as one batch, in one record. */
  async batch(accountId: string, projectId: string, commands: readonly Command[]): Promise<void> {
    const operations = commands.map((command, index) => ({ index, command, as: undefined }));
    const outcome = await this.#untilFree(() =>
      this.engine.writer.batch({ accountId, projectId, operations }, new FieldErrorList(), { result: noResult }),
    );
    if (outcome.outcome !== 'done') throw new Error(`a batch: ${JSON.stringify(outcome)}`);
    this.#acknowledge(outcome.version);
  }

  /** Makes a copy of a project, whose record may be larger than a segment. */
  async duplicate(accountId: string, projectId: string): Promise<void> {
    const duplication = { accountId, projectId, by: '', body: {}, fieldErrors: [], shard: 0 };
    const outcome = await duplicateProject(this.engine, duplication, { show: (state) => state.lsn });
    if (outcome.outcome !== 'done') throw new Error(`a copy: ${outcome.outcome}`);
    this.#acknowledge(outcome.shown);
  }

  /**
   * Makes a project public, with a map of this text.
   *
   * @param rules of a live map, whose record may be larger than a segment
   * @param name of the map; `undefined`: as before
   */
  async publish(accountId: string, projectId: string, text: string, rules?: string, name?: string): Promise<void> {
    const request = {
      ...{ ...publishing, accountId, projectId, json: () => [JSON.stringify(text)] },
      ...(rules !== undefined && { refresh: 60, rules: () => [JSON.stringify(rules)] }),
      ...(name !== undefined && { naming: { name, registry: noRegistry } }),
    };
    const outcome = await publishProject(this.engine, request);
    if (outcome.outcome !== 'done') throw new Error(`a publication: ${outcome.outcome}`);
    this.#acknowledge(outcome.shown.publication.lsn);
  }

  async unpublish(accountId: string, projectId: string): Promise<void> {
    let lsn = 0;
    const allows = () => {
      lsn = this.engine.state.lsn + 1;
      return true;
    };
    const outcome = await unpublishProject(this.engine, { accountId, projectId, allows });
    if (outcome.outcome !== 'done') throw new Error(`no publication: ${outcome.outcome}`);
    this.#acknowledge(lsn);
  }

  async createKey(account: string): Promise<CreatedKey> {
    const making = createKey(this.engine, account);
    const { lsn } = this.engine.state;
    const key = await making;
    this.#acknowledge(lsn);
    return key;
  }

  async revokeKey(id: string): Promise<void> {
    const revoking = revokeKey(this.engine, id);
    const { lsn } = this.engine.state;
    await revoking;
    this.#acknowledge(lsn);
  }

  async deleteKey(id: string): Promise<void> {
    const deleting = endSessions(this.engine, [this.engine.state.keys.get(id) as Key]);
    const { lsn } = this.engine.state;
    await deleting;
    this.#acknowledge(lsn);
  }

  /** Asks for a project or a member. What the answer says depends on the newest record that changed it. */
  async read(target: Target): Promise<void> {
    let version = 0;
    await this.engine.reader.read((state) => {
      const seen =
        target.kind === 'project'
          ? findProject(state, target.accountId, target.projectId)
          : findMember(state, target.path, target.id);
      version = seen.version;
      return seen as { value: unknown; version: number };
    });
    this.#show(version);
  }

  async snapshot(): Promise<SnapshotReport | undefined> {
    const report = await this.engine.snapshot();
    if (report !== undefined) this.#note({ reported: report.lsn });
    return report;
  }

  /** A clean stop: all that was answered is durable afterwards, however it was synced. */
  async close(): Promise<void> {
    await this.engine.close();
    const { written, acknowledged } = this.#ledger;
    this.#note({ acknowledged: Math.max(written, acknowledged), written: 0 });
    this.#end();
  }

  /** The process dies; the page cache outlives it. */
  async kill(): Promise<void> {
    this.#files?.kill();
    this.#end();
    await turns(5);
  }

  /** The process dies before the operation for which this holds, or in the middle of it. */
  async killBefore(at: (operation: Operation) => boolean, work: () => Promise<unknown>): Promise<void> {
    let killed = false;
    this.fault = (operation) => {
      killed ||= at(operation);
      return killed ? 'KILL' : undefined;
    };
    const working = work().catch(() => undefined);
    for (let i = 0; i < 200 && !killed; i++) await turns(1);
    if (!killed) throw new Error('the operation before which to kill never came');
    await this.kill();
    await working;
    this.fault = () => undefined;
  }

  /** The power goes; what is left is whatever `pick` makes of the disk. */
  async cutPower(pick: (disk: Disk) => Contents): Promise<void> {
    await this.kill();
    const contents = pick(this.#disk);
    this.events.push({ kind: 'power', contents });
    this.#disk = Disk.holding(contents);
    this.#note({ cut: true });
  }

  /** Time goes by, and what it brings happens. */
  async wait(ms: number): Promise<void> {
    this.clock.advance(ms);
    await turns(5);
  }

  #end(): void {
    this.#engine = undefined;
    this.clock.timers.clear();
  }

  #appended(lsn: Lsn, record: Uint8Array): Lsn {
    const { history } = this.#ledger;
    if (lsn !== history.length) throw new Violation('numbers', `LSN ${lsn} was given to the record after ${history.length - 1}`);
    applyRecord(this.#book, lsn, decodeRecord(record).changes);
    this.#note({ history: [...history, { record: Buffer.from(record), text: dump(this.#book) }] });
    return lsn;
  }

  /** What was appended above it did not outlive its process. */
  #rewind(lsn: Lsn): void {
    this.#book = new State(runLeaves);
    for (const { record } of this.#ledger.history.slice(1, lsn + 1)) {
      applyRecord(this.#book, this.#book.lsn + 1, decodeRecord(record).changes);
    }
  }

  #acknowledge(lsn: Lsn): void {
    const { state } = this.engine;
    if (dump(state) !== this.#ledger.history[state.lsn]?.text)
      throw new Violation('prefix', `memory and log disagree at ${state.lsn}`);
    const { acknowledged, written } = this.#ledger;
    this.#note(this.#syncs ? { acknowledged: Math.max(lsn, acknowledged) } : { written: Math.max(lsn, written) });
  }

  #show(lsn: Lsn): void {
    const { shown, written } = this.#ledger;
    this.#note(this.#syncs ? { shown: Math.max(lsn, shown) } : { written: Math.max(lsn, written) });
  }

  #note(news: Partial<Ledger>): void {
    this.#ledger = { ...this.#ledger, ...news };
    this.events.push({ kind: 'ledger', ledger: this.#ledger });
  }
}

export { member, project };

/** Lets everything happen that can. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
