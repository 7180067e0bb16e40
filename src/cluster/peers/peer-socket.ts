/**
 * TCP connections to other nodes. By default Node allocates 64 KiB for each read of a socket, which costs more than the rest of a short
 * read. Here all sockets share one buffer, and each piece is copied out of it at its own size.
 */
import net from 'node:net';
import type { buildConnector } from 'undici';

const readBytes = 64 * 1024;

/** Milliseconds without traffic after which the kernel probes a connection. */
const keepAliveMs = 10_000;

/** A function that makes connections for undici. Each fails if it takes longer than `timeoutMs`. */
export function peerConnector(timeoutMs: number): buildConnector.connector {
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  return ({ hostname, port }, callback) => {
    let isDone = false;
    const done = (error: Error | null): void => {
      clearTimeout(timer);
      if (isDone) return;
      isDone = true;
      if (error === null) callback(null, socket);
      else callback(error, null);
    };
    const socket: net.Socket = net.connect({
      host: hostname,
      port: port === '' ? 80 : Number(port),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveMs,
      onread: { buffer, callback: (bytes, shared) => socket.push(Buffer.from((shared as Buffer).subarray(0, bytes))) },
    });
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection to ${hostname}:${port} within ${timeoutMs} ms`)),
      timeoutMs,
    );
    socket.once('connect', () => done(null));
    socket.once('error', done);
  };
}
