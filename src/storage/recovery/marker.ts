/**
 * The marker: a file `format` in the data folder, one line, that says what the folder is and in which version.
 *
 *     mapwright data folder, format 1
 *
 * It is written when the first segment is durable. From then on, a folder without segments and snapshots is not new: it has lost its data,
 * and starting with empty data would hide the loss.
 */
import { basename, dirname, join } from 'node:path';
import { CorruptError, FolderError, NoCacheError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { replaceWhole } from '../../lib/files/whole-file.ts';

/** Version of the data folder's layout. Segments, snapshots and rows have their own versions. */
export const folderFormat = 1;
/** The folder is the cache of a cluster's node: the truth is in a database, and nothing but the cluster may open it. */
export const cacheFormat = 2;
/** The data of the folder was moved into a cluster: nothing serves the folder any more. {@link Moved} says where the data is. */
export const movedFormat = 3;
export type FolderFormat = typeof folderFormat | typeof cacheFormat | typeof movedFormat;
export const markerName = 'format';
const movedName = 'moved.json';
const line = /^mapwright data folder, format (\d+)\n$/;
const bytesMax = 100;
const movedBytesMax = 8192;

/** Where the data of a folder went: the file `moved.json`. */
export interface Moved {
  /** For people. */
  readonly note: string;
  /** `moving`: the database may have the data or not; the same command says so, and completes the move. */
  readonly state: 'moving' | 'moved';
  /** URL of the database, without its password. */
  readonly cluster: string;
  readonly lineage: string;
  /** The last record that was moved. */
  readonly lsn: number;
  /** RFC 3339. */
  readonly time: string;
}

/**
 * Whether the folder has its marker. Throws {@link FolderError} for another version, {@link CorruptError} for an invalid marker.
 *
 * @param format `any` for commands that only read the folder
 */
export function hasMarker(files: Files, marker: string, format: FolderFormat | 'any' = folderFormat): boolean {
  if (!files.list(dirname(marker)).includes(basename(marker))) return false;
  const version = line.exec(read(files, marker))?.[1];
  if (version === undefined)
    throw new CorruptError(marker, 0, 'expected "mapwright data folder, format", a number and the end of the line');
  const found = Number(version);
  if (found === format || (format === 'any' && found <= movedFormat)) return true;
  const folder = dirname(marker);
  if (found === movedFormat) throw new FolderError(movedMessage(folder, readMoved(files, folder)));
  if (found === cacheFormat) {
    throw new FolderError(
      `${folder} is the cache of a cluster: the data is in a database. Start it with --cluster, or make a folder of it: mapwright cluster leave --help`,
    );
  }
  if (found === folderFormat) {
    throw new NoCacheError(
      `${folder} holds the data of one machine. A node of a cluster needs a new or empty folder; to move the data into a cluster: mapwright cluster init --from ${folder}`,
    );
  }
  throw new FolderError(
    `${marker} says format version ${version}; this mapwright reads versions ${folderFormat} to ${movedFormat}.`,
  );
}

/** Whether the folder is the cache of a cluster's node. */
export function isCache(files: Files, marker: string): boolean {
  return Number(line.exec(read(files, marker))?.[1]) === cacheFormat;
}

/** Writes the marker durably, unless it exists. */
export function writeMarker(files: Files, marker: string, format: FolderFormat = folderFormat): void {
  if (!hasMarker(files, marker, format)) replaceMarker(files, marker, format);
}

/** Writes the marker durably in place of another one. */
function replaceMarker(files: Files, marker: string, format: FolderFormat): void {
  replaceWhole(files, marker, `mapwright data folder, format ${format}\n`);
}

/** Marks a folder: its data is in a cluster, or about to be. */
export function markMoved(files: Files, folder: string, moved: Omit<Moved, 'note'>): void {
  const written: Moved = { note: movedMessage(folder, moved), ...moved };
  replaceWhole(files, join(folder, movedName), `${JSON.stringify(written, undefined, 2)}\n`);
  replaceMarker(files, join(folder, markerName), movedFormat);
}

/** Where the data of a folder went; `undefined` if it was not moved, or nobody knows. */
export function readMoved(files: Files, folder: string): Moved | undefined {
  const names = files.list(folder);
  if (!names.includes(markerName) || !names.includes(movedName)) return undefined;
  if (Number(line.exec(read(files, join(folder, markerName)))?.[1]) !== movedFormat) return undefined;
  try {
    return JSON.parse(read(files, join(folder, movedName), movedBytesMax)) as Moved;
  } catch {
    return undefined;
  }
}

function movedMessage(folder: string, moved: Pick<Moved, 'state' | 'cluster' | 'lsn' | 'time'> | undefined): string {
  const asItWas = `To use the folder as it was then: mapwright restore --from ${folder} --data NEWDIR`;
  if (moved === undefined)
    return `The data of ${folder} was moved into a cluster, and ${movedName} does not say which. ${asItWas}`;
  const { state, cluster, lsn, time } = moved;
  if (state === 'moving') {
    return `The move of ${folder} into the cluster ${cluster} began at ${time} and was not confirmed. Run it again, which completes it: mapwright cluster init --cluster URL --from ${folder}`;
  }
  return `The data of ${folder} was moved into the cluster ${cluster} at ${time}, up to record ${lsn}. Nodes serve it: mapwright serve --cluster URL --data NEWDIR --advertise URL. To return to one machine: mapwright cluster leave --help. ${asItWas}`;
}

function read(files: Files, path: string, most = bytesMax): string {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(most);
    return bytes.toString(most === bytesMax ? 'latin1' : 'utf8', 0, files.read(fd, bytes, 0));
  } finally {
    files.close(fd);
  }
}
