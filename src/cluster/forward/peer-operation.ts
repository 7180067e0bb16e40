/**
 * Operations of commands (`keys`, `accounts`, `backup`, `snapshot`) on their way from a node that follows to the owner: the line that the control
 * socket received, and the lines that answer it. The request is signed as any between nodes. Its target has the SHA-256 of the body, so the body is
 * signed too, and an identifier, so it cannot be repeated.
 *
 *     POST /mapwright-peer-operation?id=<uuid>&sha256=<hex>
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { pipeBody } from '../../http/request/receive.ts';
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import type { AdminResponse, Respond } from '../../server/admin/control-socket.ts';
import { adminRequestBytesMax, mayBeMade, readReplies } from '../../server/admin/control-socket.ts';
import type { Peer } from '../peers/peer.ts';
import { peerHeader } from '../peers/peer-signature.ts';
import type { Forwarder } from './forwarder.ts';

const operationPath = '/mapwright-peer-operation';

/** Milliseconds that an operation waits for an owner, and between two attempts. */
const waitMs = 10_000;
const pauseMs = 100;
/** Identifiers that are remembered for one nonce. */
const idsPerNonce = 100_000;

const noOwner = 'No node owns the data at the moment: nothing was done. Run the command again.';
const unconfirmed = `The connection to the node that owns the data broke. ${mayBeMade}`;

export const isOperation = (target: string): boolean => target.startsWith(`${operationPath}?`);

/** Answers operations as the owner of their shard. Their signature is verified. */
export class OperationReceiver {
  readonly #responder: (shard: number) => Respond | undefined;
  readonly #renewNonce: () => void;
  readonly #idsMax: number;
  /** Identifiers of operations that are signed for the nonce, and for the one before it, which may still be on their way. */
  #seen = new Set<string>();
  #seenBefore = new Set<string>();

  /**
   * @param responder carries operations out; `undefined` if this node does not own the shard any more
   * @param renewNonce makes all requests worthless that were signed so far: then their identifiers need not be remembered
   */
  constructor(responder: (shard: number) => Respond | undefined, renewNonce: () => void, idsMax = idsPerNonce) {
    this.#responder = responder;
    this.#renewNonce = renewNonce;
    this.#idsMax = idsMax;
  }

  async handle(req: IncomingMessage, res: ServerResponse, shard: number): Promise<void> {
    const query = new URLSearchParams((req.url ?? '').slice(operationPath.length + 1));
    const id = query.get('id') ?? '';
    const line = await bodyOf(req);
    res.on('error', () => undefined);
    if (
      line === undefined ||
      sha256(line) !== query.get('sha256') ||
      id === '' ||
      this.#seen.has(id) ||
      this.#seenBefore.has(id)
    ) {
      res.writeHead(400, { 'Content-Length': 0, Connection: 'close' }).end();
      return;
    }
    const respond = this.#responder(shard);
    if (respond === undefined) {
      res.writeHead(421, { 'Content-Length': 0, Connection: 'close' }).end();
      return;
    }
    this.#seen.add(id);
    if (this.#seen.size >= this.#idsMax) {
      this.#renewNonce();
      this.#seenBefore = this.#seen;
      this.#seen = new Set();
    }
    res.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
    const tell: OnProgress = (progress) => {
      if (res.writableLength === 0) res.write(`${JSON.stringify({ progress })}\n`);
    };
    const reply = await respond(line, tell);
    res.end(`${JSON.stringify(reply)}\n`);
  }
}

/** Sends an operation to the owner of a shard. Never rejects. @param isHere whether this node owns the shard meanwhile */
export async function sendOperation(
  forwarder: Forwarder,
  shard: number,
  line: string,
  tell: OnProgress,
  isHere: () => boolean,
): Promise<AdminResponse | 'here'> {
  const until = performance.now() + waitMs;
  while (performance.now() < until && !forwarder.isClosed) {
    if (isHere()) return 'here';
    const reply = await attempt(forwarder, shard, line, tell);
    if (reply !== undefined) return reply;
    await delay(pauseMs);
  }
  return { ok: false, error: noOwner };
}

/** `undefined` if nothing was done. */
async function attempt(forwarder: Forwarder, shard: number, line: string, tell: OnProgress): Promise<AdminResponse | undefined> {
  const peer = forwarder.peer(shard);
  if (peer === undefined) return undefined;
  try {
    if (peer.nonce === undefined) await peer.introduce();
  } catch (error) {
    forwarder.lost(peer, error as Error);
    return undefined;
  }
  const { nonce } = peer;
  if (nonce === undefined) return undefined;
  const target = `${operationPath}?id=${randomUUID()}&sha256=${sha256(line)}`;
  const parts = { shard, method: 'POST', target, credentials: '', forwardedFor: '' };
  const headers = { [peerHeader]: forwarder.signature.sign(nonce, parts), 'content-type': 'application/json' };
  try {
    const response = await peer.requests.request({ method: 'POST', path: target, headers, body: line });
    return await answered(response, peer, nonce, tell);
  } catch (error) {
    forwarder.lost(peer, error as Error);
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? undefined : { ok: false, error: unconfirmed };
  }
}

async function answered(
  { statusCode, body }: Dispatcher.ResponseData,
  peer: Peer,
  nonce: string,
  tell: OnProgress,
): Promise<AdminResponse | undefined> {
  if (statusCode === 200) return await readReplies(createInterface({ input: body }), tell);
  const text = await body.text();
  if (statusCode !== 421)
    return { ok: false, error: `The node at ${peer.address.url} refused the operation (${statusCode}): ${text}` };
  // Another process has its address now, or it does not own the data any more.
  if (text.includes('unknown_nonce') && peer.nonce === nonce) peer.nonce = undefined;
  return undefined;
}

/** The body as text; `undefined` if it is too long or broken off. */
function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    pipeBody(req, {
      onData: (piece) => {
        bytes += piece.byteLength;
        if (bytes > adminRequestBytesMax) resolve(undefined);
        else pieces.push(Buffer.from(piece));
      },
      end: () => resolve(Buffer.concat(pieces).toString()),
      onAbort: () => resolve(undefined),
    });
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
