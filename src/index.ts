/** mapwright, embedded: `const server = await createServer({ data: 'maps' })`. */
export type { BackupReport } from './backup/backups.ts';
export type { ScheduleOptions } from './backup/schedule.ts';
export type { ListedAccount } from './engine/accounts.ts';
export type { CreatedKey, RotatedKey } from './engine/keys.ts';
export type { Recovery } from './engine/recover.ts';
export type { Limits } from './http/limits.ts';
export type { DiagnosticMessages, DiagnosticName } from './lib/diagnostics.ts';
export { CorruptError, FolderError, OperationError, StoppedError } from './lib/errors.ts';
export type { Fault } from './lib/fault.ts';
export type { Log } from './lib/log.ts';
export type { Account } from './model/change.ts';
export type { HostSchema, HostSchemas } from './model/host-schemas.ts';
export type { Compat } from './model/resource.ts';
export type { Action } from './model/resources/action.ts';
export type { Artboard } from './model/resources/artboard.ts';
export type { DataSource } from './model/resources/data-source.ts';
export type { MapObject } from './model/resources/object.ts';
export type { Popup } from './model/resources/popup.ts';
export type { Project } from './model/resources/project.ts';
export type { Variable } from './model/resources/variable.ts';
export type { LimitOptions } from './server/account-limits.ts';
export type { AlarmName } from './server/alarms.ts';
export type { DirectAccess, InArtboard, InProject, Projects, Resources } from './server/direct/access.ts';
export type * from './server/direct/bodies.ts';
export { etagOf } from './server/direct/calls.ts';
export {
  ConflictError,
  NotFoundError,
  PreconditionFailedError,
  QuotaExceededError,
  RefusedError,
  StorageStalledError,
  ValidationError,
} from './server/direct/errors.ts';
export type { ClearedEvent, DurableEvent, FaultEvent, ServerEvents } from './server/events.ts';
export type { KeyOptions, RotateOptions } from './server/key-terms.ts';
export type { ListedKey } from './server/operations.ts';
export type { InMemoryServerOptions, ServerOptions } from './server/options.ts';
export { createServer, type MapwrightServer } from './server/server.ts';
export type { FoldReport } from './snapshot/fold.ts';
