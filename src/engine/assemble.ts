/** Assembles an engine from a state and its journal, for a data folder or in memory. */

import type { Log } from '../lib/observability/logger.ts';
import { type Quotas, versionsMaxDefault } from '../model/account-limits.ts';
import { bodyCheckOf, type HostSchemas } from '../model/host-schemas.ts';
import type { SyncMode } from '../storage/wal/format/segment.ts';
import { Engine, type EngineParts } from './engine.ts';
import { backlogBytesDefault, Feed, type FeedParts } from './feed/feed.ts';
import { unbounded } from './write/quotas.ts';

export const elementsMaxDefault = 50_000;
export const idempotencyBytesDefault = 64 * 1024 * 1024;
/** Maximum share of the memory budget for the event backlog. */
const backlogShare = 1 / 16;

/** Options of the log and the snapshots in a data folder. */
export interface StorageOptions {
  /** When writes are synced to disk; default `always`. With other modes, a crash may lose acknowledged writes. */
  readonly sync: SyncMode;
  /** Size of a log segment in bytes; default 16 MiB. */
  readonly segmentBytes: number;
  /** Size of the sealed log that triggers a snapshot, in bytes; default 64 MiB. */
  readonly snapshotBytes: number;
  /** Time after which a snapshot is made if there is a new record, in minutes; default 60. */
  readonly snapshotMinutes: number;
  /** Pause of a snapshot run after each megabyte that it writes, in milliseconds; default 10. */
  readonly snapshotPauseMs: number;
}

export interface EngineOptions extends StorageOptions {
  /** Limit for the elements of all collections in one request; default 50,000. */
  readonly elementsMax: number;
  /** Idempotency cache limit per account, in bytes; default 64 MiB. */
  readonly idempotencyBytes: number;
  /** Quotas of accounts that have no quotas of their own; by default 10,000 versions, and nothing else is limited. */
  readonly quotas: Partial<Quotas<number>>;
  /**
   * Memory above which changes that grow fail, in bytes; by default a share of the machine's memory and of V8's heap limit
   * (memory/memory-budget.ts).
   */
  readonly memoryBytes: number;
  /** Cache size for decoded members, in bytes; default two fifths of `memoryBytes`. */
  readonly decodedCacheBytes: number;
  /**
   * The host's schemas for members that the API leaves open. Created, changed and imported resources are checked against these as well. JSON
   * Schema, made by TypeBox or by hand. None by default.
   */
  readonly schemas: HostSchemas;
  /** Milliseconds since 1970; default `Date.now`. Order and identifiers do not depend on it. */
  readonly clock: () => number;
}

export type AssembleOptions = Partial<EngineOptions> & Pick<EngineParts, 'onFatal'> & { readonly log: Log };

type Parts = Pick<EngineParts, 'state' | 'journal' | 'snapshots' | 'memory' | 'files'> & Pick<FeedParts, 'folder' | 'worker'>;

export function assemble({ state, journal, snapshots, memory, files, folder, worker }: Parts, options: AssembleOptions): Engine {
  const { log, onFatal, clock = Date.now } = options;
  const backlogBytesMax = Math.min(backlogBytesDefault, memory.budgetBytes * backlogShare);
  const feed = new Feed({ state, journal, folder, worker, log, clock, backlogBytesMax: backlogBytesMax });
  const engine = new Engine({
    state,
    journal,
    snapshots,
    memory,
    files,
    feed,
    elementsMax: options.elementsMax ?? elementsMaxDefault,
    responsesBytesMax: options.idempotencyBytes ?? idempotencyBytesDefault,
    quotas: { ...unbounded, versions: versionsMaxDefault, ...options.quotas },
    bodyCheck: options.schemas && bodyCheckOf(options.schemas),
    log,
    clock,
    onFatal,
  });
  memory.startEviction(state);
  return engine;
}
