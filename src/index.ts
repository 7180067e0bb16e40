/** mapwright, embedded: `const server = await createServer({ data: 'maps' })`. */
export type { BackupReport } from './backup/backups.ts';
export type { ListedAccount } from './engine/accounts.ts';
export type { CreatedKey, RotatedKey } from './engine/keys.ts';
export type { Limits } from './http/limits.ts';
export { CorruptError, FolderError, OperationError } from './lib/errors.ts';
export type { Compat } from './model/resource.ts';
export type { Action } from './model/resources/action.ts';
export type { Artboard } from './model/resources/artboard.ts';
export type { DataSource } from './model/resources/data-source.ts';
export type { MapObject } from './model/resources/object.ts';
export type { Popup } from './model/resources/popup.ts';
export type { Project } from './model/resources/project.ts';
export type { Variable } from './model/resources/variable.ts';
export type { LimitOptions } from './server/account-limits.ts';
export type { KeyOptions, RotateOptions } from './server/key-terms.ts';
export type { ListedKey } from './server/operations.ts';
export type { ServerOptions } from './server/options.ts';
export { createServer, type MapwrightServer } from './server/server.ts';
