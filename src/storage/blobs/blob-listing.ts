/**
 * The names of all blobs, with sizes and times: 48 bytes of memory each, because a million of them are listed at each start.
 */
import type { FolderListing } from './blob-files.ts';
import { blobFolders } from './blob-path.ts';

const digestBytes = 32;

export interface ListedBlob {
  /** 64 hex digits. */
  readonly digest: string;
  /** Size in bytes; NaN if only names were listed. */
  readonly bytes: number;
  /** Time of the last change of the file or its name, Unix time in milliseconds; NaN if only names were listed. */
  readonly changedMs: number;
}

export class BlobListing {
  /** Names of files that uploads left which no longer run; {@link BlobStore.clean} deletes them. */
  readonly leftovers: readonly string[];
  /** By folder, 256 of them. */
  readonly #folders: readonly FolderListing[];

  constructor(folders: readonly FolderListing[], leftovers: readonly string[]) {
    this.#folders = folders;
    this.leftovers = leftovers;
  }

  /** Number of blobs. */
  get count(): number {
    return this.#folders.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Finds a blob in about 12 steps. */
  find(digest: string): ListedBlob | undefined {
    const folder = this.#folders[blobFolders.indexOf(digest.slice(0, 2))];
    if (folder === undefined) return undefined;
    const wanted = Buffer.from(digest, 'hex');
    let [low, high] = [0, folder.bytes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = Buffer.compare(digestAt(folder, middle), wanted);
      if (order === 0) return blobAt(folder, middle);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** All blobs, in the order of their digests. Iterate in slices: a million take a second. */
  *[Symbol.iterator](): Generator<ListedBlob, void> {
    for (const folder of this.#folders) for (let i = 0; i < folder.bytes.length; i += 1) yield blobAt(folder, i);
  }
}

function digestAt({ digests }: FolderListing, index: number): Buffer {
  return Buffer.from(digests.buffer, digests.byteOffset + index * digestBytes, digestBytes);
}

function blobAt(folder: FolderListing, index: number): ListedBlob {
  const { bytes, changedMs } = folder;
  return {
    digest: digestAt(folder, index).toString('hex'),
    bytes: bytes[index] as number,
    changedMs: changedMs[index] as number,
  };
}
