/** The alarms of an engine, its storage, its backups and its live maps: their texts, and their conditions from the components' statistics. */

import type { Engine } from '../../engine/engine.ts';
import type { Opened } from '../../engine/open-engine.ts';
import type { Live } from '../../live/live.ts';
import type { Schedule } from '../../storage/backup/schedule.ts';

const snapshotEnding = '.snapshot';

/** How long the fetches of a data source fail before an operator is alarmed, in milliseconds. */
const failingMs = 3_600_000;

/** Deleted bytes below which no operator is alarmed. */
const deletedBytesMin = 1024 * 1024 * 1024;

export interface AlarmText {
  /** The problem, and its solution. */
  readonly raised: string;
  /** The state after the problem. */
  readonly cleared: string;
}

/** The current details of a problem, for the log; `undefined` if there is none. */
type Cause = Readonly<Record<string, unknown>> | undefined;

/** Checks for one alarm; called once a second. */
export type AlarmCondition = () => Cause;

interface Parts {
  readonly engine: Engine;
  readonly wal: Opened['wal'];
  /** Of backups, if there is one. */
  readonly schedule: Schedule | undefined;
  readonly live: Live | undefined;
}

interface EngineAlarmDeclaration extends AlarmText {
  cause(parts: Parts): Cause;
}

/** docs/operations.md lists them. */
const declared = {
  disk_full: {
    raised:
      'the next log segment cannot be created: writes are rejected when the current segment is full, reads continue. The reason and the path are in "reason". ENOSPC or EDQUOT: free or add disk space. EACCES or EROFS: make the data folder writable. EISDIR or EEXIST: move what is at that path out of the data folder. The server retries every second; writes resume automatically',
    cleared: 'the next log segment is ready again',
    cause({ wal }) {
      const { noSpace } = wal.stats;
      return noSpace === undefined ? undefined : { reason: noSpace };
    },
  },
  flush_stalled: {
    raised:
      'the disk has not finished a write or a sync of the log: writes are rejected (503) and /readyz is 503, reads of durable data continue. Check the system log for disk errors (dmesg); everything resumes automatically when the disk responds. A restart does not help before that',
    cleared: 'the disk has finished the pending operation: writes are accepted again',
    cause({ wal }) {
      const { stalled } = wal.stats;
      // A write that waits for the database of a cluster is `append_stalled`.
      if (stalled?.medium !== 'disk') return undefined;
      return { stalledS: Math.round(stalled.ms / 1000), segment: stalled.segment };
    },
  },
  segment_late: {
    raised:
      'the next log segment is not ready after more than a minute of preparation: the disk may have stopped responding. Writes are rejected (503) when the current segment is full, reads continue. Check the system log for disk errors; writes resume automatically when the disk responds, otherwise repair the disk and restart the server',
    cleared: 'the next log segment is ready',
    cause: ({ wal }) => (wal.stats.spareIsLate ? {} : undefined),
  },
  memory_full: {
    raised:
      'the memory budget is exhausted: writes that grow the state are rejected, everything else continues. Delete data, or restart with a larger --memory-mb on a machine with enough memory',
    cleared: 'the memory budget allows growth again',
    cause({ engine }) {
      const { memory } = engine;
      return memory.takeFullFlag() ? { neededBytes: memory.boundBytes, budgetBytes: memory.budgetBytes } : undefined;
    },
  },
  snapshot_failing: {
    raised:
      'snapshots fail: nothing is lost, but the log grows, and a restart takes longer. The server retries automatically; see the error',
    cleared: 'a snapshot succeeded again',
    cause({ engine }) {
      const { failure, failures } = engine.snapshots.stats;
      return failure === undefined ? undefined : { reason: failure.message, failures };
    },
  },
  snapshot_lagging: {
    raised:
      'the log since the newest snapshot is many times longer than --snapshot-mb: it takes disk space, and a restart takes longer. If snapshot_failing is raised too, see that alarm; otherwise the disk or the processor is too slow for the write load',
    cleared: 'snapshots have caught up with the log',
    cause({ engine }) {
      const { lagging, lagSegments, lagBytes } = engine.snapshots.stats;
      return lagging ? { segments: lagSegments, bytes: lagBytes } : undefined;
    },
  },
  snapshot_damaged: {
    raised:
      'a snapshot on disk is damaged, and no intact one has replaced it: the disk may be failing. Run "mapwright verify", then "mapwright snapshot". While that fails too, do not stop this server before you have saved its projects elsewhere through the API: it still has them, and a restart may be refused',
    cleared: 'an intact snapshot has replaced the damaged one',
    cause: ({ engine }) => damageWhere(engine, (file) => file.endsWith(snapshotEnding)),
  },
  cleanup_failing: {
    raised:
      'an obsolete file cannot be deleted: nothing is lost, but it takes disk space. See its path and the reason. Delete it, or give this user the permission to; the server retries every few seconds',
    cleared: 'all obsolete files are deleted',
    cause({ engine, schedule }) {
      const undeleted = [...engine.snapshots.stats.undeleted, ...(schedule?.undeleted ?? [])];
      const [first] = undeleted;
      return first && { ...first, files: undeleted.length };
    },
  },
  backup_failing: {
    raised:
      'a scheduled backup failed: the data is safe here, but not yet elsewhere. See the error. Check that the disk of the backup folder is mounted, has space and is writable; the server retries automatically',
    cleared: 'a backup succeeded again',
    cause: ({ schedule }) => schedule?.failure && { reason: schedule.failure.message, failures: schedule.failures },
  },
  log_damaged: {
    raised:
      'a sealed segment of the log is damaged: the disk may be failing. Do not stop this server before you have saved its projects elsewhere through the API: it still has them, and a restart would be refused. Then restore a backup',
    cleared: 'all of the log could be read again',
    cause: ({ engine }) => damageWhere(engine, (file) => !file.endsWith(snapshotEnding)),
  },
  blob_damaged: {
    raised:
      'the bytes of a file, a version or a published map are missing or damaged: requests that need them get 500, everything else is served. "digest" names the blob in the folder "blobs", "found" says what is wrong. The disk may be failing: run "mapwright verify", in a cluster "mapwright cluster verify". Restore the blob from a backup, upload the same picture or publish the project again, or delete the file or version',
    cleared: 'every damaged blob was stored again, or nothing refers to it any more',
    cause({ engine }) {
      const damaged = [...(engine.files?.collector.stillDamaged() ?? [])];
      const [first] = damaged;
      return first && { ...first, blobs: damaged.length };
    },
  },
  deleted_bytes_high: {
    raised:
      'pictures, versions and maps that nothing refers to any more take more of the disk than those in use: they stay for a day after their deletion. "accountId" has the most of them. If it uploads and deletes all the time, limit it: mapwright accounts limit. Otherwise wait, and see that snapshots are made',
    cleared: 'deleted pictures, versions and maps take less of the disk than those in use',
    cause: ({ engine }) => deletedBytesIn(engine),
  },
  data_source_failing: {
    raised:
      'the fetches of a data source of a live map have failed for more than an hour: the map shows the last good response. "projectId" and "sourceId" name it, "code" says why; GET .../data-sources/ID/response has the details. Correct the data source and publish the project again, or allow its host with --data-hosts',
    cleared: 'every data source that is watched answers again, or is not watched any more',
    cause({ live }) {
      const failing = live?.sources.stats.failing.filter(({ since }) => Date.now() - since > failingMs) ?? [];
      const [first] = failing;
      return (
        first && { ...first.name, code: first.code, since: new Date(first.since).toISOString(), dataSources: failing.length }
      );
    },
  },
} as const satisfies Record<string, EngineAlarmDeclaration>;

/** Hides the conditions, so that the public type of the names does not refer to the engine. */
const textsOf = <Name extends string>(alarms: Readonly<Record<Name, AlarmText>>) => alarms;

/** The texts of the alarms. */
export const engineAlarms = textsOf(declared);

/** The alarms of an engine and its storage. */
export type EngineAlarm = keyof typeof engineAlarms;

export function alarmConditions(parts: Parts): Readonly<Record<EngineAlarm, AlarmCondition>> {
  const conditions = Object.entries<EngineAlarmDeclaration>(declared).map(([name, { cause }]) => [name, () => cause(parts)]);
  return Object.fromEntries(conditions) as Record<EngineAlarm, AlarmCondition>;
}

function deletedBytesIn({ state: { files } }: Pick<Engine, 'state'>): Cause {
  if (files === undefined) return undefined;
  let bytes = 0;
  let most: readonly [accountId: string, bytes: number] = ['', 0];
  for (const [accountId, its] of files.unreferencedBytes()) {
    bytes += its;
    if (its > most[1]) most = [accountId, its];
  }
  if (bytes < deletedBytesMin || bytes < files.referencedBytes) return undefined;
  return { accountId: most[0], accountBytes: most[1], bytes, usedBytes: files.referencedBytes };
}

function damageWhere(engine: Engine, isMeant: (file: string) => boolean): Cause {
  const { damage } = engine.snapshots.stats;
  return damage !== undefined && isMeant(damage.file)
    ? { file: damage.file, offset: damage.offset, reason: damage.found }
    : undefined;
}
