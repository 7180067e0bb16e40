/** Backups of the folder that a server or a command has open. */
import { resolve } from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { BackupRunner } from '../../storage/backup/backup-runner.ts';
import { Schedule } from '../../storage/backup/schedule.ts';
import { snapshotDefaults } from '../../storage/snapshot/scheduler.ts';
import type { ServerOptions } from '../server-options.ts';
import type { DataFolder } from './data-folder.ts';

/** While the backup folder is not writable, snapshots wait until the log is this many times --snapshot-mb long. */
const heldFactor = 16;

/** Sets up backups and starts the schedule. */
export function startBackups(
  folder: DataFolder,
  engine: Engine,
  options: Pick<ServerOptions, 'backup' | 'snapshotBytes' | 'snapshotPauseMs' | 'clock'>,
  log: Log,
): { backups: BackupRunner; schedule: Schedule | undefined } {
  const {
    backup,
    snapshotBytes = snapshotDefaults.bytes,
    snapshotPauseMs: pauseMs = snapshotDefaults.pauseMs,
    clock = Date.now,
  } = options;
  const common = { dataFolder: folder.path, journalFolder: folder.journal, blobFolder: folder.blobs, pauseMs, clock, log };
  const backups = new BackupRunner(engine, {
    ...{ ...common, root: folder.root.identity, snapshotFolder: folder.snapshots },
    bringBlobs: async (lost) =>
      (await engine.files?.bring(lost ?? engine.state.files?.referenced() ?? [], lost !== undefined)) ?? false,
  });
  if (backup === undefined) return { backups, schedule: undefined };
  const parts = { ...common, source: engine, backups, heldBytesMax: heldFactor * snapshotBytes };
  return { backups, schedule: new Schedule({ ...backup, dir: resolve(backup.dir) }, parts) };
}
