/**
 * The whole server in one process, without a clock or a disk of its own: the real listener, engine and write-ahead log, over connections
 * and files in memory. What a turn of the event loop does not decide is decided by the test, so a seed gives the same history again.
 */
import { request, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Principal } from '../../src/api/authorize.ts';
import { bind } from '../../src/api/declaration.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { authenticate } from '../../src/engine/keys.ts';
import { createListener, type Listener } from '../../src/http/listener.ts';
import { type Right, rightsOfAccess } from '../../src/model/people/roles.ts';
import { noRegistry } from '../../src/server/admin/registry.ts';
import type { SimulatedDisk } from '../disk/simulated-disk.ts';
import { apiOf } from '../support/api.ts';
import { foldersIn, openWorld, recordingLog } from '../support/engine.ts';
import { inlineSnapshotWorker } from '../support/in-thread.ts';
import type { Chance } from '../support/random.ts';
import { systemError } from '../support/system-error.ts';
import { HeldWorker } from './held-worker.ts';

export const folders = foldersIn('/data');

/** What became of a request: its answer, or `undefined` when the connection broke before all of it was there. */
export interface Heard {
  readonly status: number;
  readonly link: string | undefined;
  readonly text: string;
}

/** How a process ends. Every end is followed by a power cut: of what was not synced, chance keeps some. */
export type Crash = 'at once' | 'while it syncs' | 'after a sync failed';

export class World {
  readonly files: SimulatedDisk;
  readonly engine: Engine;
  readonly worker: HeldWorker;
  readonly #listener: Listener;
  readonly #server: Server;
  readonly #connections = new Set<Duplex>();

  private constructor(files: SimulatedDisk, engine: Engine, worker: HeldWorker) {
    this.files = files;
    this.engine = engine;
    this.worker = worker;
    const pages = {
      of: async (_accountId: string, map: Uint8Array) => map,
      placeIdsOf: async () => new Uint8Array(),
      placeNamesOf: async () => ({}),
    };
    const api = apiOf(engine, { publishing: { shard: 0, names: noRegistry, pages } });
    this.#listener = createListener<Principal>({
      endpoints: endpoints.map((declared) => bind(declared, api)),
      authenticate: (token) => {
        const { key } = authenticate(engine.state, token, Date.now());
        const rights: ReadonlySet<Right> = new Set(rightsOfAccess.write);
        return key && { accountId: key.accountId, keyId: key.id, personId: '', rights, projects: undefined, reach: '' };
      },
      rejectionGate: () => engine.journal.durable(engine.state.keysVersion),
      log: recordingLog().log,
    });
    this.#server = this.#listener.server();
  }

  /** A process that starts on these files: recovers, settles, and serves once the log takes records. */
  static async open(files: SimulatedDisk): Promise<World> {
    const worker = new HeldWorker(files);
    const opening = openWorld('/data', {
      files,
      // A budget is of the whole process, whose heap has all histories.
      memoryBytes: Number.POSITIVE_INFINITY,
      workers: { snapshot: inlineSnapshotWorker(files), journal: worker },
    });
    const { engine } = await worker.drive(opening);
    return new World(files, engine, worker);
  }

  /** Sends a request over a connection of its own. `abandon` ends the connection before the answer. */
  ask(key: string, method: string, path: string, body?: unknown): { heard: Promise<Heard | undefined>; abandon: () => void } {
    const [client, server] = duplexPair();
    this.#connections.add(client);
    // A connection in memory never stalls: its timer need not run.
    this.#server.emit('connection', Object.assign(server, { setTimeout: () => server }));
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const heard = new Promise<Heard | undefined>((resolve) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      };
      const req = request({ method, path, headers, createConnection: () => client }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', () => resolve(undefined));
        res.on('end', () => {
          const { link } = res.headers;
          resolve({
            status: res.statusCode ?? 0,
            link: typeof link === 'string' ? link : undefined,
            text: Buffer.concat(chunks).toString(),
          });
        });
      });
      req.on('error', () => resolve(undefined));
      req.end(sent);
    });
    const gone = heard.finally(() => {
      this.#connections.delete(client);
      client.destroy();
      server.destroy();
    });
    return { heard: gone, abandon: () => void client.destroy(new Error('abandoned')) };
  }

  /** Ends the process and the power. The files are then as the next process finds them. */
  async crash(kind: Crash, random: Chance): Promise<void> {
    if (kind === 'while it syncs') {
      this.files.before = ({ kind: op }) => {
        if (op !== 'sync') return;
        this.files.kill();
        throw systemError('EIO', 'fdatasync');
      };
      this.#cut();
      this.worker.step();
      await setImmediate();
    }
    this.#cut();
    this.worker.die();
    this.engine.memory.close();
    await this.engine.snapshots.close();
    this.files.losePower(random.next);
  }

  /** The next sync fails, and with it everything that waits for it. */
  failSync(): void {
    this.files.fail({ kind: 'sync', code: 'EIO', nth: 1 });
  }

  /** Stops in good order. */
  close(): Promise<void> {
    return this.worker.drive(this.engine.close());
  }

  #cut(): void {
    for (const connection of this.#connections) connection.destroy(new Error('the server is gone'));
    this.#connections.clear();
  }
}
