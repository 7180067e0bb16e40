/** A data folder that is filled from a backup, or from what could be saved of another: locked while it is, and whole or not one at all. */
import fs from 'node:fs';
import { join } from 'node:path';
import { stageNames } from '../backup/build.ts';
import { writeMarker } from '../engine/marker.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import { openDataFolder, pathsIn, refuseUnfinished } from './data-folder.ts';

/** What a folder may hold and still count as empty. */
const nothing = ['lock', 'control.sock', 'lost+found'];

/**
 * Has a data folder built. Throws {@link FolderError} when there is anything in it, and when somebody has it open. What is thrown while it
 * is filled is thrown again, and the folder is as empty as it was.
 *
 * @param prepare does what may fail before there is a folder; its result fills it
 */
export function fillNewFolder<T>(name: string, log: Log, prepare: () => (path: string) => T): T {
  refuseFilled(pathsIn(name).path);
  const fill = prepare();
  const folder = openDataFolder(name, log);
  try {
    refuseFilled(folder.path);
    const result = fill(folder.path);
    writeMarker(nodeFiles, folder.marker);
    return result;
  } catch (error) {
    if (!fs.existsSync(folder.journal))
      for (const left of [...stageNames, 'snapshots']) fs.rmSync(join(folder.path, left), { recursive: true, force: true });
    throw error;
  } finally {
    folder.close();
  }
}

function refuseFilled(path: string): void {
  const names = namesIn(path).filter((name) => !nothing.includes(name));
  const [first] = names;
  if (first === undefined) return;
  refuseUnfinished(path, names);
  throw new FolderError(`${path} is not empty (${first} ...): nothing was written. Name a new folder: --data DIR.`);
}

function namesIn(path: string): string[] {
  try {
    return fs.readdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new FolderError(`${path} is a file. Name a new folder.`);
    throw error;
  }
}
