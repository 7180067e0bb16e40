/** mapwright, embedded: `const server = await createServer({ data: 'maps' })`. */
export type { CreatedKey, ListedKey } from './engine/keys.ts';
export type { Limits } from './http/listener.ts';
export { CorruptError, FolderError } from './lib/errors.ts';
export { createServer, type MapwrightServer, type ServerOptions } from './server/server.ts';
