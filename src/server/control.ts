/**
 * The control socket: how the `mapwright` commands reach the server that has a data folder open. A socket in the folder itself, mode
 * 0600, so that whoever may use it is whoever may read the data. One JSON document per line each way:
 *
 *     {"verb":"keys.revoke","args":{"id":"k3h..."}}
 *     {"ok":true,"result":{...}}      or      {"ok":false,"error":"..."}
 *
 * What takes long says how far it is in lines before that one: {"progress":{...}}.
 */
import fs from 'node:fs';
import net from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { FolderError } from '../lib/errors.ts';
import type { OnProgress, Progress } from '../lib/meter.ts';
import { assertSame, type FolderIdentity, type OpenFolder } from '../lib/open-folder.ts';
import { pathsIn, socketName } from './data-folder.ts';
import { type Operations, operations, type Verb } from './operations.ts';

/** Longest path that a socket address holds on every system. */
const socketPathMax = 100;

/** Bytes of a request, at most. */
const requestBytesMax = 64 * 1024;

/** Milliseconds that a connection may take to say what it wants. */
const requestTimeoutMs = 10_000;

/** Connections at a time; further ones are closed unheard. */
const connectionsMax = 100;

export interface ControlServer {
  close(): Promise<void>;
}

/** Answers commands from now on. */
export async function serveControl({ identity }: OpenFolder, context: Parameters<Operations[Verb]>[0]): Promise<ControlServer> {
  const address = ownAddress(identity);
  assertSame(identity);
  fs.rmSync(address, { force: true }); // left by a process that was killed; the folder's lock is ours
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
      if (received > requestBytesMax) socket.destroy();
    });
    socket.setTimeout(requestTimeoutMs, () => socket.destroy());
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined); // the socket's own, once more: a command that was broken off is no fault of the server
    // One request for each connection; what follows it is not read.
    lines.once('line', (line) => {
      socket.setTimeout(0);
      lines.close();
      const tell = (progress: Progress) => {
        // One who does not read gets no more of it.
        if (socket.writable && socket.writableLength === 0) socket.write(`${JSON.stringify({ progress })}\n`);
      };
      void answer(line, context, tell).then((reply) => socket.end(`${JSON.stringify(reply)}\n`).resume());
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
        // To close it would delete the socket of the folder that is there now.
        server.unref();
        return;
      }
      // Not in this thread, and before the server is closed, which deletes the file in this one: a disk that does not answer would stop the
      // event loop. One that cannot be deleted stays: the next server makes another in its place.
      await fs.promises.rm(address, { force: true }).catch(() => undefined);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * The server's own path to its socket. On Linux it leads through the descriptor of the folder: it is short, and what is made and deleted by
 * it, by the system as well when the socket is closed, is in that folder whatever its path has become.
 */
function ownAddress({ path, fd }: FolderIdentity): string {
  const through = `/proc/self/fd/${fd}`;
  return fs.existsSync(through) ? `${through}/${socketName}` : pathsIn(path).socket;
}

function leadsTo(address: string, { device, inode }: FolderIdentity): boolean {
  const folder = fs.statSync(dirname(address), { throwIfNoEntry: false, bigint: true });
  return folder?.dev === device && folder.ino === inode;
}

type Answer = { ok: true; result: unknown } | { ok: false; error: string };

async function answer(line: string, context: Parameters<Operations[Verb]>[0], tell: OnProgress): Promise<Answer> {
  try {
    const { verb, args } = requestIn(line);
    if (!Object.hasOwn(operations, verb))
      throw new Error(`there is no operation "${verb}"; this server may be of another version`);
    return { ok: true, result: await operations[verb as Verb](context, args as never, tell) };
  } catch (error) {
    return { ok: false, error: (error as Error).message };
  }
}

/** What a line asks for. Any program of the folder's owner may have written it, so that its form is not taken on trust. */
function requestIn(line: string): { verb: string; args: object } {
  const request = JSON.parse(line) as { verb?: unknown; args?: unknown } | null;
  const { verb, args } = request ?? {};
  if (typeof verb !== 'string' || typeof args !== 'object' || args === null) {
    throw new Error('a request is one line: {"verb":"...","args":{...}}');
  }
  return { verb, args };
}

/** Asks the server that has the folder open. Rejects with ECONNREFUSED or ENOENT when none listens. */
export function askServer<V extends Verb>(
  folder: string,
  verb: V,
  args: Parameters<Operations[V]>[1],
  onProgress: OnProgress = () => undefined,
): Promise<Awaited<ReturnType<Operations[V]>>> {
  const { path, socket: address } = pathsIn(folder);
  return withSocketPath(path, address, (usable) => {
    return new Promise((resolve, reject) => {
      const socket = net.connect(usable);
      socket.once('error', reject);
      createInterface({ input: socket })
        .on('error', () => undefined) // the socket's own, once more
        .on('line', (line) => {
          const reply = JSON.parse(line) as Answer | { readonly progress: Progress };
          if ('progress' in reply) onProgress(reply.progress);
          else if (reply.ok) resolve(reply.result as Awaited<ReturnType<Operations[V]>>);
          else reject(new FolderError(reply.error));
        })
        // Too late for a promise that has its answer.
        .on('close', () => reject(new FolderError('The server stopped before it answered.')));
      socket.write(`${JSON.stringify({ verb, args })}\n`);
    });
  });
}

/** A socket's address holds about a hundred bytes; in a deeper folder it is reached through a descriptor of the folder. */
async function withSocketPath<T>(folder: string, address: string, use: (usable: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(address) <= socketPathMax || process.platform !== 'linux') return use(address);
  const fd = fs.openSync(folder, 'r');
  try {
    return await use(`/proc/self/fd/${fd}/${socketName}`);
  } finally {
    fs.closeSync(fd);
  }
}
