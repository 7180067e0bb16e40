/**
 * The blobs of a backup. A backup in one file contains them, in chunks. A backup of a schedule lists them only, and they are copied to the
 * folder of blobs beside it, unless they are there already:
 *
 *     tmp/<writer>-<digest> -> sync -> read back -> rename to ab/<digest> -> sync of the folders -> only then the backup gets its name
 *
 * A copy never is a hard link: the two would share damage. A blob that is missing or damaged does not stop the backup; it is reported.
 * Each backup reads some of the copies again that are there already, and replaces damaged ones.
 */
import { dirname, join } from 'node:path';
import { CorruptError } from '../../../lib/errors.ts';
import { type Files, removeIfThere } from '../../../lib/files/files.ts';
import { pause } from '../../../lib/threads/pause.ts';
import type { ProgressCounter } from '../../../lib/threads/progress-counter.ts';
import { blobPath, uploadFolder, uploadPath } from '../../blobs/blob-path.ts';
import { type BlobName, FolderBlobs, readBlobFile } from '../../blobs/blob-source.ts';
import type { ChunkWriter } from '../chunk-writer.ts';
import type { BlobEntry } from '../format/blob-rows.ts';
import type { ChunkRef } from '../format/snapshot-format.ts';

export interface BlobFolders {
  /** The folder of blobs of the data folder. */
  readonly from: string;
  /** The folder of blobs beside the backups. `undefined`: the backup contains its blobs. */
  readonly beside?: FolderBeside;
}

interface FolderBeside {
  readonly folder: string;
  /** Begins the names of copies that are not complete. */
  readonly writer: string;
  /** Reads copies again that are there already: those from this digest on, in a circle, until they have this many bytes. */
  readonly reread?: { readonly from: string; readonly bytes: number };
}

export interface LostBlobName extends BlobName {
  readonly problem: string;
}

export class BlobKeeper {
  /** Blobs that could not be kept. */
  readonly lost: LostBlobName[] = [];
  /** Digests of damaged copies beside the backups that were replaced. */
  readonly replaced: string[] = [];
  readonly #files: Files;
  readonly #folders: BlobFolders;
  readonly #source: FolderBlobs;
  readonly #progress: ProgressCounter | undefined;
  readonly #pauseMs: number;
  /** Folders to sync. */
  readonly #changed = new Set<string>();

  constructor(files: Files, folders: BlobFolders, progress: ProgressCounter | undefined, pauseMs: number) {
    this.#files = files;
    this.#folders = folders;
    this.#source = new FolderBlobs(files, folders.from);
    this.#progress = progress;
    this.#pauseMs = pauseMs;
  }

  /** Keeps the blobs, durably except for those in the backup itself. Returns the list for the backup. */
  keepAll(needed: readonly BlobName[], out: ChunkWriter): BlobEntry[] {
    const { beside } = this.#folders;
    if (beside !== undefined) {
      this.#rereadSome(needed, beside);
      this.copyAll(needed);
      return needed.map((blob) => ({ ...blob, pieces: undefined }));
    }
    const total = needed.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#progress?.expect(this.#progress.expected + 2 * total);
    return needed.map((blob) => ({ ...blob, pieces: this.#contained(blob, out) }));
  }

  /** Copies the blobs to the folder beside the backups, durably; those that are there already are left alone. */
  copyAll(needed: Iterable<BlobName>): void {
    const { beside } = this.#folders;
    if (beside === undefined) return;
    for (const blob of needed) {
      const path = blobPath(beside.folder, blob.digest);
      if (this.#files.stat(path)?.bytes !== blob.bytes && !this.#orLost(blob, () => this.#copy(blob, beside))) continue;
      // Also for a blob that is there: the process that copied it may have been killed before its name was durable.
      for (const changed of [dirname(path), beside.folder, dirname(beside.folder)]) this.#changed.add(changed);
    }
    for (const folder of this.#changed) this.#files.syncFolder(folder);
    this.#changed.clear();
  }

  /** Replaces damaged copies among those to read again; one of another size is left to {@link copyAll}. */
  #rereadSome(needed: readonly BlobName[], beside: FolderBeside): void {
    const { reread, folder } = beside;
    if (reread === undefined) return;
    const sorted = [...needed].sort((a, b) => (a.digest < b.digest ? -1 : 1));
    const first = sorted.findIndex(({ digest }) => digest >= reread.from);
    let bytes = 0;
    for (const blob of first < 0 ? sorted : [...sorted.slice(first), ...sorted.slice(0, first)]) {
      if (bytes >= reread.bytes) return;
      const path = blobPath(folder, blob.digest);
      if (this.#files.stat(path)?.bytes !== blob.bytes) continue;
      bytes += blob.bytes;
      if (this.#isWhole(blob, path)) continue;
      if (this.#orLost(blob, () => this.#copy(blob, beside))) this.replaced.push(blob.digest);
    }
  }

  #isWhole(blob: BlobName, path: string): boolean {
    try {
      readBlobFile(this.#files, path, blob, () => pause(this.#pauseMs));
      return true;
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      return false;
    }
  }

  /** Its chunks; `undefined` if it is lost. Chunks that were written before the damage was found are left unused. */
  #contained(blob: BlobName, out: ChunkWriter): ChunkRef[] | undefined {
    const pieces: ChunkRef[] = [];
    const kept = this.#orLost(blob, () => this.#source.read(blob, (piece) => pieces.push(out.chunk('blob', piece))));
    return kept ? pieces : undefined;
  }

  #copy(blob: BlobName, { folder, writer }: FolderBeside): void {
    const path = blobPath(folder, blob.digest);
    const temporary = uploadPath(folder, `${writer}-${blob.digest}`);
    for (const made of [join(folder, uploadFolder), dirname(path)]) this.#files.makeFolder(made);
    removeIfThere(this.#files, temporary);
    try {
      this.#writeCopy(blob, temporary);
      readBlobFile(this.#files, temporary, blob, () => undefined);
      this.#files.rename(temporary, path);
    } catch (error) {
      removeIfThere(this.#files, temporary);
      throw error;
    }
  }

  /** Writes and syncs the temporary file: in one step where both folders can share blocks, otherwise a piece at a time. */
  #writeCopy(blob: BlobName, temporary: string): void {
    const files = this.#files;
    const cloned = files.clone?.(blobPath(this.#folders.from, blob.digest), temporary) === true;
    const fd = files.open(temporary, cloned ? 'r+' : 'wx+');
    try {
      if (cloned) files.sync(fd);
      else this.#writePieces(blob, fd);
    } finally {
      files.close(fd);
    }
  }

  #writePieces(blob: BlobName, fd: number): void {
    let at = 0;
    this.#source.read(blob, (piece) => {
      this.#files.write(fd, piece, at);
      this.#files.sync(fd);
      at += piece.byteLength;
      pause(this.#pauseMs);
    });
  }

  #orLost(blob: BlobName, step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.lost.push({ ...blob, problem: error.message });
      return false;
    }
  }
}
