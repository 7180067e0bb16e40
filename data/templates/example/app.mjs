// @ts-check
// A program with mapwright in it: the API below /api/v1, everything else is yours.
import { once } from 'node:events';
import http from 'node:http';
import { createServer } from 'mapwright';

const port = Number(process.env.PORT ?? 3000);

/** @type {import('mapwright').ServerOptions} */
const options = { data: process.env.DATA ?? 'maps', cors: [`http://localhost:${port}`] };

// Recovered and ready. One process at a time has the folder.
const maps = await createServer(options);

const server = http.createServer((req, res) => {
  const path = req.url ?? '/';
  if (/^\/(api\/)?v1\//.test(path) || path === '/openapi.json' || path === '/readyz') maps.handler(req, res);
  else if (path === '/') void front(res);
  else res.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is nothing here.\n');
});

/**
 * A page of your own: what the accounts hold.
 *
 * @param {http.ServerResponse} res
 */
async function front(res) {
  const accounts = await maps.accounts();
  const lines = accounts.map(({ name, projects }) => `${name}: ${projects} projects`);
  res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${lines.join('\n')}\n`);
}

server.listen(port, '127.0.0.1');
// Where the port is taken it ends here, before a key is made that nobody would see again.
await once(server, 'listening');

// An account is whoever owns projects: a customer, a team. Keep the key: only its digest is stored.
if ((await maps.keys()).length === 0) console.log(`MAPWRIGHT_KEY=${(await maps.createKey('acme')).key}`);
console.log(`http://127.0.0.1:${port}/ answers. Ctrl-C stops.`);

/** What is in flight is answered, everything is on the disk, and the folder is free. */
async function stop() {
  server.close();
  await maps.close();
  server.closeAllConnections();
}

process.once('SIGINT', stop);
process.once('SIGTERM', stop);
