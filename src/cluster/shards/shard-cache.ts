/**
 * The cache of a shard: the data folder into which a node copies the log while it follows. A cache that the log in the database does not continue is
 * opened again, which downloads it.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../lib/async/deferred.ts';
import { makeFolders } from '../../lib/files/files.ts';
import { OpenFolder } from '../../lib/files/open-folder.ts';
import { type DataFolder, pathsIn } from '../../server/lifecycle/data-folder.ts';
import { snapshotDefaults } from '../../storage/snapshot/scheduler.ts';
import { segmentBytesDefault } from '../../storage/wal/format/segment.ts';
import { check, observe } from '../database/owner-statements.ts';
import { Follower, StaleCacheError } from '../log/follower.ts';
import type { Position } from '../protocol/terms.ts';
import { isOfCache } from './cache-errors.ts';
import type { ShardNode } from './shard-node.ts';

/** Milliseconds between attempts to reach a database that is away, or to open a cache. */
const retryMs = 500;

interface ReadOptions {
  /** Of the claim that was won. */
  readonly lineage: string;
  readonly owner: string;
  /** Whether another node has claimed the shard since; `false` if the database is away. */
  hasOtherOwner(): Promise<boolean>;
  /** Why the cache cannot be used, if that is known. */
  readonly damage?: string;
}

export class ShardCache {
  readonly folder: DataFolder;
  readonly #shard: number;
  readonly #node: ShardNode;
  #follower: Follower | undefined;
  /** Why it could not be opened or written. */
  #error: Error | undefined;
  #lineage = '';
  /** Resolves when the database has another lineage than the cache. */
  #forked = new Deferred<void>();
  #following: { readonly stop: AbortController; readonly copying: Promise<void> } | undefined;

  /** @param folder which the cache closes */
  constructor(shard: number, node: ShardNode, folder: DataFolder) {
    this.#shard = shard;
    this.#node = node;
    this.folder = folder;
  }

  /** The newest record in it; `undefined` while it is closed. */
  get lsn(): number | undefined {
    return this.#follower?.lsn;
  }

  get error(): Error | undefined {
    return this.#error ?? this.#follower?.failure;
  }

  /** Whether it cannot be opened or written, because of its disk. */
  get hasFailed(): boolean {
    const { error } = this;
    return error !== undefined && isOfCache(error);
  }

  /** Copies the log until {@link stopFollowing}. */
  follow(): void {
    const stop = new AbortController();
    this.#following = { stop, copying: this.#copyLog(stop.signal) };
  }

  /** @param keepsOpen whether it stays open: it is about to be used */
  async stopFollowing(keepsOpen: boolean): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    following?.stop.abort();
    await following?.copying;
    if (!keepsOpen) await this.#closeFollower();
  }

  /** The database has this lineage. */
  onLineage(lineage: string): void {
    if (lineage !== this.#lineage) this.#forked.resolve();
  }

  /** Its disk fails: the process must end. */
  failed(error: Error): void {
    this.#error = error;
    this.#node.telemetry.alarms.check();
    this.#node.options.onFatal(error);
  }

  async close(): Promise<void> {
    await this.stopFollowing(false);
    this.folder.close();
  }

  /** Copies the log up to the newest row, and closes the cache; `undefined` if another node has claimed. */
  async readToEnd({ lineage, owner, hasOtherOwner, damage }: ReadOptions): Promise<Position | undefined> {
    const { bulk, options } = this.#node;
    let stale = damage;
    for (;;) {
      try {
        const follower = this.#follower ?? (await this.#openFollower({ lineage, stale }));
        stale = undefined;
        const end = await follower.catchUp();
        const found = await check(await bulk.connection(), this.#shard, end);
        if (found.token.owner !== owner) return undefined;
        if (found.chainAt !== end.chain)
          throw new StaleCacheError(
            `its records up to ${end.lsn} are not those in the database, which ends with ${found.newest.lsn}`,
          );
        if (found.newest.lsn !== end.lsn) continue;
        await this.#closeFollower();
        return found.newest;
      } catch (error) {
        if (this.#node.state.isStopping || (await hasOtherOwner())) return undefined;
        options.log.warn({ err: error, shard: this.#shard }, 'cannot read the log of the cluster to its end: retrying');
        if (error instanceof StaleCacheError) {
          stale = error.message;
          await this.#closeFollower();
        }
        await delay(retryMs);
      }
    }
  }

  async #closeFollower(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    await follower?.close();
  }

  /** Keeps the cache up to date. A cache that the log in the database does not continue is opened again, which downloads it. */
  async #copyLog(signal: AbortSignal): Promise<void> {
    const { log } = this.#node.options;
    let stale: string | undefined;
    let failures = 0;
    while (!signal.aborted && !this.#node.state.isStopping) {
      // After a claim that another node has overtaken, the cache is still open.
      const follower = this.#follower ?? (await this.#openFollower({ stale }).catch((error: Error) => error));
      if (follower instanceof Error) {
        if (failures++ === 0 && !this.#node.state.isStopping)
          log.warn({ err: follower, shard: this.#shard }, 'cannot open the cache: retrying');
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
        continue;
      }
      failures = 0;
      if (signal.aborted) return;
      const isStopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      const { promise: isForked } = this.#forked;
      try {
        await Promise.race([follower.run(), isStopped, isForked]);
        if (signal.aborted) return;
        stale = undefined;
      } catch (error) {
        stale = (error as Error).message;
      }
      await this.#closeFollower();
    }
  }

  /** Opens the cache. Rejects if the database is away, or the disk fails. */
  async #openFollower({ lineage, stale }: { lineage?: string; stale?: string | undefined }): Promise<Follower> {
    const { bulk, options } = this.#node;
    const { segmentBytes = segmentBytesDefault, snapshotBytes, snapshotMinutes, snapshotPauseMs, log } = options;
    try {
      const { answer } = await observe(await bulk.connection(), this.#shard);
      this.#lineage = lineage ?? answer.shard.lineage;
      this.#forked = new Deferred<void>();
      this.#follower = await Follower.open({
        ...{ folders: this.folder, shard: this.#shard, bulk, log, segmentBytes },
        ...{ stale, lineage: this.#lineage },
        snapshotBytes: snapshotBytes ?? snapshotDefaults.bytes,
        snapshotMinutes: snapshotMinutes ?? snapshotDefaults.minutes,
        snapshotPauseMs: snapshotPauseMs ?? snapshotDefaults.pauseMs,
        onFailed: (error) => this.failed(error),
      });
      this.#error = undefined;
      return this.#follower;
    } catch (error) {
      this.#error = error as Error;
      throw error;
    }
  }
}

/**
 * The folder of a shard's cache: that of the node if the cluster has one shard, otherwise `shard-N` in it. Throws if it cannot be created.
 *
 * @param root of the node, which the caller closes
 */
export function openShardFolder(root: DataFolder, shard: number, shards: number): DataFolder {
  if (shards === 1) return { ...root, close: () => undefined };
  const { path: folder, journal, snapshots, blobs } = pathsIn(path.join(root.path, `shard-${shard}`));
  makeFolders(folder, 0o700);
  const opened = new OpenFolder(folder);
  return { path: folder, root: opened, journal, snapshots, blobs, marker: root.marker, close: () => opened.close() };
}
