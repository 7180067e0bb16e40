/** Connections without a client between them and who measures: a request is bytes that are there before it is due. */
import net from 'node:net';
import { basePathOf, headersOf, type Request, type Target } from './ask.ts';

/** The request as it goes over the wire. */
export function encode(target: Target, request: Request): Buffer {
  const { host } = new URL(target.url);
  const { method, path, body } = request;
  const headers = Object.entries(headersOf(target, request)).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${basePathOf(target)}${path} HTTP/1.1\r\nhost: ${host}\r\n${headers.join('')}${length}\r\n${body ?? ''}`,
  );
}

/** Resolves once it is open. */
export function connected(target: Target): Promise<net.Socket> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}
