/** A source of data on loopback that does what a test says for each path, also what no HTTP server should do. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Test } from 'tap';

export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: http.ServerResponse, request: http.IncomingMessage, source: HostileSource) => void;

export class HostileSource {
  /** Requests so far, with their bodies. */
  readonly arrived: Arrived[] = [];
  /** Connections so far. */
  connections = 0;
  readonly #open = new Set<Socket>();
  readonly #server: http.Server;
  readonly #answers: Readonly<Record<string, Answer>>;

  constructor(answers: Readonly<Record<string, Answer>>) {
    this.#answers = answers;
    this.#server = http.createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** `127.0.0.1:port`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Open connections. */
  get open(): number {
    return this.#open.size;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  async start(address: string): Promise<void> {
    this.#server.listen(0, address);
    await once(this.#server, 'listening');
  }

  /** Resolves when no connection is open. */
  async quiet(): Promise<void> {
    while (this.#open.size > 0) await new Promise((resolve) => [...this.#open][0]?.once('close', resolve));
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.arrived.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    const answer = this.#answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request, this);
  }
}

export async function startSource(
  t: Test,
  answers: Readonly<Record<string, Answer>>,
  address = '127.0.0.1',
): Promise<HostileSource> {
  const source = new HostileSource(answers);
  await source.start(address);
  t.teardown(() => source.close());
  return source;
}

/** Sends bytes that are no well-formed response. */
export const raw =
  (...parts: (string | Buffer)[]): Answer =>
  (response) => {
    for (const part of parts) response.socket?.write(part);
    response.socket?.end();
  };

/** Sends a body with headers. */
export const sent =
  (body: string | Buffer, headers: http.OutgoingHttpHeaders = {}, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export const redirect =
  (location: string | ((source: HostileSource) => string), status = 302): Answer =>
  (response, _request, source) =>
    void response.writeHead(status, { location: typeof location === 'string' ? location : location(source) }).end('moved');
