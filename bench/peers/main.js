/** A peer as a process: `node main.js sqlite FOLDER` or `node main.js postgres FOLDER-OF-ITS-SOCKET`. Makes a key and prints it. */
import { randomBytes } from 'node:crypto';
import { buildApp, digestOf } from './app.js';

const opening = {
  sqlite: async (folder) => (await import('./sqlite.js')).openSqlite(folder),
  postgres: async (folder) => (await import('./postgres.js')).openPostgres(folder),
};

const [, , kind, folder] = process.argv;
const store = await opening[kind](folder);
const key = randomBytes(32).toString('base64url');
await store.addKey(digestOf(key), 'bench');
const app = buildApp(store);
const address = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`Listening on ${address}, key ${key}`);

process.once('SIGTERM', async () => {
  await app.close();
  await store.close();
  process.exit();
});
