/**
 * The API in this process: `fetch` is the router of the server without a socket, and the client is that of `mapwright/client` over it. The
 * account is passed beside the request, so that no header can name it.
 */
import type { Engine } from '../engine/engine.ts';
import type { Listener } from '../http/listener.ts';
import { LinkedSignal } from '../web/client/abort.ts';
import { type ChangesOptions, type Client, type ClientOptions, createClient, type Fetch } from '../web/client/client.ts';
import { accountIdentity, type LookedUp } from './admin/key-lookup.ts';
import type { ServerStatus } from './lifecycle/server-status.ts';

/** A request of this process, as for the global `fetch`, and who makes it. */
export interface FetchOptions extends RequestInit {
  /** Name of an account, in which the request may do everything; a key in its headers is ignored. By default the key counts. */
  readonly account?: string | undefined;
}

/** As for `createClient`; its requests need no address and no key. */
export interface InProcessClientOptions extends Pick<ClientOptions, 'headers' | 'retry'> {
  /** Name of an account, in which the client may do everything. */
  readonly account: string;
}

/** How programs use the API of a server in their own process. */
export interface InProcessApi {
  /**
   * Handles a request without a socket, by the same steps as over HTTP, and without a rate limit if it names an account. Only path and query
   * of its URL count: `fetch('/healthz')`. Read the body of the response, or cancel it. Rejects with StoppedError when the server is closed,
   * with the reason of the request's signal, and with a TypeError for arguments that are none.
   */
  fetch(request: Request | URL | string, options?: FetchOptions): Promise<Response>;
  /** The typed client of `mapwright/client` over `fetch`. By default it retries nothing, because no response can get lost. */
  client(options: InProcessClientOptions): Client;
}

/** Errors of the client name this address. Paths are relative to it. */
const baseUrl = 'http://in-process';

export function inProcessApi(
  engine: Pick<Engine, 'state' | 'journal'>,
  listener: Pick<Listener<LookedUp>, 'fetch'>,
  status: Pick<ServerStatus, 'isStopping' | 'refuseWhenClosed'>,
): InProcessApi {
  const fetch: InProcessApi['fetch'] = async (request, { account, ...init } = {}) => {
    if (account !== undefined) checkAccount(account);
    status.refuseWhenClosed();
    return await listener.fetch(requestOf(request, init), account === undefined ? undefined : accountIdentity(engine, account));
  };
  /** Ends when the server stops: over HTTP a client would wait for the next one. */
  async function* changes(options: ClientOptions, following: ChangesOptions): ReturnType<Client['changes']> {
    status.refuseWhenClosed();
    const ended = new LinkedSignal(following.signal);
    const reconnect: Fetch = (request) => {
      if (status.isStopping) ended.abort();
      return (options.fetch as Fetch)(request);
    };
    try {
      yield* createClient({ ...options, fetch: reconnect }).changes({ ...following, signal: ended.signal });
    } finally {
      ended.letGo();
    }
  }
  return {
    fetch,
    client({ account, ...others }) {
      checkAccount(account);
      const options: ClientOptions = { retry: false, ...others, baseUrl, fetch: (request) => fetch(request, { account }) };
      return { ...createClient(options), changes: (following = {}) => changes(options, following) };
    },
  };
}

function requestOf(request: Request | URL | string, init: RequestInit): Request {
  if (typeof request === 'string' || request instanceof URL) return new Request(new URL(request, baseUrl), init);
  return Object.keys(init).length === 0 ? request : new Request(request, init);
}

function checkAccount(account: unknown): void {
  if (typeof account !== 'string' || account === '') throw new TypeError('The option account must be the name of an account.');
}
