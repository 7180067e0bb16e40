/**
 * A server on a data folder, or in memory: recovers, serves requests, shuts down. `mapwright serve` runs it; other programs embed it.
 */

import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { needsTileAdvice, tileWords } from '../api/pages/tile-advice.ts';
import { jsonOf } from '../api/versions/version-endpoints.ts';
import type { ListedAccount } from '../engine/accounts.ts';
import type { CreatedKey, RotatedKey } from '../engine/keys.ts';
import type { Recovery } from '../engine/open-engine.ts';
import type { Listener } from '../http/listener.ts';
import { packageVersion } from '../lib/package.ts';
import type { Account } from '../model/account.ts';
import type { BackupReport } from '../storage/backup/backup-runner.ts';
import type { ScheduleState } from '../storage/backup/schedule.ts';
import type { SnapshotReport } from '../storage/snapshot/run/snapshot-run.ts';
import type { LimitOptions } from './admin/account-limit-options.ts';
import { type ConsoleAddress, type ListedKeyWithUsage, type OperationContext, operations } from './admin/admin-operations.ts';
import type { LookedUp } from './admin/key-lookup.ts';
import type { KeyOptions, RotateOptions } from './admin/key-options.ts';
import { buildCaches } from './build-caches.ts';
import { buildEndpoints } from './build-endpoints.ts';
import { buildListener } from './build-listener.ts';
import { buildLive, forgetDeleted } from './build-live.ts';
import { buildOperations } from './build-operations.ts';
import { checkAddress, checkOptions } from './check-options.ts';
import { openProvider } from './console/oidc/single-sign-on.ts';
import type { ConsoleOptions } from './console/people.ts';
import { type InProcessApi, inProcessApi } from './in-process-api.ts';
import { type ClusterHooks, oneMachine } from './lifecycle/cluster-hooks.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Listening } from './lifecycle/sockets.ts';
import type { StartupListener } from './lifecycle/startup-listener.ts';
import { openStorage, type Storage } from './lifecycle/storage.ts';
import type { ServerEvents } from './server-events.ts';
import type { InMemoryServerOptions, ServerOptions } from './server-options.ts';

/** Emits {@link ServerEvents} as a Node EventEmitter. The API is also available without a socket. */
export interface MapwrightServer extends EventEmitter<ServerEvents>, InProcessApi {
  on<Name extends keyof ServerEvents>(name: Name, listener: (...args: ServerEvents[Name]) => void): this;
  once<Name extends keyof ServerEvents>(name: Name, listener: (...args: ServerEvents[Name]) => void): this;
  off<Name extends keyof ServerEvents>(name: Name, listener: (...args: ServerEvents[Name]) => void): this;
  /**
   * Handles one request; for `http.createServer(server.handler)`, as middleware of Express or NestJS, and in any framework that passes
   * Node's own objects.
   *
   * @param next called instead, if the path of the request is not one of the server
   */
  readonly handler: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;
  /**
   * The paths that the server has, below the path of `publicUrl`: whole ones (`/healthz`), and beginnings, which end with `/` (`/v1/`).
   */
  readonly paths: readonly string[];
  /** The result of the recovery. */
  readonly recovery: Recovery;
  /** URL of `/metrics`, with the option `metricsListen`: `http://127.0.0.1:9464/metrics`. */
  readonly metricsUrl: string | undefined;
  /** Listens on a socket; `port` 0 takes any free one. */
  listen(port?: number, host?: string): Promise<Listening>;
  /** Creates an account without a key, unless the name exists. */
  createAccount(name: string): Promise<Account>;
  /** Creates a key, and the account if it does not exist. Rejects with OperationError for invalid options. */
  createKey(account: string, options?: KeyOptions): Promise<CreatedKey>;
  keys(): Promise<ListedKeyWithUsage[]>;
  /** Creates a key with the same terms and lets the old one expire. Rejects with OperationError if the old one is not valid. */
  rotateKey(id: string, options?: RotateOptions): Promise<RotatedKey>;
  revokeKey(id: string): Promise<void>;
  /**
   * Makes addresses of the console at which a browser is signed in as a person of an account, by default its first owner: once, and within
   * ten minutes. Rejects with OperationError if there is no such account, person or project, or no console.
   */
  consoleAddress(account: string, options?: ConsoleOptions): Promise<ConsoleAddress>;
  /** Sets the rate limit of a key (`50/s`), in addition to its account's; `none` removes it. Takes effect immediately. */
  limitKey(id: string, rate: string): Promise<void>;
  accounts(): Promise<ListedAccount[]>;
  renameAccount(name: string, newName: string): Promise<void>;
  /** Sets limits of an account, effective immediately; omitted ones stay. Rejects with OperationError for invalid values. */
  setLimits(account: string, limits: LimitOptions): Promise<void>;
  /** Deletes an account, its keys and all its projects, permanently. */
  deleteAccount(name: string): Promise<void>;
  /** Makes a snapshot; `undefined` if there was nothing new. */
  snapshot(): Promise<SnapshotReport | undefined>;
  /** Writes a backup into a folder, with a generated name, or as a file, which must not exist. */
  backup(target: string): Promise<BackupReport>;
  /** State of the scheduled backups; `undefined` without a schedule. */
  readonly schedule: ScheduleState | undefined;
  /**
   * Completes the requests in flight, makes all changes durable and unlocks the folder. Rejects after at most 20 s if the disk does not
   * respond: every acknowledged write is durable then, and the folder is unlocked when the disk responds or the process ends.
   */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A server that takes over from a {@link StartupListener}. */
export interface StartingServer extends MapwrightServer {
  /** Listens on the socket of the startup listener. */
  handOver(): Promise<Listening>;
  /** Whether it serves the pages of the console. */
  readonly hasConsole: boolean;
  /** As {@link handler}, for a server that leaves `Expect` to it. */
  readonly begin: Listener['begin'];
}

/**
 * Opens a server: `createServer` of the package, with a startup listener. Resolves when the folder is recovered and the server accepts
 * requests. Rejects with FolderError or CorruptError, and with a TypeError for invalid options.
 *
 * @param startupListener opened once the folder is locked, before anything in it is read; closed if this rejects
 * @param hooks how the owner of a cluster takes part
 */
export async function openServer(
  options: ServerOptions | InMemoryServerOptions,
  startupListener?: StartupListener,
  hooks: ClusterHooks = oneMachine,
): Promise<StartingServer> {
  checkOptions(options);
  const provider = await openProvider(options);
  const lifecycle = new Lifecycle(options, startupListener);
  try {
    const caches = buildCaches(options);
    const live = buildLive(options, lifecycle, hooks);
    const storage = await openStorage(options, lifecycle, hooks, {
      memory: caches.memory,
      ...(options.versions !== false && { json: jsonOf(caches) }),
      ...(live && { onCommit: (changes) => forgetDeleted(live, changes) }),
    });
    const send = (request: Request): Promise<Response> => listener.fetch(request);
    const endpoints = buildEndpoints(options, storage, lifecycle, hooks, caches, live, provider, send);
    const listener: Listener<LookedUp> = buildListener(options, storage, endpoints, caches, lifecycle, hooks);
    const listening: Listening[] = [];
    const built = { storage, endpoints, caches, live, listener, listening };
    const context = await buildOperations(options, built, lifecycle, hooks);
    logStarted(lifecycle, storage);
    if (needsTileAdvice(options)) lifecycle.log.warn({ advice: tileWords.advice }, tileWords.found);
    setImmediate(() => lifecycle.events.emitSafely('ready', storage.recovery));
    const server: Omit<StartingServer, keyof EventEmitter> = {
      ...inProcessApi(storage.engine, listener, lifecycle.status),
      ...socketApi(lifecycle, listener, listening),
      ...accountOperations(context),
      ...folderOperations(storage),
      hasConsole: endpoints.hasConsole,
      ...closing(lifecycle, listener, storage),
    };
    return Object.assign(lifecycle.events, server);
  } catch (error) {
    await lifecycle.discard();
    throw error;
  }
}

function logStarted({ log, startedMs }: Lifecycle, { path: folder, recovery }: Storage): void {
  const { damaged, ...restored } = recovery;
  const ms = Math.round(performance.now() - startedMs);
  log.info({ version: packageVersion(), node: process.version, pid: process.pid, folder, ...restored, ms }, 'started');
}

/** How requests arrive on sockets, of this server or of an embedding program. */
function socketApi(
  { sockets, startupListener, metricsListener }: Lifecycle,
  listener: Listener<LookedUp>,
  listening: Listening[],
): Pick<StartingServer, 'handler' | 'paths' | 'begin' | 'metricsUrl' | 'listen' | 'handOver'> {
  const open = async (listen: (server: ReturnType<typeof listener.server>, onListening: () => void) => void) => {
    const server = listener.server();
    const bound = await sockets.open(server, (onListening) => listen(server, onListening));
    listening.push(bound);
    return bound;
  };
  return {
    handler: listener.handler,
    paths: listener.paths,
    begin: listener.begin,
    metricsUrl: metricsListener?.url,
    async listen(port = 8070, host = '127.0.0.1') {
      checkAddress(port, host);
      return await open((server, onListening) => server.listen(port, host, onListening));
    },
    async handOver() {
      if (startupListener === undefined) throw new Error('this server has no startup listener');
      const bound = await open((server, onListening) => server.listen(startupListener.server, onListening));
      startupListener.leave(listener);
      return bound;
    },
  };
}

function folderOperations({
  engine,
  backups,
  schedule,
  recovery,
}: Storage): Pick<MapwrightServer, 'recovery' | 'snapshot' | 'backup' | 'schedule'> {
  return { recovery, schedule, snapshot: () => engine.snapshot(), backup: (target) => backups.write(resolve(target)) };
}

function closing(
  lifecycle: Lifecycle,
  listener: Listener<LookedUp>,
  { wal }: Storage,
): Pick<MapwrightServer, 'close' | typeof Symbol.asyncDispose> {
  const close = () => lifecycle.close({ listener, stalled: () => wal.stats.stalled });
  return { close, [Symbol.asyncDispose]: close };
}

type AccountOperations = Pick<
  MapwrightServer,
  | 'createAccount'
  | 'createKey'
  | 'keys'
  | 'rotateKey'
  | 'revokeKey'
  | 'limitKey'
  | 'consoleAddress'
  | 'accounts'
  | 'renameAccount'
  | 'setLimits'
  | 'deleteAccount'
>;

/** The operations of the commands `keys` and `accounts`, for embedding programs. */
function accountOperations(context: OperationContext): AccountOperations {
  return {
    createAccount: (name) => operations['accounts.create'](context, { name }),
    createKey: (account, terms) => operations['keys.create'](context, { ...terms, account }),
    keys: () => operations['keys.list'](context, {}),
    rotateKey: (id, terms) => operations['keys.rotate'](context, { ...terms, id }),
    revokeKey: async (id) => void (await operations['keys.revoke'](context, { id })),
    limitKey: async (id, rate) => void (await operations['keys.limit'](context, { id, rate })),
    consoleAddress: (account, options) => operations['console.open'](context, { ...options, account }),
    accounts: () => operations['accounts.list'](context, {}),
    renameAccount: async (name, newName) => void (await operations['accounts.rename'](context, { name, newName })),
    setLimits: async (name, limits) => void (await operations['accounts.limit'](context, { ...limits, name })),
    deleteAccount: async (name) => void (await operations['accounts.delete'](context, { name })),
  };
}
