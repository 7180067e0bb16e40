/**
 * A server on one data folder: recovers, answers, drains. What `mapwright serve` runs, and what other programs embed.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pino } from 'pino';
import { type Api, bind } from '../api/endpoint.ts';
import { endpointsOf } from '../api/endpoints.ts';
import { healthEndpoints, metricsEndpoint, type Readiness } from '../api/health.ts';
import { JsonCache } from '../api/json-cache.ts';
import { descriptionEndpoint } from '../api/openapi.ts';
import type { BackupReport } from '../backup/backups.ts';
import type { Schedule } from '../backup/schedule.ts';
import { refuseInside } from '../backup/target.ts';
import type { ListedAccount } from '../engine/accounts.ts';
import type { CreatedKey, RotatedKey } from '../engine/keys.ts';
import { openEngine, type Recovery } from '../engine/recover.ts';
import { KeptBodies } from '../http/kept-bodies.ts';
import { createListener, type Listener } from '../http/listener.ts';
import { problems } from '../http/problem.ts';
import { StoppedError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { packageVersion } from '../lib/package.ts';
import type { FoldReport } from '../snapshot/fold.ts';
import type { LimitOptions } from './account-limits.ts';
import { Alarms } from './alarms.ts';
import { AuditLog } from './audit-log.ts';
import { startBackups } from './backups.ts';
import { causesOf } from './causes.ts';
import { serveControl } from './control.ts';
import { openDataFolder, pathsIn } from './data-folder.ts';
import { keyLookup, type LookedUp, onForbidden } from './key-lookup.ts';
import type { KeyOptions, RotateOptions } from './key-terms.ts';
import { LastUse } from './last-use.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type ListedKey, operations } from './operations.ts';
import { checkOptions, limitsWithin, type ServerOptions } from './options.ts';
import { Rates } from './rates.ts';

export interface MapwrightServer {
  /** Answers one request; for `http.createServer(server.handler)` or any framework that hands over Node's own objects. */
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void;
  /** What the restart found. */
  readonly recovery: Recovery;
  /** Listens on a socket of its own; `port` 0 takes any free one. */
  listen(port?: number, host?: string): Promise<{ readonly url: string; readonly port: number }>;
  /** Makes a key, and the account when there is none of that name. Rejects with OperationError for options that make no sense. */
  createKey(account: string, options?: KeyOptions): Promise<CreatedKey>;
  keys(): Promise<ListedKey[]>;
  /** Makes a key like this one, which then expires. Rejects with OperationError when it is not valid any more. */
  rotateKey(id: string, options?: RotateOptions): Promise<RotatedKey>;
  revokeKey(id: string): Promise<void>;
  /** Sets how many requests may be made with a key (`50/s`), beside what its account may make; `none` for only that. At once. */
  limitKey(id: string, rate: string): Promise<void>;
  accounts(): Promise<ListedAccount[]>;
  renameAccount(name: string, newName: string): Promise<void>;
  /** Sets what an account may ask and hold, at once; what is left out stays. Rejects with OperationError for values that make no sense. */
  setLimits(account: string, limits: LimitOptions): Promise<void>;
  /** Deletes an account, its keys and all its projects, for good. */
  deleteAccount(name: string): Promise<void>;
  /** Folds a snapshot; `undefined` when there was nothing new. */
  snapshot(): Promise<FoldReport | undefined>;
  /** Writes a backup into a folder, under a name of its own, or as a file of that name, which must not be there yet. */
  backup(target: string): Promise<BackupReport>;
  /** How the backups on a schedule get on; `undefined` without any. */
  readonly schedule: Pick<Schedule, 'lastGoodAtMs' | 'lastLsn' | 'failures'> | undefined;
  /** Finishes what is in flight, makes everything durable, frees the folder. */
  close(): Promise<void>;
}

/** Milliseconds that requests in flight get to finish when the server closes. */
const drainMs = 10_000;

/** What compressed answers may take of the memory for answers that were given before. */
const keptShare = 1 / 4;

/** Resolves once the folder is recovered and requests can be answered. Rejects with FolderError or CorruptError. */
export async function createServer(options: ServerOptions): Promise<MapwrightServer> {
  checkOptions(options);
  const log = options.log ?? (pino({ base: null }, pino.destination(2)) as Log);
  // Before there is anything that would have to be undone.
  if (options.backup !== undefined) refuseInside(resolve(options.backup.dir), resolve(options.data));
  const folder = openDataFolder(options.data, log);
  try {
    let readiness: Readiness = 'ready';
    /** A program that goes on with the handler must not show what another process may have changed since. */
    let closed = false;
    const fail = (error: unknown) => {
      readiness = 'failed';
      log.error({ err: error }, 'the journal has failed: nothing is acknowledged any more, the process must end');
      (options.onFatal ?? throwUncaught)(error);
    };
    const scheduled = options.backup !== undefined;
    let requests: Pick<Listener, 'alone'> | undefined;
    const alone = () => requests?.alone === true;
    const { engine, wal, recovery } = await openEngine(folder, { ...options, log, onFatal: fail, keepLog: scheduled, alone });
    const { backups, schedule } = startBackups(folder, engine, options, log);
    if (scheduled) await engine.folding.tidy();
    const { clock = Date.now } = options;
    const paths = pathsIn(folder.path);
    const audit = new AuditLog(options.auditLog === false ? undefined : paths.auditLog, { log, clock });
    const lastUse = new LastUse(paths.lastUse, log);
    const { cacheBytes = 64 * 1024 * 1024 } = options;
    const cache = new JsonCache(cacheBytes * (1 - keptShare), engine.memory, engine.compat);
    const kept = new KeptBodies(cacheBytes * keptShare, engine.memory);
    const alarms = new Alarms(causesOf(engine, wal, schedule), log);
    const servers = new Set<Server>();
    let metrics: Metrics | undefined;
    const limits = limitsWithin(engine.memory.budgetBytes, options.limits);
    const api: Api = {
      engine,
      cache,
      urlBytesMax: limits.urlBytesMax,
      bodyBytesMax: limits.bodyBytesMax,
      onForbidden: onForbidden(audit),
    };
    const listener: Listener = createListener<LookedUp>({
      endpoints: [
        ...endpointsOf(engine.compat).map((declared) => bind(declared, api)),
        descriptionEndpoint({ compat: engine.compat, version: packageVersion() }),
        ...healthEndpoints(() => readiness),
        ...(options.metrics === false ? [] : [metricsEndpoint(() => (metrics as Metrics).exposition())]),
      ],
      ...keyLookup({ state: engine.state, audit, lastUse, rates: new Rates(options.rateLimit ?? ''), clock }),
      accountOf: ({ accountId }) => accountId,
      allowancesOf: ({ allowances }) => allowances,
      rejectionGate: () => engine.journal.durable(engine.state.keysVersion),
      unavailable: () => {
        if (closed) return problems.unavailable('The server is closed.', 5, 'stopping');
        if (readiness === 'draining') return problems.unavailable('The server is stopping.', 5, 'stopping');
        return readiness === 'failed'
          ? problems.unavailable('The server has failed and must be restarted.', 5, 'failed')
          : undefined;
      },
      log,
      ...(options.logRequests === undefined ? {} : { logRequests: options.logRequests }),
      limits,
      ...(options.cors === undefined ? {} : { cors: options.cors }),
      ...(options.compression === undefined ? {} : { compression: options.compression }),
      kept,
    });
    requests = listener;
    if (options.metrics !== false) metrics = createMetrics({ engine, wal, cache, kept, listener, alarms, schedule });
    const context = { engine, backups, audit, lastUse, forgetKeys: () => listener.forget() };
    const control = await serveControl(folder.path, context).catch((error: unknown) => {
      // A disk without room for a name, or without sockets, must not keep the maps from being read.
      log.warn({ err: error }, 'commands cannot reach this server: there is no control socket');
      return undefined;
    });
    let closing: Promise<void> | undefined;

    const close = async () => {
      if (readiness === 'ready') readiness = 'draining';
      listener.drain();
      for (const server of servers) server.closeIdleConnections();
      // Whoever asks meanwhile is told so: a probe sees 503, where a closed port would tell it nothing.
      await Promise.race([listener.idle(), new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
      closed = true;
      const ended = [...servers].map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
      for (const server of servers) server.closeIdleConnections();
      try {
        alarms.close();
        metrics?.close();
        await control?.close();
        // Told first: what is broken off then is no failure.
        const lastOne = schedule?.close();
        await backups.close();
        await lastOne;
        await engine.close();
      } finally {
        await Promise.all([audit.close(), lastUse.close()]);
        for (const server of servers) server.closeAllConnections();
        await Promise.all(ended);
        folder.close();
      }
    };

    return {
      handler: listener.handler,
      recovery,
      async listen(port = 8070, host = '127.0.0.1') {
        if (closing !== undefined) throw new StoppedError('this server is closed');
        const server = listener.server();
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(port, host, resolve);
        });
        servers.add(server);
        const address = server.address() as AddressInfo;
        const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
        return { url: `http://${name}:${address.port}`, port: address.port };
      },
      createKey: (account, terms) => operations['keys.create'](context, { ...terms, account }),
      keys: () => operations['keys.list'](context, {}),
      rotateKey: (id, terms) => operations['keys.rotate'](context, { ...terms, id }),
      revokeKey: async (id) => void (await operations['keys.revoke'](context, { id })),
      limitKey: async (id, rate) => void (await operations['keys.limit'](context, { id, rate })),
      accounts: () => operations['accounts.list'](context, {}),
      renameAccount: async (name, newName) => void (await operations['accounts.rename'](context, { name, newName })),
      setLimits: async (name, limits) => void (await operations['accounts.limit'](context, { ...limits, name })),
      deleteAccount: async (name) => void (await operations['accounts.delete'](context, { name })),
      snapshot: () => engine.snapshot(),
      backup: (target) => backups.write(resolve(target)),
      schedule,
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** An embedding program that does not say what to do ends: going on would mean to refuse every request without a word. */
function throwUncaught(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
