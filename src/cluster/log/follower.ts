/**
 * A node that follows: copies the log of the database into its cache, and makes snapshots of it, so that it can take over within moments.
 *
 *     open()     uses the cache if it agrees with the database; otherwise sets it aside and downloads the newest snapshot
 *     catchUp()  copies what the database has by now
 *     run()      does so every 100 ms
 *
 * A database that is away is waited for.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BusyError } from '../../lib/errors.ts';
import { type Files, nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { SnapshotScheduler } from '../../storage/snapshot/scheduler.ts';
import type { Lsn } from '../../storage/wal/journal.ts';
import { repairTail } from '../../storage/wal/recovery/repair-tail.ts';
import { openWal, type Wal } from '../../storage/wal/write/wal.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import { type LogRow, rowsAfter } from '../database/log-rows.ts';
import type { Position } from '../protocol/terms.ts';
import { chainAfter, digestOf, recordsOf } from './batches.ts';
import { type CacheFolders, type CacheVerdict, checkCache } from './check-cache.ts';
import { downloadSnapshot } from './download-snapshot.ts';

export interface FollowerOptions {
  readonly folders: CacheFolders & { readonly path: string };
  readonly shard: number;
  readonly lineage: string;
  /** Why the cache cannot be used, if that is known: then it is downloaded again. */
  readonly stale?: string | undefined;
  readonly bulk: BulkStore;
  /** Bytes of a segment, and of sealed log that trigger a snapshot. */
  readonly segmentBytes: number;
  readonly snapshotBytes: number;
  readonly snapshotMinutes: number;
  readonly snapshotPauseMs: number;
  readonly log: Log;
  /** Called once if the cache can no longer be written. */
  readonly onFailed: (error: Error) => void;
}

/** The log in the database does not continue this cache: it must be downloaded again. */
export class StaleCacheError extends Error {
  override readonly name = 'StaleCacheError';
}

/** Milliseconds between two looks at the end of the log, and after a failure. */
const pollMs = 100;
const retryMs = 1_000;
/** Milliseconds after which a full queue is tried again. */
const busyMs = 5;

export class Follower {
  readonly #options: FollowerOptions;
  readonly #wal: Wal;
  readonly #snapshots: SnapshotScheduler;
  readonly #stop = new AbortController();
  #isClosed = false;
  #running: Promise<void> | undefined;
  /** Why the log could not be copied, since it was copied last; `undefined` if it was. */
  failure: Error | undefined;
  #copying: Promise<Position> | undefined;
  #end: Position;

  private constructor(options: FollowerOptions, wal: Wal, end: Position, snapshots: SnapshotScheduler) {
    this.#options = options;
    this.#wal = wal;
    this.#end = end;
    this.#snapshots = snapshots;
  }

  /** Opens the cache. Rejects if the database is away, or the disk fails. */
  static async open(options: FollowerOptions): Promise<Follower> {
    const { folders, bulk, shard, lineage, stale, log, segmentBytes } = options;
    const connection = await bulk.connection();
    let verdict: CacheVerdict =
      stale === undefined ? await checkCache(nodeFiles, folders, connection, shard, lineage) : { reason: stale };
    const isEmpty = !('reason' in verdict) && verdict.plan.last === undefined;
    if ('reason' in verdict || isEmpty) {
      if ('reason' in verdict) setAside(nodeFiles, folders, verdict.reason, log);
      await downloadSnapshot(nodeFiles, { folders, bulk, shard, lineage, segmentBytes, log });
      verdict = await checkCache(nodeFiles, folders, connection, shard, lineage);
      if ('reason' in verdict)
        throw new Error(`the cache that was just downloaded into ${folders.path} cannot be used: ${verdict.reason}`);
    }
    const { plan, snapshotLsn, end } = verdict;
    nodeFiles.makeFolder(folders.snapshots);
    const tail = repairTail(nodeFiles, plan, { sync: 'interval', segmentBytes, lineage, isCache: true, log });
    const wal = await openWal(tail, { onFatal: options.onFailed, log });
    const snapshots = new SnapshotScheduler(wal, snapshotLsn, {
      files: nodeFiles,
      journalFolder: folders.journal,
      snapshotFolder: folders.snapshots,
      bytes: options.snapshotBytes,
      minutes: options.snapshotMinutes,
      pauseMs: options.snapshotPauseMs,
      log,
    });
    return new Follower(options, wal, end, snapshots);
  }

  /** The newest record in the cache. */
  get lsn(): Lsn {
    return this.#wal.nextLsn - 1;
  }

  /** Copies the log every 100 ms, until {@link close}. Rejects with {@link StaleCacheError}. */
  run(): Promise<void> {
    this.#running ??= this.#poll();
    return this.#running;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!this.#isClosed) {
      try {
        await this.catchUp();
        failures = 0;
        this.failure = undefined;
      } catch (error) {
        if (error instanceof StaleCacheError) throw error;
        this.failure = error as Error;
        if (failures === 0 && !this.#isClosed)
          this.#options.log.warn({ err: error }, 'cannot copy the log of the cluster: retrying');
        failures++;
      }
      if (!this.#isClosed) await delay(failures === 0 ? pollMs : retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Copies the log up to the newest row; resolves with its end. Rejects with {@link StaleCacheError}, or if the database is away, or the cache cannot
   * be written.
   */
  catchUp(): Promise<Position> {
    this.#copying ??= this.#copy().finally(() => {
      this.#copying = undefined;
    });
    return this.#copying;
  }

  async #copy(): Promise<Position> {
    const { bulk, shard } = this.#options;
    const connection = await bulk.connection();
    for (;;) {
      const rows = await rowsAfter(connection, shard, this.#end.lsn);
      for (const row of rows) await this.#append(row);
      if (rows.length === 0) return this.#end;
    }
  }

  async #append(row: LogRow): Promise<void> {
    const { lsn: endLsn, chain } = this.#end;
    if (row.firstLsn !== endLsn + 1)
      throw new StaleCacheError(`it ends with record ${endLsn}, and the log in the database goes on with ${row.firstLsn}`);
    // A row may be visible before it is replicated, and then a failover takes it back: another one has its place.
    if (chainAfter(chain, row.payload) !== row.chain)
      throw new StaleCacheError(`its records up to ${endLsn} are not those that the log in the database continues`);
    const payload = row.deposit === undefined ? row.payload : await this.#deposit(row.deposit, row.payload);
    let lsn = row.firstLsn;
    for (const record of recordsOf(payload)) {
      if (lsn > this.lsn) await this.#appendRecord(record);
      lsn++;
    }
    if (lsn !== row.lastLsn + 1)
      throw new Error(`the row of record ${row.lastLsn} in the database holds records up to ${lsn - 1}`);
    this.#end = { lsn: row.lastLsn, chain: row.chain };
  }

  async #deposit(id: string, digest: Buffer): Promise<Buffer> {
    const bytes = await this.#options.bulk.parts(id);
    if (!digestOf(bytes).equals(digest)) throw new Error(`the large record ${id} in the database is not complete`);
    return bytes;
  }

  async #appendRecord(record: Buffer): Promise<void> {
    for (;;) {
      if (this.#isClosed) throw new Error('the cache is closed');
      try {
        if (record.byteLength <= this.#wal.recordBytesMax) this.#wal.append(record);
        else this.#wal.commitPrepared(await this.#wal.prepare(record.byteLength, async (into) => void record.copy(into)));
        return;
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        await delay(busyMs);
      }
    }
  }

  /** Writes what is queued and closes the files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop.abort();
    await this.#copying?.catch(() => undefined);
    await this.#running?.catch(() => undefined);
    await this.#snapshots.close();
    await this.#wal.close();
  }
}

/** Moves a cache out of the way, for people to look at. */
function setAside(
  files: Files,
  { path: folder, journal, snapshots }: FollowerOptions['folders'],
  reason: string,
  log: Log,
): void {
  const parts = [journal, snapshots].filter((part) => fs.existsSync(part));
  if (parts.length === 0) return;
  const aside = path.join(folder, `set-aside-${new Date().toISOString().replaceAll(':', '')}`);
  files.makeFolder(aside);
  for (const part of parts) files.rename(part, path.join(aside, path.basename(part)));
  files.syncFolder(folder);
  log.warn({ folder: aside }, `set the cache aside and downloads it again: ${reason}. Delete it when nothing is missing`);
}
