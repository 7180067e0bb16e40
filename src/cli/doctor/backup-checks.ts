/** Checks scheduled backups: whether there are any, how old the newest is, and whether one lost disk would take data and backups. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import { nodeFiles } from '../../lib/files/files.ts';
import { listBackups } from '../../storage/backup/backup-names.ts';
import { assertOutside } from '../../storage/backup/backup-path.ts';
import { formatBytes, shellWord } from '../output/format-values.ts';
import { type Check, fail, isAccessible, nearestFolder, ok, span, warn } from './check.ts';

export const backupCheck: Check = {
  name: 'backups',
  run({ backupDir, backupDirLater, backupEvery, data, cluster }) {
    if (cluster !== undefined && backupDir === undefined)
      return ok('a node schedules none: back up the database, see "Backups and keys" in docs/cluster.md');
    if (backupDir === undefined) {
      return warn(
        'none are scheduled',
        'Set --backup-dir to a folder on another disk, so that a lost disk does not take your maps with it.',
      );
    }
    const folder = resolve(backupDir);
    assertOutside(folder, resolve(data));
    if (!fs.existsSync(folder)) {
      return (backupDirLater ? warn : fail)(
        `${folder} does not exist`,
        backupDirLater
          ? 'No backup is written until its disk is mounted. Mount it, or check the path.'
          : `A server would not start. Check the path, or create it: mkdir -p ${shellWord(folder)}. If its disk is mounted later, use --backup-dir-later.`,
      );
    }
    const existing = nearestFolder(folder);
    if (!isAccessible(existing, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)) {
      return fail(
        `this user may not read and write ${existing}`,
        'Give the folder to the user that runs the server, or set --backup-dir to another folder.',
      );
    }
    const newest = listBackups(nodeFiles, folder).at(-1);
    if (newest === undefined)
      return warn(
        `none in ${folder} yet`,
        'A server with these options writes the first backup right after its start. If it is running, see its log.',
      );
    const ageMs = Date.now() - newest.header.madeAt;
    const found = `the newest in ${folder} is ${span(ageMs)} old`;
    if (ageMs > 2 * backupEvery) {
      return warn(
        found,
        'A newer backup was due. Without new writes there is none; otherwise see the alarm backup_failing and the log of the server.',
      );
    }
    const { size: bytes } = fs.statSync(newest.path);
    const { bavail, bsize } = fs.statfsSync(existing);
    if (bavail * bsize < bytes)
      return fail(
        `${found}; ${formatBytes(bavail * bsize)} are free for the next one, which takes ${formatBytes(bytes)}`,
        'Free or add disk space there, or keep fewer backups with --backup-keep.',
      );
    if (fs.statSync(existing).dev === fs.statSync(nearestFolder(data)).dev) {
      return warn(
        `${found}, on the same file system as the data`,
        'One lost disk would take both. Set --backup-dir to a folder on another disk.',
      );
    }
    return ok(found);
  },
};
