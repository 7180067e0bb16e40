/** Puts an engine together of a state and the journal that goes on from it, wherever these come from: a data folder, or nowhere. */

import type { Log } from '../lib/observability/logger.ts';
import type { Quotas } from '../model/account-limits.ts';
import { bodyCheckOf, type HostSchemas } from '../model/host-schemas.ts';
import type { ApiVersion } from '../model/resource.ts';
import type { SyncMode } from '../wal/format/segment.ts';
import { Engine, type EngineParts } from './engine.ts';
import { backlogBytesDefault, Feed, type FeedParts } from './feed/feed.ts';
import { unbounded } from './write/quotas.ts';

/** The most that events which wait for their followers may hold of the memory budget. */
const unreadShare = 1 / 16;

/** What is asked of the log and the snapshots in a data folder. */
export interface StorageOptions {
  /** When writes reach the disk; default `always`. With the others, a crash may lose what was acknowledged. */
  readonly sync: SyncMode;
  /** Size of a log segment in bytes; default 16 MiB. */
  readonly segmentBytes: number;
  /** Sealed log that calls for a snapshot, in bytes; default 64 MiB. */
  readonly snapshotBytes: number;
  /** Time with at least one record that calls for a snapshot, in minutes; default 60. */
  readonly snapshotMinutes: number;
  /** Pause of a fold after each megabyte it writes, in milliseconds; default 10. */
  readonly snapshotPauseMs: number;
}

export interface EngineOptions extends StorageOptions {
  /** Elements that the collections in one request may hold together; default 50,000. */
  readonly elementsMax: number;
  /** Which original is spoken: the one that the contract describes, or what has become of it since; default `contract`. */
  readonly compat: ApiVersion;
  /** Memory for the answers that an account gets again when it repeats a request with an `Idempotency-Key`, in bytes; default 64 MiB. */
  readonly idempotencyBytes: number;
  /** What an account may hold for which nothing else is set; no bounds by default. */
  readonly quotas: Partial<Quotas<number>>;
  /**
   * Memory that the process may need before changes that grow are refused, in bytes; by default a share of what the machine and V8's heap
   * limit allow (memory.ts).
   */
  readonly memoryBytes: number;
  /** Memory for members as values, in bytes; beyond, they are bytes again when nobody looks; default two fifths of `memoryBytes`. */
  readonly decodedCacheBytes: number;
  /**
   * Schemas of a host's own for what the API leaves open: what is created, changed or imported is checked against these as well. JSON
   * Schema, as TypeBox makes it or written by hand. None by default.
   */
  readonly schemas: HostSchemas;
  /** Milliseconds since 1970; default `Date.now`. Order and identifiers do not depend on it. */
  readonly clock: () => number;
}

export type AssembleOptions = Partial<EngineOptions> & Pick<EngineParts, 'onFatal'> & { readonly log: Log };

type Parts = Pick<EngineParts, 'state' | 'journal' | 'snapshots' | 'memory'> & Pick<FeedParts, 'folder' | 'crew'>;

export function assemble({ state, journal, snapshots, memory, folder, crew }: Parts, options: AssembleOptions): Engine {
  const { log, onFatal, clock = Date.now, compat = 'contract' } = options;
  const unreadBytesMax = Math.min(backlogBytesDefault, memory.budgetBytes * unreadShare);
  const feed = new Feed({ state, journal, folder, crew, log, compat, clock, backlogBytesMax: unreadBytesMax });
  const engine = new Engine({
    state,
    journal,
    snapshots,
    memory,
    feed,
    elementsMax: options.elementsMax ?? 50_000,
    responsesBytesMax: options.idempotencyBytes ?? 64 * 1024 * 1024,
    quotas: options.quotas === undefined ? unbounded : { ...unbounded, ...options.quotas },
    compat,
    bodyCheck: options.schemas && bodyCheckOf(options.schemas),
    log,
    clock,
    onFatal,
  });
  memory.letGoOf(state);
  return engine;
}
