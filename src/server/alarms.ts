/**
 * Alarms: what somebody has to do something about. The server goes on as well as it can; each alarm says what is wrong and what mends
 * it, once in the log when it rises and once when it is over, and as the metric `mapwright_alarm` for as long as it lasts.
 */
import { diagnostics } from '../lib/diagnostics.ts';
import type { Log } from '../lib/log.ts';

interface Alarm {
  /** What is wrong, and what to do. */
  readonly raised: string;
  /** What is well again. */
  readonly cleared: string;
}

/** Every alarm, by name. docs/operations.md has a table of them. */
export const alarmTexts = {
  disk_full: {
    raised:
      'the disk has no room for the next log segment: writes are refused when this one is full, reads go on. Free or add disk space; writes resume by themselves',
    cleared: 'there is room for the next log segment again',
  },
  flush_stalled: {
    raised:
      'the disk has not finished a write or a sync of the log: writes are refused (503) and /readyz is 503, reads of what is durable go on. See what the system says of the disk (dmesg); everything resumes by itself once it answers. A restart does not help before that',
    cleared: 'the disk has finished what it was at: writes are accepted again',
  },
  segment_late: {
    raised:
      'the next log segment has been prepared for more than a minute and is not ready: the disk may have stopped answering. Writes are refused (503) when this one is full, reads go on. See what the system says of the disk; writes resume by themselves once it answers, otherwise restart the server when it is well',
    cleared: 'the next log segment is ready',
  },
  memory_full: {
    raised:
      'the memory budget is used up: changes that grow are refused, everything else goes on. Delete what is not needed, or restart with a larger --memory-mb on a machine that has it',
    cleared: 'there is memory to grow into again',
  },
  fold_failing: {
    raised:
      'snapshots cannot be folded: nothing is lost, but the log grows, and a restart takes longer. The fold is tried again by itself; see its error',
    cleared: 'a snapshot was folded again',
  },
  log_uncovered: {
    raised:
      'the log above the newest snapshot is many times longer than --snapshot-mb: it takes room, and a restart takes longer. When fold_failing is raised too, see that; otherwise the disk or the processor is too slow for what is written',
    cleared: 'snapshots have caught up with the log',
  },
  snapshot_damaged: {
    raised:
      'a snapshot on the disk is damaged, and no sound one has taken its place: the disk may be failing. Run "mapwright verify", then "mapwright snapshot"; while that fails too, do not stop this server before its projects are saved elsewhere through the API: it still has them, and a restart may be refused',
    cleared: 'a sound snapshot has taken the place of the damaged one',
  },
  cleanup_failing: {
    raised:
      'a file that is no longer needed cannot be deleted: nothing is lost, but it takes room. See its path and the reason, and delete it or let this user delete it; the server tries again every few seconds',
    cleared: 'all files that are no longer needed are deleted',
  },
  backup_failing: {
    raised:
      'a backup on the schedule failed: the maps are safe here, but not yet elsewhere. See its error, and whether the disk of the folder of backups is mounted, has room and may be written to; it is tried again by itself',
    cleared: 'a backup was made again',
  },
  log_damaged: {
    raised:
      'a sealed segment of the log is damaged: the disk may be failing. Do not stop this server before its projects are saved elsewhere through the API: it still has them, and a restart would be refused. Then restore a backup',
    cleared: 'the log was read whole again',
  },
} as const satisfies Record<string, Alarm>;

export type AlarmName = keyof typeof alarmTexts;

/** What is wrong at the moment, for the log; `undefined` when nothing is. */
export type Cause = () => Readonly<Record<string, unknown>> | undefined;

/** Who is told beside the log. */
export interface AlarmWatcher {
  onRaised?(name: AlarmName, cause: Readonly<Record<string, unknown>>): void;
  onCleared?(name: AlarmName): void;
}

/** How often the causes are looked at, in milliseconds. */
const lookEveryMs = 1000;

export class Alarms {
  readonly #causes: Readonly<Record<AlarmName, Cause>>;
  readonly #log: Log;
  readonly #watcher: AlarmWatcher;
  readonly #raised = new Set<AlarmName>();
  readonly #timer: NodeJS.Timeout;

  constructor(causes: Readonly<Record<AlarmName, Cause>>, log: Log, watcher: AlarmWatcher = {}) {
    this.#causes = causes;
    this.#log = log;
    this.#watcher = watcher;
    this.#timer = setInterval(() => this.look(), lookEveryMs).unref();
  }

  /** Looks at every cause now; returns the alarms that are raised. */
  look(): ReadonlySet<AlarmName> {
    for (const name of Object.keys(alarmTexts) as AlarmName[]) {
      const cause = this.#causes[name]();
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
