/**
 * Events of a server for the embedding program, as a Node EventEmitter. A listener can neither delay nor break a write: `durable` is
 * emitted after the responses are sent, and an exception of a listener is logged.
 */
import { EventEmitter } from 'node:events';
import type { Recovery } from '../engine/open-engine.ts';
import { Versions } from '../engine/version-names.ts';
import type { Log } from '../lib/observability/logger.ts';
import type { SnapshotReport } from '../storage/snapshot/run/snapshot-run.ts';
import { Runs } from '../store/runs.ts';
import { type AlarmName, type AlarmWatcher, alarmTexts } from './telemetry/alarms.ts';

/** Everything up to this record survives a crash. */
export interface DurableEvent {
  /** LSN of the newest durable record. */
  readonly lsn: number;
  /** The same as a version: the prefix of entity tags, and the `id` of events of the feed. */
  readonly version: string;
}

/** A problem that an operator must resolve. */
export interface AlarmEvent {
  /** Name of the alarm, as in the metric `mapwright_alarm`. `fatal`: nothing is acknowledged any more, and the process must end. */
  readonly name: AlarmName | 'fatal';
  /** The problem, and its solution. */
  readonly message: string;
  /** Reasons and figures, as in the log; for `fatal`, `error`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A cleared alarm. */
export interface ClearedEvent {
  readonly name: AlarmName;
  /** The state after the problem. */
  readonly message: string;
}

/** The events of a server, with the arguments of their listeners. */
export interface ServerEvents {
  /** Once, in the turn after `createServer` resolved: the server accepts requests. With the result of the recovery. */
  ready: [recovery: Recovery];
  /** Records became durable. One event may cover several batches; LSNs never decrease. */
  durable: [durable: DurableEvent];
  /** A snapshot succeeded. */
  snapshot: [report: SnapshotReport];
  /** An alarm was raised, or the journal has failed. */
  alarm: [alarm: AlarmEvent];
  /** An alarm was cleared. */
  cleared: [cleared: ClearedEvent];
}

export class Events extends EventEmitter<ServerEvents> implements AlarmWatcher {
  readonly #log: Log;
  /** Of the journal that publishes the records; set before the first record. */
  versions = new Versions('', new Runs());
  /** The newest record to emit `durable` for; 0 for none. */
  #lsn = 0;

  constructor(log: Log) {
    super();
    this.#log = log;
  }

  /** Calls every listener, even if another one throws. */
  emitSafely<Name extends keyof ServerEvents>(name: Name, ...[payload]: ServerEvents[Name]): void {
    for (const listener of this.rawListeners(name)) {
      try {
        const result: unknown = Reflect.apply(listener, this, [payload]);
        if (result instanceof Promise) result.catch((error: unknown) => this.#failed(name, error));
      } catch (error) {
        this.#failed(name, error);
      }
    }
  }

  /** Everything up to `lsn` is durable. Emits in a later turn, and only for the newest LSN at that time. */
  durable(lsn: number): void {
    if (this.listenerCount('durable') === 0) return;
    const isDue = this.#lsn !== 0;
    this.#lsn = lsn;
    if (isDue) return;
    setImmediate(() => this.flush());
  }

  /** Emits a pending `durable` event now. */
  flush(): void {
    const lsn = this.#lsn;
    this.#lsn = 0;
    if (lsn > 0) this.emitSafely('durable', { lsn, version: this.versions.nameOf(lsn) });
  }

  onRaised(name: AlarmName, details: AlarmEvent['details']): void {
    this.emitSafely('alarm', { name, message: alarmTexts[name].raised, details });
  }

  onCleared(name: AlarmName): void {
    this.emitSafely('cleared', { name, message: alarmTexts[name].cleared });
  }

  #failed(name: string, error: unknown): void {
    this.#log.error({ err: error, event: name }, `a listener for "${name}" threw an error; the server is not affected`);
  }
}
