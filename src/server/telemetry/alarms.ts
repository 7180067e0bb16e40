/**
 * Alarms: conditions that an operator must resolve. The server continues as far as possible. Each alarm is logged once when it is raised
 * (the problem and its solution) and once when it is cleared, and the metric `mapwright_alarm` shows it.
 */
import { diagnostics } from '../../lib/observability/diagnostics.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { type AlarmCondition, type AlarmText, type EngineAlarm, engineAlarms } from './engine-alarms.ts';

/** The alarms of a node of a cluster, whether it owns the data or follows. */
const nodeAlarms = {
  append_stalled: {
    raised:
      'the database of the cluster has not acknowledged a write: new writes are rejected (503) and /readyz is 503, reads continue while the lease lasts. If database_away or standby_missing is raised too, see that alarm. Otherwise see the reason of the refusal, if there is one, and the log of the database: it may be full. Everything resumes automatically',
    cleared: 'the database has acknowledged the pending write: writes are accepted again',
  },
  database_away: {
    raised:
      'no host of the database in --cluster answers as a primary: nothing can be written, and no node answers once its lease has ended. The reason is in "reason". Start the database, promote its standby, or repair the network. Everything resumes automatically; do not restart the nodes',
    cleared: 'the database answers again',
  },
  standby_missing: {
    raised:
      'the database does not replicate its commits: writes wait, and no node answers once its lease has ended. The reason is in "reason". Start the standby, or add another one. Do not empty synchronous_standby_names: the nodes acknowledge nothing then. Everything resumes automatically',
    cleared: 'the database replicates its commits again',
  },
  lease_lost: {
    raised:
      'this node owns the data, but the database has not confirmed it for one lease: every request gets 503. See database_away and standby_missing. If neither is raised, this machine was suspended or cannot keep up. It resumes automatically, or another node takes over',
    cleared: 'the lease is renewed, or another node has taken over',
  },
  records_lost: {
    raised:
      'the database lacks records that it had acknowledged: it was restored to an earlier time, or a standby without them was promoted. No node serves. The numbers are in "reason". Find the database that has them and point the nodes to it. If there is none, accept the loss: mapwright cluster fork --help',
    cleared: 'an operator decided how to continue',
  },
  cache_failing: {
    raised:
      'the data folder of this node, which is a cache, cannot be written or read: this node cannot take over. The reason is in "reason". Free disk space or make the folder writable; or stop this node, delete the folder, and start it: it downloads the data again',
    cleared: 'the cache can be written again',
  },
} as const satisfies Record<string, AlarmText>;

export type NodeAlarm = keyof typeof nodeAlarms;
export type AlarmName = EngineAlarm | NodeAlarm;

/** All alarms; docs/operations.md lists them. */
export const alarmTexts: Readonly<Record<AlarmName, AlarmText>> = { ...engineAlarms, ...nodeAlarms };

/** The conditions that one part of a process checks, by name. */
export type AlarmConditions = Readonly<Partial<Record<AlarmName, AlarmCondition>>>;

/** Receives alarms in addition to the log. */
export interface AlarmWatcher {
  onRaised?(name: AlarmName, cause: Readonly<Record<string, unknown>>): void;
  onCleared?(name: AlarmName): void;
}

/** How often the conditions are checked, in milliseconds. */
const checkIntervalMs = 1000;

export class Alarms {
  readonly #conditions: AlarmConditions;
  /** The alarms that are checked. */
  readonly names: readonly AlarmName[];
  readonly #log: Log;
  readonly #watcher: AlarmWatcher;
  readonly #raised = new Set<AlarmName>();
  readonly #timer: NodeJS.Timeout;

  constructor(conditions: AlarmConditions, log: Log, watcher: AlarmWatcher = {}) {
    this.#conditions = conditions;
    this.names = (Object.keys(alarmTexts) as AlarmName[]).filter((name) => conditions[name] !== undefined);
    this.#log = log;
    this.#watcher = watcher;
    this.#timer = setInterval(() => this.check(), checkIntervalMs).unref();
  }

  /** Checks every condition now; returns the raised alarms. */
  check(): ReadonlySet<AlarmName> {
    for (const name of this.names) {
      const cause = this.#conditions[name]?.();
      if (cause !== undefined && !this.#raised.has(name)) {
        this.#raised.add(name);
        this.#log.error({ alarm: name, ...cause }, alarmTexts[name].raised);
        diagnostics.alarm.publish({ name, raised: true });
        this.#watcher.onRaised?.(name, cause);
      } else if (cause === undefined && this.#raised.delete(name)) {
        this.#log.info({ alarm: name }, alarmTexts[name].cleared);
        diagnostics.alarm.publish({ name, raised: false });
        this.#watcher.onCleared?.(name);
      }
    }
    return this.#raised;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
