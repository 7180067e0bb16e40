/**
 * Alarms: conditions that an operator must resolve. The server continues as far as possible. Each alarm is logged once when it is raised
 * (the problem and its solution) and once when it is cleared, and the metric `mapwright_alarm` shows it.
 */
import { diagnostics } from '../../lib/observability/diagnostics.ts';
import type { Log } from '../../lib/observability/logger.ts';

interface Alarm {
  /** The problem, and its solution. */
  readonly raised: string;
  /** The state after the problem. */
  readonly cleared: string;
}

/** All alarms; docs/operations.md lists them. */
export const alarmTexts = {
  disk_full: {
    raised:
      'the next log segment cannot be created: writes are rejected when the current segment is full, reads continue. The reason and the path are in "reason". ENOSPC or EDQUOT: free or add disk space. EACCES or EROFS: make the data folder writable. EISDIR or EEXIST: move what is at that path out of the data folder. The server retries every second; writes resume automatically',
    cleared: 'the next log segment is ready again',
  },
  flush_stalled: {
    raised:
      'the disk has not finished a write or a sync of the log: writes are rejected (503) and /readyz is 503, reads of durable data continue. Check the system log for disk errors (dmesg); everything resumes automatically when the disk responds. A restart does not help before that',
    cleared: 'the disk has finished the pending operation: writes are accepted again',
  },
  segment_late: {
    raised:
      'the next log segment is not ready after more than a minute of preparation: the disk may have stopped responding. Writes are rejected (503) when the current segment is full, reads continue. Check the system log for disk errors; writes resume automatically when the disk responds, otherwise repair the disk and restart the server',
    cleared: 'the next log segment is ready',
  },
  memory_full: {
    raised:
      'the memory budget is exhausted: writes that grow the state are rejected, everything else continues. Delete data, or restart with a larger --memory-mb on a machine with enough memory',
    cleared: 'the memory budget allows growth again',
  },
  snapshot_failing: {
    raised:
      'snapshots fail: nothing is lost, but the log grows, and a restart takes longer. The server retries automatically; see the error',
    cleared: 'a snapshot succeeded again',
  },
  snapshot_lagging: {
    raised:
      'the log since the newest snapshot is many times longer than --snapshot-mb: it takes disk space, and a restart takes longer. If snapshot_failing is raised too, see that alarm; otherwise the disk or the processor is too slow for the write load',
    cleared: 'snapshots have caught up with the log',
  },
  snapshot_damaged: {
    raised:
      'a snapshot on disk is damaged, and no intact one has replaced it: the disk may be failing. Run "mapwright verify", then "mapwright snapshot". While that fails too, do not stop this server before you have saved its projects elsewhere through the API: it still has them, and a restart may be refused',
    cleared: 'an intact snapshot has replaced the damaged one',
  },
  cleanup_failing: {
    raised:
      'an obsolete file cannot be deleted: nothing is lost, but it takes disk space. See its path and the reason. Delete it, or give this user the permission to; the server retries every few seconds',
    cleared: 'all obsolete files are deleted',
  },
  backup_failing: {
    raised:
      'a scheduled backup failed: the data is safe here, but not yet elsewhere. See the error. Check that the disk of the backup folder is mounted, has space and is writable; the server retries automatically',
    cleared: 'a backup succeeded again',
  },
  log_damaged: {
    raised:
      'a sealed segment of the log is damaged: the disk may be failing. Do not stop this server before you have saved its projects elsewhere through the API: it still has them, and a restart would be refused. Then restore a backup',
    cleared: 'all of the log could be read again',
  },
} as const satisfies Record<string, Alarm>;

export type AlarmName = keyof typeof alarmTexts;

/** The current details of a problem, for the log; `undefined` if there is none. */
export type AlarmCondition = () => Readonly<Record<string, unknown>> | undefined;

/** Receives alarms in addition to the log. */
export interface AlarmWatcher {
  onRaised?(name: AlarmName, cause: Readonly<Record<string, unknown>>): void;
  onCleared?(name: AlarmName): void;
}

/** How often the conditions are checked, in milliseconds. */
const checkIntervalMs = 1000;

export class Alarms {
  readonly #conditions: Readonly<Record<AlarmName, AlarmCondition>>;
  readonly #log: Log;
  readonly #watcher: AlarmWatcher;
  readonly #raised = new Set<AlarmName>();
  readonly #timer: NodeJS.Timeout;

  constructor(conditions: Readonly<Record<AlarmName, AlarmCondition>>, log: Log, watcher: AlarmWatcher = {}) {
    this.#conditions = conditions;
    this.#log = log;
    this.#watcher = watcher;
    this.#timer = setInterval(() => this.check(), checkIntervalMs).unref();
  }

  /** Checks every condition now; returns the raised alarms. */
  check(): ReadonlySet<AlarmName> {
    for (const name of Object.keys(alarmTexts) as AlarmName[]) {
      const cause = this.#conditions[name]();
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
