/** Checks of the data folder: who may look into it, who has it, and what is in it. */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasMarker } from '../../engine/marker.ts';
import { listSegments } from '../../journal/segment.ts';
import { nodeFiles, readText } from '../../lib/files.ts';
import { isInUse, pathsIn, refuseStrangers } from '../../server/data-folder.ts';
import { damagedEnding, listSnapshots } from '../../snapshot/folder.ts';
import { snapshotName } from '../../snapshot/format.ts';
import { readSnapshotHeader } from '../../snapshot/read-header.ts';
import { plural, shellWord } from '../words.ts';
import { type Check, type Finding, fail, nearestFolder, ok, size, span, warn } from './check.ts';

const mebibyte = 1024 * 1024;

/** The log above the newest snapshot, in multiples of what calls for one, that an alarm is made of. */
const uncoveredMax = 8;

export const permissionCheck: Check = {
  name: 'permissions',
  look({ data }) {
    const path = resolve(data);
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return missing(path);
    if (!found.isDirectory()) return fail(`${path} is a file`, 'Name a folder, with --data.');
    return owned(path, found) ?? unreachable(path) ?? others(path, found.uid) ?? mode(path, found.mode);
  },
};

function missing(path: string): Finding {
  const parent = nearestFolder(dirname(path));
  return unreachable(parent) ?? ok(`${path} is not there yet: the first start makes it, for nobody but its owner`);
}

function owned(path: string, { uid }: fs.Stats): Finding | undefined {
  const me = process.getuid?.();
  if (me === undefined || me === uid) return undefined;
  const found = `${path} belongs to user ${uid}, and this is user ${me}`;
  if (me !== 0)
    return fail(found, 'Run this as the user who runs the server (sudo -u), or give the folder to this one (chown -R).');
  return warn(found, 'Run this and all commands as that user (sudo -u): what root makes in there, the server cannot open.');
}

function unreachable(path: string): Finding | undefined {
  try {
    fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return fail(`${path} is on a file system that is read-only`, 'Mount it for writing, or name another folder, with --data.');
    return fail(
      `${path} may not be read and written by this user`,
      'Give the folder to the user who runs the server (chown -R), or name another one, with --data.',
    );
  }
}

/** A command that somebody gave as root leaves files that are root's. */
function others(path: string, uid: number): Finding | undefined {
  const folders = ['', 'journal', 'snapshots'];
  const files = folders.flatMap((folder) => nodeFiles.list(join(path, folder)).map((name) => join(path, folder, name)));
  const strange = files.filter((file) => (fs.lstatSync(file, { throwIfNoEntry: false })?.uid ?? uid) !== uid);
  if (strange.length === 0) return undefined;
  return fail(
    `${plural(strange.length, 'file')} in it, such as ${strange[0]}, ${strange.length === 1 ? 'belongs' : 'belong'} to somebody else than the folder`,
    `Give them back, while no server runs: chown -R ${uid} ${shellWord(path)}`,
  );
}

function mode(path: string, bits: number): Finding {
  const shown = (bits & 0o777).toString(8).padStart(4, '0');
  if ((bits & 0o077) === 0 || process.platform === 'win32') return ok(`${path}, mode ${shown}`);
  return warn(`${path} has mode ${shown}: others on this machine may look into it`, `chmod 700 ${shellWord(path)}`);
}

export const useCheck: Check = {
  name: 'in use',
  look({ data }) {
    if (!isInUse(data)) return ok('no server has the folder open');
    const by = readText(pathsIn(data).lock).trim();
    return ok(`a server has the folder open: ${by === '' ? 'which one is not known' : by}`);
  },
};

export const dataCheck: Check = {
  name: 'data',
  look({ data, snapshotMb }) {
    const { path, journal, snapshots, marker } = pathsIn(data);
    if (nodeFiles.list(path).length === 0) return ok('none yet');
    refuseStrangers(path);
    hasMarker(nodeFiles, marker);
    const damaged = nodeFiles.list(snapshots).filter((name) => name.endsWith(damagedEnding));
    if (damaged.length > 0) {
      return warn(
        `${plural(damaged.length, 'snapshot')} that did not verify ${damaged.length === 1 ? 'was' : 'were'} set aside: ${damaged.join(', ')}`,
        `See whether all is sound now: mapwright verify --data ${shellWord(path)}. If it is, they can be deleted; and look at the disk.`,
      );
    }
    const newest = listSnapshots(nodeFiles, snapshots)[0];
    const header = newest === undefined ? undefined : readSnapshotHeader(nodeFiles, join(snapshots, snapshotName(newest)));
    const uncovered = bytesAbove(journal, header?.lsn ?? 0);
    const found = `${header === undefined ? 'no snapshot yet' : `the newest snapshot is ${span(Date.now() - header.madeAt)} old`}, and log files of ${size(uncovered)} are above it`;
    if (uncovered > uncoveredMax * snapshotMb * mebibyte) {
      return warn(
        found,
        `A restart would take long: fold it with mapwright snapshot --data ${shellWord(path)}, and see in the log why the server did not.`,
      );
    }
    return ok(found);
  },
};

/** Bytes of the segments with records that a snapshot up to this one does not have. */
function bytesAbove(journal: string, lsn: number): number {
  const segments = listSegments(nodeFiles, journal);
  return segments
    .filter((_, i) => (segments[i + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) > lsn + 1)
    .reduce((sum, segment) => sum + (fs.statSync(segment.path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
