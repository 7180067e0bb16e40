/** The folders of a store of blobs. A disk without room for them refuses uploads, not the start. */
import path from 'node:path';
import { NoSpaceError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { isNoSpace, systemMessage } from '../../lib/files/system-errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { blobFolders, uploadFolder } from './blob-path.ts';

export class BlobFolders {
  readonly #files: Files;
  readonly #folder: string;
  #areThere = false;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** Creates the folders at a start; later, if the disk has no room for them yet. Throws any other error of the disk. */
  begin(log: Log): void {
    try {
      this.make();
    } catch (error) {
      if (!(error instanceof NoSpaceError)) throw error;
      log.warn({ err: error }, 'the disk has no room for the folders of files: uploads are refused until it has');
    }
  }

  /** Creates and syncs what is missing. Throws {@link NoSpaceError} while the disk has no room. */
  make(): void {
    if (this.#areThere) return;
    try {
      makeFolders(this.#files, this.#folder);
      this.#areThere = true;
    } catch (error) {
      throw isNoSpace(error) ? new NoSpaceError(`cannot store files: ${systemMessage(error)}`) : error;
    }
  }
}

function makeFolders(files: Files, folder: string): void {
  files.makeFolder(folder);
  const names = new Set(files.list(folder));
  for (const name of [...blobFolders, uploadFolder]) if (!names.has(name)) files.makeFolder(path.join(folder, name));
  // An earlier process may have been killed before it synced what it created.
  files.syncFolder(folder);
  files.syncFolder(path.dirname(folder));
}
