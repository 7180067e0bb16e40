/** Where a node listens for other nodes, if its `--advertise` has another port than its `--port`. */
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** As `net.Server.listen` takes it. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The second address on which a node listens; `undefined` if the first one has the port. It is the one of the URL where this machine has it, so that
 * only the network of the nodes reaches it. Behind address translation it is the port of the URL on the node's own host.
 *
 * @param advertise `http://10.0.0.5:8071`
 * @param host on which the node listens
 * @param port on which it listens
 */
export async function peerAddress(advertise: string, host: string, port: number): Promise<PeerAddress | undefined> {
  const { hostname, port: named } = new URL(advertise);
  const advertised = named === '' ? 80 : Number(named);
  if (advertised === port) return undefined;
  const found = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
  return { host: found !== undefined && own.includes(found.address) ? found.address : host, port: advertised };
}
