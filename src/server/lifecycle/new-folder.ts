/** Creates a data folder from a backup, or from what a repair saved: locked meanwhile, and either complete or not there. */
import fs from 'node:fs';
import { join } from 'node:path';
import { FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { stageNames } from '../../storage/backup/stage-names.ts';
import { writeMarker } from '../../storage/recovery/marker.ts';
import { openDataFolder, pathsIn, refuseUnfinished } from './data-folder.ts';

/** Names that an empty folder may contain. */
const nothing = ['lock', 'control.sock', 'lost+found'];

/**
 * Creates and fills a data folder. Throws {@link FolderError} if it is not empty, or if a process has it open. If filling fails, the folder
 * is emptied again, and the error is rethrown.
 *
 * @param prepare runs before the folder is created; its result fills it
 */
export function fillNewFolder<T>(name: string, log: Log, prepare: () => (path: string) => T): T {
  assertFillable(pathsIn(name).path);
  const fill = prepare();
  const folder = openDataFolder(name, log);
  try {
    assertFillable(folder.path);
    const result = fill(folder.path);
    writeMarker(nodeFiles, folder.marker);
    return result;
  } catch (error) {
    if (!fs.existsSync(folder.journal))
      for (const left of [...stageNames, 'snapshots', 'blobs'])
        fs.rmSync(join(folder.path, left), { recursive: true, force: true });
    throw error;
  } finally {
    folder.close();
  }
}

/**
 * Throws {@link FolderError} for a folder that is not empty.
 *
 * @param option the option that names it, for the message
 */
export function assertFillable(path: string, option = '--data'): void {
  const names = namesIn(path).filter((name) => !nothing.includes(name));
  const [first] = names;
  if (first === undefined) return;
  refuseUnfinished(path, names);
  throw new FolderError(`${path} is not empty (${first} ...), so nothing was written. Choose a new folder: ${option} DIR.`);
}

function namesIn(path: string): string[] {
  try {
    return fs.readdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new FolderError(`${path} is a file. Choose a new folder.`);
    throw error;
  }
}
