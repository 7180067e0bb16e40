/**
 * The other end of a request's connection. A request that another node of the cluster passed on arrives on that node's connection: the
 * client's own address is set here, after the node's signature was checked, and replaces the connection's everywhere.
 */
import type { IncomingMessage } from 'node:http';

const remoteAddress = Symbol('remote address');

interface PassedOn {
  [remoteAddress]?: string;
}

/** The address of the client, or of the last proxy before the first node; '' if the connection is closed. */
export function remoteAddressOf(req: Pick<IncomingMessage, 'socket'>): string {
  return (req as PassedOn)[remoteAddress] ?? req.socket.remoteAddress ?? '';
}

/** @param address the other end of the connection on which the request reached the first node */
export function setRemoteAddress(req: IncomingMessage, address: string): void {
  (req as PassedOn)[remoteAddress] = address;
}
