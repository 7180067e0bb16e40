/**
 * The marker: a file `format` in the data folder, one line, that says what the folder is and in which version.
 *
 *     mapwright data folder, format 1
 *
 * It is written when the first segment is durable. From then on, a folder without segments and snapshots is not new: it has lost its data,
 * and starting with empty data would hide the loss.
 */
import { basename, dirname } from 'node:path';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files/files.ts';

/** Version of the data folder's layout. Segments, snapshots and rows have their own versions. */
export const folderFormat = 1;
/** The folder is the cache of a cluster's node: the truth is in a database, and nothing but the cluster may open it. */
export const cacheFormat = 2;
export type FolderFormat = typeof folderFormat | typeof cacheFormat;
export const markerName = 'format';
const line = /^mapwright data folder, format (\d+)\n$/;
const bytesMax = 100;

/** Whether the folder has its marker. Throws {@link FolderError} for another version, {@link CorruptError} for an invalid marker. */
export function hasMarker(files: Files, marker: string, format: FolderFormat = folderFormat): boolean {
  if (!files.list(dirname(marker)).includes(basename(marker))) return false;
  const version = line.exec(read(files, marker))?.[1];
  if (version === undefined)
    throw new CorruptError(marker, 0, 'expected "mapwright data folder, format", a number and the end of the line');
  const found = Number(version);
  if (found === format) return true;
  const folder = dirname(marker);
  if (found === cacheFormat) {
    throw new FolderError(
      `${folder} is the cache of a cluster: the data is in a database. Start it with --cluster, or make a folder of it: mapwright cluster leave --help`,
    );
  }
  if (found === folderFormat) {
    throw new FolderError(
      `${folder} holds the data of one machine. A node of a cluster needs a new or empty folder; to move the data into a cluster: mapwright cluster init --from ${folder}`,
    );
  }
  throw new FolderError(
    `${marker} says format version ${version}; this mapwright reads versions ${folderFormat} and ${cacheFormat}.`,
  );
}

/** Writes the marker durably, unless it exists. */
export function writeMarker(files: Files, marker: string, format: FolderFormat = folderFormat): void {
  if (hasMarker(files, marker, format)) return;
  const folder = dirname(marker);
  const tmp = `${marker}.tmp`;
  if (files.list(folder).includes(basename(tmp))) files.unlink(tmp);
  const fd = files.open(tmp, 'wx+');
  try {
    files.write(fd, Buffer.from(`mapwright data folder, format ${format}\n`), 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
  files.rename(tmp, marker);
  files.syncFolder(folder);
}

function read(files: Files, marker: string): string {
  const fd = files.open(marker, 'r');
  try {
    const bytes = Buffer.alloc(bytesMax);
    return bytes.toString('latin1', 0, files.read(fd, bytes, 0));
  } finally {
    files.close(fd);
  }
}
