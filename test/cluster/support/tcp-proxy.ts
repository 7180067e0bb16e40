/**
 * A TCP proxy on loopback with the faults of a network, switched while it runs:
 *
 *     const proxy = await startProxy(t, server.port);
 *     proxy.fault = { drop: 'toClient' };
 *
 * A connection that lost bytes never delivers later ones in that direction, since TCP never delivers bytes after a gap: under `pass` such a
 * connection is reset. A connection under `hold` lost nothing, and goes on.
 */
import net from 'node:net';
import type { Test } from 'tap';

export type Direction = 'toServer' | 'toClient';

/**
 * - `pass`: bytes pass immediately
 * - `delay`: bytes pass this many milliseconds later, in both directions
 * - `hold`: bytes wait for another fault or `pass`; a network cut that heals in time
 * - `drop`: bytes, and the end of a connection, are lost; a network cut that does not heal, as both ends see it
 * - `reset`: connections are reset, new ones as well
 *
 * New connections are accepted under all of them, since the system accepts for a listening process.
 */
export type Fault =
  | 'pass'
  | 'reset'
  | { readonly delay: number }
  | { readonly hold: Direction | 'both' }
  | { readonly drop: Direction | 'both' };

/** Bytes that a held direction keeps; then it stops reading, and its sender's buffers fill as in a cut network. */
const heldBytesMax = 1024 * 1024;

const concerns = (which: Direction | 'both', direction: Direction): boolean => which === 'both' || which === direction;

/** One direction of one connection. */
class Flow {
  readonly #from: net.Socket;
  readonly #to: net.Socket;
  readonly #direction: Direction;
  readonly #fault: () => Fault;
  /** In the order of arrival; `undefined` is the end of the connection. */
  readonly #queue: { readonly due: number; readonly chunk: Buffer | undefined }[] = [];
  #queuedBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  hasLost = false;

  constructor(from: net.Socket, to: net.Socket, direction: Direction, fault: () => Fault) {
    this.#from = from;
    this.#to = to;
    this.#direction = direction;
    this.#fault = fault;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('end', () => this.#take(undefined));
    to.on('drain', () => this.pump());
  }

  #take(chunk: Buffer | undefined): void {
    const fault = this.#fault();
    if (typeof fault === 'object' && 'drop' in fault && concerns(fault.drop, this.#direction)) this.hasLost = true;
    if (this.hasLost) return;
    const delay = typeof fault === 'object' && 'delay' in fault ? fault.delay : 0;
    this.#queue.push({ due: performance.now() + delay, chunk });
    this.#queuedBytes += chunk?.length ?? 0;
    this.pump();
  }

  /** Passes on what is due. */
  pump(): void {
    clearTimeout(this.#timer);
    const fault = this.#fault();
    const isHeld = typeof fault === 'object' && 'hold' in fault && concerns(fault.hold, this.#direction);
    for (let [head] = this.#queue; !isHeld && head !== undefined && !this.#to.writableNeedDrain; [head] = this.#queue) {
      const wait = head.due - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.pump(), wait);
        break;
      }
      this.#queue.shift();
      this.#queuedBytes -= head.chunk?.length ?? 0;
      if (head.chunk === undefined) this.#to.end();
      else this.#to.write(head.chunk);
    }
    if (this.#queuedBytes > heldBytesMax || this.#to.writableNeedDrain) this.#from.pause();
    else this.#from.resume();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A connection of a client, and the one to the server that belongs to it. */
class Link {
  readonly #sockets: readonly [client: net.Socket, server: net.Socket];
  readonly #flows: readonly Flow[];
  readonly #fault: () => Fault;

  constructor(client: net.Socket, port: number, fault: () => Fault, closed: () => void) {
    const server = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#sockets = [client, server];
    this.#fault = fault;
    this.#flows = [new Flow(client, server, 'toServer', fault), new Flow(server, client, 'toClient', fault)];
    for (const socket of this.#sockets) {
      socket.on('error', () => this.#broke());
      socket.on('close', () => {
        if (this.#sockets.every(({ destroyed }) => destroyed)) closed();
      });
    }
  }

  /** One end broke. The other end learns of it unless bytes get lost or wait. */
  #broke(): void {
    const fault = this.#fault();
    const isCut = typeof fault === 'object' && ('drop' in fault || 'hold' in fault);
    if (!isCut) this.reset();
  }

  changed(): void {
    const fault = this.#fault();
    const isOver =
      fault === 'pass' && (this.#flows.some(({ hasLost }) => hasLost) || this.#sockets.some(({ errored }) => errored));
    if (fault === 'reset' || isOver) this.reset();
    else for (const flow of this.#flows) flow.pump();
  }

  reset(): void {
    for (const flow of this.#flows) flow.stop();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }
}

export class TcpProxy {
  readonly #listener: net.Server;
  readonly #links = new Set<Link>();
  #target: number;
  #fault: Fault = 'pass';

  constructor(target: number) {
    this.#target = target;
    // A half-closed connection stays open in its other direction.
    this.#listener = net.createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      if (this.#fault === 'reset') {
        client.resetAndDestroy();
        return;
      }
      const link: Link = new Link(
        client,
        this.#target,
        () => this.#fault,
        () => this.#links.delete(link),
      );
      this.#links.add(link);
    });
  }

  async listen({ host = '127.0.0.1', port = 0 }: ListenOptions): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen(port, host, resolve);
    });
  }

  get port(): number {
    return (this.#listener.address() as net.AddressInfo).port;
  }

  get fault(): Fault {
    return this.#fault;
  }

  /** Takes effect on open connections as well. */
  set fault(fault: Fault) {
    this.#fault = fault;
    for (const link of [...this.#links]) link.changed();
  }

  /** Where connections go that begin from now on. */
  retarget(port: number): void {
    this.#target = port;
  }

  /** Resets all connections that there are now. */
  resetConnections(): void {
    for (const link of [...this.#links]) link.reset();
  }

  async close(): Promise<void> {
    this.resetConnections();
    await new Promise((resolve) => this.#listener.close(resolve));
  }
}

/** 127.0.0.1 and a port of the system's choice by default. Linux has all of 127.0.0.0/8 on loopback. */
export interface ListenOptions {
  readonly host?: string;
  readonly port?: number;
}

/** Starts a proxy that lives until the test is over. */
export async function startProxy(t: Pick<Test, 'teardown'>, target: number, options: ListenOptions = {}): Promise<TcpProxy> {
  const proxy = new TcpProxy(target);
  await proxy.listen(options);
  t.teardown(() => proxy.close());
  return proxy;
}
