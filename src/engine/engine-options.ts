/** The options of an engine and of its data folder. */
import {
  choice,
  type Flag,
  gibibyte,
  group,
  InvalidOption,
  mebibyte,
  number,
  type Option,
  option,
  quota,
  type ValuesOf,
} from '../lib/option-declaration.ts';
import { type Quotas, versionsMaxDefault } from '../model/account-limits.ts';
import { bodyCheckOf, type HostSchemas } from '../model/host-schemas.ts';
import { snapshotDefaults } from '../storage/snapshot/scheduler.ts';
import { frameAlignBytes } from '../storage/wal/format/frame.ts';
import {
  type SyncMode,
  segmentBytesDefault,
  segmentBytesMax,
  segmentBytesMin,
  userSyncModes,
} from '../storage/wal/format/segment.ts';
import { countedLimitBytes, memoryBytesMax } from './memory/memory-budget.ts';

/** Options of the log and the snapshots in a data folder. */
export const storageOptions = {
  /** When writes are synced to disk; default `always`. With `never`, a crash may lose acknowledged writes. */
  sync: choice({
    flag: 'sync',
    group: 'Log and snapshots',
    help: 'When writes are synced to disk: before each response, or when the system decides (`never`). The latter loses acknowledged writes in a crash, and is only for bulk loads and measurements',
    choices: userSyncModes,
    byDefault: 'always',
  }),
  /** Size of a log segment in bytes; default 16 MiB. */
  segmentBytes: number({
    flag: 'segment-mb',
    group: 'Log and snapshots',
    help: 'Size of a log segment, in MiB; limits the changes of one request, except copies and imports, which get their own segments',
    shared: 'always',
    range: [segmentBytesDefault, segmentBytesMin, segmentBytesMax],
    unit: mebibyte,
    multiple: frameAlignBytes,
  }),
  /** Size of the sealed log that triggers a snapshot, in bytes; default 64 MiB. */
  snapshotBytes: number({
    flag: 'snapshot-mb',
    group: 'Log and snapshots',
    help: 'Take a snapshot after this much sealed log, in MiB',
    range: [snapshotDefaults.bytes, mebibyte, 64 * gibibyte],
    unit: mebibyte,
  }),
  /** Time after which a snapshot is made if there is a new record, in minutes; default 60. */
  snapshotMinutes: number({
    flag: 'snapshot-minutes',
    group: 'Log and snapshots',
    help: 'Take a snapshot after this many minutes, if something was written',
    range: [snapshotDefaults.minutes, 0.01, 1_000_000],
  }),
  /** Pause of a snapshot run after each megabyte that it writes, in milliseconds; default 10. */
  snapshotPauseMs: number({
    flag: 'snapshot-pause',
    group: 'Log and snapshots',
    help: 'Pause after each MiB that a snapshot or a backup writes, in milliseconds, to leave the disk to requests; 0 for none',
    range: [snapshotDefaults.pauseMs, 0, 10_000],
  }),
};

/** Default quotas of accounts. */
export const quotaOptions = {
  projects: quota({
    flag: 'account-projects-max',
    group: 'Default limits of accounts',
    help: 'Number of projects of one account',
    shared: 'always',
  }),
  members: quota({
    flag: 'account-members-max',
    group: 'Default limits of accounts',
    help: 'Number of members of one account, in all collections of its projects',
    shared: 'always',
  }),
  bytes: quota({
    flag: 'account-mb',
    group: 'Default limits of accounts',
    help: 'Stored size of one account, in MiB',
    shared: 'always',
    most: 1_000_000_000,
    unit: mebibyte,
  }),
  versions: quota({
    flag: 'account-versions-max',
    group: 'Default limits of accounts',
    help: 'Number of [versions](versions.md) of one account, in all its projects',
    shared: 'always',
    byDefault: versionsMaxDefault,
    // Left out, it would be the default.
    none: Number.MAX_SAFE_INTEGER,
  }),
} satisfies Readonly<Record<keyof Quotas<number>, Option<number>>>;

/** The bounds of a memory budget depend on the machine. */
function memory<const Name extends string>(
  declared: Omit<Flag<Name>, 'group'> & Pick<Option<number | undefined>, 'parse' | 'problemOf'>,
): Option<number | undefined, Name> {
  return { ...declared, kind: 'number', group: 'Memory', fromFlag: (mib) => mib * mebibyte };
}

export const engineOptions = {
  /** Limit for the elements of all collections in one request; default 50,000. */
  elementsMax: number({
    flag: 'elements-max',
    group: 'API',
    help: 'Maximum number of elements in the collections of one request (413)',
    shared: 'always',
    range: [50_000, 1, 1_000_000],
    count: true,
  }),
  /** Quotas of accounts that have no quotas of their own; by default 10,000 versions, and nothing else is limited. */
  quotas: group<Partial<Quotas<number>>>(quotaOptions),
  /**
   * Memory above which changes that grow fail, in bytes; by default a share of the machine's memory and of V8's heap limit
   * (memory/memory-budget.ts).
   */
  memoryBytes: memory({
    flag: 'memory-mb',
    help: '[Memory budget](operations.md#memory), in MiB; beyond it, changes that need more memory are refused with 507',
    common: true,
    defaultWords: 'depends on the machine',
    parse: memoryFrom,
    problemOf: memoryProblem,
  }),
  /** Cache size for decoded members, in bytes; default two fifths of `memoryBytes`. */
  decodedCacheBytes: memory({
    flag: 'decoded-cache-mb',
    help: 'Cache size for decoded members, in MiB; other members stay encoded, a fifth as large',
    defaultWords: '2/5 of --memory-mb',
    parse: decodedFrom,
    problemOf: (bytes) => (bytes >= 0 ? undefined : 'must be 0 to "memoryBytes"'),
  }),
  /** Idempotency cache limit per account, in bytes; default 64 MiB. */
  idempotencyBytes: number({
    flag: 'idempotency-mb',
    group: 'Memory',
    help: 'Memory for responses that are repeated when a request with an `Idempotency-Key` is retried, in MiB per account; beyond it, new keys get 429',
    range: [64 * mebibyte, 0, 64 * gibibyte],
    unit: mebibyte,
  }),
  /**
   * The host's schemas for members that the API leaves open. Created, changed and imported resources are checked against these as well. JSON
   * Schema, made by TypeBox or by hand. None by default.
   */
  schemas: option<HostSchemas>('object', (schemas) => void bodyCheckOf(schemas)),
  /** Milliseconds since 1970; default `Date.now`. Order and identifiers do not depend on it. */
  clock: option<() => number>('function'),
};

export type StorageOptions = Omit<ValuesOf<typeof storageOptions>, 'sync'> & { readonly sync?: SyncMode };

export type EngineOptions = StorageOptions & ValuesOf<typeof engineOptions>;

/** Parses --memory-mb. V8 fixes its heap limit before the program runs, so a larger budget needs a restart with other flags. */
function memoryFrom(given: unknown): number {
  const value = given as number;
  const mostMb = Math.floor(memoryBytesMax() / mebibyte);
  if (value >= 1 && value <= mostMb) return value;
  const heapMb = Math.ceil(((value * mebibyte) / memoryBytesMax()) * (countedLimitBytes() / mebibyte));
  const more = value > mostMb ? `. Start with NODE_OPTIONS=--max-old-space-size=${heapMb} for ${value}` : '';
  throw new InvalidOption(`must be a number from 1 to ${mostMb}, the limit of V8's heap here${more}`);
}

function memoryProblem(bytes: number): string | undefined {
  if (bytes > 0 && bytes <= memoryBytesMax()) return undefined;
  const limitMb = Math.floor(countedLimitBytes() / mebibyte);
  return `must be 1 to ${memoryBytesMax()}: V8's heap limit is ${limitMb} MiB here, and the process ends above it. For more, start Node with a larger --max-old-space-size (NODE_OPTIONS)`;
}

function decodedFrom(given: unknown): number {
  const value = given as number;
  if (value >= 0 && value <= 65_536) return value;
  throw new InvalidOption('must be a number from 0 to 65536');
}
