/** Checks of the data folder: permissions, owner, use by a server, and contents. */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nodeFiles, readText } from '../../lib/files/files.ts';
import { assertOwnFiles, isInUse, pathsIn } from '../../server/lifecycle/data-folder.ts';
import { cacheFormat, folderFormat, hasMarker } from '../../storage/recovery/marker.ts';
import { refuseOlderForm } from '../../storage/recovery/older-form.ts';
import { readSnapshotHeader } from '../../storage/snapshot/format/read-header.ts';
import { snapshotName } from '../../storage/snapshot/format/snapshot-format.ts';
import { alarmFactor } from '../../storage/snapshot/scheduler.ts';
import { damagedEnding, listSnapshots } from '../../storage/snapshot/snapshot-folder.ts';
import { listSegments } from '../../storage/wal/format/segment.ts';
import { formatBytes, plural, shellWord } from '../output/format-values.ts';
import { type Check, type CheckFinding, fail, isAccessible, nearestFolder, ok, span, warn } from './check.ts';

const mebibyte = 1024 * 1024;

export const permissionCheck: Check = {
  name: 'permissions',
  run({ data }) {
    const path = resolve(data);
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return missingFolder(path);
    if (!found.isDirectory()) return fail(`${path} is a file`, 'Set --data to a folder.');
    return wrongOwner(path, found) ?? unreachable(path) ?? foreignFiles(path, found.uid) ?? permissions(path, found.mode);
  },
};

function missingFolder(path: string): CheckFinding {
  const parent = nearestFolder(dirname(path));
  return unreachable(parent) ?? ok(`${path} does not exist yet; the first start creates it for its owner only`);
}

function wrongOwner(path: string, { uid }: fs.Stats): CheckFinding | undefined {
  const me = process.getuid?.();
  if (me === undefined || me === uid) return undefined;
  const found = `${path} belongs to user ${uid}, but this command runs as user ${me}`;
  if (me !== 0)
    return fail(found, 'Run this as the user that runs the server (sudo -u), or give the folder to this user (chown -R).');
  return warn(
    found,
    'Run this and all other commands as that user (sudo -u). The server cannot open files that root creates there.',
  );
}

function unreachable(path: string): CheckFinding | undefined {
  try {
    fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return fail(`${path} is on a read-only file system`, 'Mount it for writing, or set --data to another folder.');
    return fail(
      `this user may not read and write ${path}`,
      'Give the folder to the user that runs the server (chown -R), or set --data to another folder.',
    );
  }
}

/** Finds files with another owner. A command that was run as root leaves files of root. */
function foreignFiles(path: string, uid: number): CheckFinding | undefined {
  const folders = ['', 'journal', 'snapshots'];
  const files = folders.flatMap((folder) => nodeFiles.list(join(path, folder)).map((name) => join(path, folder, name)));
  const foreign = files.filter((file) => (fs.lstatSync(file, { throwIfNoEntry: false })?.uid ?? uid) !== uid);
  if (foreign.length === 0) return undefined;
  return fail(
    `${plural(foreign.length, 'file')} in it, such as ${foreign[0]}, ${foreign.length === 1 ? 'has' : 'have'} another owner than the folder`,
    `Change the owner while no server runs: chown -R ${uid} ${shellWord(path)}`,
  );
}

function permissions(path: string, bits: number): CheckFinding {
  const shown = (bits & 0o777).toString(8).padStart(4, '0');
  if ((bits & 0o077) === 0 || process.platform === 'win32') return ok(`${path}, mode ${shown}`);
  return warn(`${path} has mode ${shown}: other users of this machine can access it`, `chmod 700 ${shellWord(path)}`);
}

export const useCheck: Check = {
  name: 'in use',
  run({ data }) {
    const { path, journal, lock } = pathsIn(data);
    const unreadable = [path, journal, lock].find((each) => fs.existsSync(each) && !isAccessible(each));
    if (unreadable !== undefined) {
      return warn(`unknown: permission to open ${unreadable} is missing`, 'Run doctor as the user that runs the server.');
    }
    if (!isInUse(data)) return ok('no server has the folder open');
    const by = readText(lock).trim();
    return ok(`a server has the folder open: ${by === '' ? 'unknown' : by}`);
  },
};

export const dataCheck: Check = {
  name: 'data',
  run({ data, snapshotMb, cluster }) {
    const { path, journal, snapshots, marker } = pathsIn(data);
    if (nodeFiles.list(path).length === 0) return ok('none yet');
    assertOwnFiles(path);
    hasMarker(nodeFiles, marker, cluster === undefined ? folderFormat : cacheFormat);
    refuseOlderForm(nodeFiles, { journal, snapshots });
    const damaged = nodeFiles.list(snapshots).filter((name) => name.endsWith(damagedEnding));
    if (damaged.length > 0) {
      return warn(
        `${plural(damaged.length, 'damaged snapshot')} ${damaged.length === 1 ? 'was' : 'were'} quarantined: ${damaged.join(', ')}`,
        `Check the folder: mapwright verify --data ${shellWord(path)}. If it is sound, delete these files. Check the disk for errors.`,
      );
    }
    const newest = listSnapshots(nodeFiles, snapshots)[0];
    const header = newest === undefined ? undefined : readSnapshotHeader(nodeFiles, join(snapshots, snapshotName(newest)));
    const uncovered = bytesAbove(journal, header?.lsn ?? 0);
    const found = `${header === undefined ? 'no snapshot yet' : `the newest snapshot is ${span(Date.now() - header.madeAt)} old`}, with ${formatBytes(uncovered)} of log files after it`;
    if (uncovered > alarmFactor * snapshotMb * mebibyte) {
      return warn(
        found,
        `A restart would take long. Take a snapshot with mapwright snapshot --data ${shellWord(path)}, and see the log for the reason why the server took none.`,
      );
    }
    return ok(found);
  },
};

/** Bytes of the segments with records above a snapshot. */
function bytesAbove(journal: string, lsn: number): number {
  const segments = listSegments(nodeFiles, journal);
  return segments
    .filter((_, i) => (segments[i + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) > lsn + 1)
    .reduce((sum, segment) => sum + (fs.statSync(segment.path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
