/** Opens the storage of a server: a data folder with everything in it, or memory alone. */
import { resolve } from 'node:path';
import { type Opened, type OpenOptions, openEngine } from '../../engine/open-engine.ts';
import { openInMemory } from '../../engine/open-in-memory.ts';
import { FolderError } from '../../lib/errors.ts';
import { assertBackupFolder, assertOutside } from '../../storage/backup/backup-path.ts';
import type { BackupRunner } from '../../storage/backup/backup-runner.ts';
import type { Schedule } from '../../storage/backup/schedule.ts';
import type { OperationContext } from '../admin/admin-operations.ts';
import { AuditLog } from '../admin/audit-log.ts';
import { KeyUsage } from '../admin/key-usage.ts';
import { stallLimitsOf } from '../limits-in-force.ts';
import { type InMemoryServerOptions, isInMemory, type ServerOptions } from '../server-options.ts';
import type { ClusterHooks } from './cluster-hooks.ts';
import { type DataFolder, pathsIn } from './data-folder.ts';
import type { Lifecycle } from './lifecycle.ts';
import { startBackups } from './start-backups.ts';

export interface Storage extends Opened {
  /** Path of the data folder; `undefined` without one. */
  readonly path: string | undefined;
  readonly backups: Pick<BackupRunner, 'write'>;
  readonly schedule: Schedule | undefined;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  /** Lets commands reach the server, if possible. */
  serveCommands(context: OperationContext): Promise<void>;
}

/** The parts that the server shares with the engine: the memory budget, the JSON of projects, and who learns of changes. */
type Shared = Pick<OpenOptions, 'memory' | 'json' | 'onCommit'>;

/** The engine's callbacks to the server. */
type Watching = Shared & Required<Pick<OpenOptions, 'log' | 'onFatal' | 'onDurable' | 'onSnapshot' | 'stall'>>;

/** Opens the storage: the first step of a server. Rejects with FolderError or CorruptError; `lifecycle` closes what was opened. */
export async function openStorage(
  options: ServerOptions | InMemoryServerOptions,
  lifecycle: Lifecycle,
  hooks: ClusterHooks,
  shared: Shared,
): Promise<Storage> {
  const { log, events } = lifecycle;
  const watching: Watching = {
    ...shared,
    log,
    onFatal: lifecycle.fail,
    onDurable: (lsn) => events.durable(lsn),
    onSnapshot: (report) => events.emitSafely('snapshot', report),
    stall: { ...stallLimitsOf(options), medium: () => hooks.waitsFor() },
  };
  const storage = isInMemory(options)
    ? await inMemory(options, watching, lifecycle)
    : await inFolder(options, watching, lifecycle, hooks);
  events.versions = storage.engine.versions;
  return storage;
}

async function inFolder(options: ServerOptions, watching: Watching, lifecycle: Lifecycle, hooks: ClusterHooks): Promise<Storage> {
  const { log, defer, startupListener } = lifecycle;
  // Before anything is opened that would have to be closed again.
  if (options.backup !== undefined) {
    const dir = resolve(options.backup.dir);
    assertOutside(dir, resolve(options.data));
    if (options.backup.later !== true) assertBackupFolder(dir);
  }
  const folder = hooks.openFolder(options.data, log, defer);
  defer(() => startupListener?.close());
  // Before anything in the folder is read.
  await startupListener?.open({ ...options, log });
  await lifecycle.metricsListener?.open({ ...options, log });
  const auditAndKeyUsage = openAuditAndKeyUsage(options, lifecycle, folder, hooks.audit);
  const keepLog = options.backup !== undefined;
  const storage = await openEngine(folder, {
    ...options,
    ...watching,
    keepLog,
    ...(startupListener && { progress: startupListener.counter }),
    ...hooks.engine,
  });
  defer(() => storage.engine.close());
  startupListener?.onRestored();
  const { backups, schedule } = startBackups(folder, storage.engine, options, log);
  defer(async () => {
    // The schedule first: then an aborted backup does not count as a failure.
    const lastOne = schedule?.close();
    await backups.close();
    await lastOne;
  });
  if (keepLog) await storage.engine.snapshots.collectGarbage();
  return {
    ...storage,
    ...auditAndKeyUsage,
    ...{ path: folder.path, backups, schedule },
    serveCommands: (context) => hooks.serveCommands(context, folder, log, defer),
  };
}

async function inMemory(options: InMemoryServerOptions, watching: Watching, lifecycle: Lifecycle): Promise<Storage> {
  await lifecycle.metricsListener?.open({ ...options, log: watching.log });
  const auditAndKeyUsage = openAuditAndKeyUsage(options, lifecycle);
  const storage = openInMemory({ ...options, ...watching });
  lifecycle.defer(() => storage.engine.close());
  return {
    ...storage,
    ...auditAndKeyUsage,
    ...{ path: undefined, backups: noBackups, schedule: undefined },
    serveCommands: async () => undefined,
  };
}

/** Opens the files that are written in addition to the log, and closed after it; without a folder, their counters. */
function openAuditAndKeyUsage(
  { clock = Date.now, ...options }: Pick<ServerOptions, 'clock' | 'auditLog'>,
  { log, defer }: Lifecycle,
  folder?: DataFolder,
  onChange?: ClusterHooks['audit'],
): Pick<Storage, 'audit' | 'lastUse'> {
  const paths = folder && pathsIn(folder.path);
  const root = folder?.root.identity;
  const isWritten = options.auditLog !== false;
  const audit = new AuditLog(isWritten ? paths?.auditLog : undefined, {
    ...{ log, clock },
    ...(root && { root }),
    ...(isWritten && onChange && { onChange }),
  });
  defer(() => audit.close());
  const lastUse = new KeyUsage(paths?.lastUse, log, root);
  defer(() => lastUse.close());
  return { audit, lastUse };
}

const noBackups: Storage['backups'] = {
  async write() {
    throw new FolderError(
      'This server keeps everything in memory, so it has nothing to back up. Give it a data folder: { data: "maps" }.',
    );
  },
};
