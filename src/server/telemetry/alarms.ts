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
  blob_damaged: {
    raised:
      'the bytes of a file, a version or a published map are missing or damaged: requests that need them get 500, everything else is served. "digest" names the blob in the folder "blobs", "found" says what is wrong. The disk may be failing: run "mapwright verify", in a cluster "mapwright cluster verify". Restore the blob from a backup, upload the same picture or publish the project again, or delete the file or version',
    cleared: 'every damaged blob was stored again, or nothing refers to it any more',
  },
  data_source_failing: {
    raised:
      'the fetches of a data source of a live map have failed for more than an hour: the map shows the last good response. "projectId" and "sourceId" name it, "code" says why; GET .../data-sources/ID/response has the details. Correct the data source and publish the project again, or allow its host with --data-hosts',
    cleared: 'every data source that is watched answers again, or is not watched any more',
  },
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
} as const satisfies Record<string, Alarm>;

export type AlarmName = keyof typeof alarmTexts;

/** The alarms of a node of a cluster, whether it owns the data or follows. */
export type NodeAlarm = 'append_stalled' | 'database_away' | 'standby_missing' | 'lease_lost' | 'records_lost' | 'cache_failing';

/** The alarms of an engine and its storage. */
export type EngineAlarm = Exclude<AlarmName, NodeAlarm>;

/** The conditions that one part of a process checks, by name. */
export type AlarmConditions = Readonly<Partial<Record<AlarmName, AlarmCondition>>>;

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
