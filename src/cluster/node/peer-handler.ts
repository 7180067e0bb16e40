/**
 * Receives the requests that other nodes forward. A request with a valid signature reaches the owner's handler exactly as the client sent
 * it, and from the client's address. Everything else with the header of a peer is refused, from any sender, so an address cannot be forged
 * and no request takes a second hop.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Expectation } from '../../http/in-flight.ts';
import { declaredLength } from '../../http/request/body.ts';
import { setRemoteAddress } from '../../http/transport/remote-address.ts';
import { isOperation } from '../forward/peer-operation.ts';
import { answerReachQuestion, isReachQuestion } from '../peers/peer-reach.ts';
import { credentialsOf, PeerSignature, peerHeader, randomText, shardIn } from '../peers/peer-signature.ts';

export interface PeerHandlerOptions {
  /** Secret of the cluster. */
  readonly secret: Uint8Array;
  /** This node. */
  readonly nodeId: string;
  /** Handles a request as the owner of the shard: `begin` of its listener. */
  handle(req: IncomingMessage, res: ServerResponse, expectation: Expectation): void;
  /** Carries out an operation of a command as the owner. */
  operate?(req: IncomingMessage, res: ServerResponse, shard: number): void;
  /** Whether this node owns this shard, and answers requests itself. */
  isOwner(shard: number): boolean;
}

/** Headers that the forwarding node writes: they are not counted as headers of the client. */
const nodeHeaders: ReadonlySet<string> = new Set([peerHeader, 'x-forwarded-for', 'x-request-id', 'connection']);

/** A refused body of this length is read, so that its connection can be used again. */
const shortBodyBytes = 64 * 1024;

export class PeerHandler {
  readonly #options: PeerHandlerOptions;
  readonly #signature: PeerSignature;
  #nonce = randomText();

  constructor(options: PeerHandlerOptions) {
    this.#options = options;
    this.#signature = new PeerSignature(options.secret, options.nodeId);
  }

  /** From now on, signatures for the present nonce are refused; their senders get the new one, and sign again. */
  renewNonce(): void {
    this.#nonce = randomText();
  }

  /** Whether a request claims to come from a node: then only {@link handle} may take it. */
  isPeerRequest(req: IncomingMessage): boolean {
    return req.headers[peerHeader] !== undefined;
  }

  handle(req: IncomingMessage, res: ServerResponse, expectation: Expectation = 'nothing'): void {
    const { headers, method = '', url = '' } = req;
    const header = String(headers[peerHeader]);
    const forwardedFor = String(headers['x-forwarded-for'] ?? '');
    const shard = shardIn(header);
    const parts = { shard, method, target: url, credentials: credentialsOf(req), forwardedFor };
    const verdict = this.#signature.verify(this.#nonce, header, parts);
    if (verdict === 'invalid') {
      const detail = 'The signature of this request is not valid. The header Mapwright-Peer is for nodes of one cluster.';
      this.#refuse(req, res, 403, 'forbidden', 'Forbidden', detail);
    } else if (verdict === 'stale') {
      const detail = 'This request is not signed for this process. The header Mapwright-Peer is for nodes of one cluster.';
      this.#refuse(req, res, 421, 'unknown_nonce', 'Misdirected request', detail);
    } else if (isReachQuestion(url)) {
      void answerReachQuestion(req, res, this.#signature);
    } else if (!this.#options.isOwner(shard)) {
      this.#refuse(
        req,
        res,
        421,
        'not_owner',
        'Misdirected request',
        'This node does not own the data of this request: nothing was done.',
      );
    } else if (isOperation(url) && this.#options.operate !== undefined) {
      this.#options.operate(req, res, shard);
    } else {
      restore(req, forwardedFor);
      this.#options.handle(req, res, expectation);
    }
  }

  #refuse(req: IncomingMessage, res: ServerResponse, status: number, code: string, title: string, detail: string): void {
    const document = JSON.stringify({ type: `urn:mapwright:problem:${code}`, title, status, detail, code });
    res.writeHead(status, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(document),
      'Cache-Control': 'no-store',
      'Mapwright-Peer': this.#signature.introduce(this.#nonce, String(req.headers[peerHeader])),
      // A long body need not arrive.
      ...(declaredLength(req) > shortBodyBytes || req.headers.expect !== undefined ? { Connection: 'close' } : {}),
    });
    res.end(document);
  }
}

/** Makes the request what the client sent. @param forwardedFor ends with the client's address */
function restore(req: IncomingMessage, forwardedFor: string): void {
  const { headers, rawHeaders } = req;
  const comma = forwardedFor.lastIndexOf(',');
  setRemoteAddress(req, forwardedFor.slice(comma + 1).trim());
  delete headers[peerHeader];
  if (comma === -1) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = forwardedFor.slice(0, comma);
  let kept = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (nodeHeaders.has(name.toLowerCase())) continue;
    rawHeaders[kept] = name;
    rawHeaders[kept + 1] = rawHeaders[i + 1] as string;
    kept += 2;
  }
  rawHeaders.length = kept;
}
