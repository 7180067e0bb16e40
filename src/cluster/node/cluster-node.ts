/**
 * A node of a cluster: one process that either owns a shard and answers, or follows all shards and forwards, behind one socket.
 *
 *     starting --> following --claim--> taking over --> owner
 *                      ^                                  '-- the token is gone: its engine is discarded --> following
 *                      '-----------------------------------------'
 *
 * `shards/shard-member.ts` is what it does for one shard. While it follows, it copies the logs of all shards and watches the beats of their owners.
 * When it owns a shard, it runs the same server as on one machine, and forwards what concerns other shards.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '../../api/health-endpoints.ts';
import { tokenIn } from '../../http/guard/authentication.ts';
import type { Listener } from '../../http/listener.ts';
import { decodedPathOf, pathOf } from '../../http/router.ts';
import { Deferred } from '../../lib/async/deferred.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { packageVersion } from '../../lib/package.ts';
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import { keyId } from '../../model/key.ts';
import { shardOfSlug } from '../../model/publication.ts';
import { schemaVersion } from '../../model/record.ts';
import {
  type AdminResponse,
  type ControlServer,
  type Respond,
  respondOn,
  serveControl,
} from '../../server/admin/control-socket.ts';
import { type DataFolder, openDataFolder } from '../../server/lifecycle/data-folder.ts';
import { type Listening, Sockets } from '../../server/lifecycle/sockets.ts';
import { StartupListener } from '../../server/lifecycle/startup-listener.ts';
import type { StartingServer } from '../../server/server.ts';
import { stallLimitsOf } from '../../server/server-options.ts';
import { createFollowerMetrics, type Metrics } from '../../server/telemetry/metrics.ts';
import { cacheFormat, writeMarker } from '../../storage/recovery/marker.ts';
import { BulkStore } from '../database/bulk-store.ts';
import { checkSettings } from '../database/check-settings.ts';
import { type Cluster, readCluster } from '../database/create-cluster.ts';
import type { Connection } from '../database/database-connection.ts';
import { ClusterSettingsError, DatabaseRefusedError } from '../database/database-errors.ts';
import { type DatabaseUrl, parseDatabaseUrl } from '../database/database-url.ts';
import { keyRows, shardForAccount, shardOfAccount } from '../database/directory.ts';
import { loadPg } from '../database/load-packages.ts';
import { enterNode, markStopped, otherAddresses, removeNode } from '../database/node-rows.ts';
import { observe } from '../database/owner-statements.ts';
import { probeDatabase } from '../database/probe-database.ts';
import { runningS } from '../database/read-status.ts';
import { Forwarder } from '../forward/forwarder.ts';
import { ClaimSession, type StrayClaim, settleStray, type WonClaim } from '../log/claim-session.ts';
import { KeyDirectory } from '../shards/key-directory.ts';
import { OperationRouter } from '../shards/operation-router.ts';
import { type MemberNode, openShardFolder, ShardMember } from '../shards/shard-member.ts';
import {
  refuseNewerRecords,
  refuseOtherOptions,
  refuseOtherProcess,
  refuseShortLease,
  refuseUnreachable,
  refuseUnreadableRecords,
  type SharedOptions,
  sharedOptions,
  storedOptions,
} from './check-start.ts';
import { type ClusterNodeOptions, type ClusterOptions, clusterDefaults } from './cluster-options.ts';
import { followerListener } from './follower-listener.ts';
import { NodeTelemetry, type Role } from './node-telemetry.ts';
import type { OwnerAddress } from './peer.ts';
import { peerAddress } from './peer-address.ts';
import { PeerHandler } from './peer-handler.ts';
import { OperationReceiver, sendOperation } from './peer-operation.ts';

/** Milliseconds between attempts to reach a database that is away. */
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

export class ClusterNode implements MemberNode {
  readonly id = randomUUID();
  readonly options: ClusterNodeOptions;
  readonly url: DatabaseUrl;
  readonly leaseMs: number;
  readonly durability: NonNullable<ClusterOptions['durability']>;
  readonly bulk: BulkStore;
  readonly telemetry: NodeTelemetry;
  readonly directory: KeyDirectory;
  readonly #log: Log;
  readonly #folder: DataFolder;
  readonly #shared: SharedOptions;
  readonly #sockets: Sockets;
  #role: Role = 'starting';
  /** The metrics while this node does not own a shard. */
  #metrics: Metrics | undefined;
  #cluster!: Cluster;
  #forwarder!: Forwarder;
  #followerListener!: Listener;
  #peers!: PeerHandler;
  #router!: OperationRouter;
  /** One for each shard, in the order of their numbers. */
  #members: readonly ShardMember[] = [];
  /** The shard that this node owns, takes over or gives away. */
  #owned: ShardMember | undefined;
  #control: ControlServer | undefined;
  #claim: ClaimSession | undefined;
  /** Watches the other shards while this node owns one. */
  #watch: ClaimSession | undefined;
  /** URLs of the other nodes, as announced last. */
  #peerAddresses: readonly string[] = [];
  /** Caches of shards that this node does not copy any more. */
  #closingCaches: Promise<unknown> = Promise.resolve();
  /** Claims of this process that may still win a second shard. */
  #strays: StrayClaim[] = [];
  readonly #ownerWaiters = new Set<Deferred<void>>();
  #running: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isClosing = false;

  private constructor(options: ClusterNodeOptions, folder: DataFolder) {
    const { cluster, log } = options;
    this.options = options;
    this.url = parseDatabaseUrl(cluster.url);
    this.#log = log;
    this.leaseMs = cluster.leaseMs ?? clusterDefaults.leaseMs;
    this.durability = cluster.durability ?? clusterDefaults.durability;
    this.#folder = folder;
    this.#shared = sharedOptions(options, this.leaseMs);
    this.bulk = new BulkStore(this.url, this.durability);
    this.directory = new KeyDirectory(async (ids) => await keyRows(await this.bulk.connection(), ids));
    this.#sockets = new Sockets(log);
    this.telemetry = this.#openTelemetry();
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

  /** The shard that this node owns; `undefined` if it owns none. */
  get shard(): number | undefined {
    return this.#role === 'owner' ? this.#owned?.shard : undefined;
  }

  /** The server of the engine, while this node owns a shard. */
  get server(): StartingServer | undefined {
    return this.#owned?.server;
  }

  get shards(): number {
    return this.#cluster.shards;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Listens before it waits for the database, so that probes get an answer. */
  async #start(port: number, host: string): Promise<Listening> {
    refuseShortLease(this.leaseMs);
    const { log, limits } = this.options;
    const startup = new StartupListener(port, host);
    await startup.open({ log, ...(limits && { limits }) });
    try {
      await this.#withDatabase((connection) => this.#checkDatabase(connection));
      return await this.#join(startup, host);
    } catch (error) {
      startup.close();
      throw error;
    }
  }

  /** Takes the socket over, and begins to follow. */
  async #join(startup: StartupListener, host: string): Promise<Listening> {
    const { log, limits, cors, logRequests, metrics, tiles } = this.options;
    const { secret, shards } = this.#cluster;
    const members: ShardMember[] = [];
    this.#members = members;
    for (let shard = 0; shard < shards; shard++)
      members.push(new ShardMember(shard, this, openShardFolder(this.#folder, shard, shards)));
    this.#forwarder = await Forwarder.open({
      ...{ secret, nodeId: this.id, log },
      shardOf: (req) => this.#shardOf(req),
      ownerAddress: (shard) => this.#ownerAddress(shard),
      nextOwner: (shard, not, ms) => this.#nextOwner(shard, not, ms),
    });
    this.#followerListener = followerListener({
      ...{ log, forwarder: this.#forwarder },
      ...(limits && { limits }),
      ...(cors && { cors }),
      ...(tiles === undefined ? {} : { tiles }),
      ...(logRequests === undefined ? {} : { logRequests }),
      ...(metrics === false ? {} : { exposition: () => (this.#metrics as Metrics).exposition() }),
      readiness: () => this.#readiness(),
      isOwner: () => false,
    });
    this.#metrics = createFollowerMetrics(this.#followerListener, this.telemetry.node);
    this.#router = this.#openRouter(shards);
    const operations = new OperationReceiver(
      (shard) => this.#responder(shard),
      () => this.#peers.renewNonce(),
    );
    this.#peers = new PeerHandler({
      ...{ secret, nodeId: this.id },
      isOwner: (shard) => this.#owns(shard),
      handle: (req, res, expectation) => (this.server as StartingServer).begin(req, res, expectation),
      operate: (req, res, shard) => void operations.handle(req, res, shard),
    });
    const route: Listener['begin'] = (req, res, expectation) => {
      if (this.#peers.isPeerRequest(req)) this.#peers.handle(req, res, expectation);
      else (this.#answers(req) ? (this.server as StartingServer) : this.#followerListener).begin(req, res, expectation);
    };
    const server: Server = this.#followerListener.server(route);
    const listening = await this.#sockets.open(server, (resolve) => server.listen(startup.server, resolve));
    startup.leave({ handler: (req, res) => route(req, res, 'nothing') });
    const { advertise } = this.options.cluster;
    const { signature } = this.#forwarder;
    await refuseOtherProcess(advertise, this.id, signature);
    const forPeers = await peerAddress(advertise, host, listening.port);
    if (forPeers !== undefined) {
      const peerServer = this.#followerListener.server(route);
      await this.#sockets.open(peerServer, (resolve) => peerServer.listen(forPeers, resolve));
    }
    await this.#withDatabase((connection) => refuseUnreachable(connection, advertise, this.id, signature));
    await this.#withDatabase((connection) => this.#enter(connection));
    this.#running = this.#run().catch((error: Error) => this.options.onFatal(error));
    void this.#keepAnnounced();
    await this.#serveCommands();
    return listening;
  }

  // Requests

  #owns(shard: number): boolean {
    return this.#role === 'owner' && this.#owned?.shard === shard;
  }

  /** Whether this node answers a request of a client itself: it owns the shard of its key. What belongs to no shard is answered here too. */
  #answers(req: IncomingMessage): boolean {
    if (this.#role !== 'owner') return false;
    if (this.#members.length === 1) return true;
    const { url = '', headers } = req;
    const named = this.#shardNamed(url);
    if (named !== undefined) return named === this.#owned?.shard;
    const { authorization } = headers;
    if (authorization === undefined || ownPaths.has(pathOf(url))) return true;
    const id = keyIdIn(authorization);
    if (id === undefined) return true;
    const shard = this.directory.known(id);
    return shard === undefined ? this.directory.isUnknown(id) : shard === this.#owned?.shard;
  }

  /** The shard of a request. An unknown key gets its 401 from the owner here, or from that of shard 0. */
  #shardOf({ url = '', headers: { authorization } }: Pick<IncomingMessage, 'url' | 'headers'>): number | Promise<number> {
    const named = this.#shardNamed(url);
    if (named !== undefined) return named;
    const id = this.#members.length === 1 || authorization === undefined ? undefined : keyIdIn(authorization);
    if (id === undefined) return this.#defaultShard;
    const known = this.directory.known(id);
    return known ?? this.directory.shardOf(id).then((shard) => shard ?? this.#defaultShard);
  }

  /** The shard in a URL: of a published map or a file, or of a code that signs in to the console; `undefined` for any other. */
  #shardNamed(url: string): number | undefined {
    const [, slug = ''] = publishedPath.exec(decodedPathOf(url)) ?? [];
    const [, digit] = signInPath.exec(url) ?? [];
    const shard = digit === undefined ? shardOfSlug(slug) : Number.parseInt(digit, 36);
    return shard !== undefined && shard < this.#members.length ? shard : undefined;
  }

  get #defaultShard(): number {
    return this.shard ?? 0;
  }

  // Commands

  /** Opens the control socket in the data folder: commands reach the owners through any node. */
  async #serveCommands(): Promise<void> {
    try {
      this.#control = await serveControl(this.#folder.root, (line, tell) => this.#router.respond(line, tell));
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot create the control socket: commands cannot reach this node');
    }
  }

  #openRouter(shards: number): OperationRouter {
    return new OperationRouter({
      shards,
      shardOfAccount: async (name) => await shardOfAccount(await this.bulk.connection(), name),
      shardOfKey: async (id) => {
        this.directory.add(await keyRows(await this.bulk.connection(), [id]));
        return this.directory.known(id);
      },
      shardForAccount: async () => await shardForAccount(await this.bulk.connection(), runningS),
      defaultShard: () => this.#defaultShard,
      send: (shard, line, tell) => this.#operate(shard, line, tell),
    });
  }

  /** Carries operations on a shard out; `undefined` if this node does not own it. */
  #responder(shard: number): Respond | undefined {
    const context = this.#owns(shard) ? this.#owned?.commands : undefined;
    return context && respondOn(context);
  }

  async #operate(shard: number, line: string, tell: OnProgress): Promise<AdminResponse> {
    for (;;) {
      const respond = this.#responder(shard);
      if (respond !== undefined) return await respond(line, tell);
      const isHere = () => this.#responder(shard) !== undefined;
      const reply = await sendOperation(this.#forwarder, shard, line, tell, isHere);
      if (reply !== 'here') return reply;
    }
  }

  // The database

  /** Checks the database and the cluster. */
  async #checkDatabase(connection: Connection): Promise<void> {
    await checkSettings(connection);
    this.#cluster = await readCluster(connection);
    refuseNewerRecords(this.#cluster);
    refuseUnreadableRecords(this.#cluster);
    if (this.#cluster.shards > 1) this.directory.add(await keyRows(connection));
  }

  /** Enters this node into `mw_node`, unless it would answer otherwise than the nodes there. */
  async #enter(connection: Connection): Promise<void> {
    await this.#announce();
    try {
      await refuseOtherOptions(connection, this.id, this.#shared);
    } catch (error) {
      await removeNode(connection, this.id);
      throw error;
    }
  }

  /** Works on the database, however long it is away. */
  async #withDatabase(work: (connection: Connection) => Promise<void>): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      try {
        await work(await this.bulk.connection());
        return;
      } catch (error) {
        if (error instanceof ClusterSettingsError || error instanceof DatabaseRefusedError || this.#isClosing) throw error;
        if (attempts === 0)
          this.#log.warn({ err: error, database: this.url.text }, 'the database of the cluster is away: waiting for it');
        await delay(retryMs);
      }
    }
  }

  // Roles

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      const won = await this.#follow();
      if (won === undefined) return;
      const member = this.#members[won.shard] as ShardMember;
      const session = await member.takeOver(won);
      if (session !== undefined) await member.own(session);
      if (this.#isClosing) return;
      await this.#watch?.close();
      this.#watch = undefined;
      const { lostRecords } = member;
      if (lostRecords !== undefined) await member.halt(lostRecords, won.lineage);
    }
  }

  /** Follows all shards until a claim is won; `undefined` if the node stops. */
  async #follow(): Promise<WonClaim | undefined> {
    this.#owned = undefined;
    await this.#closingCaches;
    const claim = this.#openClaims({ releasedOwners: this.#takeReleasedOwners() });
    this.#claim = claim;
    this.setRole('following');
    for (const member of this.#members) member.follow();
    const won = await claim.won;
    this.#claim = undefined;
    if (won !== undefined) {
      this.#owned = this.#members[won.shard];
      this.#strays.push(...won.strays);
      if (this.#members.length > 1) this.#watch = this.#openClaims({ watchesOnly: true });
    }
    // The take-over does not wait for the caches of other shards.
    const others = this.#members.filter((member) => member !== this.#owned);
    this.#closingCaches = Promise.all(others.map((member) => member.stopFollowing(false))).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'cannot close the cache of a shard in order'),
    );
    await this.#owned?.stopFollowing(true);
    if (won !== undefined) this.setRole('taking over');
    return won;
  }

  #openClaims(options: { watchesOnly?: true; releasedOwners?: ReadonlyMap<number, string> }): ClaimSession {
    const { url, durability, leaseMs } = this;
    return new ClaimSession({
      ...{ url, durability, leaseMs, log: this.#log, ...options },
      shards: this.#members.filter((member) => member !== this.#owned).map(({ shard }) => shard),
      address: this.options.cluster.advertise,
      mayClaim: (shard) => this.#members[shard]?.hasFailedCache === false,
      onObserved: (observed) => this.#members[observed.shard]?.onObserved(observed),
    });
  }

  /** The own owners that were released on request: other nodes claim their shards first. */
  #takeReleasedOwners(): ReadonlyMap<number, string> {
    const released = new Map<number, string>();
    for (const member of this.#members) {
      if (member.releasedOwner !== undefined) released.set(member.shard, member.releasedOwner);
      member.releasedOwner = undefined;
    }
    return released;
  }

  /** Releases shards that late claims of this process have won: it owns at most one. */
  async #releaseStrays(): Promise<void> {
    for (const stray of this.#strays) {
      const state = await settleStray(await this.bulk.connection(), stray);
      if (state === 'released')
        this.#log.warn({ node: this.id, shard: stray.shard }, 'released a shard that a late claim of this node has won');
      if (state !== 'open') this.#strays = this.#strays.filter((each) => each !== stray);
    }
  }

  // What this node knows

  setRole(role: Role): void {
    if (this.#role !== 'stopped') this.#role = role;
    this.ownerChanged();
  }

  #openTelemetry(): NodeTelemetry {
    return new NodeTelemetry({
      ...{ leaseMs: this.leaseMs, log: this.#log, stallMs: stallLimitsOf(this.options).stallMs },
      role: () => this.#role,
      shards: () => this.#members,
      forwarder: () => this.#forwarder,
      probe: () => probeDatabase(this.url, this.durability),
    });
  }

  /** Addresses of all nodes and of the database, as `host:port`. */
  get addresses(): string[] {
    const nodes = [this.options.cluster.advertise, ...this.#peerAddresses].map((url) => new URL(url));
    return [
      ...this.#sockets.addresses,
      ...nodes.map(({ hostname, port }) => `${hostname}:${port || 80}`),
      ...this.url.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    ];
  }

  /** Requests that wait for an owner look again. */
  ownerChanged(): void {
    for (const waiter of this.#ownerWaiters) waiter.resolve();
    this.#ownerWaiters.clear();
  }

  /**
   * The owner of a shard that was observed last; `undefined` if it has released the shard. This node too: requests that arrived while it followed may
   * still wait for an owner.
   */
  #ownerAddress(shard: number): OwnerAddress | undefined {
    if (this.#owns(shard)) return { url: this.options.cluster.advertise, nodeId: this.id };
    return this.#members[shard]?.ownerAddress;
  }

  async #nextOwner(shard: number, not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const address = this.#ownerAddress(shard);
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
    // A shard without an owner is no reason to leave the node out: it reaches the others.
    const hasOwner = this.#members.some(({ shard }) => this.#ownerAddress(shard) !== undefined);
    return hasOwner ? { status: 'ready' } : { status: 'restoring', progress: 0 };
  }

  /** Keeps the entry of this node in `mw_node` up to date. */
  async #keepAnnounced(): Promise<void> {
    while (!this.#isClosing) {
      await delay(seenMs, undefined, { ref: false });
      // The connections of log and lease report a database that is away.
      await this.#announce().catch(() => undefined);
      await this.#releaseStrays().catch(() => undefined);
      await this.#owned?.leaveFullDisk(seenMs).catch(() => undefined);
    }
  }

  /** Enters this node into `mw_node`, where other nodes find the identifier of its process. */
  async #announce(): Promise<void> {
    const { advertise } = this.options.cluster;
    const connection = await this.bulk.connection();
    const lsns = Object.fromEntries(this.#members.flatMap(({ shard, lsn }) => (lsn === undefined ? [] : [[shard, lsn]])));
    await enterNode(connection, {
      ...{ id: this.id, address: advertise, version: packageVersion(), schema: schemaVersion },
      ...{ role: this.#role, shard: this.shard, lsns, options: storedOptions(this.#shared) },
    });
    this.#peerAddresses = await otherAddresses(connection, { id: this.id, address: advertise }, runningS);
  }

  /** Marks the entry of this node: its options do not matter any more. */
  async #announceEnd(): Promise<void> {
    const marking = this.bulk.connection().then((connection) => markStopped(connection, this.id));
    await Promise.race([marking.catch(() => undefined), delay(farewellMs, undefined, { ref: false })]);
  }

  // The end

  /** Hands over: finishes requests in flight, gives the data to another node, and forwards what arrives meanwhile. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const owned = this.#owned;
    const { server, session } = owned ?? {};
    const began = performance.now();
    this.#isClosing = true;
    this.setRole('following');
    // Responses from now on are the last of their connections.
    this.#followerListener?.drain();
    if (owned !== undefined && session !== undefined && session.ended === undefined) {
      this.#log.info({ node: this.id }, 'handing over');
      // It has none while it takes over.
      await server?.close().catch((error: unknown) => this.#log.error({ err: error }, 'the server did not close in order'));
      await Promise.race([session.release(), delay(handOverMs, undefined, { ref: false })]);
      await this.#watchForOwner(owned);
    }
    await delay(began + lingerMs - performance.now());
    this.#sockets.refuse();
    this.#sockets.stopListening();
    const idle = this.#followerListener?.idle();
    await Promise.race([idle, delay(drainMs, undefined, { ref: false })]);
    await this.#release();
  }

  /** Waits until another node owns the data, so that requests which arrive meanwhile are forwarded to it. */
  async #watchForOwner(member: ShardMember): Promise<void> {
    const until = performance.now() + handOverMs;
    try {
      const connection = await this.bulk.connection();
      while (performance.now() < until) {
        member.onObserved(await observe(connection, member.shard));
        if (member.ownerAddress !== undefined) return;
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
    await this.#watch?.close();
    await Promise.all(this.#members.map(({ session }) => session?.close()));
    await this.#running;
    await this.#closingCaches;
    await Promise.all(this.#members.map((member) => member.close()));
    this.directory.close();
    await this.#forwarder?.close();
    await this.#sockets.close();
    await this.#announceEnd();
    await this.bulk.close();
    this.#metrics?.close();
    this.telemetry.close();
    this.#role = 'stopped';
    this.#folder.close();
  }
}

/** A page exchanges its code here. The body, which has the code, is not read before the shard is known. */
const signInPath = /^\/console\/session\?shard=([0-9a-z])$/;
/** The slug of a published map or of a file. */
const publishedPath = /^\/[pf]\/([0-9a-z]+)(?:\/|$)/;

/** Answered by each node itself, whatever key comes with it. */
const ownPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/readyz/owner', '/metrics']);

/** The id of the key in an `Authorization` header; `undefined` if it has none. */
function keyIdIn(authorization: string): string | undefined {
  const token = tokenIn(authorization);
  return token === undefined ? undefined : keyId(token);
}
