/** Which shard a request concerns, whether this node answers it, and who owns a shard. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { tokenIn } from '../../http/guard/authentication.ts';
import { sessionHeader } from '../../http/guard/session-cookie.ts';
import { belowBasePath } from '../../http/proxy.ts';
import { decodedPathOf, pathOf } from '../../http/router.ts';
import { Deferred } from '../../lib/async/deferred.ts';
import { keyId } from '../../model/key.ts';
import { shardOfSlug } from '../../model/publication.ts';
import { isPublicName } from '../../model/references/public-name.ts';
import type { OwnerAddress } from '../peers/peer.ts';
import type { ShardDirectory } from './shard-directory.ts';

export interface RoutingOptions {
  /** Where other nodes reach this one. */
  readonly own: OwnerAddress;
  /** Number of shards. */
  readonly shards: number;
  /** The shards of keys. */
  readonly directory: ShardDirectory;
  /** The shards of the names of published maps. */
  readonly names: ShardDirectory;
  /** Path of the public URL, which may precede every path: `/maps`; '' for none. */
  readonly basePath: string;
  /** The shard that this node owns; `undefined` if it owns none. */
  owned(): number | undefined;
  /** The owner of a shard that was observed last, if it is another node. */
  observedOwner(shard: number): OwnerAddress | undefined;
}

export class RequestRouting {
  readonly #options: RoutingOptions;
  readonly #waiters = new Set<Deferred<void>>();

  constructor(options: RoutingOptions) {
    this.#options = options;
  }

  owns(shard: number): boolean {
    return this.#options.owned() === shard;
  }

  /** Whether this node answers a request of a client itself: it owns the shard of its key. What belongs to no shard is answered here too. */
  answers({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
    const { shards, directory, names } = this.#options;
    const owned = this.#options.owned();
    if (owned === undefined) return false;
    if (shards === 1) return true;
    const isOwned = (known: ShardDirectory, id: string): boolean => {
      const shard = known.known(id);
      return shard === undefined ? known.isUnknown(id) : shard === owned;
    };
    const { authorization } = headers;
    const addressed = this.#addressed(url) ?? this.#ofSession(headers);
    if (typeof addressed === 'number') return addressed === owned;
    if (addressed !== undefined) return isOwned(names, addressed);
    if (authorization === undefined || ownPaths.has(this.#below(pathOf(url)))) return true;
    const id = keyIdIn(authorization);
    return id === undefined || isOwned(directory, id);
  }

  /** The shard of a request. An unknown key gets its 401, and an unknown name its 404, from the owner here, or from that of shard 0. */
  shardOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): number | Promise<number> {
    const { shards, directory, names } = this.#options;
    const { authorization } = headers;
    const addressed = this.#addressed(url) ?? this.#ofSession(headers);
    if (typeof addressed === 'number') return addressed;
    if (shards === 1) return this.defaultShard;
    const find = (known: ShardDirectory, id: string) =>
      known.known(id) ?? known.shardOf(id).then((shard) => shard ?? this.defaultShard);
    if (addressed !== undefined) return find(names, addressed);
    const id = authorization === undefined ? undefined : keyIdIn(authorization);
    return id === undefined ? this.defaultShard : find(directory, id);
  }

  /** The shard that answers for what belongs to no shard. */
  get defaultShard(): number {
    return this.#options.owned() ?? 0;
  }

  /** The shard in a URL: of a published map or a file, or of a code that signs in to the console. Or the name of a map; `undefined` for any other. */
  #addressed(url: string): number | string | undefined {
    const [, digit] = signInPath.exec(this.#below(url)) ?? [];
    const path = this.#below(decodedPathOf(url));
    const [, kind, address = ''] = publishedPath.exec(path === '/oembed' ? this.#pageIn(url) : path) ?? [];
    const shard = digit === undefined ? shardOfSlug(address) : Number.parseInt(digit, 36);
    if (shard !== undefined) return shard < this.#options.shards ? shard : undefined;
    return kind === 'p' && isPublicName(address) ? address : undefined;
  }

  /** The shard of a session; `undefined` for a request of none. */
  #ofSession({ authorization, [sessionHeader]: text }: IncomingMessage['headers']): number | undefined {
    if (authorization !== undefined || typeof text !== 'string') return undefined;
    const shard = Number.parseInt(text.charAt(0), 36);
    return shard < this.#options.shards ? shard : undefined;
  }

  /** The path of the page in the query of `/oembed`; '' for none. */
  #pageIn(url: string): string {
    const address = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('url') ?? '';
    return URL.canParse(address) ? this.#below(decodedPathOf(new URL(address).pathname)) : '';
  }

  #below(path: string): string {
    return belowBasePath(path, this.#options.basePath);
  }

  // Owners

  /**
   * The owner of a shard that was observed last; `undefined` if it has released the shard. This node too: requests that arrived while it followed may
   * still wait for an owner.
   */
  ownerAddress(shard: number): OwnerAddress | undefined {
    const { own, observedOwner } = this.#options;
    return this.owns(shard) ? own : observedOwner(shard);
  }

  /** Resolves when the owner is another than `not`, or with `undefined` after `ms` milliseconds. */
  async nextOwner(shard: number, not: OwnerAddress | undefined, ms: number): Promise<OwnerAddress | undefined> {
    const until = performance.now() + ms;
    for (;;) {
      const address = this.ownerAddress(shard);
      if (address !== undefined && address.nodeId !== not?.nodeId) return address;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return undefined;
      const waiter = new Deferred<void>();
      this.#waiters.add(waiter);
      const timer = new AbortController();
      await Promise.race([waiter.promise, delay(leftMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
      timer.abort();
      this.#waiters.delete(waiter);
    }
  }

  /** Requests that wait for an owner look again. */
  ownerChanged(): void {
    for (const waiter of this.#waiters) waiter.resolve();
    this.#waiters.clear();
  }
}

/** A page exchanges its code here. The body, which has the code, is not read before the shard is known. */
const signInPath = /^\/console\/session\?shard=([0-9a-z])$/;
/** The slug or the name of a published map, or the slug of a file. */
const publishedPath = /^\/([pf])\/([0-9a-z-]+)(?:\/|$)/;

/** Answered by each node itself, whatever key comes with it. */
const ownPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/readyz/owner', '/metrics']);

/** The id of the key in an `Authorization` header; `undefined` if it has none. */
function keyIdIn(authorization: string): string | undefined {
  const token = tokenIn(authorization);
  return token === undefined ? undefined : keyId(token);
}
