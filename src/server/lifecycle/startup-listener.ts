/**
 * Serves the port while the folder is restored: health checks get the progress, other requests a 503 with Retry-After, instead of a refused
 * connection. So a port conflict is found before anything is read, too.
 *
 *     open() --> 503 --> the server listens on the same socket --> leave(): open connections belong to the server
 *
 * It is a listener with the server's limits, and all its paths are rejected.
 */
import type { Server } from 'node:http';
import { healthEndpoints } from '../../api/health-endpoints.ts';
import { createListener, type Listener } from '../../http/listener.ts';
import type { ListenerOptions } from '../../http/listener-options.ts';
import { problems } from '../../http/problem.ts';
import type { PrivateEndpoint } from '../../http/route.ts';
import { ProgressCounter } from '../../lib/threads/progress-counter.ts';

/** Recommended delay before a retry, in seconds: most restarts take no longer. */
const retryAfterS = 1;

const refusal = () => problems.unavailable('The server is restoring its data. Retry later.', retryAfterS, 'restoring');

/** All methods and paths: each request is rejected before its body is read. */
const everything = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method): PrivateEndpoint<never> => {
  const handle = () => {
    throw refusal();
  };
  return { method, path: '/*', prefixes: [''], handle };
});

export class StartupListener {
  /** Progress of the restore. */
  readonly counter = new ProgressCounter();
  /** Called when everything was read, before the server opens. */
  onRestored: () => void = () => undefined;
  readonly #port: number;
  readonly #host: string;
  #server: Server | undefined;

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  /** The listening server. */
  get server(): Server {
    if (this.#server === undefined) throw new Error('the startup listener is not open yet');
    return this.#server;
  }

  /** Progress of the restore, from 0 to 1. */
  get progress(): number {
    const { done, expected } = this.counter;
    return expected === 0 ? 0 : Math.floor(Math.min(1, done / expected) * 100) / 100;
  }

  /** Rejects with Node's error if the port or the address is not available. */
  async open(options: Pick<ListenerOptions<never>, 'log' | 'logRequests' | 'limits' | 'cors'>): Promise<void> {
    const listener = createListener<never>({
      ...options,
      endpoints: [...healthEndpoints(() => ({ status: 'restoring', progress: this.progress })), ...everything],
      authenticate: () => undefined,
      unavailable: refusal,
    });
    // Closes each connection: the response to a retry comes from another listener.
    listener.drain();
    const server = listener.server();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#host, resolve);
    });
    this.#server = server;
  }

  /** Hands the socket over: from now on it belongs to the server. */
  leave({ handler }: Pick<Listener, 'handler'>): void {
    const { server } = this;
    this.#server = undefined;
    server.removeAllListeners('request').on('request', handler);
  }

  /** Closes the listener, if no server took it over. */
  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
