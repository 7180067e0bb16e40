/** Opens the storage of a server: a data folder with everything in it, or memory alone. */
import { resolve } from 'node:path';
import { type Opened, type OpenOptions, openEngine } from '../../engine/open-engine.ts';
import { openInMemory } from '../../engine/open-in-memory.ts';
import type { DisposeStack } from '../../lib/async/dispose-stack.ts';
import { FolderError, type StalledMedium } from '../../lib/errors.ts';
import type { FolderIdentity } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { assertOutside } from '../../storage/backup/backup-path.ts';
import type { BackupRunner } from '../../storage/backup/backup-runner.ts';
import type { Schedule } from '../../storage/backup/schedule.ts';
import type { OperationContext } from '../admin/admin-operations.ts';
import { AuditLog } from '../admin/audit-log.ts';
import { type ControlServer, respondOn, serveControl } from '../admin/control-socket.ts';
import { KeyUsage } from '../admin/key-usage.ts';
import type { Registry } from '../admin/registry.ts';
import { type InMemoryServerOptions, isInMemory, type ServerOptions } from '../server-options.ts';
import type { NodeMetrics } from '../telemetry/metrics.ts';
import type { MetricsListener } from '../telemetry/metrics-listener.ts';
import { type DataFolder, openDataFolder, pathsIn } from './data-folder.ts';
import { startBackups } from './start-backups.ts';
import type { StartupListener } from './startup-listener.ts';

interface Storage extends Opened {
  /** Path of the data folder; `undefined` without one. */
  readonly path: string | undefined;
  readonly backups: Pick<BackupRunner, 'write'>;
  readonly schedule: Schedule | undefined;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  /** Opens the control socket for commands, if possible. */
  serveCommands(context: OperationContext): Promise<ControlServer | undefined>;
}

/** The storage of a cluster's owner: its folder is a cache, and its log is in a database. */
export interface ClusterStorage {
  /** Locked by the node, and closed by it. */
  readonly folder: DataFolder;
  /** Lineage, gate and worker of the log in the database. */
  readonly engine: Required<Pick<OpenOptions, 'cacheOf' | 'workers'>>;
  /** What a write waits for at the moment. */
  waitsFor(): StalledMedium;
  /** Why no response may be sent, for `/readyz`; `undefined` if responses may be sent. */
  unproven(): string | undefined;
  readonly node: NodeMetrics;
  readonly shard: number;
  readonly registry: Registry;
  /** Writes a change of keys or accounts where all nodes see it. */
  audit(entry: object): Promise<void>;
  /** Gets what commands need; the node has the control socket. */
  serveCommands(context: OperationContext): void;
}

/** The engine's callbacks to the server. */
type Watching = Required<Pick<OpenOptions, 'log' | 'onFatal' | 'onDurable' | 'onSnapshot' | 'stall'>>;

/**
 * Opens the storage. Rejects with FolderError or CorruptError.
 *
 * @param opened receives the close functions of all parts, also if this rejects
 * @param room opened once the folder is locked, before anything in it is read
 * @param metrics opened at the same time; closed by the caller
 * @param cluster for the owner of a cluster
 */
export async function openStorage(
  options: ServerOptions | InMemoryServerOptions,
  watching: Watching,
  opened: DisposeStack,
  room?: StartupListener,
  metrics?: MetricsListener,
  cluster?: ClusterStorage,
): Promise<Storage> {
  if (!isInMemory(options)) return await inFolder(options, watching, opened, room, metrics, cluster);
  await metrics?.open({ ...options, log: watching.log });
  return inMemory(options, watching, opened);
}

async function inFolder(
  options: ServerOptions,
  watching: Watching,
  opened: DisposeStack,
  room?: StartupListener,
  metrics?: MetricsListener,
  cluster?: ClusterStorage,
): Promise<Storage> {
  const { log } = watching;
  // Before anything is opened that would have to be closed again.
  if (options.backup !== undefined) assertOutside(resolve(options.backup.dir), resolve(options.data));
  const folder = cluster?.folder ?? openDataFolder(options.data, log);
  if (cluster === undefined) opened.defer(() => folder.close());
  opened.defer(() => room?.close());
  await room?.open({ ...options, log });
  await metrics?.open({ ...options, log });
  const paths = pathsIn(folder.path);
  const auditAndKeyUsage = openAuditAndKeyUsage(
    options.auditLog === false ? undefined : paths.auditLog,
    paths.lastUse,
    options,
    log,
    opened,
    folder.root.identity,
    options.auditLog === false ? undefined : cluster?.audit,
  );
  const keepLog = options.backup !== undefined;
  const storage = await openEngine(folder, {
    ...options,
    ...watching,
    keepLog,
    ...(room && { progress: room.counter }),
    ...(cluster && { ...cluster.engine, sync: 'interval' }),
  });
  opened.defer(() => storage.engine.close());
  room?.onRestored();
  const { backups, schedule } = startBackups(folder, storage.engine, options, log);
  opened.defer(async () => {
    // The schedule first: then an aborted backup does not count as a failure.
    const lastOne = schedule?.close();
    await backups.close();
    await lastOne;
  });
  if (keepLog) await storage.engine.snapshots.collectGarbage();
  return {
    ...storage,
    ...auditAndKeyUsage,
    path: folder.path,
    backups,
    schedule,
    async serveCommands(context) {
      if (cluster !== undefined) {
        cluster.serveCommands(context);
        return undefined;
      }
      try {
        const control = await serveControl(folder.root, respondOn(context));
        opened.defer(() => control.close());
        return control;
      } catch (error) {
        // A full disk, or a system without sockets, must not prevent reads of the data.
        log.warn({ err: error }, 'cannot create the control socket: commands cannot reach this server');
        return undefined;
      }
    },
  };
}

function inMemory(options: InMemoryServerOptions, watching: Watching, opened: DisposeStack): Storage {
  const auditAndKeyUsage = openAuditAndKeyUsage(undefined, undefined, options, watching.log, opened);
  const storage = openInMemory({ ...options, ...watching });
  opened.defer(() => storage.engine.close());
  return {
    ...storage,
    ...auditAndKeyUsage,
    path: undefined,
    backups: noBackups,
    schedule: undefined,
    serveCommands: async () => undefined,
  };
}

/** Opens the files that are written in addition to the log, and closed after it. */
function openAuditAndKeyUsage(
  auditLog: string | undefined,
  lastUsed: string | undefined,
  { clock = Date.now }: Pick<ServerOptions, 'clock'>,
  log: Log,
  opened: DisposeStack,
  root?: FolderIdentity,
  onChange?: (entry: object) => Promise<void>,
): Pick<Storage, 'audit' | 'lastUse'> {
  const audit = new AuditLog(auditLog, { log, clock, ...(root && { root }), ...(onChange && { onChange }) });
  opened.defer(() => audit.close());
  const lastUse = new KeyUsage(lastUsed, log, root);
  opened.defer(() => lastUse.close());
  return { audit, lastUse };
}

const noBackups: Storage['backups'] = {
  async write() {
    throw new FolderError(
      'This server keeps everything in memory, so it has nothing to back up. Give it a data folder: { data: "maps" }.',
    );
  },
};
