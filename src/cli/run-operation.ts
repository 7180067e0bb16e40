/** Runs an operation on a data folder: through the server that has it open, or by opening the folder. */
import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { DisposeStack } from '../lib/async/dispose-stack.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files/files.ts';
import type { OnProgress } from '../lib/threads/progress-counter.ts';
import type { AdminVerb, OperationContext, Operations } from '../server/admin/admin-operations.ts';
import { AuditLog } from '../server/admin/audit-log.ts';
import { askServer } from '../server/admin/control-socket.ts';
import { KeyUsage } from '../server/admin/key-usage.ts';
import { FolderInUseError, openDataFolder, pathsIn } from '../server/lifecycle/data-folder.ts';
import { isCache } from '../storage/recovery/marker.ts';
import { quietLog } from './output/command-log.ts';
import { withRepairHint } from './output/repair-hint.ts';

/** Timeout for a process that holds the folder, in milliseconds. It may be restoring. */
const lockTimeoutMs = 30_000;
const pollMs = 100;

type Result<V extends AdminVerb> = Awaited<ReturnType<Operations[V]>>;

/**
 * Runs an operation and returns its result.
 *
 * @param create whether to create a missing folder
 * @param onProgress receives the progress of operations that report it
 */
export async function runOperation<V extends AdminVerb>(
  folder: string,
  verb: V,
  args: Parameters<Operations[V]>[1],
  { create = false, onProgress = () => undefined }: { create?: boolean; onProgress?: OnProgress } = {},
): Promise<Result<V>> {
  const { path } = pathsIn(folder);
  if (!create && !fs.existsSync(path))
    throw new FolderError(`The data folder ${path} does not exist. Name the data folder of the server with --data DIR.`);
  const until = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return await runHere(folder, verb, args, onProgress);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      const result = await askServerIfListening(folder, verb, args, onProgress);
      if (result !== undefined) return result.value;
      if (performance.now() > until) throw error;
      await setTimeout(pollMs);
    }
  }
}

async function runHere<V extends AdminVerb>(
  path: string,
  verb: V,
  args: Parameters<Operations[V]>[1],
  onProgress: OnProgress,
): Promise<Result<V>> {
  const log = quietLog();
  const opened = new DisposeStack();
  const folder = openDataFolder(path, log);
  opened.defer(() => folder.close());
  try {
    refuseCache(folder.path);
    // With a running server, which is the usual case, the lock above fails, and the engine is not loaded.
    const [{ openEngine }, { operations }, { startBackups }, { noRegistry }] = await Promise.all([
      import('../engine/open-engine.ts'),
      import('../server/admin/admin-operations.ts'),
      import('../server/lifecycle/start-backups.ts'),
      import('../server/admin/registry.ts'),
    ]);
    const paths = pathsIn(path);
    const audit = new AuditLog(paths.auditLog, { log, clock: Date.now, root: folder.root.identity });
    opened.defer(() => audit.close());
    const lastUse = new KeyUsage(paths.lastUse, log, folder.root.identity);
    opened.defer(() => lastUse.close());
    // A failed journal rejects all pending operations; nothing else needs to be stopped here.
    const { engine } = await withRepairHint(path, openEngine(folder, { log, onFatal: () => undefined, keepLog: true }));
    opened.defer(() => engine.close());
    // Keep all log: the server may still have to archive it next to its backups.
    engine.snapshots.hold(0, { snapshot: false });
    const { backups } = startBackups(folder, engine, { snapshotPauseMs: 0 }, log);
    opened.defer(() => backups.close());
    const context: OperationContext = { engine, backups, audit, lastUse, registry: noRegistry, shard: 0 };
    const operation = operations[verb] as (context: OperationContext, args: object, onProgress: OnProgress) => Promise<Result<V>>;
    return await operation(context, args, onProgress);
  } finally {
    await opened.disposeAsync();
  }
}

/** Refuses the cache of a node that does not run: a change in it would be lost. */
function refuseCache(folder: string): void {
  const { marker } = pathsIn(folder);
  if (fs.existsSync(marker) && isCache(nodeFiles, marker)) {
    throw new FolderError(
      `${folder} is the cache of a node that does not run; the data is in the database of its cluster. Start the node, or name the data folder of a node that runs with --data DIR.`,
    );
  }
}

/** `undefined` if the process that holds the folder does not listen yet, or any more. */
async function askServerIfListening<V extends AdminVerb>(
  path: string,
  verb: V,
  args: Parameters<Operations[V]>[1],
  onProgress: OnProgress,
): Promise<{ value: Result<V> } | undefined> {
  try {
    return { value: await askServer(path, verb, args, onProgress) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}
