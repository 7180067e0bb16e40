/**
 * A node of a cluster: one process that either owns the data and answers, or follows and forwards, behind one socket.
 *
 *     starting --> following --claim--> taking over --> owner
 *                      ^                                  '-- the token is gone: its engine is discarded --> following
 *                      '-----------------------------------------'
 *
 * While it follows, it copies the log into its data folder and watches the owner's beat. When it owns, it runs the same server as on one machine, with
 * the log of the database in place of the log on the disk.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '../../api/health-endpoints.ts';
import { BulkStore } from '../../cluster/database/bulk-store.ts';
import { checkSettings } from '../../cluster/database/check-settings.ts';
import { type Cluster, readCluster } from '../../cluster/database/create-cluster.ts';
import type { Connection } from '../../cluster/database/database-connection.ts';
import { ClusterSettingsError, LostRecordsError } from '../../cluster/database/database-errors.ts';
import { type DatabaseUrl, parseDatabaseUrl } from '../../cluster/database/database-url.ts';
import { loadPg } from '../../cluster/database/load-pg.ts';
import { halt } from '../../cluster/database/operator-statements.ts';
import { check, type Observed, observe } from '../../cluster/database/owner-statements.ts';
import { probeDatabase } from '../../cluster/database/probe-database.ts';
import { ClaimSession, type WonClaim } from '../../cluster/log/claim-session.ts';
import { ClusterWorker } from '../../cluster/log/cluster-worker.ts';
import { Follower, StaleCacheError } from '../../cluster/log/follower.ts';
import { OwnerSession } from '../../cluster/log/owner-session.ts';
import { SnapshotUploader } from '../../cluster/log/upload-snapshot.ts';
import type { Listener } from '../../http/listener.ts';
import { Deferred } from '../../lib/async/deferred.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { packageVersion } from '../../lib/package.ts';
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import { schemaVersion } from '../../model/record.ts';
import { cacheFormat, writeMarker } from '../../recovery/marker.ts';
import { snapshotDefaults } from '../../snapshot/scheduler.ts';
import { segmentBytesDefault } from '../../wal/format/segment.ts';
import { WalThreads } from '../../wal/write/wal-worker.ts';
import type { OperationContext } from '../admin/admin-operations.ts';
import { type AdminResponse, type ControlServer, respondOn, serveControl } from '../admin/control-socket.ts';
import { type DataFolder, openDataFolder } from '../lifecycle/data-folder.ts';
import { type Listening, Sockets } from '../lifecycle/sockets.ts';
import { StartupListener } from '../lifecycle/startup-listener.ts';
import { openServer, type StartingServer } from '../server.ts';
import { type ServerOptions, stallLimitsOf } from '../server-options.ts';
import { createFollowerMetrics, type Metrics } from '../telemetry/metrics.ts';
import {
  refuseNewerRecords,
  refuseOtherOptions,
  refuseOtherProcess,
  refuseOtherShards,
  refuseShortLease,
  type SharedOptions,
  sharedOptions,
  storedOptions,
} from './check-start.ts';
import { type ClusterOptions, clusterDefaults } from './cluster-options.ts';
import { followerListener } from './follower-listener.ts';
import { Forwarder } from './forwarder.ts';
import { NodeTelemetry, type Role } from './node-telemetry.ts';
import type { OwnerAddress } from './peer.ts';
import { PeerHandler } from './peer-handler.ts';
import { OperationReceiver, sendOperation } from './peer-operation.ts';

export interface ClusterNodeOptions extends Omit<ServerOptions, 'log' | 'backup' | 'onFatal' | 'metricsListen'> {
  readonly cluster: ClusterOptions;
  readonly log: Log;
  /** Called each time this node has taken over, before it answers. */
  readonly onOwner?: (server: StartingServer) => Promise<void> | void;
  /** Called when the node cannot go on: it must be restarted, or an operator decides. */
  readonly onFatal: (error: Error) => void;
}

/** A cluster has one shard so far: tables and protocol know several. */
const shard = 0;
/** Milliseconds between attempts to reach a database that is away, or to open a cache. */
const retryMs = 500;
/** Milliseconds between two entries of this node in `mw_node`. */
const seenMs = 2_000;
/** Milliseconds that a hand-over may take, in which requests wait; between two looks for the next owner; and that requests may take after it. */
const handOverMs = 2_000;
const observeMs = 20;
const drainMs = 10_000;
/** Milliseconds in which a node that stops may mark its entry in `mw_node`. */
const farewellMs = 1_000;
/** Milliseconds for which a node that stops goes on to listen, so that clients and load balancers learn of it. */
const lingerMs = 300;

export class ClusterNode {
  readonly id = randomUUID();
  readonly #options: ClusterNodeOptions;
  readonly #url: DatabaseUrl;
  readonly #log: Log;
  readonly #leaseMs: number;
  readonly #durability: NonNullable<ClusterOptions['durability']>;
  readonly #folder: DataFolder;
  readonly #shared: SharedOptions;
  readonly #bulk: BulkStore;
  readonly #sockets: Sockets;
  #role: Role = 'starting';
  readonly #telemetry: NodeTelemetry;
  /** The metrics while this node does not own the data. */
  #metrics: Metrics | undefined;
  #cluster!: Cluster;
  #forwarder!: Forwarder;
  #followerListener!: Listener;
  #peers!: PeerHandler;
  /** The server of the engine, while this node owns the data. */
  #server: StartingServer | undefined;
  #session: OwnerSession | undefined;
  /** What commands need of the engine, while this node owns the data. */
  #commands: OperationContext | undefined;
  #control: ControlServer | undefined;
  #follower: Follower | undefined;
  #worker: ClusterWorker | undefined;
  /** Why the cache could not be opened or written. */
  #cacheError: Error | undefined;
  #claim: ClaimSession | undefined;
  #observed: Observed | undefined;
  readonly #ownerWaiters = new Set<Deferred<void>>();
  /** The lineage of the cache. */
  #lineage = '';
  /** Resolves when the database has another lineage than the cache. */
  #forked = new Deferred<void>();
  /** The own owner that hands over, or has just handed over, on request. */
  #releasedOwner: string | undefined;
  #running: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isClosing = false;

  private constructor(options: ClusterNodeOptions, folder: DataFolder) {
    const { cluster, log } = options;
    this.#options = options;
    this.#url = parseDatabaseUrl(cluster.url);
    this.#log = log;
    this.#leaseMs = cluster.leaseMs ?? clusterDefaults.leaseMs;
    this.#durability = cluster.durability ?? clusterDefaults.durability;
    this.#folder = folder;
    this.#shared = sharedOptions(options, this.#leaseMs);
    this.#bulk = new BulkStore(this.#url, this.#durability);
    this.#sockets = new Sockets(log);
    this.#telemetry = this.#openTelemetry();
  }

  /**
   * Joins the cluster: locks the folder, listens, waits for the database, and follows. Rejects with {@link ClusterSettingsError} for a setting that does
   * not allow to start, and with FolderError.
   */
  static async start(
    options: ClusterNodeOptions,
    port: number,
    host: string,
  ): Promise<{ node: ClusterNode; listening: Listening }> {
    await loadPg();
    const folder = openDataFolder(options.data, options.log);
    try {
      writeMarker(nodeFiles, folder.marker, cacheFormat);
      const node = new ClusterNode(options, folder);
      try {
        return { node, listening: await node.#start(port, host) };
      } catch (error) {
        await node.#release();
        throw error;
      }
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  get role(): Role {
    return this.#role;
  }

  /** The server of the engine, while this node owns the data. */
  get server(): StartingServer | undefined {
    return this.#server;
  }

  /** Listens before it waits for the database, so that probes get an answer. */
  async #start(port: number, host: string): Promise<Listening> {
    refuseShortLease(this.#leaseMs);
    const { log, limits } = this.#options;
    const startup = new StartupListener(port, host);
    await startup.open({ log, ...(limits && { limits }) });
    try {
      await this.#withDatabase((connection) => this.#checkDatabase(connection));
      return await this.#join(startup);
    } catch (error) {
      startup.close();
      throw error;
    }
  }

  /** Takes the socket over, and begins to follow. */
  async #join(startup: StartupListener): Promise<Listening> {
    const { log, limits, cors, logRequests, metrics } = this.#options;
    const { secret } = this.#cluster;
    this.#forwarder = await Forwarder.open({
      ...{ secret, nodeId: this.id, log },
      ownerAddress: () => this.#ownerAddress(),
      nextOwner: (not, ms) => this.#nextOwner(not, ms),
    });
    this.#followerListener = followerListener({
      ...{ log, forwarder: this.#forwarder },
      ...(limits && { limits }),
      ...(cors && { cors }),
      ...(logRequests === undefined ? {} : { logRequests }),
      ...(metrics === false ? {} : { exposition: () => (this.#metrics as Metrics).exposition() }),
      readiness: () => this.#readiness(),
      isOwner: () => false,
    });
    this.#metrics = createFollowerMetrics(this.#followerListener, this.#telemetry);
    const operations = new OperationReceiver((line, tell) => this.#operate(line, tell));
    this.#peers = new PeerHandler({
      ...{ secret, nodeId: this.id },
      isOwner: () => this.#role === 'owner',
      handle: (req, res, expectation) => (this.#server as StartingServer).begin(req, res, expectation),
      operate: (req, res) => void operations.handle(req, res),
    });
    const route: Listener['begin'] = (req, res, expectation) => {
      if (this.#peers.isPeerRequest(req)) this.#peers.handle(req, res, expectation);
      else (this.#role === 'owner' ? (this.#server as StartingServer) : this.#followerListener).begin(req, res, expectation);
    };
    const server: Server = this.#followerListener.server(route);
    const listening = await this.#sockets.open(server, (resolve) => server.listen(startup.server, resolve));
    startup.leave({ handler: (req, res) => route(req, res, 'nothing') });
    await refuseOtherProcess(this.#options.cluster.advertise, this.id, this.#forwarder.signature);
    await this.#withDatabase((connection) => this.#enter(connection));
    this.#running = this.#run().catch((error: Error) => this.#options.onFatal(error));
    void this.#keepAnnounced();
    await this.#serveCommands();
    return listening;
  }

  /** Opens the control socket in the data folder: commands reach the owner through any node. */
  async #serveCommands(): Promise<void> {
    try {
      this.#control = await serveControl(this.#folder.root, (line, tell) => this.#operate(line, tell));
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot create the control socket: commands cannot reach this node');
    }
  }

  async #operate(line: string, tell: OnProgress): Promise<AdminResponse> {
    for (;;) {
      const context = this.#role === 'owner' ? this.#commands : undefined;
      if (context !== undefined) return await respondOn(context)(line, tell);
      const isHere = () => this.#role === 'owner' && this.#commands !== undefined;
      const reply = await sendOperation(this.#forwarder, line, tell, isHere);
      if (reply !== 'here') return reply;
    }
  }

  /** Checks the database and the cluster. */
  async #checkDatabase(connection: Connection): Promise<void> {
    await checkSettings(connection);
    this.#cluster = await readCluster(connection);
    refuseOtherShards(this.#cluster);
    refuseNewerRecords(this.#cluster);
  }

  /** Enters this node into `mw_node`, unless it would answer otherwise than the nodes there. */
  async #enter(connection: Connection): Promise<void> {
    await this.#announce();
    try {
      await refuseOtherOptions(connection, this.id, this.#shared);
    } catch (error) {
      await connection.query('DELETE FROM mw_node WHERE id = $1', [this.id]);
      throw error;
    }
  }

  /** Works on the database, however long it is away. */
  async #withDatabase(work: (connection: Connection) => Promise<void>): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      try {
        await work(await this.#bulk.connection());
        return;
      } catch (error) {
        if (error instanceof ClusterSettingsError || this.#isClosing) throw error;
        if (attempts === 0)
          this.#log.warn({ err: error, database: this.#url.text }, 'the database of the cluster is away: waiting for it');
        await delay(retryMs);
      }
    }
  }

  // Roles

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      const won = await this.#follow();
      if (won === undefined) return;
      this.#setRole('taking over');
      const session = await this.#takeOver(won);
      if (session !== undefined) await this.#own(session);
      const { lostRecords } = this.#telemetry;
      if (lostRecords !== undefined) await this.#halt(lostRecords, won.lineage);
    }
  }

  /** Follows until a claim is won; `undefined` if the node stops. */
  async #follow(): Promise<WonClaim | undefined> {
    this.#claim = new ClaimSession({
      ...{ url: this.#url, durability: this.#durability, shard, leaseMs: this.#leaseMs, log: this.#log },
      address: this.#options.cluster.advertise,
      releasedOwner: this.#releasedOwner,
      onObserved: (observed) => this.#onObserved(observed),
    });
    this.#releasedOwner = undefined;
    this.#setRole('following');
    const stop = new AbortController();
    const copying = this.#copyLog(stop.signal);
    const won = await this.#claim.won;
    this.#claim = undefined;
    stop.abort();
    await copying;
    return won;
  }

  /** Keeps the cache up to date. A cache that the log in the database does not continue is opened again, which downloads it. */
  async #copyLog(signal: AbortSignal): Promise<void> {
    let stale: string | undefined;
    let failures = 0;
    while (!signal.aborted && !this.#isClosing) {
      // After a claim that another node has overtaken, the cache is still open.
      const follower = this.#follower ?? (await this.#openFollower({ stale }).catch((error: Error) => error));
      if (follower instanceof Error) {
        if (failures++ === 0 && !this.#isClosing) this.#log.warn({ err: follower }, 'cannot open the cache: retrying');
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
      this.#follower = undefined;
      await follower.close();
    }
  }

  /** Opens the cache. Rejects if the database is away, or the disk fails. */
  async #openFollower({ lineage, stale }: { lineage?: string; stale?: string | undefined }): Promise<Follower> {
    const { segmentBytes = segmentBytesDefault, snapshotBytes, snapshotMinutes, snapshotPauseMs } = this.#options;
    try {
      const { answer } = await observe(await this.#bulk.connection(), shard);
      this.#lineage = lineage ?? answer.shard.lineage;
      this.#forked = new Deferred<void>();
      this.#follower = await Follower.open({
        ...{ folders: this.#folder, shard, bulk: this.#bulk, log: this.#log, segmentBytes },
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

  /** Reads the log to its end and opens the engine; `undefined` if another node took over meanwhile. */
  async #takeOver({ token, lineage, timeline }: WonClaim): Promise<OwnerSession | undefined> {
    const startedMs = performance.now();
    let session: OwnerSession | undefined;
    try {
      const acknowledged = await this.#readToEnd(lineage, token.owner);
      if (acknowledged === undefined) return undefined;
      session = new OwnerSession({
        ...{ url: this.#url, durability: this.#durability, shard, leaseMs: this.#leaseMs, log: this.#log },
        ...{ token, timeline, acknowledged, counters: this.#telemetry.owner },
        onEnded: (error) => this.#onEnded(error),
        onAsked: () => void this.#handOver(),
      });
      this.#session = session;
      const server = await this.#openServer(session, lineage);
      try {
        if (session.ended === undefined) await this.#options.onOwner?.(server);
      } catch (error) {
        await server.close().catch(() => undefined);
        throw error;
      }
      if (session.ended !== undefined || this.#isClosing) {
        await server.close().catch(() => undefined);
        await session.close();
        return undefined;
      }
      this.#server = server;
      this.#setRole('owner');
      this.#telemetry.takeovers++;
      this.#log.info({ node: this.id, lsn: acknowledged.lsn, ms: Math.round(performance.now() - startedMs) }, 'took over');
      return session;
    } catch (error) {
      const isOver = session?.ended !== undefined || this.#isClosing;
      await session?.close();
      if (!isOver) throw error;
      return undefined;
    }
  }

  /** Copies the log up to the newest row, and closes the cache; `undefined` if another node has claimed. */
  async #readToEnd(lineage: string, owner: string) {
    let stale: string | undefined;
    for (;;) {
      try {
        const follower = this.#follower ?? (await this.#openFollower({ lineage, stale }));
        stale = undefined;
        const end = await follower.catchUp();
        const found = await check(await this.#bulk.connection(), shard, end);
        if (found.token.owner !== owner) return undefined;
        if (found.chainAt !== end.chain)
          throw new StaleCacheError(
            `its records up to ${end.lsn} are not those in the database, which ends with ${found.newest.lsn}`,
          );
        if (found.newest.lsn !== end.lsn) continue;
        await follower.close();
        this.#follower = undefined;
        return found.newest;
      } catch (error) {
        if (this.#isClosing || (await this.#hasOtherOwner(owner))) return undefined;
        this.#log.warn({ err: error }, 'cannot read the log of the cluster to its end: retrying');
        if (error instanceof StaleCacheError) {
          stale = error.message;
          await this.#follower?.close();
          this.#follower = undefined;
        }
        await delay(retryMs);
      }
    }
  }

  /** Whether another node has claimed the data; `false` if the database is away. */
  async #hasOtherOwner(owner: string): Promise<boolean> {
    try {
      const observed = await observe(await this.#bulk.connection(), shard);
      this.#onObserved(observed);
      return observed.answer.owner !== owner;
    } catch {
      return false;
    }
  }

  #openServer(session: OwnerSession, lineage: string): Promise<StartingServer> {
    const { cluster, onOwner: _, ...options } = this.#options;
    const { logKeepMs = clusterDefaults.logKeepMs } = cluster;
    const worker = new ClusterWorker(session, this.#bulk, new WalThreads(this.#folder.root));
    this.#worker = worker;
    const uploader = new SnapshotUploader(this.#bulk, shard, this.#folder.snapshots, Math.round(logKeepMs / 1000));
    const opening = openServer(
      { ...options, inMemory: false, onFatal: (error) => this.#onEngineFailed(error as Error) },
      undefined,
      {
        folder: this.#folder,
        engine: {
          cacheOf: { lineage, gate: () => session.gate() },
          workers: { journal: worker },
        },
        waitsFor: () => (worker.waitingMs === undefined ? 'disk' : 'database'),
        unproven: () => this.#unproven(session),
        node: this.#telemetry,
        audit: (entry) => this.#audit(entry),
        serveCommands: (context) => {
          this.#commands = { ...context, node: cluster.advertise };
        },
      },
    );
    return opening.then((server) => {
      server.on('snapshot', ({ lsn }) => {
        uploader
          .upload(lsn, () => session.token)
          .then((bytes) => this.#log.info({ lsn, bytes }, 'stored a snapshot in the database'))
          .catch((error: unknown) =>
            this.#log.warn({ err: error, lsn }, 'cannot store a snapshot in the database; the next one tries again'),
          );
      });
      return server;
    });
  }

  async #audit(entry: object): Promise<void> {
    const connection = await this.#bulk.connection();
    const { advertise: node } = this.#options.cluster;
    await connection.query('INSERT INTO mw_audit (entry) VALUES ($1)', [JSON.stringify({ ...entry, node })]);
  }

  /** Answers until the token is gone or the node stops; then discards the engine. */
  async #own(session: OwnerSession): Promise<void> {
    await session.over;
    if (this.#isClosing) return;
    this.#setRole('following');
    const server = this.#server;
    this.#server = undefined;
    this.#commands = undefined;
    await server?.close().catch(() => undefined);
    await session.close();
    this.#session = undefined;
    this.#worker = undefined;
  }

  #onEnded(error: Error): void {
    if (error instanceof LostRecordsError) {
      this.#telemetry.lostRecords = error;
      this.#telemetry.alarms.check();
    } else if (!this.#isClosing && this.#releasedOwner === undefined)
      this.#log.warn({ node: this.id }, 'another node has taken over');
  }

  /** Writes into the database that no node may serve, however long it is away. The cache with the lost records is set aside afterwards. */
  async #halt({ message }: Error, lineage: string): Promise<void> {
    const nobody = randomUUID();
    for (let attempts = 0; !this.#isClosing; attempts++) {
      try {
        const { answer, rows } = await halt(await this.#bulk.connection(), shard, lineage, message, nobody);
        if (!('code' in answer)) {
          if (rows.length > 0)
            this.#log.error({ node: this.id }, 'halted the cluster: no node serves before mapwright cluster fork');
          // From now on the database has the reason.
          this.#telemetry.lostRecords = undefined;
          return;
        }
      } catch (error) {
        if (attempts === 0) this.#log.warn({ err: error }, 'cannot halt the cluster: retrying');
      }
      await delay(retryMs);
    }
  }

  /** Gives the data to another node on request, and follows. Requests that arrive meanwhile wait for the next owner. */
  async #handOver(): Promise<void> {
    const server = this.#server;
    const session = this.#session;
    if (
      this.#releasedOwner !== undefined ||
      this.#isClosing ||
      this.#role !== 'owner' ||
      server === undefined ||
      session === undefined
    )
      return;
    this.#log.info({ node: this.id }, 'handing over on request');
    this.#releasedOwner = session.token.owner;
    this.#observed = undefined;
    this.#setRole('following');
    await server.close().catch((error: unknown) => this.#log.error({ err: error }, 'the server did not close in order'));
    await session.release();
  }

  /** The engine ends itself when the token is gone. Any other failure is one of the cache's disk. */
  #onEngineFailed(error: Error): void {
    if (this.#session?.ended === undefined && !this.#isClosing) this.#onCacheFailed(error);
  }

  #onCacheFailed(error: Error): void {
    this.#cacheError = error;
    this.#telemetry.alarms.check();
    this.#options.onFatal(error);
  }

  // What this node knows

  #setRole(role: Role): void {
    if (this.#role !== 'stopped') this.#role = role;
    this.#wakeWaiters();
  }

  #openTelemetry(): NodeTelemetry {
    const session = () => (this.#session?.ended === undefined ? this.#session : undefined);
    return new NodeTelemetry({
      ...{ leaseMs: this.#leaseMs, log: this.#log, stallMs: stallLimitsOf(this.#options).stallMs },
      role: () => this.#role,
      lsn: () => this.#lsn,
      leaseLeftMs: () => session()?.leaseLeftMs,
      observed: () => (session() === undefined ? this.#observed : undefined),
      forwarder: () => this.#forwarder,
      append: () => {
        const waitingMs = this.#worker?.waitingMs;
        return waitingMs === undefined ? undefined : { waitingMs, refusal: session()?.refusal };
      },
      cacheError: () => this.#cacheError ?? this.#follower?.failure,
      probe: () => probeDatabase(this.#url, this.#durability),
    });
  }

  /** Why an owner cannot answer, beginning with the name of the alarm. */
  #unproven(session: OwnerSession): string | undefined {
    if (session.leaseLeftMs > 0) return undefined;
    return 'lease_lost: the database of the cluster does not confirm that this node owns the data';
  }

  #onObserved(observed: Observed): void {
    this.#telemetry.observed(observed);
    const before = this.#observed;
    this.#observed = observed;
    if (observed.answer.shard.lineage !== this.#lineage) this.#forked.resolve();
    if (observed.halted !== '' && observed.halted !== before?.halted)
      this.#log.error({ reason: observed.halted }, 'no node serves the data before mapwright cluster fork');
    if (observed.node !== before?.node || observed.answer.owner !== before?.answer.owner) this.#wakeWaiters();
  }

  #wakeWaiters(): void {
    for (const waiter of this.#ownerWaiters) waiter.resolve();
    this.#ownerWaiters.clear();
  }

  /**
   * The owner that was observed last; `undefined` if it has released the data. This node too: requests that arrived while it followed may still wait
   * for an owner.
   */
  #ownerAddress(): OwnerAddress | undefined {
    if (this.#role === 'owner') return { url: this.#options.cluster.advertise, nodeId: this.id };
    const observed = this.#observed;
    if (observed === undefined || observed.address === '' || observed.answer.released) return undefined;
    if (observed.node === undefined || observed.node === this.id) return undefined;
    return { url: observed.address, nodeId: observed.node };
  }

  async #nextOwner(not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const address = this.#ownerAddress();
      if (address !== undefined && address.nodeId !== not?.nodeId) return address;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return undefined;
      const waiter = new Deferred<void>();
      this.#ownerWaiters.add(waiter);
      const timer = new AbortController();
      await Promise.race([waiter.promise, delay(leftMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
      this.#ownerWaiters.delete(waiter);
    }
  }

  #readiness(): Readiness {
    if (this.#isClosing) return { status: 'draining' };
    return this.#ownerAddress() === undefined ? { status: 'restoring', progress: 0 } : { status: 'ready' };
  }

  /** Keeps the entry of this node in `mw_node` up to date. */
  async #keepAnnounced(): Promise<void> {
    while (!this.#isClosing) {
      await delay(seenMs, undefined, { ref: false });
      // The connections of log and lease report a database that is away.
      await this.#announce().catch(() => undefined);
    }
  }

  /** Enters this node into `mw_node`, where other nodes find the identifier of its process. */
  async #announce(): Promise<void> {
    const { advertise } = this.#options.cluster;
    const connection = await this.#bulk.connection();
    await connection.query(
      `DELETE FROM mw_node WHERE (address = $1 AND id <> $2) OR seen < clock_timestamp() - interval '1 day'`,
      [advertise, this.id],
    );
    await connection.query(
      `INSERT INTO mw_node (id, address, version, schema, role, lsn, options, seen)
      VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET role = excluded.role, lsn = excluded.lsn, seen = excluded.seen`,
      [this.id, advertise, packageVersion(), schemaVersion, this.#role, this.#lsn, storedOptions(this.#shared)],
    );
  }

  /** Marks the entry of this node: its options do not matter any more. */
  async #announceEnd(): Promise<void> {
    const marking = this.#bulk
      .connection()
      .then((connection) => connection.query(`UPDATE mw_node SET role = 'stopped' WHERE id = $1`, [this.id]));
    await Promise.race([marking.catch(() => undefined), delay(farewellMs, undefined, { ref: false })]);
  }

  get #lsn(): number {
    return this.#follower?.lsn ?? this.#session?.acknowledged.lsn ?? 0;
  }

  // The end

  /** Hands over: finishes requests in flight, gives the data to another node, and forwards what arrives meanwhile. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    const session = this.#session;
    const wasOwner = this.#role === 'owner';
    const began = performance.now();
    this.#isClosing = true;
    this.#setRole('following');
    // Responses from now on are the last of their connections.
    this.#followerListener?.drain();
    if (wasOwner && server !== undefined && session !== undefined) {
      this.#log.info({ node: this.id }, 'handing over');
      await server.close().catch((error: unknown) => this.#log.error({ err: error }, 'the server did not close in order'));
      await Promise.race([session.release(), delay(handOverMs, undefined, { ref: false })]);
      await this.#watchForOwner();
    }
    await delay(began + lingerMs - performance.now());
    this.#sockets.refuse();
    this.#sockets.stopListening();
    const idle = this.#followerListener?.idle();
    await Promise.race([idle, delay(drainMs, undefined, { ref: false })]);
    await this.#release();
  }

  /** Waits until another node owns the data, so that requests which arrive meanwhile are forwarded to it. */
  async #watchForOwner(): Promise<void> {
    const until = performance.now() + handOverMs;
    try {
      const connection = await this.#bulk.connection();
      while (performance.now() < until) {
        this.#onObserved(await observe(connection, shard));
        if (this.#ownerAddress() !== undefined) return;
        await delay(observeMs);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot find the next owner');
    }
  }

  async #release(): Promise<void> {
    this.#isClosing = true;
    this.#sockets.refuse();
    this.#sockets.stopListening();
    await this.#control?.close();
    await this.#claim?.close();
    await this.#session?.close();
    await this.#running;
    await this.#follower?.close();
    await this.#forwarder?.close();
    await this.#sockets.close();
    await this.#announceEnd();
    await this.#bulk.close();
    this.#metrics?.close();
    this.#telemetry.close();
    this.#role = 'stopped';
    this.#folder.close();
  }
}
