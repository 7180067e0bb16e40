/** The check of backups on a schedule: whether there are any, how old the newest is, and whether a disk that is lost takes them along. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import { listBackups } from '../../backup/names.ts';
import { refuseInside } from '../../backup/target.ts';
import { nodeFiles } from '../../lib/files.ts';
import { type Check, fail, nearestFolder, ok, size, span, warn } from './check.ts';

export const backupCheck: Check = {
  name: 'backups',
  look({ backupDir, backupEvery, data }) {
    if (backupDir === undefined) {
      return warn(
        'none are made by themselves',
        'Name a folder on another disk, with --backup-dir: the loss of the disk is then not that of the maps.',
      );
    }
    const folder = resolve(backupDir);
    refuseInside(folder, resolve(data));
    const place = nearestFolder(folder);
    try {
      fs.accessSync(place, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    } catch {
      return fail(
        `${place} may not be read and written by this user`,
        'Give the folder to the user who runs the server, or name another one, with --backup-dir.',
      );
    }
    const newest = listBackups(nodeFiles, folder).at(-1);
    if (newest === undefined)
      return warn(
        `none in ${folder} yet`,
        'A server with these options makes the first as soon as it starts; see its log if it runs.',
      );
    const ageMs = Date.now() - newest.header.madeAt;
    const found = `the newest in ${folder} is ${span(ageMs)} old`;
    if (ageMs > 2 * backupEvery) {
      return warn(
        found,
        'One was due since. Without a write there is none; otherwise see the alarm backup_failing, and the log of the server.',
      );
    }
    const { size: bytes } = fs.statSync(newest.path);
    const { bavail, bsize } = fs.statfsSync(place);
    if (bavail * bsize < bytes)
      return fail(
        `${found}, and ${size(bavail * bsize)} are free for the next, which takes ${size(bytes)}`,
        'Free or add disk space there, or keep fewer, with --backup-keep.',
      );
    if (fs.statSync(place).dev === fs.statSync(nearestFolder(data)).dev) {
      return warn(
        `${found}, on the same file system as the data`,
        'A disk that is lost takes both: name a folder on another one, with --backup-dir.',
      );
    }
    return ok(found);
  },
};
