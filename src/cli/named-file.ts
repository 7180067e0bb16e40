/** Files that are named on the command line: what is no file, or none of ours, is told in words, and not as damage. */
import fs from 'node:fs';
import { backupEnding } from '../backup/names.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { isSnapshotFile } from '../snapshot/format.ts';
import { SnapshotReader } from '../snapshot/reader.ts';

/**
 * Throws {@link FolderError} for what is not there, a folder, and a pipe or a device: to open one of these may wait for ever.
 *
 * @param noun what it should be
 * @param instead what to do about a folder
 */
export function refuseNoFile(path: string, noun: string, instead: string): void {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new FolderError(`There is no ${noun} ${path}.`);
  if (stats.isDirectory()) throw new FolderError(`${path} is a folder. ${instead}`);
  if (!stats.isFile()) throw new FolderError(`${path} is no file, but a pipe or a device.`);
}

/** The same for a backup, and for what neither begins nor is called like one. A damaged one passes. */
export function refuseNoBackup(path: string, instead: string): void {
  refuseNoFile(path, 'backup', instead);
  if (!path.endsWith(backupEnding) && !isSnapshotFile(nodeFiles, path))
    throw new FolderError(`${path} is no backup: it does not begin like one. Backups are made with: npx mapwright backup DIR`);
}

/** Opens a backup; {@link SnapshotReader.close} it. Throws as {@link refuseNoBackup} does, and CorruptError for a damaged one. */
export function openBackup(path: string, instead: string): SnapshotReader {
  refuseNoBackup(path, instead);
  return new SnapshotReader(nodeFiles, path);
}
