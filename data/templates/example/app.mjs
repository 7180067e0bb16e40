// @ts-check
// A program that embeds mapwright. mapwright serves the API below /api/v1; this program serves all other paths.
import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'mapwright';

const port = Number(process.env.PORT ?? 3000);

/** @type {import('mapwright').ServerOptions} */
const options = { data: process.env.DATA ?? 'maps', cors: [`http://localhost:${port}`] };

// Restores all data. Only one process at a time can open the folder.
const maps = await createServer(options);

const server = http.createServer((req, res) => {
  const path = req.url ?? '/';
  if (/^\/(api\/)?v1\//.test(path) || path === '/openapi.json' || path === '/readyz') maps.handler(req, res);
  else if (path === '/') void front(res);
  else res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found.\n');
});

/**
 * A page of this program: the number of projects of each account.
 *
 * @param {http.ServerResponse} res
 */
async function front(res) {
  const accounts = await maps.accounts();
  const lines = accounts.map(({ name, projects }) => `${name}: ${projects} projects`);
  res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${lines.join('\n')}\n`);
}

server.listen(port, '127.0.0.1');
// Throws if the port is in use, before a key is created.
await once(server, 'listening');

// An account owns projects: a customer or a team. The key is shown only now, because the server stores only its digest.
if ((await maps.keys()).length === 0) console.log(`MAPWRIGHT_KEY=${(await maps.createKey('acme')).key}`);
console.log(`Listening on http://127.0.0.1:${port}/. Press Ctrl-C to stop.`);

/** Finishes the requests in flight, syncs all data and unlocks the folder. */
async function stop() {
  server.close();
  await maps.close();
  server.closeAllConnections();
}

process.once('SIGINT', stop);
process.once('SIGTERM', stop);
