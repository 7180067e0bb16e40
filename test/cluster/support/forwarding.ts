/** Nodes in one process: an owner behind its peer handler, a follower that forwards to it, and a client that hides nothing. */
import { once } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { Forwarder } from '../../../src/cluster/forward/forwarder.ts';
import { followerListener } from '../../../src/cluster/node/follower-listener.ts';
import { PeerHandler } from '../../../src/cluster/node/peer-handler.ts';
import type { OwnerAddress } from '../../../src/cluster/peers/peer.ts';
import type { Limits } from '../../../src/http/guard/http-limits.ts';
import type { Expectation } from '../../../src/http/in-flight.ts';
import { createListener, type Listener } from '../../../src/http/listener.ts';
import { type Logged, recordingLog } from '../../support/engine.ts';

export const secret = Buffer.alloc(32, 7);

export type Handle = (req: IncomingMessage, res: ServerResponse, expectation: Expectation) => void;

export async function listening(t: Test, server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export interface OwnerNode extends OwnerAddress {
  readonly port: number;
  readonly server: Server;
  /** Whether it says that it owns the data. */
  owns: boolean;
}

/** A node that handles forwarded requests, and those of its own clients. */
export async function ownerNode(
  t: Test,
  handle: Handle,
  options: { nodeId?: string; secret?: Uint8Array; port?: number; limits?: Partial<Limits> } = {},
): Promise<OwnerNode> {
  const { nodeId = 'owner', limits = {} } = options;
  const peers = new PeerHandler({ secret: options.secret ?? secret, nodeId, handle, isOwner: () => node.owns });
  const front = createListener<never>({ endpoints: [], authenticate: () => undefined, log: recordingLog().log, limits });
  const server = front.server((req, res, expectation) =>
    peers.isPeerRequest(req) ? peers.handle(req, res, expectation) : handle(req, res, expectation),
  );
  const port = await listening(t, server, options.port);
  const node: OwnerNode = { url: `http://127.0.0.1:${port}`, nodeId, port, server, owns: true };
  return node;
}

export interface FollowerNode {
  readonly port: number;
  readonly listener: Listener;
  readonly forwarder: Forwarder;
  readonly entries: Logged;
  /** Announces another owner. */
  setOwner(owner: OwnerAddress | undefined): void;
}

export async function followerNode(
  t: Test,
  first: OwnerAddress | undefined,
  limits: Partial<Limits> = {},
  cors: readonly string[] = [],
): Promise<FollowerNode> {
  let owner = first;
  const waiting = new Set<() => void>();
  const { logged: entries, log } = recordingLog();
  const forwarder = await Forwarder.open({
    secret,
    nodeId: 'follower',
    shardOf: () => 0,
    ownerAddress: () => owner,
    nextOwner: (_shard, not, ms) =>
      new Promise((resolve) => {
        const done = (): void => {
          if (owner === undefined || (owner.url === not?.url && owner.nodeId === not.nodeId)) return;
          waiting.delete(done);
          clearTimeout(timer);
          resolve(owner);
        };
        const timer = setTimeout(() => {
          waiting.delete(done);
          resolve(undefined);
        }, ms);
        waiting.add(done);
        done();
      }),
    log,
  });
  const listener = followerListener({
    forwarder,
    log,
    logRequests: true,
    cors,
    limits: { lingerMs: 50, ...limits },
    readiness: () => ({ status: 'ready' }),
    exposition: async () => ({ text: 'follower 1\n', contentType: 'text/plain' }),
  });
  const peers = new PeerHandler({ secret, nodeId: 'follower', handle: () => undefined, isOwner: () => false });
  const server = listener.server((req, res, expectation) =>
    peers.isPeerRequest(req) ? peers.handle(req, res, expectation) : listener.begin(req, res, expectation),
  );
  const port = await listening(t, server);
  t.teardown(() => forwarder.close());
  const setOwner = (next: OwnerAddress | undefined): void => {
    owner = next;
    for (const done of waiting) done();
  };
  return { port, listener, forwarder, entries, setOwner };
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  /** Names and values alternating. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Sends the body in chunks of this size. */
  readonly chunkBytes?: number;
  readonly localAddress?: string;
}

export interface Got {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** Whether `100 Continue` came. */
  readonly continued: boolean;
}

/** The problem code of a response; `undefined` if it is not a problem. */
export const codeOf = ({ text }: Got): unknown => (JSON.parse(text) as { code?: unknown }).code;

export function ask(port: number, { method = 'GET', path, headers = [], body, chunkBytes, localAddress }: Ask): Promise<Got> {
  return new Promise((resolve, reject) => {
    const framing =
      body === undefined
        ? []
        : chunkBytes === undefined
          ? ['Content-Length', `${Buffer.byteLength(body)}`]
          : ['Transfer-Encoding', 'chunked'];
    const all = ['Host', `127.0.0.1:${port}`, ...headers, ...framing];
    const options = { host: '127.0.0.1', port, method, path, headers: all, agent: false } as const;
    let continued = false;
    const req = http.request(localAddress === undefined ? options : { ...options, localAddress }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, rawHeaders } = res;
        resolve({ status, rawHeaders, headers: res.headers, body: bytes, text: bytes.toString(), continued });
      });
    });
    req.on('error', reject);
    const send = (): void => {
      const bytes = Buffer.from(body ?? '');
      for (let at = 0; chunkBytes !== undefined && at < bytes.length; at += chunkBytes)
        req.write(bytes.subarray(at, at + chunkBytes));
      if (chunkBytes === undefined && body !== undefined) req.end(bytes);
      else req.end();
    };
    if (all.some((name) => name.toLowerCase() === 'expect')) {
      req.flushHeaders();
      req.on('continue', () => {
        continued = true;
        send();
      });
    } else send();
  });
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
