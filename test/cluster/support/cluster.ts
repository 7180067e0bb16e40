/** A cluster of real processes on a real pair of databases, and clients that write to it and keep account. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { Connection } from '../../../src/cluster/database/database-connection.ts';
import { parseDatabaseUrl } from '../../../src/cluster/database/database-url.ts';
import { createShards } from './local-nodes.ts';
import { type ClusterNode, makeNodes, type NodeOptions } from './nodes.ts';
import { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts';

export interface ClusterOptions extends Omit<NodeOptions, 'cluster'> {
  readonly postgres?: PostgresOptions;
  /** Number of shards; 1 by default. */
  readonly shards?: number;
  /** URLs of the databases for the nodes, such as those of proxies; by default all nodes get those of the servers. */
  readonly urls?: (pair: Postgres) => Promise<readonly string[]>;
}

export interface RunningCluster {
  readonly pair: Postgres;
  readonly nodes: readonly ClusterNode[];
  /** The first key. */
  readonly key: string;
}

/** Creates the tables of an empty cluster, as `mapwright cluster init` does. */
export const initCluster = (pair: Postgres, shards = 1): Promise<void> => initClusterAt(pair.url, shards);

/** The same, at the URL of a database. */
export async function initClusterAt(url: string, shards = 1): Promise<void> {
  const connection = await Connection.open(parseDatabaseUrl(url), 'test', 'standby');
  await createShards(connection, shards);
  connection.close();
}

/** Starts databases and nodes that live until the test is over. The first node owns the data. */
export async function startCluster(t: Pick<Test, 'teardown'>, options: ClusterOptions = {}): Promise<RunningCluster> {
  const { postgres, urls, shards, count = 3, ...rest } = options;
  const pair = await startPostgres(t, postgres);
  await initCluster(pair, shards);
  const cluster = (await urls?.(pair)) ?? pair.urls;
  const nodes = await makeNodes(t, { ...rest, count, cluster });
  const [first, ...others] = nodes as [ClusterNode, ...ClusterNode[]];
  await first.start();
  const key = await first.firstKey();
  await Promise.all(others.map((node) => node.start()));
  for (const node of nodes) await node.answers('/readyz', 200);
  return { pair, nodes, key };
}

/** The node that owns the data, or a shard of it, by the database's account; `undefined` if it was released. */
export async function ownerOf(cluster: RunningCluster, shard = 0): Promise<ClusterNode | undefined> {
  const [row] = await cluster.pair.primary.sql('SELECT address FROM mw_lease WHERE NOT released AND shard = $1', [shard]);
  return cluster.nodes.find(({ port }) => row?.['address'] === `http://127.0.0.1:${port}`);
}

/** What became of a request; `undefined` if the connection broke before the whole response. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Why no byte of a request was read. */
export class RefusedError extends Error {}

/** Sends one request. Rejects with {@link RefusedError} if nothing listens, and otherwise if the connection breaks. */
export function send(
  node: { readonly url: string },
  key: string,
  method: string,
  route: string,
  body?: unknown,
  { agent = false, headers = {} }: { agent?: http.Agent | false; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const all = {
      authorization: `Bearer ${key}`,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    };
    const req = http.request(`${node.url}${route}`, { method, headers: all, agent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }));
    });
    req.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ECONNREFUSED' ? new RefusedError(error.message) : error),
    );
    req.end(text);
  });
}

/** A project that a client made, or may have made. */
interface Project {
  readonly name: string;
  readonly popups: readonly string[];
}

const popupsEach = 3;
const pauseMs = 20;

/** Clients that create projects over connections that stay open. Each goes to the next node when its node refuses the connection. */
export class Writers {
  readonly #cluster: Pick<RunningCluster, 'nodes' | 'key'>;
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #running: Promise<void>[];
  readonly acknowledged: Project[] = [];
  /** Without an answer, or answered with a 503: they may have been made. */
  readonly unanswered: Project[] = [];
  /** What requests failed with. */
  readonly failures: string[] = [];
  /** Moments of the last acknowledgement and of the longest pause between two, in milliseconds. */
  #lastMs = performance.now();
  longestPauseMs = 0;
  #isOver = false;
  static #count = 0;

  constructor(cluster: Pick<RunningCluster, 'nodes' | 'key'>, clients: number) {
    this.#cluster = cluster;
    this.#running = Array.from({ length: clients }, (_, client) => this.#run(client));
  }

  async #run(client: number): Promise<void> {
    const { nodes, key } = this.#cluster;
    let at = client;
    let refusals = 0;
    while (!this.#isOver) {
      const name = `p${Writers.#count++}`;
      const project = { name, popups: Array.from({ length: popupsEach }, (_, i) => `${name}-${i}`) };
      for (;;) {
        const node = nodes[at % nodes.length] as ClusterNode;
        try {
          const body = { name, popups: project.popups.map((popup) => ({ name: popup })) };
          const { status, headers, text } = await send(node, key, 'POST', '/v1/projects', body, { agent: this.#agent });
          // It stops: a load balancer asks another node from now on.
          if (headers.connection === 'close') at++;
          refusals = 0;
          if (status === 200) this.#acknowledge(project);
          else this.#fail(project, `${status} ${text}`);
        } catch (error) {
          if (error instanceof RefusedError && !this.#isOver) {
            at++;
            if (++refusals % nodes.length === 0) await sleep(pauseMs);
            continue;
          }
          if (!(error instanceof RefusedError)) this.#fail(project, String(error));
          at++;
        }
        break;
      }
      await sleep(pauseMs);
    }
  }

  #acknowledge(project: Project): void {
    const now = performance.now();
    this.longestPauseMs = Math.max(this.longestPauseMs, now - this.#lastMs);
    this.#lastMs = now;
    this.acknowledged.push(project);
  }

  #fail(project: Project, reason: string): void {
    this.unanswered.push(project);
    this.failures.push(reason);
  }

  /** Waits until this many more were acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged.length + count;
    while (this.acknowledged.length < goal) await sleep(5);
  }

  /** Stops after the requests under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  /** What is wrong with what a node shows, in a line each: a project lost, in part, twice, or not asked for. */
  async compare(node: ClusterNode): Promise<string[]> {
    const { status, text } = await send(node, this.#cluster.key, 'GET', '/v1/projects');
    if (status !== 200) return [`${status} ${text}`];
    const found = (JSON.parse(text) as { name: string; popups: { name: string }[] }[]).filter(({ name }) => /^p\d+$/.test(name));
    const problems: string[] = [];
    const wanted = new Map([...this.acknowledged, ...this.unanswered].map((project) => [project.name, project]));
    const seen = new Set<string>();
    for (const { name, popups } of found) {
      const project = wanted.get(name);
      if (project === undefined) continue;
      if (seen.has(name)) problems.push(`${name} is there twice`);
      seen.add(name);
      const names = popups.map((popup) => popup.name);
      if (names.join() !== project.popups.join()) problems.push(`${name} has ${names.join()}, not ${project.popups.join()}`);
    }
    for (const { name } of this.acknowledged) if (!seen.has(name)) problems.push(`${name} was acknowledged and is lost`);
    return problems;
  }
}
