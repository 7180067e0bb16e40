/** The connections to one process that may own the data, and the nonce that it gave. */
import type { ClientRequest } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import type { Undici } from '../database/load-packages.ts';
import { type PeerSignature, peerHeader, randomText } from './peer-signature.ts';
import { peerConnector } from './peer-socket.ts';

export interface OwnerAddress {
  /** `http://10.0.0.5:8071` */
  readonly url: string;
  readonly nodeId: string;
}

/** Milliseconds for a TCP connection, and for the answer that introduces a process. */
const connectMs = 1500;
/** Milliseconds in which a process answers a probe. One that is busy for longer loses its lease. */
const probeMs = 3000;

/** The process at an address cannot be used. Nothing was sent to it but a challenge. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
}

export class Peer {
  /** The shard that it is asked for. */
  readonly shard: number;
  readonly address: OwnerAddress;
  readonly url: URL;
  /** For requests that end soon. */
  readonly requests: Pool;
  /** For event streams, which would make each search for a free connection longer. */
  readonly streams: Pool;
  /** Requests that have connections of their own. */
  readonly uploads = new Set<ClientRequest>();
  /** The nonce of the process; `undefined` until it has introduced itself, and again after it refused the nonce. */
  nonce: string | undefined;
  /** Whether the last attempt to reach it failed, which was logged. */
  isLost = false;
  readonly #signature: PeerSignature;
  #introduction: Promise<void> | undefined;

  constructor(undici: Undici, shard: number, address: OwnerAddress, signature: PeerSignature) {
    this.shard = shard;
    this.address = address;
    this.url = new URL(address.url);
    this.#signature = signature;
    // No timeout for heads and bodies: the owner's own timeouts decide. As many connections as requests.
    const options = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1, connect: peerConnector(connectMs) };
    this.requests = new undici.Pool(this.url.origin, options);
    this.streams = new undici.Pool(this.url.origin, options);
  }

  /** Gets the nonce. Rejects with a {@link PeerError}, or the error of the connection. Concurrent calls share one request. */
  introduce(): Promise<void> {
    this.#introduction ??= this.#introduce(connectMs).finally(() => {
      this.#introduction = undefined;
    });
    return this.#introduction;
  }

  /** Whether a request is in flight. */
  get isBusy(): boolean {
    return this.requests.stats.size + this.streams.stats.size + this.uploads.size > 0;
  }

  /** Rejects if the process does not answer in time. */
  probe(): Promise<void> {
    return this.#introduce(probeMs);
  }

  async #introduce(answerMs: number): Promise<void> {
    const challenge = randomText();
    const request = { method: 'GET', path: '/', headers: { [peerHeader]: challenge } } as const;
    const response: Dispatcher.ResponseData = await this.requests.request({
      ...request,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
    });
    await response.body.dump();
    const introduced = this.#signature.introductionIn(String(response.headers[peerHeader] ?? ''), challenge);
    const { url, nodeId } = this.address;
    if (introduced === undefined)
      throw new PeerError(
        `The server at ${url} does not know the secret of this cluster. Check --advertise of the node ${nodeId}.`,
      );
    if (introduced.nodeId !== nodeId)
      throw new PeerError(`The node at ${url} is ${introduced.nodeId}, not ${nodeId}. Check --advertise of both.`);
    this.nonce = introduced.nonce;
  }

  /** Closes all connections. Requests in progress fail. */
  async destroy(reason: Error): Promise<void> {
    for (const upload of this.uploads) upload.destroy(reason);
    await Promise.all([this.requests.destroy(reason), this.streams.destroy(reason)]);
  }
}
