/** A listener on a loopback port, a client that hides nothing, and a socket for what no client would send. */
import { once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { createListener, type Listener } from '../../src/http/listener.ts';
import type { ListenerOptions } from '../../src/http/listener-options.ts';
import type { Reply } from '../../src/http/response/reply.ts';
import type { ApiRequest, Endpoint } from '../../src/http/route.ts';

export { problems } from '../../src/http/problem.ts';
export { paramOf } from '../../src/http/route.ts';
export type { ApiRequest, Endpoint, ListenerOptions, Reply };

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: Record<string, unknown>;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string | string[]> | string[];
  body?: string | Buffer;
  /** No Authorization header. */
  anonymous?: boolean;
}

export interface Running {
  port: number;
  listener: Listener;
  server: Server;
  /** Entries of the log: level, fields, message. */
  logged: [level: string, fields: Readonly<Record<string, unknown>>, message: string][];
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** Sends bytes and resolves with everything that came back until the server closed the connection. */
  raw(...parts: (string | Buffer)[]): Promise<string>;
}

export const admin = ['/api/v1', '/v1'];
export const key = 'mw_key';
export const authorization = `Bearer ${key}`;

/** Serves the endpoints until the test is over; the only valid key is {@link key}, whose principal is `ann`. */
export async function serve(
  t: Test,
  endpoints: readonly Endpoint<string>[],
  options: Partial<ListenerOptions<string>> = {},
): Promise<Running> {
  const logged: Running['logged'] = [];
  const entry =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void logged.push([level, fields, message]);
  const log = { info: entry('info'), warn: entry('warn'), error: entry('error') };
  const authenticate = (token: string): string | undefined => (token === key ? 'ann' : undefined);
  const limits = { lingerMs: 50, ...options.limits };
  const listener = createListener<string>({ endpoints, authenticate, log, ...options, limits });
  const server = listener.server();
  const port = await listenOn(t, server);
  return { port, listener, server, logged, ask: (path, ask) => askOf(port, path, ask), raw: (...parts) => rawOf(port, parts) };
}

/** A server of a host program until the test is over. Returns its port. */
export const serveHost = (t: Test, handler: RequestListener): Promise<number> =>
  listenOn(t, createServer({ keepAliveTimeout: 65_000 }, handler));

async function listenOn(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export function askOf(port: number, path: string, ask: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = ask.body === undefined ? 'GET' : 'POST', body, anonymous = false } = ask;
    let headers = ask.headers ?? {};
    if (!anonymous && !Array.isArray(headers)) headers = { authorization, ...headers };
    const req = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json });
      });
    });
    req.on('error', reject);
    req.end(body);
  });
}

export async function rawOf(port: number, parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  for (const part of parts) {
    socket.write(part);
    await new Promise(setImmediate);
  }
  if (!socket.destroyed && !socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** The first response in what {@link Running.raw} returned, its body put together, and what follows. Throws where it is not whole. */
export function firstAnswer(text: string): { head: string; body: Buffer; rest: string } {
  let at = text.indexOf('\r\n\r\n') + 4;
  const head = text.slice(0, at);
  const length = /^Content-Length: (\d+)\r$/m.exec(head)?.[1];
  const take = (bytes: number): string => {
    if (!(at + bytes <= text.length)) throw new Error('the answer is not whole');
    const taken = text.slice(at, at + bytes);
    at += bytes;
    return taken;
  };
  let body = '';
  if (length !== undefined) body = take(Number(length));
  else {
    for (let size = -1; size !== 0; ) {
      size = Number.parseInt(take(text.indexOf('\r\n', at) + 2 - at), 16);
      body += take(size);
      take(2);
    }
  }
  return { head, body: Buffer.from(body, 'latin1'), rest: text.slice(at) };
}

/** Status and body of the last response in what {@link Running.raw} returned. */
export function lastAnswer(text: string): { status: number; head: string; json: Record<string, unknown> } {
  const start = text.lastIndexOf('HTTP/1.1 ');
  const blank = text.indexOf('\r\n\r\n', start);
  const head = text.slice(start, blank);
  const body = text.slice(blank + 4);
  return {
    status: Number(head.slice(9, 12)),
    head,
    json: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {},
  };
}
