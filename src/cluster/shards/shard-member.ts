/**
 * What a node does for one shard: it copies the log into a cache while it follows, takes over after a claim is won, and runs the engine while it owns
 * the shard. An engine whose token is gone is discarded.
 *
 *     follow()  -- a claim is won -->  takeOver()  -->  own()  -- the token is gone, or handed over -->  follow()
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ownerEndpoint } from '../../api/health-endpoints.ts';
import { Deferred } from '../../lib/async/deferred.ts';
import { CorruptError } from '../../lib/errors.ts';
import { makeFolders } from '../../lib/files/files.ts';
import { OpenFolder } from '../../lib/files/open-folder.ts';
import type { OperationContext } from '../../server/admin/admin-operations.ts';
import type { ClusterHooks } from '../../server/lifecycle/cluster-hooks.ts';
import { type DataFolder, pathsIn } from '../../server/lifecycle/data-folder.ts';
import { openServer, type StartingServer } from '../../server/server.ts';
import { snapshotDefaults } from '../../storage/snapshot/scheduler.ts';
import { segmentBytesDefault } from '../../storage/wal/format/segment.ts';
import { WalThreads } from '../../storage/wal/write/wal-worker.ts';
import type { BulkStore } from '../database/bulk-store.ts';
import { LostRecordsError } from '../database/database-errors.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import { addAuditEntry } from '../database/node-rows.ts';
import { halt } from '../database/operator-statements.ts';
import { check, type Observed, observe } from '../database/owner-statements.ts';
import { isFollowed } from '../database/read-status.ts';
import type { WonClaim } from '../log/claim-session.ts';
import { ClusterWorker } from '../log/cluster-worker.ts';
import { Follower, StaleCacheError } from '../log/follower.ts';
import { OwnerBlobs } from '../log/owner-blobs.ts';
import { OwnerSession } from '../log/owner-session.ts';
import { SnapshotUploader } from '../log/upload-snapshot.ts';
import { type ClusterNodeOptions, clusterDefaults } from '../node/cluster-options.ts';
import { isOfCache, type NodeTelemetry, type Role, type ShardFigures } from '../node/node-telemetry.ts';
import type { OwnerAddress } from '../node/peer.ts';
import type { KeyDirectory } from './key-directory.ts';
import { OwnerRegistry } from './owner-registry.ts';

/** The node of a shard. */
export interface MemberNode {
  readonly id: string;
  readonly options: ClusterNodeOptions;
  readonly url: DatabaseUrl;
  readonly durability: 'standby' | 'storage';
  readonly leaseMs: number;
  readonly bulk: BulkStore;
  readonly telemetry: NodeTelemetry;
  readonly directory: KeyDirectory;
  /** Number of shards of the cluster. */
  readonly shards: number;
  readonly isClosing: boolean;
  /** Addresses of all nodes and of the database, as `host:port`. */
  readonly addresses: readonly string[];
  setRole(role: Role): void;
  /** Another owner was observed, or none. */
  ownerChanged(): void;
}

/** Milliseconds between attempts to reach a database that is away, or to open a cache. */
const retryMs = 500;
/** Records that a copy may lack to take over from a node whose disk is full. */
const copyLagMax = 1_000;

export class ShardMember implements ShardFigures {
  readonly shard: number;
  readonly #node: MemberNode;
  readonly #folder: DataFolder;
  /** The server of the engine, while this node owns the shard. */
  server: StartingServer | undefined;
  /** What commands need of the engine, while this node owns the shard. */
  commands: OperationContext | undefined;
  session: OwnerSession | undefined;
  /** The own owner that hands over, or has just handed over, on request. */
  releasedOwner: string | undefined;
  /** Why this node gave up: its records are not in the database. */
  lostRecords: Error | undefined;
  /** What was seen last of the shard. */
  observed: Observed | undefined;
  #follower: Follower | undefined;
  #worker: ClusterWorker | undefined;
  /** Why the cache could not be opened or written. */
  #cacheError: Error | undefined;
  /** Whether the owner's cache has no room for another log segment. */
  #isDiskFull = false;
  /** The lineage of the cache. */
  #lineage = '';
  /** Resolves when the database has another lineage than the cache. */
  #forked = new Deferred<void>();
  #following: { readonly stop: AbortController; readonly copying: Promise<void> } | undefined;

  /** @param folder of the cache, which the member closes */
  constructor(shard: number, node: MemberNode, folder: DataFolder) {
    this.shard = shard;
    this.#node = node;
    this.#folder = folder;
  }

  // Following

  /** Copies the log into the cache until {@link stopFollowing}. */
  follow(): void {
    this.session = undefined;
    this.#worker = undefined;
    this.#isDiskFull = false;
    const stop = new AbortController();
    this.#following = { stop, copying: this.#copyLog(stop.signal) };
  }

  /** @param keepsOpen whether the cache stays open: it is about to be used */
  async stopFollowing(keepsOpen: boolean): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    following?.stop.abort();
    await following?.copying;
    if (!keepsOpen) await this.#closeFollower();
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
    while (!signal.aborted && !this.#node.isClosing) {
      // After a claim that another node has overtaken, the cache is still open.
      const follower = this.#follower ?? (await this.#openFollower({ stale }).catch((error: Error) => error));
      if (follower instanceof Error) {
        if (failures++ === 0 && !this.#node.isClosing)
          log.warn({ err: follower, shard: this.shard }, 'cannot open the cache: retrying');
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
      const { answer } = await observe(await bulk.connection(), this.shard);
      this.#lineage = lineage ?? answer.shard.lineage;
      this.#forked = new Deferred<void>();
      this.#follower = await Follower.open({
        ...{ folders: this.#folder, shard: this.shard, bulk, log, segmentBytes },
        ...{ stale, lineage: this.#lineage },
        snapshotBytes: snapshotBytes ?? snapshotDefaults.bytes,
        snapshotMinutes: snapshotMinutes ?? snapshotDefaults.minutes,
        snapshotPauseMs: snapshotPauseMs ?? snapshotDefaults.pauseMs,
        onFailed: (error) => this.#onCacheFailed(error),
      });
      this.#cacheError = undefined;
      return this.#follower;
    } catch (error) {
      this.#cacheError = error as Error;
      throw error;
    }
  }

  // Owning

  /** Reads the log to its end and opens the engine; `undefined` if another node took over meanwhile. */
  async takeOver({ token, lineage, timeline }: WonClaim): Promise<OwnerSession | undefined> {
    const { options, url, durability, leaseMs, telemetry } = this.#node;
    const startedMs = performance.now();
    let session: OwnerSession | undefined;
    try {
      const acknowledged = await this.#readToEnd(lineage, token.owner);
      if (acknowledged === undefined) return undefined;
      session = new OwnerSession({
        ...{ url, durability, shard: this.shard, leaseMs, log: options.log },
        ...{ token, timeline, acknowledged, counters: telemetry.owner },
        onEnded: (error) => this.#onEnded(error),
        onAsked: () => void this.#handOver('on request'),
      });
      this.session = session;
      const server = await this.#openIntact(session, lineage);
      if (server === undefined) {
        await session.close();
        return undefined;
      }
      try {
        if (session.ended === undefined) await options.onOwner?.(server, this.shard, this.#node.shards);
      } catch (error) {
        await server.close().catch(() => undefined);
        throw error;
      }
      if (session.ended !== undefined || this.#node.isClosing) {
        await server.close().catch(() => undefined);
        await session.close();
        return undefined;
      }
      this.server = server;
      this.#node.setRole('owner');
      telemetry.takeovers++;
      const ms = Math.round(performance.now() - startedMs);
      options.log.info({ node: this.#node.id, shard: this.shard, lsn: acknowledged.lsn, ms }, 'took over');
      return session;
    } catch (error) {
      const isOver = session?.ended !== undefined || this.#node.isClosing;
      await session?.close();
      if (!isOver) throw error;
      return undefined;
    }
  }

  /**
   * Copies the log up to the newest row, and closes the cache; `undefined` if another node has claimed.
   *
   * @param damage why the cache cannot be used, if that is known
   */
  async #readToEnd(lineage: string, owner: string, damage?: string) {
    const { bulk, options } = this.#node;
    let stale = damage;
    for (;;) {
      try {
        const follower = this.#follower ?? (await this.#openFollower({ lineage, stale }));
        stale = undefined;
        const end = await follower.catchUp();
        const found = await check(await bulk.connection(), this.shard, end);
        if (found.token.owner !== owner) return undefined;
        if (found.chainAt !== end.chain)
          throw new StaleCacheError(
            `its records up to ${end.lsn} are not those in the database, which ends with ${found.newest.lsn}`,
          );
        if (found.newest.lsn !== end.lsn) continue;
        await this.#closeFollower();
        return found.newest;
      } catch (error) {
        if (this.#node.isClosing || (await this.#hasOtherOwner(owner))) return undefined;
        options.log.warn({ err: error, shard: this.shard }, 'cannot read the log of the cluster to its end: retrying');
        if (error instanceof StaleCacheError) {
          stale = error.message;
          await this.#closeFollower();
        }
        await delay(retryMs);
      }
    }
  }

  /** Whether another node has claimed the shard; `false` if the database is away. */
  async #hasOtherOwner(owner: string): Promise<boolean> {
    try {
      const observed = await observe(await this.#node.bulk.connection(), this.shard);
      this.onObserved(observed);
      return observed.answer.owner !== owner;
    } catch {
      return false;
    }
  }

  /** Opens the engine, on a new download if the cache is damaged: its log was compared with the database, but not its snapshots. */
  async #openIntact(session: OwnerSession, lineage: string): Promise<StartingServer | undefined> {
    try {
      return await this.#openServer(session, lineage);
    } catch (error) {
      if (!(error instanceof CorruptError) || session.ended !== undefined) throw error;
      const end = await this.#readToEnd(lineage, session.token.owner, error.message);
      return end && (await this.#openServer(session, lineage));
    }
  }

  async #openServer(session: OwnerSession, lineage: string): Promise<StartingServer> {
    const { bulk, telemetry, directory, options: all } = this.#node;
    const { cluster, onOwner: _, ...options } = all;
    const { log } = options;
    const { shard } = this;
    const worker = new ClusterWorker(session, bulk, new WalThreads(this.#folder.root));
    this.#worker = worker;
    const gate = () => session.gate();
    const hooks: ClusterHooks = {
      // The node closes it.
      openFolder: () => this.#folder,
      engine: {
        cacheOf: { lineage, gate, blobs: new OwnerBlobs(session, bulk) },
        workers: { journal: worker },
        sync: 'interval',
      },
      gate,
      waitsFor: () => (worker.waitingMs === undefined ? 'disk' : 'database'),
      unproven: () => unproven(session),
      endpoints: [ownerEndpoint(() => isOpen(gate))],
      ownAddresses: () => this.#node.addresses,
      node: telemetry.node,
      shard,
      registry: new OwnerRegistry(session, bulk, directory, log),
      audit: (entry) => this.#audit(entry),
      serveCommands: async (context) => {
        this.commands = { ...context, node: cluster.advertise };
      },
    };
    const ownerOptions = {
      ...options,
      inMemory: false,
      onFatal: (error: unknown) => this.#onEngineFailed(error as Error),
    } as const;
    const server = await openServer(ownerOptions, undefined, hooks);
    this.#watch(server, session, worker);
    return server;
  }

  /** Notices a full disk, and stores each snapshot of the owner in the database. */
  #watch(server: StartingServer, session: OwnerSession, worker: ClusterWorker): void {
    const { bulk, options } = this.#node;
    const { log, cluster } = options;
    const { logKeepMs = clusterDefaults.logKeepMs } = cluster;
    const { shard } = this;
    const uploader = new SnapshotUploader(bulk, shard, this.#folder.snapshots, Math.round(logKeepMs / 1000));
    server.on('alarm', ({ name }) => {
      if (name === 'disk_full') this.#isDiskFull = true;
    });
    server.on('cleared', ({ name }) => {
      if (name === 'disk_full') this.#isDiskFull = false;
    });
    server.on('snapshot', ({ lsn }) => {
      uploader
        .upload(
          lsn,
          () => session.token,
          () => worker.deposits,
        )
        .then((bytes) => log.info({ shard, lsn, bytes }, 'stored a snapshot in the database'))
        .catch((error: unknown) =>
          log.warn({ err: error, shard, lsn }, 'cannot store a snapshot in the database; the next one tries again'),
        );
    });
  }

  async #audit(entry: object): Promise<void> {
    const { bulk, options } = this.#node;
    const connection = await bulk.connection();
    const { advertise: node } = options.cluster;
    await addAuditEntry(connection, { ...entry, node });
  }

  /** Answers until the token is gone or the node stops; then discards the engine. */
  async own(session: OwnerSession): Promise<void> {
    await session.over;
    if (this.#node.isClosing) return;
    this.#node.setRole('following');
    const { server } = this;
    this.server = undefined;
    this.commands = undefined;
    await server?.close().catch(() => undefined);
    await session.close();
    this.session = undefined;
    this.#worker = undefined;
  }

  #onEnded(error: Error): void {
    if (error instanceof LostRecordsError) {
      this.lostRecords = error;
      this.#node.telemetry.alarms.check();
    } else if (!this.#node.isClosing && this.releasedOwner === undefined)
      this.#node.options.log.warn({ node: this.#node.id, shard: this.shard }, 'another node has taken over');
  }

  /** Writes into the database that no node may serve, however long it is away. The cache with the lost records is set aside afterwards. */
  async halt({ message }: Error, lineage: string): Promise<void> {
    const { bulk, options, id } = this.#node;
    const nobody = randomUUID();
    for (let attempts = 0; !this.#node.isClosing; attempts++) {
      try {
        const { answer, rows } = await halt(await bulk.connection(), this.shard, lineage, message, nobody);
        if (!('code' in answer)) {
          if (rows.length > 0)
            options.log.error(
              { node: id, shard: this.shard },
              'halted the cluster: no node serves before mapwright cluster fork',
            );
          // From now on the database has the reason.
          this.lostRecords = undefined;
          return;
        }
      } catch (error) {
        if (attempts === 0) options.log.warn({ err: error, shard: this.shard }, 'cannot halt the cluster: retrying');
      }
      await delay(retryMs);
    }
  }

  /**
   * Gives the shard to a node that has a copy, if the disk of the cache is full: here writes would be refused until there is room.
   *
   * @param withinMs milliseconds within which another node must have entered itself into the database
   */
  async leaveFullDisk(withinMs: number): Promise<void> {
    const { session } = this;
    if (!this.#isDiskFull || session === undefined) return;
    const connection = await this.#node.bulk.connection();
    const lsn = session.acknowledged.lsn - copyLagMax;
    if (await isFollowed(connection, this.shard, { notBy: this.#node.id, lsn, withinMs: 2 * withinMs }))
      await this.#handOver('because the disk of the data folder is full');
  }

  /** Gives the shard to another node, and follows. Requests that arrive meanwhile wait for the next owner. */
  async #handOver(reason: string): Promise<void> {
    const { server, session } = this;
    const { log } = this.#node.options;
    if (this.releasedOwner !== undefined || this.#node.isClosing || server === undefined || session === undefined) return;
    log.info({ node: this.#node.id, shard: this.shard }, `handing over ${reason}`);
    this.releasedOwner = session.token.owner;
    this.observed = undefined;
    this.#node.setRole('following');
    await server.close().catch((error: unknown) => log.error({ err: error }, 'the server did not close in order'));
    await session.release();
  }

  /** The engine ends itself when the token is gone. Any other failure is one of the cache's disk. */
  #onEngineFailed(error: Error): void {
    if (this.session?.ended === undefined && !this.#node.isClosing) this.#onCacheFailed(error);
  }

  #onCacheFailed(error: Error): void {
    this.#cacheError = error;
    this.#node.telemetry.alarms.check();
    this.#node.options.onFatal(error);
  }

  // What it knows

  onObserved(observed: Observed): void {
    const { telemetry, options } = this.#node;
    telemetry.observed();
    // What the database says about lost records replaces what this node found.
    if (observed.halted !== '') this.lostRecords = undefined;
    const before = this.observed;
    this.observed = observed;
    if (observed.answer.shard.lineage !== this.#lineage) this.#forked.resolve();
    if (observed.halted !== '' && observed.halted !== before?.halted)
      options.log.error({ shard: this.shard, reason: observed.halted }, 'no node serves the data before mapwright cluster fork');
    if (observed.node !== before?.node || observed.answer.owner !== before?.answer.owner) this.#node.ownerChanged();
  }

  /** The owner that was observed last, if it is another node; `undefined` if it has released the shard. */
  get ownerAddress(): OwnerAddress | undefined {
    const { observed } = this;
    if (observed === undefined || observed.address === '' || observed.answer.released) return undefined;
    if (observed.node === undefined || observed.node === this.#node.id) return undefined;
    return { url: observed.address, nodeId: observed.node };
  }

  get #activeSession(): OwnerSession | undefined {
    return this.session?.ended === undefined ? this.session : undefined;
  }

  get lsn(): number | undefined {
    return this.#follower?.lsn ?? this.session?.acknowledged.lsn;
  }

  get newestLsn(): number {
    return this.#activeSession === undefined ? (this.observed?.newestLsn ?? 0) : 0;
  }

  get leaseLeftMs(): number | undefined {
    return this.#activeSession?.leaseLeftMs;
  }

  get lossReason(): string {
    return this.lostRecords?.message ?? (this.#activeSession === undefined ? (this.observed?.halted ?? '') : '');
  }

  get append(): { readonly waitingMs: number; readonly refusal: string | undefined } | undefined {
    const waitingMs = this.#worker?.waitingMs;
    return waitingMs === undefined ? undefined : { waitingMs, refusal: this.#activeSession?.refusal };
  }

  get cacheError(): Error | undefined {
    return this.#cacheError ?? this.#follower?.failure;
  }

  /** Whether the cache cannot be opened or written, because of its disk. */
  get hasFailedCache(): boolean {
    const { cacheError } = this;
    return cacheError !== undefined && isOfCache(cacheError);
  }

  // The end

  async close(): Promise<void> {
    await this.stopFollowing(false);
    this.#folder.close();
  }
}

/** Why an owner cannot answer, beginning with the name of the alarm. */
function unproven(session: OwnerSession): string | undefined {
  if (session.leaseLeftMs > 0) return undefined;
  return 'lease_lost: the database of the cluster does not confirm that this node owns the data';
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

/** Whether the owner may answer now. */
async function isOpen(gate: () => Promise<void> | undefined): Promise<boolean> {
  try {
    await gate();
    return true;
  } catch {
    return false;
  }
}
