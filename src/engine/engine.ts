/**
 * The engine: every account's state in memory, changed by the writer only, read through the reader. This file holds its parts together
 * and closes them in order.
 */

import type { BodyCheck } from '../model/bodies/check-body.ts';
import type { SnapshotReport } from '../storage/snapshot/run/snapshot-run.ts';
import type { SealingJournal, Snapshots } from '../storage/snapshot/scheduler.ts';
import type { Change } from '../store/operations/operations.ts';
import type { State } from '../store/state.ts';
import type { Feed } from './feed/feed.ts';
import type { StoredFiles } from './files/stored-files.ts';
import { Locks } from './lock.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { Reader } from './read.ts';
import { Versions } from './version-names.ts';
import { VersionTurns } from './version-turns.ts';
import { Idempotency } from './write/idempotency.ts';
import type { Bounds } from './write/quotas.ts';
import { type Cause, Writer, type WriterParts } from './write/write.ts';

export interface EngineParts extends WriterParts {
  readonly journal: SealingJournal;
  readonly snapshots: Snapshots;
  /** `undefined` if the engine has no data folder of its own: in memory, and in a cluster. */
  readonly files?: StoredFiles | undefined;
  /** Makes what keeps states of projects before changes; without it, none is kept. */
  readonly automaticVersions?: ((engine: Engine) => AutomaticVersions) | undefined;
}

/** Keeps states of projects before changes. */
interface AutomaticVersions {
  /** States that were dropped since the start, because too many were waiting. */
  readonly dropped: number;
  /** Called with the changes of each record in its turn, before they are applied. Must not throw. */
  beforeCommit(changes: readonly Change[], cause: Cause): void;
  close(): Promise<void>;
}

export class Engine {
  readonly state: State;
  readonly journal: SealingJournal;
  readonly snapshots: Snapshots;
  readonly memory: MemoryBudget;
  readonly files: StoredFiles | undefined;
  readonly feed: Feed;
  readonly writer: Writer;
  readonly reader: Reader;
  readonly idempotency: Idempotency;
  /** One lock for each account that publishes a project. */
  readonly publishing = new Locks();
  /** Turns of the work on versions. */
  readonly versionTurns: VersionTurns;
  /** `undefined` if that is disabled. */
  readonly automaticVersions: AutomaticVersions | undefined;
  /** Names of versions: the beginning of entity tags, and ids of events. */
  readonly versions: Versions;
  /** Quotas of accounts that have no quotas of their own. */
  readonly quotas: Bounds;
  /** The host's additional check of bodies; `undefined` for none. */
  readonly bodyCheck: BodyCheck | undefined;

  /** See assemble.ts, which makes the parts. */
  constructor(parts: EngineParts) {
    const { state, journal, clock, files } = parts;
    this.state = state;
    this.journal = journal;
    this.snapshots = parts.snapshots;
    this.memory = parts.memory;
    this.versionTurns = new VersionTurns(parts.memory);
    this.files = files;
    this.feed = parts.feed;
    const automatic = parts.automaticVersions?.(this);
    this.automaticVersions = automatic;
    this.writer = new Writer({
      ...parts,
      onCommit(changes, cause) {
        automatic?.beforeCommit(changes, cause);
        parts.onCommit?.(changes, cause);
      },
    });
    this.reader = new Reader(state, journal, this.writer);
    this.idempotency = new Idempotency(state, journal, this.writer, clock);
    this.versions = new Versions(journal.lineage, state.runs);
    this.quotas = parts.quotas;
    this.bodyCheck = parts.bodyCheck;
  }

  /** Writes a snapshot of all records so far; `undefined` if there is no new record. */
  snapshot(): Promise<SnapshotReport | undefined> {
    return this.snapshots.run();
  }

  /** Aborts a snapshot run, makes everything durable and stops. */
  async close(): Promise<void> {
    this.memory.close();
    await this.feed.close();
    await this.automaticVersions?.close();
    await this.files?.close();
    await this.snapshots.close();
    await this.journal.close();
  }
}
