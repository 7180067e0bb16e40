/** The engine of an owner: the server of one machine, whose log is that of the cluster and whose responses are gated by the lease. */
import { ownerEndpoint } from '../../api/health-endpoints.ts';
import { freeUnusedNames } from '../../engine/projects/commit-named.ts';
import type { OperationContext } from '../../server/admin/admin-operations.ts';
import type { ClusterHooks } from '../../server/lifecycle/cluster-hooks.ts';
import type { DataFolder } from '../../server/lifecycle/data-folder.ts';
import { openServer, type StartingServer } from '../../server/server.ts';
import { WalThreads } from '../../storage/wal/write/wal-worker.ts';
import { clusterOptions } from '../cluster-options.ts';
import { addAuditEntry } from '../database/node-rows.ts';
import { ClusterWorker } from '../log/cluster-worker.ts';
import { OwnerBlobs } from '../log/owner-blobs.ts';
import type { OwnerSession } from '../log/owner-session.ts';
import { SnapshotUploader } from '../log/upload-snapshot.ts';
import { OwnerRegistry } from './owner-registry.ts';
import type { ShardNode } from './shard-node.ts';

export interface EngineParts {
  readonly session: OwnerSession;
  readonly lineage: string;
  /** Of the cache, which stays open when the engine is closed. */
  readonly folder: DataFolder;
  /** The engine can acknowledge nothing more. */
  onFailed(error: Error): void;
}

export class ShardEngine {
  readonly worker: ClusterWorker;
  /** What commands need of it; `undefined` until it is open. */
  commands: OperationContext | undefined;
  /** Whether the cache has no room for another log segment. */
  isDiskFull = false;
  readonly #node: ShardNode;
  readonly #parts: EngineParts;

  constructor(node: ShardNode, parts: EngineParts) {
    this.#node = node;
    this.#parts = parts;
    this.worker = new ClusterWorker(parts.session, node.bulk, new WalThreads(parts.folder.root));
  }

  /** Rejects with CorruptError if the cache is damaged. */
  async open(): Promise<StartingServer> {
    const { bulk, telemetry, addresses, secret, options: all } = this.#node;
    const { cluster, onOwner: _, ...options } = all;
    const { log } = options;
    const { session, lineage, folder } = this.#parts;
    const { shard } = session;
    const { worker } = this;
    const gate = () => session.gate();
    const registry = new OwnerRegistry(session, this.#node, log);
    const hooks: ClusterHooks = {
      // The node closes it.
      openFolder: () => folder,
      engine: {
        cacheOf: { lineage, gate, blobs: new OwnerBlobs(session, bulk) },
        workers: { journal: worker },
        sync: 'interval',
      },
      gate,
      waitsFor: () => (worker.waitingMs === undefined ? 'disk' : 'database'),
      unproven: () => unproven(session),
      endpoints: [ownerEndpoint(() => isOpen(gate))],
      ownAddresses: () => addresses(),
      node: telemetry.node,
      ...{ shard, secret, registry },
      audit: (entry) => this.#audit(entry),
      serveCommands: async (context) => {
        this.commands = { ...context, node: cluster.advertise };
        // Those of maps that have expired. The next owner tries again.
        freeUnusedNames(context.engine, registry).catch((error: unknown) =>
          log.warn({ err: error, shard }, 'cannot free the names of maps that were given up a year ago: they stay reserved'),
        );
      },
    };
    const ownerOptions = {
      ...options,
      inMemory: false,
      onFatal: (error: unknown) => this.#parts.onFailed(error as Error),
    } as const;
    const server = await openServer(ownerOptions, undefined, hooks);
    this.#watch(server);
    return server;
  }

  /** Notices a full disk, and stores each snapshot of the owner in the database. */
  #watch(server: StartingServer): void {
    const { bulk, options } = this.#node;
    const { session, folder } = this.#parts;
    const { worker } = this;
    const { log, cluster } = options;
    const { logKeepMs = clusterOptions.logKeepMs.range[0] } = cluster;
    const { shard } = session;
    const uploader = new SnapshotUploader(bulk, shard, folder.snapshots, Math.round(logKeepMs / 1000));
    server.on('alarm', ({ name }) => {
      if (name === 'disk_full') this.isDiskFull = true;
    });
    server.on('cleared', ({ name }) => {
      if (name === 'disk_full') this.isDiskFull = false;
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
}

/** Why an owner cannot answer, beginning with the name of the alarm. */
function unproven(session: OwnerSession): string | undefined {
  if (session.leaseLeftMs > 0) return undefined;
  return 'lease_lost: the database of the cluster does not confirm that this node owns the data';
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
