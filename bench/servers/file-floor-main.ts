/** The floor of files: a bare node:http server that streams one file, with the headers that ours has. Reads path and headers as JSON. */
import fs from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';

const { file, headers } = JSON.parse(await text(process.stdin)) as { readonly file: string; readonly headers: string[] };

const server = http.createServer({ keepAliveTimeout: 65_000 }, (_, res) => {
  res.writeHead(200, headers);
  fs.createReadStream(file).pipe(res);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`Listening on http://127.0.0.1:${address.port}`);
});
