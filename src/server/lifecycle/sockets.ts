/** The sockets on which a server listens, and the connections on them. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';

/** Where a server listens. */
export interface Listening {
  readonly url: string;
  readonly port: number;
}

export class Sockets {
  readonly #log: Log;
  readonly #servers = new Set<Server>();
  readonly #closing: Promise<void>[] = [];
  #refusing = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Opens a socket. Rejects with the error of the system, or with a {@link StoppedError} after {@link refuse}.
   *
   * @param server not listening yet
   * @param begin starts to listen, and calls `resolve` when it does
   */
  async open(server: Server, begin: (resolve: () => void) => void): Promise<Listening> {
    if (this.#refusing) throw new StoppedError('this server is closed');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      begin(resolve);
    });
    if (this.#refusing) {
      server.close();
      server.closeAllConnections();
      throw new StoppedError('this server was closed before it listened');
    }
    this.#servers.add(server);
    const address = server.address() as AddressInfo;
    const url = `http://${hostPort(address)}`;
    this.#log.info({ url }, 'listening');
    return { url, port: address.port };
  }

  /** Where it listens, as `host:port`. */
  get addresses(): string[] {
    return [...this.#servers].flatMap((server) => {
      const address = server.address() as AddressInfo | null;
      return address === null ? [] : [hostPort(address)];
    });
  }

  /** No further socket is opened. */
  refuse(): void {
    this.#refusing = true;
  }

  closeIdleConnections(): void {
    for (const server of this.#servers) server.closeIdleConnections();
  }

  /** Closes the ports. Connections with a request in flight stay. */
  stopListening(): void {
    for (const server of this.#servers) this.#closing.push(new Promise<void>((resolve) => server.close(() => resolve())));
    this.closeIdleConnections();
  }

  closeAllConnections(): void {
    for (const server of this.#servers) server.closeAllConnections();
  }

  /** Closes all connections. Resolves when the ports that {@link stopListening} closed are free. */
  async close(): Promise<void> {
    this.closeAllConnections();
    await Promise.all(this.#closing);
  }
}

const hostPort = ({ family, address, port }: AddressInfo): string =>
  family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
