/** The life of a server: what was opened closes in reverse, after the requests in flight; and what happens when the journal fails. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Listener } from '../../http/listener.ts';
import { DisposeStack } from '../../lib/async/dispose-stack.ts';
import { FolderError, NotOwnerError, StalledError, type StalledMedium, StoppedError } from '../../lib/errors.ts';
import { type Log, logFatal, safeLogger } from '../../lib/observability/logger.ts';
import { Events } from '../server-events.ts';
import type { InMemoryServerOptions, ServerOptions } from '../server-options.ts';
import { jsonLog } from '../telemetry/json-log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { MetricsListener } from '../telemetry/metrics-listener.ts';
import { ServerStatus } from './server-status.ts';
import { Sockets } from './sockets.ts';
import type { StartupListener } from './startup-listener.ts';

const fatalText = 'the journal has failed: nothing is acknowledged any more, the process must end';

/** Drain timeout for requests in flight, and then the timeout for pending disk work, each in milliseconds. */
const drainMs = 10_000;

/** Interval of the check for a stalled disk during a stop, in milliseconds. */
const stallCheckMs = 100;

/** What a stop waits for. */
interface Draining {
  readonly listener: Listener<never>;
  /** The operation of the log that does not complete; `undefined` if none is stalled. */
  stalled(): { readonly ms: number; readonly medium: StalledMedium } | undefined;
}

export class Lifecycle {
  readonly log: Log;
  readonly events: Events;
  readonly status = new ServerStatus();
  readonly sockets: Sockets;
  readonly startupListener: StartupListener | undefined;
  /** `undefined` if the option `metrics` disables them. */
  readonly metrics: Metrics | undefined;
  /** With the option `metricsListen`. */
  readonly metricsListener: MetricsListener | undefined;
  readonly startedMs = performance.now();
  readonly #onFatal: (error: unknown) => void;
  readonly #opened = new DisposeStack();
  #closing: Promise<void> | undefined;

  constructor(options: ServerOptions | InMemoryServerOptions, startupListener: StartupListener | undefined) {
    // A server for tests or trials logs only problems.
    this.log = options.log === undefined ? jsonLog(options.inMemory === true ? 'warn' : 'info') : safeLogger(options.log);
    this.events = new Events(this.log);
    this.sockets = new Sockets(this.log);
    this.startupListener = startupListener;
    const { metrics, metricsListen } = options;
    this.metrics = metrics === false ? undefined : new Metrics();
    this.metricsListener =
      this.metrics && metricsListen !== undefined ? new MetricsListener(metricsListen, this.metrics) : undefined;
    this.#onFatal = options.onFatal ?? throwUncaught;
    this.defer(() => this.events.flush());
    this.defer(() => this.metricsListener?.close());
    this.defer(() => this.sockets.close());
    this.defer(() => this.metrics?.close());
  }

  /** Takes a function that closes something just opened: it is called at the end, or when the start fails, last first. */
  readonly defer = (close: () => unknown): void => this.#opened.defer(close);

  /** The journal has failed, or the folder is not this server's any more. */
  readonly fail = (error: unknown): void => {
    this.status.fail();
    // For NotOwnerError, another node has taken over: nothing is wrong here.
    if (!(error instanceof NotOwnerError)) {
      // The error of a replaced folder contains both locations, and the solution.
      const message = error instanceof FolderError ? error.message : fatalText;
      logFatal(this.log, { err: error }, message);
      this.events.emitSafely('alarm', { name: 'fatal', message, details: { error } });
    }
    this.#onFatal(error);
  };

  /** Closes everything after a failed start, whose reason matters, not an error while closing. */
  async discard(): Promise<void> {
    await this.#opened.disposeAsync().catch(() => undefined);
  }

  /** Completes the requests in flight, and closes everything. Rejects with StalledError if the machine does not respond. */
  close(draining: Draining): Promise<void> {
    this.#closing ??= this.#close(draining);
    return this.#closing;
  }

  async #close({ listener, stalled }: Draining): Promise<void> {
    const { log, status, sockets } = this;
    status.drain();
    sockets.refuse();
    log.info({ requests: listener.inFlight }, 'draining');
    listener.drain();
    sockets.closeIdleConnections();
    // The port stays open meanwhile: a health check gets a 503, not a refused connection. The timer keeps the process alive, because a
    // response in the process that is not read does not.
    const idle = new AbortController();
    await Promise.race([listener.idle(), delay(drainMs, undefined, idle).catch(() => undefined)]);
    idle.abort();
    status.close();
    sockets.stopListening();
    listener.abort(new StoppedError('this server was closed before the response was complete'));
    await unlessStuck(this.#finish(), stalled).finally(() => {
      sockets.closeAllConnections();
      this.metricsListener?.close();
      this.startupListener?.close();
    });
  }

  /** What has to wait for the disk. */
  async #finish(): Promise<void> {
    try {
      await this.#opened.disposeAsync();
    } finally {
      this.log.info({ uptimeS: Math.round((performance.now() - this.startedMs) / 1000) }, 'stopped');
    }
  }
}

/** Waits for work on the disk, with a deadline. A file operation cannot be aborted: it continues after a rejection. */
async function unlessStuck(work: Promise<void>, stalled: Draining['stalled']): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const since = performance.now();
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const waitedMs = performance.now() - since;
      const { ms, medium } = stalled() ?? { ms: waitedMs, medium: 'machine' as const };
      if (medium !== 'machine' || ms > drainMs) reject(new StalledError('closing', ms, medium));
    }, stallCheckMs);
  });
  try {
    await Promise.race([work, stuck]);
  } finally {
    clearInterval(timer);
  }
}

/** Ends an embedding program without `onFatal`: otherwise it would reject every request silently. */
function throwUncaught(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
