/**
 * Answers in place of the server while its folder is restored: a probe is told that the process lives, and how far it is, everybody else to
 * come again, where a closed port would tell them nothing. So a port that is taken is found before anything is read, too.
 *
 *     open() --> 503 --> the server listens on the same socket --> leave(): requests on connections that are still open are its own
 *
 * It is a listener like the server's, with the same limits, and paths that all lead to a refusal.
 */
import type { Server } from 'node:http';
import { healthEndpoints } from '../api/health.ts';
import type { PrivateEndpoint } from '../http/endpoint.ts';
import { createListener, type Listener } from '../http/listener.ts';
import type { ListenerOptions } from '../http/listener-options.ts';
import { problems } from '../http/problem.ts';
import { Meter } from '../lib/meter.ts';

/** Seconds after which somebody who was refused should ask again: most restarts take no longer. */
const retryAfterS = 1;

const refusal = () => problems.unavailable('The server is restoring what it keeps: ask again.', retryAfterS, 'restoring');

/** Whatever there may be: each is refused before it is looked at. */
const everything = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method): PrivateEndpoint<never> => {
  const handle = () => {
    throw refusal();
  };
  return { method, path: '/*', prefixes: [''], handle };
});

export class WaitingRoom {
  /** How far the restore is. */
  readonly meter = new Meter();
  /** Called when all was read, before the server says anything. */
  onRestored: () => void = () => undefined;
  readonly #port: number;
  readonly #host: string;
  #server: Server | undefined;

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  /** The server that listens. */
  get server(): Server {
    if (this.#server === undefined) throw new Error('nobody waits here yet');
    return this.#server;
  }

  /** The share of what has to be read that was, from 0 to 1. */
  get progress(): number {
    const { done, expected } = this.meter;
    return expected === 0 ? 0 : Math.floor(Math.min(1, done / expected) * 100) / 100;
  }

  /** Rejects with Node's error when the port or the address is not to be had. */
  async open(options: Pick<ListenerOptions<never>, 'log' | 'logRequests' | 'limits' | 'cors'>): Promise<void> {
    const listener = createListener<never>({
      ...options,
      endpoints: [...healthEndpoints(() => ({ status: 'restoring', progress: this.progress })), ...everything],
      authenticate: () => undefined,
      unavailable: refusal,
    });
    // Nobody stays: the answer to whoever comes again is another one's.
    listener.drain();
    const server = listener.server();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#host, resolve);
    });
    this.#server = server;
  }

  /** The socket is somebody else's now. */
  leave({ handler }: Pick<Listener, 'handler'>): void {
    const { server } = this;
    this.#server = undefined;
    server.removeAllListeners('request').on('request', handler);
  }

  /** Ends it, where no server took its place. */
  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}
