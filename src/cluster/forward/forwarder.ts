/** Sends the requests of clients to the owners of their shards, and the responses back. `forwarded-request.ts` says when a request is sent again. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FallbackExchange } from '../../http/fallback.ts';
import type { HttpRequest } from '../../http/transport/transport.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { loadUndici, type Undici } from '../database/load-packages.ts';
import { type OwnerAddress, Peer } from '../peers/peer.ts';
import { PeerSignature } from '../peers/peer-signature.ts';
import type { ForwardFailure, Route } from './forward-route.ts';
import { ForwardedRequest } from './forwarded-request.ts';

export interface ForwarderOptions {
  /** Secret of the cluster. */
  readonly secret: Uint8Array;
  /** This node. */
  readonly nodeId: string;
  /** The shard of a request, by its key or the map that it asks for. Rejects if that cannot be found out at the moment. */
  shardOf(req: HttpRequest): number | Promise<number>;
  /** The owner of a shard, if this node knows one. */
  ownerAddress(shard: number): OwnerAddress | undefined;
  /** Resolves when the owner is another than `not`, or with `undefined` after `ms` milliseconds. */
  nextOwner(shard: number, not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined>;
  readonly log: Log;
}

/** Milliseconds in which a former owner may still answer what it was sent. */
const graceMs = 1000;

/** Milliseconds of one wait for the next owner. */
const watchMs = 5000;

/** Milliseconds between two probes of an owner that has requests. */
const probeMs = 2000;

export class Forwarder implements Route {
  readonly signature: PeerSignature;
  readonly #options: ForwarderOptions;
  readonly #undici: Undici;
  readonly #requests = new Set<ForwardedRequest>();
  /** The owners, and former owners until they are closed. */
  readonly #peers = new Set<Peer>();
  /** The owners by shard. */
  readonly #current = new Map<number, Peer>();
  /** Requests so far, and those that could not be forwarded. */
  readonly counters = { requests: 0, failures: { no_owner: 0, owner_lost: 0, broken: 0 } };
  isClosed = false;

  /** Rejects if undici is not installed. */
  static async open(options: ForwarderOptions): Promise<Forwarder> {
    return new Forwarder(options, await loadUndici());
  }

  private constructor(options: ForwarderOptions, undici: Undici) {
    this.#options = options;
    this.#undici = undici;
    this.signature = new PeerSignature(options.secret, options.nodeId);
  }

  /** Requests whose response is not yet sent, event streams included. */
  get inFlight(): number {
    return this.#requests.size;
  }

  /** Answers a request, with the owner's response or with a 503. */
  handle(exchange: FallbackExchange): void {
    this.counters.requests++;
    const request = new ForwardedRequest(exchange, this);
    this.#requests.add(request);
    request.start();
  }

  /** Ends all event streams. */
  endEvents(): void {
    for (const request of this.#requests) if (request.isEvents) request.endEvents();
  }

  /** Closes all connections. Requests in flight fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.#current.clear();
    await Promise.all([...this.#peers].map((peer) => this.#destroy(peer, 'the node stops')));
  }

  // For the requests

  shardOf(req: HttpRequest): number | Promise<number> {
    return this.#options.shardOf(req);
  }

  peer(shard: number): Peer | undefined {
    const address = this.isClosed ? undefined : this.#options.ownerAddress(shard);
    const current = this.#current.get(shard);
    if (address === undefined || (current !== undefined && isSame(current.address, address)))
      return address === undefined ? undefined : current;
    if (current !== undefined) this.#retire(current);
    const peer = new Peer(this.#undici, shard, address, this.signature);
    this.#peers.add(peer);
    this.#current.set(shard, peer);
    void this.#watch(peer);
    void this.#probe(peer);
    return peer;
  }

  async nextOwner(shard: number, not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined> {
    if (this.isClosed) return undefined;
    try {
      return await this.#options.nextOwner(shard, not, ms);
    } catch (error) {
      this.#options.log.error({ err: error }, 'cannot find out the owner');
      await new Promise((resolve) => setTimeout(resolve, ms));
      return undefined;
    }
  }

  lost(peer: Peer, error: Error): void {
    const { shard, address } = peer;
    if (!peer.isLost) this.#options.log.warn({ shard, url: address.url, node: address.nodeId, err: error }, 'lost the owner');
    peer.isLost = true;
  }

  failed(reason: ForwardFailure): void {
    this.counters.failures[reason]++;
  }

  ended(request: ForwardedRequest): void {
    this.#requests.delete(request);
  }

  // Owners

  /** A former owner may hang with requests in flight: they must not wait for it. */
  async #watch(peer: Peer): Promise<void> {
    while (this.#peers.has(peer)) {
      const next = await this.nextOwner(peer.shard, peer.address, watchMs);
      if (this.#current.get(peer.shard) !== peer || this.isClosed) return;
      if (next !== undefined && !isSame(next, peer.address)) {
        this.#retire(peer);
        return;
      }
    }
  }

  /**
   * Requests must not wait for an owner that the network does not reach any more: no connection breaks then, and the database may still hear it. One
   * that refuses connections answers what it has received.
   */
  async #probe(peer: Peer): Promise<void> {
    for (;;) {
      await delay(probeMs, undefined, { ref: false });
      if (this.#current.get(peer.shard) !== peer) return;
      if (!peer.isBusy || peer.nonce === undefined) continue;
      try {
        await peer.probe();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' || this.#current.get(peer.shard) !== peer) continue;
        this.lost(peer, error as Error);
        this.#current.delete(peer.shard);
        void this.#destroy(peer, 'the owner does not answer');
      }
    }
  }

  #retire(peer: Peer): void {
    if (this.#current.get(peer.shard) === peer) this.#current.delete(peer.shard);
    setTimeout(() => void this.#destroy(peer, 'another node owns the data'), graceMs).unref();
  }

  async #destroy(peer: Peer, reason: string): Promise<void> {
    if (this.#peers.delete(peer)) await peer.destroy(new Error(reason));
  }
}

const isSame = (a: OwnerAddress, b: OwnerAddress): boolean => a.url === b.url && a.nodeId === b.nodeId;
