/** Nodes of a cluster in the process of a test, and a database for each test on one pair of servers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import type { ClusterNodeOptions } from '../../../src/cluster/cluster-options.ts';
import { createCluster, emptyShard } from '../../../src/cluster/database/create-cluster.ts';
import { Connection } from '../../../src/cluster/database/database-connection.ts';
import { type DatabaseUrl, parseDatabaseUrl } from '../../../src/cluster/database/database-url.ts';
import { ClusterNode } from '../../../src/cluster/node/cluster-node.ts';
import { schemaVersion } from '../../../src/model/schema-version.ts';
import type { StartingServer } from '../../../src/server/server.ts';
import { type Logged, recordingLog } from '../../support/engine.ts';
import { freePort } from '../../support/ports.ts';
import type { Postgres } from './postgres.ts';

const pollMs = 10;
let databases = 0;

export interface TestDatabase {
  readonly text: string;
  readonly url: DatabaseUrl;
  readonly connection: Connection;
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** An empty database, and a connection to it. */
export async function newDatabase(t: Pick<Test, 'teardown'>, pair: Postgres): Promise<TestDatabase> {
  const name = `test${++databases}`;
  await pair.primary.sql(`CREATE DATABASE ${name}`);
  const text = pair.urls.replace(/postgres$/, name);
  const url = parseDatabaseUrl(text);
  const connection = await Connection.open(url, 'test', 'standby');
  t.teardown(() => connection.close());
  return { text, url, connection, sql: (text, values = []) => connection.query(text, values) };
}

/** Creates the tables of an empty cluster, as `mapwright cluster init` does. */
export const createShards = (connection: Connection, count = 1): Promise<void> =>
  createCluster(connection, { shards: Array.from({ length: count }, emptyShard), schemaWritten: schemaVersion });

/** A database with the tables of an empty cluster. */
export async function newCluster(t: Pick<Test, 'teardown'>, pair: Postgres, shards = 1): Promise<TestDatabase> {
  const database = await newDatabase(t, pair);
  await createShards(database.connection, shards);
  return database;
}

export interface LocalNode {
  readonly node: ClusterNode;
  readonly url: string;
  readonly data: string;
  /** Its log. */
  readonly logged: Logged;
  /** The errors with which it would have ended its process. */
  readonly fatal: Error[];
  /** Resolves when it owns the data, with its server. */
  owned(): Promise<StartingServer>;
  close(): Promise<void>;
}

export interface LocalNodeOptions extends Partial<Omit<ClusterNodeOptions, 'data' | 'cluster' | 'log' | 'onFatal'>> {
  readonly advertise?: string;
  readonly leaseMs?: number;
  readonly port?: number;
}

/** Starts a node in this process. @param data its folder, which must outlive it: not `t.testdir()`, which goes first */
export async function startNode(
  t: Pick<Test, 'teardown'>,
  cluster: string,
  data: string,
  options: LocalNodeOptions = {},
): Promise<LocalNode> {
  const { port = await freePort(), advertise = `http://127.0.0.1:${port}`, leaseMs = 3_000, ...others } = options;
  const { log, logged } = recordingLog();
  const fatal: Error[] = [];
  const { node } = await ClusterNode.start(
    {
      snapshotPauseMs: 0,
      ...others,
      data,
      log,
      cluster: { url: cluster, advertise, leaseMs },
      onFatal: (error) => void fatal.push(error),
    },
    port,
    '127.0.0.1',
  );
  t.teardown(() => node.close());
  const owned = async (): Promise<StartingServer> => {
    while (node.role !== 'owner' || node.server === undefined) await delay(pollMs);
    return node.server;
  };
  return { node, url: `http://127.0.0.1:${port}`, data, logged, fatal, owned, close: () => node.close() };
}
