/** Checks files named on the command line, so that a wrong file is not reported as damage. */
import fs from 'node:fs';
import { FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { backupEnding } from '../../storage/backup/backup-names.ts';
import { isSnapshotFile } from '../../storage/snapshot/format/snapshot-format.ts';
import { SnapshotReader } from '../../storage/snapshot/reader.ts';

/**
 * Throws {@link FolderError} for a missing file, a folder, a pipe or a device. Opening the latter two could block forever.
 *
 * @param noun the expected kind of file
 * @param instead advice for a folder
 */
export function assertFile(path: string, noun: string, instead: string): void {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new FolderError(`The ${noun} ${path} does not exist. Check the path.`);
  if (stats.isDirectory()) throw new FolderError(`${path} is a folder. ${instead}`);
  if (!stats.isFile()) throw new FolderError(`${path} is a pipe or a device, not a file. Name a regular file.`);
}

/** Also throws for a file without the name and the header of a backup. Accepts a damaged backup. */
export function assertBackup(path: string, instead: string): void {
  assertFile(path, 'backup', instead);
  if (!path.endsWith(backupEnding) && !isSnapshotFile(nodeFiles, path))
    throw new FolderError(`${path} is not a backup: it has the wrong header. Create backups with: npx mapwright backup DIR`);
}

/** Opens a backup; {@link SnapshotReader.close} it. Throws like {@link assertBackup}, and CorruptError for a damaged backup. */
export function openBackup(path: string, instead: string): SnapshotReader {
  assertBackup(path, instead);
  return new SnapshotReader(nodeFiles, path);
}
