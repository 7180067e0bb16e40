/** mapwright, embedded: `const server = await createServer({ data: 'maps' })`. */

import type { MapwrightServer } from './server/server.ts';
import type { InMemoryServerOptions, ServerOptions } from './server/server-options.ts';

export type { ListedAccount } from './engine/accounts.ts';
export type { CreatedKey, RotatedKey } from './engine/keys.ts';
export type { Recovery } from './engine/open-engine.ts';
export type { Limits } from './http/guard/http-limits.ts';
export { CorruptError, FolderError, FolderReplacedError, OperationError, StoppedError } from './lib/errors.ts';
export type { FieldError } from './lib/field-error.ts';
export type { DiagnosticMessages, DiagnosticName } from './lib/observability/diagnostics.ts';
export type { Log } from './lib/observability/logger.ts';
export type { Account } from './model/account.ts';
export type { HostSchema, HostSchemas } from './model/host-schemas.ts';
export type { LimitOptions } from './server/admin/account-limit-options.ts';
export type { ListedKeyWithUsage as ListedKey } from './server/admin/admin-operations.ts';
export type { KeyOptions, RotateOptions } from './server/admin/key-options.ts';
export type { FetchOptions, InProcessApi, InProcessClientOptions } from './server/in-process-api.ts';
export { FolderInUseError } from './server/lifecycle/data-folder.ts';
export type { MapwrightServer } from './server/server.ts';
export type { AlarmEvent, ClearedEvent, DurableEvent, ServerEvents } from './server/server-events.ts';
export type { InMemoryServerOptions, ServerOptions } from './server/server-options.ts';
export type { AlarmName } from './server/telemetry/alarms.ts';
export type { BackupReport } from './storage/backup/backup-runner.ts';
export type { ScheduleOptions } from './storage/backup/schedule.ts';
export type { SnapshotReport } from './storage/snapshot/run/snapshot-run.ts';
export type { Action, Artboard, DataSource, MapObject, Popup, Project, Variable } from './web/client/resource-types.ts';

/**
 * Resolves when the folder is recovered and the server accepts requests. Rejects with FolderError or CorruptError, and with a TypeError for
 * invalid options.
 */
export async function createServer(options: ServerOptions | InMemoryServerOptions): Promise<MapwrightServer> {
  // The first call loads the server: a program that imports the package may start without it.
  const { openServer } = await import('./server/server.ts');
  return openServer(options);
}
