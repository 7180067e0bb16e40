/**
 * `/metrics` at a separate address (`--metrics-listen`) that API clients cannot reach. It listens from before the restore until the end of
 * a shutdown; it responds with 503 until the metrics exist.
 */
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { metricsEndpoint } from '../../api/health-endpoints.ts';
import { createListener } from '../../http/listener.ts';
import type { ListenerOptions } from '../../http/listener-options.ts';
import { problems } from '../../http/problem.ts';
import type { Metrics } from './metrics.ts';

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Recommended delay before the next scrape, if the metrics do not exist yet, in seconds. */
const retryAfterS = 1;

export const portMax = 65_535;

/** Parses `HOST:PORT`, with IPv6 addresses in brackets; `undefined` for anything else. */
export function listenAddressFrom(text: string): ListenAddress | undefined {
  const [, inBrackets, name, digits] = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = inBrackets ?? name;
  const port = Number(digits);
  if (host === undefined || port > portMax || (inBrackets !== undefined && !isIPv6(inBrackets))) return undefined;
  return { host, port };
}

export class MetricsListener {
  /** URL of the metrics, once open: `http://127.0.0.1:9464/metrics`. */
  url = '';
  readonly #address: string;
  readonly #metrics: Metrics;
  #server: Server | undefined;

  /** @param address in the form that {@link listenAddressFrom} parses */
  constructor(address: string, metrics: Metrics) {
    this.#address = address;
    this.#metrics = metrics;
  }

  /** Rejects with an error that contains the address if it cannot listen. */
  async open(options: Pick<ListenerOptions<never>, 'log' | 'logRequests' | 'limits'>): Promise<void> {
    const { host, port } = listenAddressFrom(this.#address) as ListenAddress;
    const listener = createListener<never>({
      log: options.log,
      ...(options.logRequests === undefined ? {} : { logRequests: options.logRequests }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      endpoints: [metricsEndpoint(() => this.#exposition())],
      authenticate: () => undefined,
    });
    const server = listener.server();
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === 'EADDRINUSE' ? 'the port is in use' : (error as Error).message;
      throw new Error(
        `Cannot listen on ${this.#address} for /metrics: ${why}. Choose another address with --metrics-listen (metricsListen).`,
        { cause: error },
      );
    }
    this.#server = server;
    const { address, family, port: given } = server.address() as AddressInfo;
    this.url = `http://${family === 'IPv6' ? `[${address}]` : address}:${given}/metrics`;
    options.log.info({ url: this.url }, 'listening for metrics');
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #exposition() {
    if (!this.#metrics.isComplete)
      throw problems.unavailable('The server is restoring its data. Retry later.', retryAfterS, 'restoring');
    return this.#metrics.exposition();
  }
}
