/**
 * A server on a data folder, or in memory: recovers, serves requests, shuts down. `mapwright serve` runs it; other programs embed it.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sessionEndpoints } from '../api/console/session-endpoints.ts';
import { JsonCache } from '../api/crud/json-cache.ts';
import { type Api, bind } from '../api/declaration.ts';
import { endpoints } from '../api/endpoints.ts';
import { healthEndpoints, metricsEndpoint, ownerEndpoint } from '../api/health-endpoints.ts';
import { descriptionEndpoint } from '../api/openapi/openapi.ts';
import { viewerEndpoint } from '../api/pages/viewer-endpoint.ts';
import { consolePages, docsPages } from '../api/pages/web-pages.ts';
import { publishedEndpoints } from '../api/publish/published-endpoints.ts';
import type { ListedAccount } from '../engine/accounts.ts';
import type { CreatedKey, RotatedKey } from '../engine/keys.ts';
import type { Opened, Recovery } from '../engine/open-engine.ts';
import { createListener, type Listener } from '../http/listener.ts';
import { basePathOf, Proxies, type ProxyOptions, withoutSlash } from '../http/proxy.ts';
import { CompressedCache } from '../http/response/compressed-cache.ts';
import { DisposeStack } from '../lib/async/dispose-stack.ts';
import { FolderError, NotOwnerError, StalledError, StoppedError } from '../lib/errors.ts';
import { logFatal, safeLogger } from '../lib/observability/logger.ts';
import { packageVersion } from '../lib/package.ts';
import type { Account } from '../model/change.ts';
import type { BackupReport } from '../storage/backup/backup-runner.ts';
import type { Schedule } from '../storage/backup/schedule.ts';
import type { SnapshotReport } from '../storage/snapshot/run/snapshot-run.ts';
import type { LimitOptions } from './admin/account-limit-options.ts';
import { type ConsoleAddress, type ListedKeyWithUsage, type OperationContext, operations } from './admin/admin-operations.ts';
import { type ConsoleOptions, ConsoleSessions } from './admin/console-sessions.ts';
import { keyLookup, type LookedUp, onForbidden } from './admin/key-lookup.ts';
import type { KeyOptions, RotateOptions } from './admin/key-options.ts';
import { RateLimiters } from './admin/rate-limiters.ts';
import { checkAddress, checkOptions } from './check-options.ts';
import { type InProcessApi, inProcessApi } from './in-process-api.ts';
import { ServerStatus } from './lifecycle/server-status.ts';
import { type Listening, Sockets } from './lifecycle/sockets.ts';
import type { StartupListener } from './lifecycle/startup-listener.ts';
import { type ClusterStorage, openStorage } from './lifecycle/storage.ts';
import { optionRanges } from './option-ranges.ts';
import { Events, type ServerEvents } from './server-events.ts';
import { type InMemoryServerOptions, limitsWithin, type ServerOptions, stallLimitsOf } from './server-options.ts';
import { alarmConditions } from './telemetry/alarm-conditions.ts';
import { Alarms } from './telemetry/alarms.ts';
import { jsonLog } from './telemetry/json-log.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { MetricsListener } from './telemetry/metrics-listener.ts';

/** Emits {@link ServerEvents} as a Node EventEmitter. The API is also available without a socket. */
export interface MapwrightServer extends EventEmitter<ServerEvents>, InProcessApi {
  on<Name extends keyof ServerEvents>(name: Name, listener: (...args: ServerEvents[Name]) => void): this;
  once<Name extends keyof ServerEvents>(name: Name, listener: (...args: ServerEvents[Name]) => void): this;
  off<Name extends keyof ServerEvents>(name: Name, listener: (...args: ServerEvents[Name]) => void): this;
  /** Handles one request; for `http.createServer(server.handler)` or any framework that passes Node's own objects. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
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
   * Makes addresses of the console at which a browser is signed in to an account: once, and within ten minutes. Rejects with OperationError
   * if there is no such account or project, or no console.
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
  readonly schedule: Pick<Schedule, 'lastGoodAtMs' | 'lastLsn' | 'failures'> | undefined;
  /**
   * Completes the requests in flight, makes all changes durable and unlocks the folder. Rejects after at most 20 s if the disk does not
   * respond: every acknowledged write is durable then, and the folder is unlocked when the disk responds or the process ends.
   */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const fatalText = 'the journal has failed: nothing is acknowledged any more, the process must end';

/** Drain timeout for requests in flight, and then the timeout for pending disk work, each in milliseconds. */
const drainMs = 10_000;

/** Interval of the check for a stalled disk during a stop, in milliseconds. */
const stallCheckMs = 100;

/** Share of the response cache for compressed responses. */
const compressedShare = 1 / 4;

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
 * Resolves when the folder is recovered and the server accepts requests. Rejects with FolderError or CorruptError, and with a TypeError for
 * invalid options.
 */
export function createServer(options: ServerOptions | InMemoryServerOptions): Promise<MapwrightServer> {
  return openServer(options);
}

/**
 * As {@link createServer}, with a startup listener.
 *
 * @param room opened once the folder is locked, before anything in it is read; closed if this rejects
 * @param cluster for the owner of a cluster
 */
export async function openServer(
  options: ServerOptions | InMemoryServerOptions,
  room?: StartupListener,
  cluster?: ClusterStorage,
): Promise<StartingServer> {
  checkOptions(options);
  // A server for tests or trials logs only problems.
  const log = options.log === undefined ? jsonLog(options.inMemory === true ? 'warn' : 'info') : safeLogger(options.log);
  const openedAt = performance.now();
  const events = new Events(log);
  const status = new ServerStatus();
  const fail = (error: unknown) => {
    status.fail();
    if (error instanceof NotOwnerError) {
      // Another node has taken over: nothing is wrong here.
      (options.onFatal ?? throwUncaught)(error);
      return;
    }
    // The error of a replaced folder contains both locations, and the solution.
    const message = error instanceof FolderError ? error.message : fatalText;
    logFatal(log, { err: error }, message);
    events.emitSafely('alarm', { name: 'fatal', message, details: { error } });
    (options.onFatal ?? throwUncaught)(error);
  };
  const watching = {
    log,
    onFatal: fail,
    onDurable: (lsn: number) => events.durable(lsn),
    onSnapshot: (report: SnapshotReport) => events.emitSafely('snapshot', report),
    stall: { ...stallLimitsOf(options), ...(cluster && { medium: () => cluster.waitsFor() }) },
  };
  const opened = new DisposeStack();
  opened.defer(() => events.flush());
  const metricsListener = options.metricsListen === undefined ? undefined : new MetricsListener(options.metricsListen);
  opened.defer(() => metricsListener?.close());
  const sockets = new Sockets(log);
  opened.defer(() => sockets.close());
  try {
    const storage = await openStorage(options, watching, opened, room, metricsListener, cluster);
    const { engine, wal, recovery, backups, schedule, audit, lastUse } = storage;
    events.versions = engine.versions;
    const { clock = Date.now } = options;
    const { cacheBytes = optionRanges.cacheBytes[0] } = options;
    const cache = new JsonCache(cacheBytes * (1 - compressedShare), engine.memory);
    const compressedCache = new CompressedCache(cacheBytes * compressedShare, engine.memory);
    const alarms = new Alarms(alarmConditions(engine, wal, schedule), log, events);
    opened.defer(() => alarms.close());
    let metrics: Metrics | undefined;
    const limits = limitsWithin(engine.memory.budgetBytes, options.limits);
    const proxy = proxyOf(options);
    const api: Api = {
      engine,
      cache,
      urlBytesMax: limits.urlBytesMax,
      bodyBytesMax: limits.bodyBytesMax,
      batchResultsBytesMax: limits.batchResultsBytesMax,
      basePath: proxy?.basePath ?? '',
      publicUrl: options.publicUrl === undefined ? '' : withoutSlash(options.publicUrl),
      publishing: options.publish === false ? undefined : { shard: cluster?.shard ?? 0 },
      onForbidden: onForbidden(audit),
    };
    const { publicUrl } = options;
    const described = () => ({
      version: packageVersion(),
      ...(publicUrl === undefined ? {} : { publicUrl: withoutSlash(publicUrl) }),
    });
    const invalidateKeys = () => listener.invalidateKeys();
    const sessions = new ConsoleSessions({
      ...{ engine, audit, invalidateKeys, tiles: options.tiles },
      registry: cluster?.registry,
      shard: cluster?.shard ?? 0,
    });
    opened.defer(() => sessions.close());
    const pages = options.console === false ? [] : consolePages();
    const listening: Listening[] = [];
    const listener: Listener<LookedUp> = createListener<LookedUp>({
      endpoints: [
        ...endpoints.map((declared) => bind(declared, api)),
        descriptionEndpoint(described),
        ...(options.docs === false ? [] : docsPages()),
        ...publishedEndpoints(api, cluster?.engine.cacheOf.gate),
        viewerEndpoint(options.tiles),
        ...(options.console === false ? [] : sessionEndpoints<LookedUp>(sessions)),
        ...pages,
        ...healthEndpoints(() => status.readiness(wal.stats.stalled, cluster?.unproven())),
        ...(cluster === undefined ? [] : [ownerEndpoint(() => mayAnswer(cluster.engine.cacheOf.gate))]),
        ...(options.metrics === false || metricsListener !== undefined
          ? []
          : [metricsEndpoint(() => (metrics as Metrics).exposition())]),
      ],
      ...keyLookup({ state: engine.state, audit, lastUse, rates: new RateLimiters(options.rateLimit ?? ''), clock }),
      accountOf: ({ accountId }) => accountId,
      // A request of this process has none, and others must not get its bodies.
      keyIdOf: ({ keyId }) => (keyId === '' ? undefined : keyId),
      tokenBucketsOf: ({ allowances }) => allowances,
      admitBody: (bytes) => engine.memory.refuseUnlessFits(bytes),
      ...(cluster && { responseGate: cluster.engine.cacheOf.gate }),
      rejectionGate: () => engine.journal.durable(engine.state.keysVersion),
      unavailable: () => status.unavailable(),
      log,
      identify: ({ accountId, keyId }) => ({ account: engine.state.accounts.get(accountId)?.name ?? '', key: keyId }),
      ...(options.logRequests === undefined ? {} : { logRequests: options.logRequests }),
      limits,
      ...(options.cors === undefined ? {} : { cors: options.cors }),
      ...(options.compression === undefined ? {} : { compression: options.compression }),
      compressedCache,
      ...(proxy === undefined ? {} : { proxy }),
    });
    if (options.metrics !== false)
      metrics = createMetrics({ engine, wal, cache, compressedCache, listener, alarms, audit, schedule, node: cluster?.node });
    if (metricsListener !== undefined) metricsListener.metrics = metrics;
    const rateLimit = options.rateLimit ?? 'none';
    const access = pages.length === 0 ? undefined : { sessions, urls: () => browserUrls(listening, publicUrl) };
    const context: OperationContext = {
      ...{ engine, backups, audit, lastUse, rateLimit, console: access, invalidateKeys },
      ...(cluster && { shard: cluster.shard, registry: cluster.registry }),
    };
    opened.defer(() => metrics?.close());
    await storage.serveCommands(context);
    const { damaged, ...restored } = recovery;
    const version = packageVersion();
    const ms = Math.round(performance.now() - openedAt);
    log.info({ version, node: process.version, pid: process.pid, folder: storage.path, ...restored, ms }, 'started');
    let closing: Promise<void> | undefined;

    const close = async () => {
      status.drain();
      sockets.refuse();
      log.info({ requests: listener.inFlight }, 'draining');
      listener.drain();
      sockets.closeIdleConnections();
      // The port stays open meanwhile: a health check gets a 503, not a refused connection.
      // Not unreferenced: a response in the process keeps it alive as little as the caller who does not read it.
      const deadline = new AbortController();
      await Promise.race([listener.idle(), delay(drainMs, undefined, deadline).catch(() => undefined)]);
      deadline.abort();
      status.close();
      sockets.stopListening();
      listener.abort(new StoppedError('this server was closed before the response was complete'));
      await unlessStuck(finish(), () => wal.stats.stalled).finally(() => {
        sockets.closeAllConnections();
        metricsListener?.close();
        room?.close();
      });
    };
    /** What has to wait for the disk. */
    const finish = async () => {
      try {
        await opened.disposeAsync();
      } finally {
        log.info({ uptimeS: Math.round((performance.now() - openedAt) / 1000) }, 'stopped');
      }
    };
    const end = () => {
      closing ??= close();
      return closing;
    };

    setImmediate(() => events.emitSafely('ready', recovery));
    const server: Omit<StartingServer, keyof EventEmitter> = {
      ...inProcessApi(engine, listener, status),
      handler: listener.handler,
      begin: listener.begin,
      hasConsole: pages.length > 0,
      recovery,
      metricsUrl: metricsListener?.url,
      async listen(port = 8070, host = '127.0.0.1') {
        checkAddress(port, host);
        const server = listener.server();
        const bound = await sockets.open(server, (resolve) => server.listen(port, host, resolve));
        listening.push(bound);
        return bound;
      },
      async handOver() {
        if (room === undefined) throw new Error('this server has no startup listener');
        const server = listener.server();
        const bound = await sockets.open(server, (resolve) => server.listen(room.server, resolve));
        listening.push(bound);
        room.leave(listener);
        return bound;
      },
      ...accountOperations(context),
      snapshot: () => engine.snapshot(),
      backup: (target) => backups.write(resolve(target)),
      schedule,
      close: end,
      [Symbol.asyncDispose]: end,
    };
    return Object.assign(events, server);
  } catch (error) {
    // The reason of the failed start matters, not an error while closing.
    await opened.disposeAsync().catch(() => undefined);
    throw error;
  }
}

/**
 * Waits for work on the disk, with a deadline. A file operation cannot be aborted: it continues after a rejection.
 *
 * @param stalled the operation that does not complete; `undefined` if none is stalled
 */
async function unlessStuck(work: Promise<void>, stalled: () => Opened['wal']['stats']['stalled']): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const since = performance.now();
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const waitedMs = performance.now() - since;
      const { ms, medium } = stalled() ?? { ms: waitedMs > drainMs ? waitedMs : undefined };
      if (ms !== undefined) reject(new StalledError('closing', ms, medium));
    }, stallCheckMs);
  });
  try {
    await Promise.race([work, stuck]);
  } finally {
    clearInterval(timer);
  }
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

/** The proxy options; `undefined` if there are none. */
function proxyOf({ publicUrl, trustProxy }: Pick<ServerOptions, 'publicUrl' | 'trustProxy'>): ProxyOptions | undefined {
  if (publicUrl === undefined && trustProxy === undefined) return undefined;
  return {
    basePath: publicUrl === undefined ? '' : basePathOf(publicUrl),
    ...(trustProxy === undefined ? {} : { proxies: new Proxies(trustProxy) }),
  };
}

/** Addresses at which a browser reaches the server: on this machine, and the public URL. */
function browserUrls(listening: readonly Listening[], publicUrl: string | undefined): string[] {
  const own = listening.map(({ url }) => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'));
  if (publicUrl === undefined) return own;
  const base = withoutSlash(publicUrl);
  return base.startsWith('/') ? own.map((url) => url + base) : [...own, base];
}

/** Whether the owner of a cluster may answer now. */
async function mayAnswer(gate: () => Promise<void> | undefined): Promise<boolean> {
  try {
    await gate();
    return true;
  } catch {
    return false;
  }
}

/** Ends an embedding program without `onFatal`: otherwise it would reject every request silently. */
function throwUncaught(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
