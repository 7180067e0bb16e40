/** Files that are named on the command line. */
import fs from 'node:fs';
import { FolderError } from '../lib/errors.ts';

/** Throws {@link FolderError} for a pipe or a device: to open one may wait for ever. Throws what the disk says when there is nothing. */
export function refuseNoFile(path: string): void {
  const stats = fs.statSync(path);
  if (!stats.isFile() && !stats.isDirectory()) throw new FolderError(`${path} is no file, but a pipe or a device.`);
}
