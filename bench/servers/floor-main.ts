/**
 * The floor: what node:http does at best on this machine. It knows every answer in advance and does nothing but look it up and send it,
 * with the headers that ours has. Reads the answers as JSON from its standard input.
 */
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { Recorded } from './floor.ts';

interface Prepared {
  readonly status: number;
  readonly headers: string[];
  readonly body: Buffer;
}

/** As in this server: every response has it. */
const keepAliveTimeoutMs = 65_000;

const prepared = new Map<string, Prepared>();
for (const { path, status, headers, body } of JSON.parse(await text(process.stdin)) as Recorded[])
  prepared.set(path, { status, headers: [...headers], body: Buffer.from(body, 'base64') });

const server = http.createServer({ keepAliveTimeout: keepAliveTimeoutMs }, (req, res) => {
  const answer = prepared.get(req.url as string);
  if (answer === undefined) {
    res.writeHead(404);
    res.end();
    return;
  }
  res.writeHead(answer.status, answer.headers);
  res.end(answer.body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`Listening on http://127.0.0.1:${address.port}`);
});
