/**
 * The control socket: connects the `mapwright` commands to the server that has a data folder open. It is a socket in that folder, mode
 * 0600, so that exactly the users who can read the data can use it. One JSON document per line in each direction:
 *
 *     {"verb":"keys.revoke","args":{"id":"k3h..."}}
 *     {"ok":true,"result":{...}}      or      {"ok":false,"error":"..."}
 *
 * Long commands report their progress in earlier lines: {"progress":{...}}.
 */
import fs from 'node:fs';
import net from 'node:net';
import { dirname } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { FolderError, NotOwnerError, StoppedError } from '../../lib/errors.ts';
import { assertSame, type FolderIdentity, type OpenFolder } from '../../lib/files/open-folder.ts';
import type { OnProgress, Progress } from '../../lib/threads/progress-counter.ts';
import { pathsIn, socketName } from '../lifecycle/data-folder.ts';
import { type AdminVerb, type Operations, operations } from './admin-operations.ts';
import { NameElsewhereError } from './registry.ts';

/** Maximum length of a socket path on all systems. */
const socketPathMax = 100;

/** Maximum size of a request, in bytes. */
export const adminRequestBytesMax = 64 * 1024;

/** Timeout for receiving a request, in milliseconds. */
const requestTimeoutMs = 10_000;

/** Maximum number of connections; further ones are closed immediately. */
const connectionsMax = 100;

export interface ControlServer {
  close(): Promise<void>;
}

export type AdminResponse =
  | { readonly ok: true; readonly result: unknown }
  /** `shard`: the shard of a cluster that the operation belongs to, if it was sent to another one. */
  | { readonly ok: false; readonly error: string; readonly shard?: number };

/** Answers the line of a request. Never rejects. */
export type Respond = (line: string, tell: OnProgress) => Promise<AdminResponse>;

/** Starts to serve commands. */
export async function serveControl({ identity }: OpenFolder, respond: Respond): Promise<ControlServer> {
  const address = ownAddress(identity);
  assertSame(identity);
  fs.rmSync(address, { force: true }); // left by a killed process; this process has the folder's lock
  const sockets = new Set<net.Socket>();
  let closing = false;
  const server = net.createServer((socket) => {
    if (closing) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let received = 0;
    socket.on('data', (part) => {
      received += part.length;
      if (received > adminRequestBytesMax) socket.destroy();
    });
    socket.setTimeout(requestTimeoutMs, () => socket.destroy());
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined); // repeats the socket's error: an interrupted command is not a server error
    // One request per connection; further lines are ignored.
    lines.once('line', (line) => {
      socket.setTimeout(0);
      lines.close();
      const tell = (progress: Progress) => {
        // Skips progress for a client that does not read.
        if (socket.writable && socket.writableLength === 0) socket.write(`${JSON.stringify({ progress })}\n`);
      };
      void respond(line, tell).then((reply) => socket.end(`${JSON.stringify(reply)}\n`).resume());
    });
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  fs.chmodSync(address, 0o600);
  return {
    async close() {
      closing = true;
      for (const socket of sockets) socket.destroySoon();
      if (!leadsTo(address, identity)) {
        // Closing would delete the socket of the folder that is there now.
        server.unref();
        return;
      }
      // The file is deleted in another thread, before the close, which would delete it in this thread: a disk that does not respond would
      // block the event loop. If the deletion fails, the next server replaces the socket.
      await fs.promises.rm(address, { force: true }).catch(() => undefined);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * The server's own path to its socket. On Linux it goes through the descriptor of the folder: it is short, and the system creates and
 * deletes the socket in that folder, even if the folder's path has changed meanwhile.
 */
function ownAddress({ path, fd }: FolderIdentity): string {
  const through = `/proc/self/fd/${fd}`;
  return fs.existsSync(through) ? `${through}/${socketName}` : pathsIn(path).socket;
}

function leadsTo(address: string, { device, inode }: FolderIdentity): boolean {
  const folder = fs.statSync(dirname(address), { throwIfNoEntry: false, bigint: true });
  return folder?.dev === device && folder.ino === inode;
}

/** The end of a message about a command whose outcome is unknown. */
export const mayBeMade = 'The change may have been made: list the keys or accounts before you run the command again.';
const interrupted = `The server stopped, or handed its data over, while the command ran. ${mayBeMade}`;

/** Carries operations out on an open engine. */
export function respondOn(context: Parameters<Operations[AdminVerb]>[0]): Respond {
  return async (line, tell) => {
    try {
      const { verb, args } = requestIn(line);
      if (!Object.hasOwn(operations, verb))
        throw new Error(`there is no operation "${verb}"; this server may be another version`);
      return { ok: true, result: await operations[verb as AdminVerb](context, args as never, tell) };
    } catch (error) {
      const { message } = error as Error;
      const isUnknown = error instanceof StoppedError || error instanceof NotOwnerError;
      const text = isUnknown ? `${interrupted} (${message})` : message;
      return error instanceof NameElsewhereError ? { ok: false, error: text, shard: error.shard } : { ok: false, error: text };
    }
  };
}

/** Parses a request. Any program of the folder's owner may have written it, so its form is checked. */
export function requestIn(line: string): { verb: string; args: object } {
  const request = JSON.parse(line) as { verb?: unknown; args?: unknown } | null;
  const { verb, args } = request ?? {};
  if (typeof verb !== 'string' || typeof args !== 'object' || args === null) {
    throw new Error('a request must be one line: {"verb":"...","args":{...}}');
  }
  return { verb, args };
}

/**
 * Sends a request to the server that has the folder open. Rejects with ECONNREFUSED or ENOENT if there is none.
 *
 * @param signal ends the wait for the reply
 */
export function askServer<V extends AdminVerb>(
  folder: string,
  verb: V,
  args: Parameters<Operations[V]>[1],
  onProgress: OnProgress = () => undefined,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Operations[V]>>> {
  const { path, socket: address } = pathsIn(folder);
  return withSocketPath(path, address, (usable) => {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ path: usable, ...(signal && { signal }) });
      socket.once('error', reject);
      readReplies(createInterface({ input: socket }), onProgress).then((reply) => {
        if (reply.ok) resolve(reply.result as Awaited<ReturnType<Operations[V]>>);
        else reject(new FolderError(reply.error));
      }, reject);
      socket.write(`${JSON.stringify({ verb, args })}\n`);
    });
  });
}

/** The reply after its progress. Rejects if the lines end without one. */
export function readReplies(lines: Interface, onProgress: OnProgress): Promise<AdminResponse> {
  return new Promise((resolve, reject) => {
    lines
      .on('error', () => undefined) // repeats the error of its source
      .on('line', (line) => {
        const reply = JSON.parse(line) as AdminResponse | { readonly progress: Progress };
        if ('progress' in reply) onProgress(reply.progress);
        else resolve(reply);
      })
      // Has no effect after a response.
      .on('close', () => reject(new FolderError('The server stopped before it responded.')));
  });
}

/** A socket path is limited to about a hundred bytes; a longer path goes through a descriptor of the folder. */
async function withSocketPath<T>(folder: string, address: string, use: (usable: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(address) <= socketPathMax || process.platform !== 'linux') return use(address);
  const fd = fs.openSync(folder, 'r');
  try {
    return await use(`/proc/self/fd/${fd}/${socketName}`);
  } finally {
    fs.closeSync(fd);
  }
}
