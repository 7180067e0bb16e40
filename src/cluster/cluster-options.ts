/** The options of a node of a cluster. */

import type { Log } from '../lib/observability/logger.ts';
import { choice, duration, text, type ValuesOf } from '../lib/option-declaration.ts';
import type { StartingServer } from '../server/server.ts';
import type { ServerOptions } from '../server/server-options.ts';
import { durabilities } from './database/tables.ts';

export const clusterOptions = {
  /** URL of the database, with all its hosts: `postgres://user:password@db1,db2/maps`. */
  url: text({
    flag: 'cluster',
    group: 'Cluster',
    help: 'URL of the PostgreSQL database that holds the data of several nodes, with [all its hosts](cluster.md#start): `postgres://maps@db1,db2/maps`. The password: `PGPASSWORD`, or `~/.pgpass`. See [docs/cluster.md](cluster.md)',
  }),
  /** Where other nodes reach this one: `http://10.0.0.5:8071`. */
  advertise: text({
    flag: 'advertise',
    group: 'Cluster',
    help: 'With `--cluster`: the URL of this node for the other nodes: `http://10.0.0.5:8071`. A port other than that of `--port` is [opened beside it](cluster.md#start)',
    problemOf: advertiseProblem,
    normal: (url) => new URL(url).origin,
  }),
  /** How long a node may answer after its last proof that it owns the data, in milliseconds; default 3000. The same on all nodes. */
  leaseMs: duration({
    flag: 'lease',
    group: 'Cluster',
    help: 'With `--cluster`: how long a node may answer [without a sign of the database](cluster.md#what-clients-see). The same on all nodes',
    byDefault: '3s',
  }),
  /** What guarantees that a commit survives the loss of a machine; default `standby`. */
  durability: choice({
    flag: 'durability',
    group: 'Cluster',
    help: 'With `--cluster`: what keeps acknowledged writes when a machine is lost: a synchronous standby, which is checked, or storage that replicates [below PostgreSQL](cluster.md#the-database), which is your word',
    choices: durabilities,
    byDefault: 'standby',
  }),
  /** Milliseconds that the log stays in the database, for the change feed; default 7 days. */
  logKeepMs: duration({
    flag: 'log-keep',
    group: 'Cluster',
    help: 'With `--cluster`: how long the log stays in the database, for nodes that were away',
    byDefault: '7d',
  }),
};

type Values = ValuesOf<typeof clusterOptions>;
export type ClusterOptions = Required<Pick<Values, 'url' | 'advertise'>> & Omit<Values, 'url' | 'advertise'>;

function advertiseProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' && url.pathname === '/' && url.search === '' && url.username === ''
    ? undefined
    : `is "${text}". It must be http://, a host and a port, such as http://10.0.0.5:8071`;
}

export interface ClusterNodeOptions extends Omit<ServerOptions, 'log' | 'backup' | 'onFatal' | 'metricsListen'> {
  readonly cluster: ClusterOptions;
  readonly log: Log;
  /** Called each time this node has taken over a shard, before it answers. */
  readonly onOwner?: (server: StartingServer, shard: number, shards: number) => Promise<void> | void;
  /** Called when the node cannot go on: it must be restarted, or an operator decides. */
  readonly onFatal: (error: Error) => void;
}
