/**
 * How nodes recognize each other's requests. The sender signs each request with the secret of the cluster and a nonce, which the receiving
 * process made. No clock is compared. A signature of an earlier process is worthless, because its nonce is.
 *
 *     Mapwright-Peer: <nonce> <node> <shard> <signature>   request; the first one has a random text instead, the challenge
 *     Mapwright-Peer: <node> <nonce> <proof>               421: the nonce of this process, and a proof that it knows the secret
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sessionHeader } from '../../http/guard/session-cookie.ts';

/** Header of signed requests and of refusals, in lower case. */
export const peerHeader = 'mapwright-peer';

/** The signed parts of a request. */
export interface SignedParts {
  /** The shard that the request concerns. Its receiver may own another one by now. */
  readonly shard: number;
  readonly method: string;
  /** The request target as sent. */
  readonly target: string;
  /** The key or the session; see {@link credentialsOf}. */
  readonly credentials: string;
  /** The `X-Forwarded-For` that the sender wrote: its last element is the other end of the client's connection. */
  readonly forwardedFor: string;
}

export interface Introduction {
  readonly nodeId: string;
  readonly nonce: string;
}

/** A new nonce, or a new challenge. */
export const randomText = (): string => randomBytes(18).toString('base64url');

/** Signatures that are remembered: clients that poll send the same request again and again. */
const rememberedMax = 1000;

export class PeerSignature {
  readonly #secret: Uint8Array;
  readonly #nodeId: string;
  /** Headers by the texts that they sign. */
  readonly #signed = new Map<string, string>();
  /** Texts by the headers that were valid for them. */
  readonly #verified = new Map<string, string>();

  /** @param nodeId of this node */
  constructor(secret: Uint8Array, nodeId: string) {
    // Faster here than a KeyObject.
    this.#secret = Uint8Array.from(secret);
    this.#nodeId = nodeId;
  }

  /** The header of a request to the process with this nonce. */
  sign(nonce: string, parts: SignedParts): string {
    const text = signedText(nonce, this.#nodeId, parts);
    const known = this.#signed.get(text);
    if (known !== undefined) return known;
    const header = `${nonce} ${this.#nodeId} ${parts.shard} ${this.#hmac(text).toString('base64url')}`;
    remember(this.#signed, text, header);
    return header;
  }

  /** Whether a request is signed for this nonce; `stale` if it is for another one, or for none. */
  verify(nonce: string, header: string, parts: SignedParts): 'valid' | 'stale' | 'invalid' {
    const [sentNonce = '', nodeId = '', , signature = ''] = header.split(' ');
    if (!isEqual(Buffer.from(sentNonce, 'latin1'), Buffer.from(nonce, 'latin1'))) return 'stale';
    const text = signedText(nonce, nodeId, parts);
    // Only the sender of a valid signature learns anything from the time of this.
    if (this.#verified.get(header) === text) return 'valid';
    if (!isEqual(Buffer.from(signature, 'base64url'), this.#hmac(text))) return 'invalid';
    remember(this.#verified, header, text);
    return 'valid';
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

  #proof(nodeId: string, nonce: string, challenge: string): Buffer {
    return this.#hmac(`proof\n${nodeId}\n${nonce}\n${challenge}`);
  }

  #hmac(text: string): Buffer {
    // Node reads headers and targets as Latin-1.
    return createHmac('sha256', this.#secret).update(text, 'latin1').digest();
  }
}

/** The shard in the header of a request; NaN if it names none. Only a valid signature proves it. */
export const shardIn = (header: string): number => Number(/^\S+ \S+ (0|[1-9][0-9]?) \S+$/.exec(header)?.[1]);

/** No part contains a line break: it would have ended its header. */
const signedText = (nonce: string, nodeId: string, { shard, method, target, credentials, forwardedFor }: SignedParts): string =>
  `request\n${nonce}\n${nodeId}\n${shard}\n${method}\n${target}\n${forwardedFor}\n${credentials}`;

function remember(entries: Map<string, string>, key: string, value: string): void {
  if (entries.size >= rememberedMax) entries.clear();
  entries.set(key, value);
}

/** All credentials of a request: the owner refuses more than one key, so each must be signed. */
export function credentialsOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string {
  const { authorization, [sessionHeader]: session } = headers;
  if (authorization === undefined && session === undefined) return '';
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase();
    if (name === 'authorization') values.push(rawHeaders[i + 1] as string);
    else if (session !== undefined && (name === sessionHeader || name === 'cookie')) values.push(`${name}: ${rawHeaders[i + 1]}`);
  }
  return values.join('\n');
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
