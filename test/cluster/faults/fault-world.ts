/**
 * Three nodes and two databases with a proxy on each way: node to database, database to database, and node to node. The parts of a fault work on
 * this.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import type { Heard } from '../../linearizability/world.ts';
import { initCluster } from '../support/cluster.ts';
import { type ClusterNode, makeNodes } from '../support/nodes.ts';
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
}

export class FaultWorld {
  readonly pair: Postgres;
  readonly nodes: readonly ClusterNode[];
  readonly key: string;
  /** The way of a node to each of the two databases, in the order of `pair.servers`. */
  readonly toDatabases: readonly (readonly TcpProxy[])[];
  /** The way of other nodes to a node. */
  readonly toNodes: readonly TcpProxy[];
  /** The way of the standby to the primary. */
  readonly replication: TcpProxy;
  primary: PostgresServer;
  standby: PostgresServer;
  #marker = 0;
  #project: string | undefined;
  /** Nodes that a fault keeps down or stopped. */
  readonly down = new Set<ClusterNode>();

  private constructor(world: Pick<FaultWorld, 'pair' | 'nodes' | 'key' | 'toDatabases' | 'toNodes' | 'replication'>) {
    this.pair = world.pair;
    this.nodes = world.nodes;
    this.key = world.key;
    this.toDatabases = world.toDatabases;
    this.toNodes = world.toNodes;
    this.replication = world.replication;
    this.primary = world.pair.primary;
    this.standby = world.pair.standby;
  }

  static async start(t: Pick<Test, 'teardown'>, { lease = `${leaseMs / 1000}s` }: FaultWorldOptions = {}): Promise<FaultWorld> {
    let replication: TcpProxy | undefined;
    const pair = await startPostgres(t, {
      through: async (port) => {
        replication = await startProxy(t, port);
        return replication.port;
      },
    });
    await initCluster(pair);
    const toDatabases = await Promise.all(
      Array.from({ length: 3 }, () => Promise.all(pair.servers.map(({ port }) => startProxy(t, port)))),
    );
    const urls = toDatabases.map(
      (proxies) => `postgres://postgres@${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    );
    const nodes = await makeNodes(t, { cluster: urls, count: 3, advertiseHost: peerHost, flags: ['--lease', lease] });
    const toNodes = await Promise.all(nodes.map(({ port }) => startProxy(t, port, { host: peerHost, port })));
    const [first, ...others] = nodes as [ClusterNode, ...ClusterNode[]];
    await first.start();
    const key = await first.firstKey();
    for (const node of others) await node.start();
    const world = new FaultWorld({ pair, nodes, key, toDatabases, toNodes, replication: replication as TcpProxy });
    await world.recovered();
    return world;
  }

  /** The node that owns the data by the database's account; any node while the database is away. */
  async owner(): Promise<ClusterNode> {
    const [row] = await this.primary.sql('SELECT address FROM mw_lease').catch(() => []);
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
  ask(node: ClusterNode, method: string, path: string, body?: unknown): Promise<Heard | undefined> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.key}`,
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
        const name = `marker ${this.#marker++}`;
        const heard =
          this.#project === undefined
            ? await this.ask(node, 'POST', '/projects', { name })
            : await this.ask(node, 'PATCH', `/projects/${this.#project}`, { name });
        if (heard?.status === 200) {
          this.#project = (JSON.parse(heard.text) as { id: string }).id;
          break;
        }
        if (performance.now() - began > recoveryMs) {
          const outputs = this.nodes.map(({ port, output }) => `--- ${port}\n${output.slice(-3000)}`).join('\n');
          throw new Error(`the node on port ${node.port} does not write after ${recoveryMs} ms: ${heard?.text}\n${outputs}`);
        }
        await sleep(20);
      }
    }
    return performance.now() - began;
  }
}
