/**
 * What a server tells the program that it is a part of: events, as Node's own parts have them. Nobody has to listen, and whoever does can
 * neither delay a write nor break one: `durable` is told after the answers are under way, and what a listener throws goes to the log.
 */
import { EventEmitter } from 'node:events';
import type { Recovery } from '../engine/recover.ts';
import { Versions } from '../engine/version.ts';
import type { Log } from '../lib/log.ts';
import type { FoldReport } from '../snapshot/fold.ts';
import { Runs } from '../store/runs.ts';
import { type AlarmName, type AlarmWatcher, alarmTexts } from './alarms.ts';

/** Everything up to here survives a crash. */
export interface DurableEvent {
  /** Number of the newest record. */
  readonly lsn: number;
  /** The same as a version: what entity tags begin with, and what events of the feed have as their `id`. */
  readonly version: string;
}

/** Something that somebody has to see to. */
export interface FaultEvent {
  /** The alarm, as in the metric `mapwright_alarm`; `fatal`: nothing is acknowledged any more, and the process must end. */
  readonly name: AlarmName | 'fatal';
  /** What is wrong, and what to do. */
  readonly message: string;
  /** Reasons and figures, as in the log; of `fatal` the `error`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** An alarm is over. */
export interface ClearedEvent {
  readonly name: AlarmName;
  /** What is well again. */
  readonly message: string;
}

/** The events of a server, each with what its listeners get. */
export interface ServerEvents {
  /** Once, in the turn after `createServer` has resolved: requests are answered. With what the restart found. */
  ready: [recovery: Recovery];
  /** Records became durable: once for all that did so together, or later for several times of it; never for older ones than before. */
  durable: [durable: DurableEvent];
  /** A snapshot was folded. */
  fold: [report: FoldReport];
  /** An alarm was raised, or the journal has failed. */
  fault: [fault: FaultEvent];
  /** An alarm is over. */
  cleared: [cleared: ClearedEvent];
}

export class Events extends EventEmitter<ServerEvents> implements AlarmWatcher {
  readonly #log: Log;
  /** Of the journal whose records are published; set before the first record. */
  versions = new Versions('', new Runs());
  /** The newest record that is still to be told of; 0 for none. */
  #lsn = 0;

  constructor(log: Log) {
    super();
    this.#log = log;
  }

  /** Calls every listener, whatever the others do. */
  tell<Name extends keyof ServerEvents>(name: Name, ...[payload]: ServerEvents[Name]): void {
    for (const listener of this.rawListeners(name)) {
      try {
        const result: unknown = Reflect.apply(listener, this, [payload]);
        if (result instanceof Promise) result.catch((error: unknown) => this.#failed(name, error));
      } catch (error) {
        this.#failed(name, error);
      }
    }
  }

  /** Everything up to a record is durable. Told in a turn of its own, and of the newest alone where that is not soon enough. */
  durable(lsn: number): void {
    if (this.listenerCount('durable') === 0) return;
    const isDue = this.#lsn !== 0;
    this.#lsn = lsn;
    if (isDue) return;
    setImmediate(() => this.flush());
  }

  /** Tells now what is still to be told. */
  flush(): void {
    const lsn = this.#lsn;
    this.#lsn = 0;
    if (lsn > 0) this.tell('durable', { lsn, version: this.versions.nameOf(lsn) });
  }

  onRaised(name: AlarmName, details: FaultEvent['details']): void {
    this.tell('fault', { name, message: alarmTexts[name].raised, details });
  }

  onCleared(name: AlarmName): void {
    this.tell('cleared', { name, message: alarmTexts[name].cleared });
  }

  #failed(name: string, error: unknown): void {
    this.#log.error({ err: error, event: name }, `a listener for "${name}" failed; nothing else depends on it`);
  }
}
