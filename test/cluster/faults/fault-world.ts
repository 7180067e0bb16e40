/**
 * Three nodes and two databases with a proxy on each way: node to database, database to database, and node to node. The parts of a fault work on
 * this.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { askServer } from '../../../src/server/admin/control-socket.ts';
import type { Heard } from '../../linearizability/world.ts';
import { initCluster } from '../support/cluster.ts';
import { type ClusterNode, makeNodes } from '../support/nodes.ts';
import { startPooler } from '../support/pooler.ts';
import { type Postgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts';

export const leaseMs = 1_000;
/** Longest time in which a cluster works again once nothing is wrong any more. */
const recoveryMs = 40_000;
/** Milliseconds that a client waits for an answer. */
const patienceMs = 1_500;
const peerHost = '127.0.0.2';

export interface FaultWorldOptions {
  readonly lease?: string;
  /** Whether nodes reach each database through a pooler. */
  readonly pooled?: boolean;
  /** Number of shards; 1 by default. There is one more node than shards, and there are at least three. */
  readonly shards?: number;
}

export class FaultWorld {
  readonly pair: Postgres;
  readonly nodes: readonly ClusterNode[];
  /** A key of each shard. */
  readonly keys: readonly string[];
  /** The way of a node to each of the two databases, in the order of `pair.servers`. */
  readonly toDatabases: readonly (readonly TcpProxy[])[];
  /** The way of other nodes to a node. */
  readonly toNodes: readonly TcpProxy[];
  /** The way of the standby to the primary. */
  readonly replication: TcpProxy;
  primary: PostgresServer;
  standby: PostgresServer;
  #marker = 0;
  /** A project of each shard. */
  readonly #projects: string[] = [];
  /** Nodes that a fault keeps down or stopped. */
  readonly down = new Set<ClusterNode>();

  private constructor(world: Pick<FaultWorld, 'pair' | 'nodes' | 'keys' | 'toDatabases' | 'toNodes' | 'replication'>) {
    this.pair = world.pair;
    this.nodes = world.nodes;
    this.keys = world.keys;
    this.toDatabases = world.toDatabases;
    this.toNodes = world.toNodes;
    this.replication = world.replication;
    this.primary = world.pair.primary;
    this.standby = world.pair.standby;
  }

  static async start(
    t: Pick<Test, 'teardown'>,
    { lease = `${leaseMs / 1000}s`, pooled = false, shards = 1 }: FaultWorldOptions = {},
  ): Promise<FaultWorld> {
    const count = Math.max(3, shards + 1);
    let replication: TcpProxy | undefined;
    const pair = await startPostgres(t, {
      through: async (port) => {
        replication = await startProxy(t, port);
        return replication.port;
      },
    });
    await initCluster(pair, shards);
    const ports = await Promise.all(pair.servers.map(({ port }) => (pooled ? startPooler(t, port) : port)));
    const toDatabases = await Promise.all(
      Array.from({ length: count }, () => Promise.all(ports.map((port) => startProxy(t, port)))),
    );
    const urls = toDatabases.map(
      (proxies) => `postgres://postgres@${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    );
    const nodes = await makeNodes(t, { cluster: urls, count, advertiseHost: peerHost, flags: ['--lease', lease] });
    const toNodes = await Promise.all(nodes.map(({ port }) => startProxy(t, port, { host: peerHost, port })));
    const [first, ...others] = nodes as [ClusterNode, ...ClusterNode[]];
    await first.start();
    const keys = [await first.firstKey()];
    for (const node of others) await node.start();
    for (let n = 0; keys.filter((key) => key !== undefined).length < shards; n++) {
      const { key } = await create(first, `account ${n}`);
      const [row] = await pair.primary.sql('SELECT shard FROM mw_account WHERE name = $1', [`account ${n}`]);
      keys[Number(row?.['shard'])] ??= key;
    }
    const world = new FaultWorld({ pair, nodes, keys, toDatabases, toNodes, replication: replication as TcpProxy });
    await world.recovered();
    return world;
  }

  /** The key of the first shard. */
  get key(): string {
    return this.keys[0] as string;
  }

  /** The node that owns a shard by the database's account; any node while the database is away. */
  async owner(shard = 0): Promise<ClusterNode> {
    const [row] = await this.primary.sql('SELECT address FROM mw_lease WHERE shard = $1', [shard]).catch(() => []);
    const owner = this.nodes.find(({ port }) => row?.['address'] === `http://${peerHost}:${port}`);
    return owner ?? (this.nodes[0] as ClusterNode);
  }

  proxiesOf(node: ClusterNode): readonly TcpProxy[] {
    return this.toDatabases[this.nodes.indexOf(node)] as readonly TcpProxy[];
  }

  peersOf(node: ClusterNode): TcpProxy {
    return this.toNodes[this.nodes.indexOf(node)] as TcpProxy;
  }

  /** The standby is the primary now; the former one, which does not run, follows it. */
  async swap(): Promise<void> {
    const former = this.primary;
    this.primary = this.standby;
    this.standby = former;
    this.replication.retarget(this.primary.port);
    this.replication.resetConnections();
    this.replication.fault = 'pass';
    await this.pair.rejoin(former, this.primary, this.replication.port);
  }

  /** Starts the standby again. */
  async startStandby(): Promise<void> {
    await this.standby.start();
    await this.pair.synchronized(this.primary);
  }

  /** Asks a node over a connection of its own; `undefined` without a whole answer in time. */
  ask(node: ClusterNode, method: string, path: string, body?: unknown, key = this.key): Promise<Heard | undefined> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve) => {
      const req = http.request(`${node.url}/v1${path}`, { method, headers, agent: false }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', () => over(undefined));
        res.on('end', () => {
          const { link } = res.headers;
          over({
            status: res.statusCode ?? 0,
            link: typeof link === 'string' ? link : undefined,
            text: Buffer.concat(chunks).toString(),
          });
        });
      });
      const timer = setTimeout(() => {
        req.destroy();
        over(undefined);
      }, patienceMs);
      const over = (heard: Heard | undefined): void => {
        clearTimeout(timer);
        resolve(heard);
      };
      req.on('error', () => over(undefined));
      req.end(text);
    });
  }

  /** Waits until every node writes. Returns how long that took in milliseconds; throws if it takes too long or a node ended. */
  async recovered(): Promise<number> {
    const began = performance.now();
    for (const node of this.nodes) {
      for (;;) {
        if (!node.isRunning) throw new Error(`a node ended by itself:\n${node.output.slice(-3000)}`);
        const heard = await this.#mark(node);
        if (heard === 'all') break;
        if (performance.now() - began > recoveryMs) {
          const outputs = this.nodes.map(({ port, output }) => `--- ${port}\n${output.slice(-3000)}`).join('\n');
          throw new Error(`the node on port ${node.port} does not write after ${recoveryMs} ms: ${heard}\n${outputs}`);
        }
        await sleep(20);
      }
    }
    return performance.now() - began;
  }

  /** Writes into each shard through a node; `all` if each write was acknowledged, otherwise what was answered. */
  async #mark(node: ClusterNode): Promise<string | undefined> {
    const name = `marker ${this.#marker++}`;
    for (const [shard, key] of this.keys.entries()) {
      const project = this.#projects[shard];
      const heard =
        project === undefined
          ? await this.ask(node, 'POST', '/projects', { name }, key)
          : await this.ask(node, 'PATCH', `/projects/${project}`, { name }, key);
      if (heard?.status !== 200) return heard?.text;
      this.#projects[shard] = (JSON.parse(heard.text) as { id: string }).id;
    }
    return 'all';
  }
}

/** Creates a key through a node; tries again while no owner answers. */
async function create(node: ClusterNode, account: string): Promise<{ readonly key: string }> {
  for (;;) {
    try {
      return await askServer(node.data, 'keys.create', { account });
    } catch {
      await sleep(100);
    }
  }
}
