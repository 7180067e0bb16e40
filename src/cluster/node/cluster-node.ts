/**
 * A node of a cluster: one process that either owns a shard and answers, or follows all shards and forwards, behind one socket.
 *
 * It owns the socket and the database connection, and joins the parts: `node-state.ts` has its states, `node-roles.ts` changes them,
 * `shards/shard-member.ts` is what it does for one shard, `forward/request-routing.ts` says who answers a request, `hand-over.ts` is its end.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '../../api/health-endpoints.ts';
import type { Listener } from '../../http/listener.ts';
import { basePathOf } from '../../http/proxy.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { type ControlServer, serveControl } from '../../server/admin/control-socket.ts';
import { openProvider } from '../../server/console/oidc/single-sign-on.ts';
import { type DataFolder, openDataFolder } from '../../server/lifecycle/data-folder.ts';
import { type Listening, Sockets } from '../../server/lifecycle/sockets.ts';
import { StartupListener } from '../../server/lifecycle/startup-listener.ts';
import { stallLimitsOf } from '../../server/limits-in-force.ts';
import type { StartingServer } from '../../server/server.ts';
import { Metrics } from '../../server/telemetry/metrics.ts';
import { cacheFormat, writeMarker } from '../../storage/recovery/marker.ts';
import { type ClusterNodeOptions, clusterOptions } from '../cluster-options.ts';
import { BulkStore } from '../database/bulk-store.ts';
import { checkSettings } from '../database/check-settings.ts';
import { addMissingTable, type Cluster, readCluster } from '../database/create-cluster.ts';
import type { Connection } from '../database/database-connection.ts';
import { ClusterSettingsError, DatabaseRefusedError } from '../database/database-errors.ts';
import { parseDatabaseUrl } from '../database/database-url.ts';
import { keyRows, mapNameRows } from '../database/directory.ts';
import { loadPg } from '../database/load-packages.ts';
import { probeDatabase } from '../database/probe-database.ts';
import { Forwarder } from '../forward/forwarder.ts';
import { OperationReceiver } from '../forward/peer-operation.ts';
import { peerAddress } from '../peers/peer-address.ts';
import { RequestRouting } from '../routing/request-routing.ts';
import { ShardDirectory } from '../routing/shard-directory.ts';
import { openShardFolder } from '../shards/shard-cache.ts';
import { ShardMember } from '../shards/shard-member.ts';
import { ShardOperations } from '../shards/shard-operations.ts';
import {
  refuseNewerRecords,
  refuseOtherProcess,
  refuseShortLease,
  refuseSignOn,
  refuseUnreachable,
  refuseUnreadableRecords,
} from './check-start.ts';
import { followerListener } from './follower-listener.ts';
import { handOver } from './hand-over.ts';
import { NodeEntry } from './node-entry.ts';
import { type NodeParts, NodeRoles } from './node-roles.ts';
import { NodeState, type Role } from './node-state.ts';
import { NodeTelemetry } from './node-telemetry.ts';
import { PeerHandler } from './peer-handler.ts';
import { sharedOptions } from './shared-options.ts';

/** Milliseconds after which the shard of a map's name is looked up again: another shard may have it by then. */
const nameKnownMs = 10_000;
/** Milliseconds between attempts to reach a database that is away. */
const retryMs = 500;
/** Milliseconds between two entries of this node in `mw_node`. */
const seenMs = 2_000;
/** Milliseconds that requests may take after the hand-over. */
const drainMs = 10_000;
/** Milliseconds for which a node that stops goes on to listen, so that clients and load balancers learn of it. */
const lingerMs = 300;

/** What a node has from the time when it knows its cluster. */
interface Joined {
  readonly members: readonly ShardMember[];
  readonly roles: NodeRoles;
  readonly routing: RequestRouting;
  readonly forwarder: Forwarder;
  readonly listener: Listener;
  /** The metrics while this node does not own a shard. */
  readonly metrics: Metrics;
  readonly operations: ShardOperations;
}

export class ClusterNode {
  readonly id = randomUUID();
  readonly #options: ClusterNodeOptions;
  readonly #log: Log;
  readonly #folder: DataFolder;
  readonly #sockets: Sockets;
  readonly #state = new NodeState(() => this.#joined?.routing.ownerChanged());
  /** What its shards need of it; but for the number of shards and the secret, which the database knows. */
  readonly #parts: Omit<NodeParts, 'shards' | 'secret'>;
  readonly #entry: NodeEntry;
  #cluster!: Cluster;
  #joined: Joined | undefined;
  #control: ControlServer | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: ClusterNodeOptions, folder: DataFolder) {
    const { cluster, log } = options;
    const { advertise } = cluster;
    this.#options = options;
    this.#log = log;
    this.#folder = folder;
    this.#sockets = new Sockets(log);
    const url = parseDatabaseUrl(cluster.url);
    const leaseMs = cluster.leaseMs ?? clusterOptions.leaseMs.range[0];
    const durability = cluster.durability ?? clusterOptions.durability.byDefault;
    const bulk = new BulkStore(url, durability);
    const members = (): readonly ShardMember[] => this.#joined?.members ?? [];
    this.#parts = {
      ...{ id: this.id, options, url, durability, leaseMs, bulk, state: this.#state },
      directory: new ShardDirectory(async (ids) => await keyRows(await bulk.connection(), ids)),
      names: new ShardDirectory(async (names) => await mapNameRows(await bulk.connection(), names), nameKnownMs),
      telemetry: new NodeTelemetry({
        ...{ leaseMs, log, stallMs: stallLimitsOf(options).stallMs },
        role: () => this.#state.role,
        shards: members,
        forwarder: () => this.#joined?.forwarder,
        probe: () => probeDatabase(url, durability),
      }),
      addresses: () => this.#addresses,
      ownerChanged: () => this.#joined?.routing.ownerChanged(),
    };
    this.#entry = new NodeEntry({
      ...{ id: this.id, address: advertise, bulk, shared: sharedOptions(options, leaseMs) },
      ...{ role: () => this.role, shard: () => this.shard, shards: members },
    });
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
    // Before the day when this node takes over.
    await openProvider(options);
    const folder = openDataFolder(options.data, options.log);
    try {
      writeMarker(nodeFiles, folder.marker, cacheFormat);
      const node = new ClusterNode(options, folder);
      try {
        return { node, listening: await node.#start(port, host) };
      } catch (error) {
        node.#state.on('stop');
        await node.#release();
        throw error;
      }
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  get role(): Role {
    return this.#state.role;
  }

  /** The shard that this node owns; `undefined` if it owns none. */
  get shard(): number | undefined {
    return this.role === 'owner' ? this.#joined?.roles.member?.shard : undefined;
  }

  /** The server of the engine, while this node owns a shard. */
  get server(): StartingServer | undefined {
    return this.#joined?.roles.member?.server;
  }

  /** Listens before it waits for the database, so that probes get an answer. */
  async #start(port: number, host: string): Promise<Listening> {
    refuseShortLease(this.#parts.leaseMs);
    const { log, limits } = this.#options;
    const startup = new StartupListener(port, host);
    await startup.open({ log, ...(limits && { limits }) });
    try {
      await this.#withDatabase((connection) => this.#checkDatabase(connection));
      const joined = await this.#openParts();
      this.#joined = joined;
      return await this.#join(joined, startup, host);
    } catch (error) {
      startup.close();
      throw error;
    }
  }

  /** Checks the database and the cluster. */
  async #checkDatabase(connection: Connection): Promise<void> {
    await checkSettings(connection);
    this.#cluster = await readCluster(connection);
    await addMissingTable(connection);
    refuseNewerRecords(this.#cluster);
    refuseUnreadableRecords(this.#cluster);
    refuseSignOn(this.#options, this.#cluster);
    if (this.#cluster.shards > 1) this.#parts.directory.add(await keyRows(connection));
  }

  /** Makes everything that depends on the cluster. Nothing of it runs yet. */
  async #openParts(): Promise<Joined> {
    const { secret, shards } = this.#cluster;
    const node: NodeParts = { ...this.#parts, shards, secret };
    const { bulk, directory, names, telemetry } = node;
    const { publicUrl } = this.#options;
    const routing = new RequestRouting({
      ...{ own: { url: this.#options.cluster.advertise, nodeId: this.id }, shards, directory, names },
      basePath: publicUrl === undefined ? '' : basePathOf(publicUrl),
      owned: () => this.shard,
      observedOwner: (shard) => members[shard]?.ownerAddress,
    });
    const forwarder = await Forwarder.open({
      ...{ secret, nodeId: this.id, log: this.#log },
      shardOf: (req) => routing.shardOf(req),
      ownerAddress: (shard) => routing.ownerAddress(shard),
      nextOwner: (shard, not, ms) => routing.nextOwner(shard, not, ms),
    });
    const members = await openMembers(node, this.#folder);
    const roles = new NodeRoles(node, members);
    const metrics = new Metrics();
    const listener = this.#openListener(forwarder, () => metrics.exposition());
    metrics.addFollower(listener, telemetry.node);
    const operations = new ShardOperations({
      ...{ shards, bulk, directory, forwarder },
      defaultShard: () => routing.defaultShard,
      context: (shard) => (routing.owns(shard) ? roles.member?.commands : undefined),
    });
    return { members, roles, routing, forwarder, listener, metrics, operations };
  }

  #openListener(forwarder: Forwarder, exposition: Metrics['exposition']): Listener {
    const { log, limits, cors, logRequests, metrics, tiles } = this.#options;
    return followerListener({
      ...{ log, forwarder },
      ...(limits && { limits }),
      ...(cors && { cors }),
      ...(tiles === undefined ? {} : { tiles }),
      ...(logRequests === undefined ? {} : { logRequests }),
      ...(metrics === false ? {} : { exposition }),
      readiness: () => this.#readiness(),
    });
  }

  /** Takes the socket over, and begins to follow. */
  async #join(joined: Joined, startup: StartupListener, host: string): Promise<Listening> {
    const { listener, roles, forwarder } = joined;
    const { advertise } = this.#options.cluster;
    const { signature } = forwarder;
    const route = this.#route(joined);
    const server: Server = listener.server(route);
    const listening = await this.#sockets.open(server, (resolve) => server.listen(startup.server, resolve));
    startup.leave({ handler: (req, res) => route(req, res, 'nothing') });
    await refuseOtherProcess(advertise, this.id, signature);
    const forPeers = await peerAddress(advertise, host, listening.port);
    if (forPeers !== undefined) {
      const peerServer = listener.server(route);
      await this.#sockets.open(peerServer, (resolve) => peerServer.listen(forPeers, resolve));
    }
    await this.#withDatabase((connection) => refuseUnreachable(connection, advertise, this.id, signature));
    await this.#withDatabase(() => this.#entry.enter());
    roles.start();
    void this.#keepAnnounced(roles);
    await this.#serveCommands(joined.operations);
    return listening;
  }

  /** Requests of other nodes and of clients, to the engine here or to the owner. */
  #route({ routing, operations, listener }: Joined): Listener['begin'] {
    const receiver = new OperationReceiver(
      (shard) => operations.responder(shard),
      () => peers.renewNonce(),
    );
    const peers = new PeerHandler({
      ...{ secret: this.#cluster.secret, nodeId: this.id },
      isOwner: (shard) => routing.owns(shard),
      handle: (req, res, expectation) => (this.server as StartingServer).begin(req, res, expectation),
      operate: (req, res, shard) => void receiver.handle(req, res, shard),
    });
    return (req, res, expectation) => {
      if (peers.isPeerRequest(req)) peers.handle(req, res, expectation);
      else (routing.answers(req) ? (this.server as StartingServer) : listener).begin(req, res, expectation);
    };
  }

  /** Opens the control socket in the data folder: commands reach the owners through any node. */
  async #serveCommands(operations: ShardOperations): Promise<void> {
    try {
      this.#control = await serveControl(this.#folder.root, (line, tell) => operations.respond(line, tell));
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot create the control socket: commands cannot reach this node');
    }
  }

  /** Works on the database, however long it is away. */
  async #withDatabase(work: (connection: Connection) => Promise<void>): Promise<void> {
    for (let attempts = 0; ; attempts++) {
      try {
        await work(await this.#parts.bulk.connection());
        return;
      } catch (error) {
        if (error instanceof ClusterSettingsError || error instanceof DatabaseRefusedError || this.#state.isStopping) throw error;
        if (attempts === 0)
          this.#log.warn({ err: error, database: this.#parts.url.text }, 'the database of the cluster is away: waiting for it');
        await delay(retryMs);
      }
    }
  }

  /** Keeps the entry of this node in `mw_node` up to date, and does what is due now and then. */
  async #keepAnnounced(roles: NodeRoles): Promise<void> {
    while (!this.#state.isStopping) {
      await delay(seenMs, undefined, { ref: false });
      // The connections of log and lease report a database that is away.
      await this.#entry.announce().catch(() => undefined);
      await roles.releaseStrays().catch(() => undefined);
      await roles.member?.leaveFullDisk(seenMs).catch(() => undefined);
    }
  }

  /** Addresses of all nodes and of the database, as `host:port`. */
  get #addresses(): string[] {
    const nodes = [this.#options.cluster.advertise, ...this.#entry.otherAddresses].map((url) => new URL(url));
    return [
      ...this.#sockets.addresses,
      ...nodes.map(({ hostname, port }) => `${hostname}:${port || 80}`),
      ...this.#parts.url.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    ];
  }

  #readiness(): Readiness {
    if (this.#state.isStopping) return { status: 'draining' };
    // A shard without an owner is no reason to leave the node out: it reaches the others.
    const { members = [], routing } = this.#joined ?? {};
    const hasOwner = members.some(({ shard }) => routing?.ownerAddress(shard) !== undefined);
    return hasOwner ? { status: 'ready' } : { status: 'restoring', progress: 0 };
  }

  // The end

  /** Hands over: finishes requests in flight, gives the data to another node, and forwards what arrives meanwhile. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { roles, listener } = this.#joined ?? {};
    const began = performance.now();
    this.#state.on('stop');
    // Responses from now on are the last of their connections.
    listener?.drain();
    await handOver(roles?.member, this.id, this.#log);
    await delay(began + lingerMs - performance.now());
    this.#sockets.refuse();
    this.#sockets.stopListening();
    await Promise.race([listener?.idle(), delay(drainMs, undefined, { ref: false })]);
    await this.#release();
  }

  async #release(): Promise<void> {
    const { roles, forwarder, metrics } = this.#joined ?? {};
    const { directory, names, bulk, telemetry } = this.#parts;
    this.#sockets.refuse();
    this.#sockets.stopListening();
    await this.#control?.close();
    await roles?.close();
    directory.close();
    names.close();
    await forwarder?.close();
    await this.#sockets.close();
    await this.#entry.announceEnd();
    await bulk.close();
    metrics?.close();
    telemetry.close();
    this.#state.on('end');
    this.#folder.close();
  }
}

async function openMembers(node: NodeParts, folder: DataFolder): Promise<readonly ShardMember[]> {
  const members: ShardMember[] = [];
  try {
    for (let shard = 0; shard < node.shards; shard++)
      members.push(new ShardMember(shard, node, openShardFolder(folder, shard, node.shards)));
    return members;
  } catch (error) {
    await Promise.all(members.map((member) => member.close()));
    throw error;
  }
}
