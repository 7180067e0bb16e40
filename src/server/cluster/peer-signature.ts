/**
 * How nodes recognize each other's requests. The sender signs each request with the secret of the cluster and a nonce, which the receiving
 * process made at its start. No clock is compared. A signature of an earlier process is worthless, because its nonce is.
 *
 *     Mapwright-Peer: <nonce> <node> <signature>     request; the first one has a random text instead, the challenge
 *     Mapwright-Peer: <node> <nonce> <proof>         421: the nonce of this process, and a proof that it knows the secret
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Header of signed requests and of refusals, in lower case. */
export const peerHeader = 'mapwright-peer';

/** The signed parts of a request. */
export interface SignedParts {
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  /** All `Authorization` headers; see {@link credentialsOf}. */
  readonly credentials: string;
  /** The `X-Forwarded-For` that the sender wrote: its last element is the other end of the client's connection. */
  readonly forwardedFor: string;
}

export interface Introduction {
  readonly nodeId: string;
  readonly nonce: string;
}

export class PeerSignature {
  readonly #secret: Uint8Array;
  readonly #nodeId: string;

  /** @param nodeId of this node */
  constructor(secret: Uint8Array, nodeId: string) {
    // Faster here than a KeyObject.
    this.#secret = Uint8Array.from(secret);
    this.#nodeId = nodeId;
  }

  /** The header of a request to the process with this nonce. */
  sign(nonce: string, parts: SignedParts): string {
    return `${nonce} ${this.#nodeId} ${this.#of(nonce, this.#nodeId, parts).toString('base64url')}`;
  }

  /** Whether a request is signed for this nonce; `stale` if it is for another one, or for none. */
  verify(nonce: string, header: string, parts: SignedParts): 'valid' | 'stale' | 'invalid' {
    const [sentNonce = '', nodeId = '', signature = ''] = header.split(' ');
    if (!isEqual(Buffer.from(sentNonce, 'latin1'), Buffer.from(nonce, 'latin1'))) return 'stale';
    return isEqual(Buffer.from(signature, 'base64url'), this.#of(nonce, nodeId, parts)) ? 'valid' : 'invalid';
  }

  /** The header of a refusal, which introduces this process. @param challenge the header of the refused request */
  introduce(nonce: string, challenge: string): string {
    return `${this.#nodeId} ${nonce} ${this.#proof(this.#nodeId, nonce, challenge).toString('base64url')}`;
  }

  /** Reads the header of a refusal; `undefined` unless its sender knows the secret. */
  introductionIn(header: string, challenge: string): Introduction | undefined {
    const [nodeId = '', nonce = '', proof = ''] = header.split(' ');
    return isEqual(Buffer.from(proof, 'base64url'), this.#proof(nodeId, nonce, challenge)) ? { nodeId, nonce } : undefined;
  }

  #of(nonce: string, nodeId: string, { method, target, credentials, forwardedFor }: SignedParts): Buffer {
    // No part contains a line break: it would have ended its header.
    return this.#hmac(`request\n${nonce}\n${nodeId}\n${method}\n${target}\n${credentials}\n${forwardedFor}`);
  }

  #proof(nodeId: string, nonce: string, challenge: string): Buffer {
    return this.#hmac(`proof\n${nodeId}\n${nonce}\n${challenge}`);
  }

  #hmac(text: string): Buffer {
    // Node reads headers and targets as Latin-1.
    return createHmac('sha256', this.#secret).update(text, 'latin1').digest();
  }
}

/** All `Authorization` headers of a request: the owner refuses more than one, so each must be signed. */
export function credentialsOf({ headers, rawHeaders }: IncomingMessage): string {
  if (headers.authorization === undefined) return '';
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() === 'authorization') values.push(rawHeaders[i + 1] as string);
  return values.join('\n');
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
