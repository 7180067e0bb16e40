/** Client addresses of requests, and the number of connections of each. */
import net from 'node:net';
import type { Proxies } from '../proxy.ts';
import { remoteAddressOf } from '../transport/remote-address.ts';
import type { HttpRequest } from '../transport/transport.ts';

export class Addresses {
  readonly #max: number;
  readonly #proxies: Proxies | undefined;
  readonly #counts = new Map<string, number>();

  /**
   * @param max connections per address; 0 for no limit
   * @param proxies trusted proxies, whose connections serve many clients
   */
  constructor(max: number, proxies?: Proxies) {
    this.#max = max;
    this.#proxies = proxies;
  }

  /** The client address of a request, as a trusted proxy reports it or from the connection; '' if there is none, or no longer. */
  of(req: HttpRequest): string {
    // Its headers are not those of a proxy of ours.
    if (req.socket === undefined) return '';
    return this.#proxies === undefined ? remoteAddressOf(req) : this.#proxies.clientOf(req);
  }

  /** Counts a connection until it is closed; `false`, with nothing counted, if its address has too many. */
  admits(socket: net.Socket): boolean {
    // Read while the socket is connected: Node then keeps the address for requests after a disconnect.
    const address = socket.remoteAddress ?? '';
    if (this.#max === 0 || this.#proxies?.includes(address) === true) return true;
    const client = clientOf(address);
    const count = this.#counts.get(client) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(client, count + 1);
    socket.once('close', () => this.#leave(client));
    return true;
  }

  #leave(client: string): void {
    const count = (this.#counts.get(client) as number) - 1;
    if (count === 0) this.#counts.delete(client);
    else this.#counts.set(client, count);
  }
}

/**
 * The key under which connections are counted: an IPv4 address, or the /64 of an IPv6 address, because one client may have all of it.
 */
export function clientOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!net.isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // The zeros that "::" stands for; an address that ends in dots has one group fewer than it has words of 16 bits.
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length - (address.includes('.') ? 1 : 0);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':');
}
