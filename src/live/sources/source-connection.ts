/**
 * One connection to a source, pinned to addresses that were checked. Nothing is sent before the address at its other end is compared with
 * them: a proxy or a changed resolver could have led elsewhere.
 */
import net from 'node:net';
import { canonicalAddress } from '../../lib/text/address-ranges.ts';
import { portOf } from './address-guard.ts';
import { SourceFailure } from './source-problem.ts';

export type Connect = (options: net.TcpNetConnectOpts) => net.Socket;

/** Connects to the host of a URL. Rejects with a SourceFailure, or with the reason of the signal. */
export async function connectPinned(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  connect: Connect = net.connect,
): Promise<net.Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const socket = connect({
    host,
    port: portOf(url),
    autoSelectFamily: true,
    // Node's 250 ms give up on distant hosts.
    autoSelectFamilyAttemptTimeout: 2000,
    // Called for names only. net asks for all addresses, because it may try several.
    lookup: (_name, { all }, done) => {
      const [first] = found;
      if (all === true) done(null, found);
      else done(null, first?.address ?? '', first?.family);
    },
  });
  await opened(socket, 'connect', signal).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(url, error);
  });
  const peer = canonicalAddress(socket.remoteAddress ?? '');
  if (peer === undefined || !addresses.includes(peer)) {
    socket.destroy();
    throw new SourceFailure(
      'address_refused',
      `The connection to ${url.hostname} led to another address than its name, so nothing was sent. Check proxies between server and source.`,
    );
  }
  if (url.protocol === 'http:') return socket;
  // Loaded late: it takes milliseconds, and many servers fetch nothing.
  const tls = await import('node:tls');
  const secure = tls.connect({ socket, host, servername: net.isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] });
  await opened(secure, 'secureConnect', signal).catch((error: unknown) => {
    throw signal.aborted ? error : tlsFailure(url, error);
  });
  return secure;
}

/** Resolves when a socket is open. Otherwise it is destroyed, and the promise rejects. */
function opened(socket: net.Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      socket.destroy();
      reject(signal.reason as Error);
    };
    const close = (): void => fail(new Error('it closed the connection'));
    const fail = (error: Error): void => {
      socket.destroy();
      signal.removeEventListener('abort', abort);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('close', close);
    socket.once(event, () => {
      signal.removeEventListener('abort', abort);
      socket.off('close', close);
      socket.off('error', fail);
      // A later error reaches the user of the socket by its own listeners. Without any, it would end the process.
      socket.on('error', () => undefined);
      resolve();
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'the host does not answer',
};

/** The reason of a failed connection, without addresses: an error of Node would contain those that a name resolves to. */
export function reasonOf(error: unknown): string {
  const { code = '', errors = [] } = error as NodeJS.ErrnoException & { errors?: readonly NodeJS.ErrnoException[] };
  const known = reasons[code] ?? errors.map((each) => reasons[each.code ?? '']).find((reason) => reason !== undefined);
  return known ?? (code === '' ? (error as Error).message : code);
}

const connectionFailure = (url: URL, error: unknown): SourceFailure =>
  new SourceFailure(
    'connection_failed',
    `Cannot connect to ${url.host}: ${reasonOf(error)}. Check host and port of the URL, and that the source runs.`,
  );

function tlsFailure(url: URL, error: unknown): SourceFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return new SourceFailure(
    'tls_failed',
    `No secure connection to ${url.host}: ${code ?? message}. Check the certificate of the source (it must be valid for this name and from a known authority; NODE_EXTRA_CA_CERTS of the server adds one).`,
  );
}
