/** The condition of each alarm, from the components' statistics; checked once a second. */

import type { Engine } from '../../engine/engine.ts';
import type { Opened } from '../../engine/open-engine.ts';
import type { Live } from '../../live/live.ts';
import type { Schedule } from '../../storage/backup/schedule.ts';
import type { AlarmCondition, EngineAlarm } from './alarms.ts';

const snapshotEnding = '.snapshot';

/** How long the fetches of a data source fail before an operator is alarmed, in milliseconds. */
const failingMs = 3_600_000;

/** @param schedule of backups, if there is one */
export function alarmConditions(
  engine: Engine,
  wal: Opened['wal'],
  schedule?: Schedule,
  live?: Live,
): Readonly<Record<EngineAlarm, AlarmCondition>> {
  return {
    disk_full() {
      const { noSpace } = wal.stats;
      return noSpace === undefined ? undefined : { reason: noSpace };
    },
    flush_stalled() {
      const { stalled } = wal.stats;
      // A write that waits for the database of a cluster is `append_stalled`.
      if (stalled?.medium !== 'disk') return undefined;
      return { stalledS: Math.round(stalled.ms / 1000), segment: stalled.segment };
    },
    segment_late: () => (wal.stats.spareIsLate ? {} : undefined),
    memory_full() {
      const { memory } = engine;
      return memory.takeFullFlag() ? { neededBytes: memory.boundBytes, budgetBytes: memory.budgetBytes } : undefined;
    },
    snapshot_failing() {
      const { failure, failures } = engine.snapshots.stats;
      return failure === undefined ? undefined : { reason: failure.message, failures };
    },
    snapshot_lagging() {
      const { lagging, lagSegments, lagBytes } = engine.snapshots.stats;
      return lagging ? { segments: lagSegments, bytes: lagBytes } : undefined;
    },
    snapshot_damaged: () => damageWhere(engine, (file) => file.endsWith(snapshotEnding)),
    cleanup_failing() {
      const undeleted = [...engine.snapshots.stats.undeleted, ...(schedule?.undeleted ?? [])];
      const [first] = undeleted;
      return first && { ...first, files: undeleted.length };
    },
    blob_damaged() {
      const damaged = [...(engine.files?.collector.stillDamaged() ?? [])];
      const [first] = damaged;
      return first && { ...first, blobs: damaged.length };
    },
    backup_failing: () => schedule?.failure && { reason: schedule.failure.message, failures: schedule.failures },
    data_source_failing() {
      const failing = live?.sources.stats.failing.filter(({ since }) => Date.now() - since > failingMs) ?? [];
      const [first] = failing;
      return (
        first && { ...first.name, code: first.code, since: new Date(first.since).toISOString(), dataSources: failing.length }
      );
    },
    log_damaged: () => damageWhere(engine, (file) => !file.endsWith(snapshotEnding)),
  };
}

function damageWhere(engine: Engine, isMeant: (file: string) => boolean): ReturnType<AlarmCondition> {
  const { damage } = engine.snapshots.stats;
  return damage !== undefined && isMeant(damage.file)
    ? { file: damage.file, offset: damage.offset, reason: damage.found }
    : undefined;
}
