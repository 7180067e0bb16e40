/** Writes a snapshot file chunk by chunk, with a sync after each MiB. */
import { crc32 } from 'node:zlib';
import type { Files } from '../../lib/files/files.ts';
import { schemaVersionWritten } from '../../model/schema-version.ts';
import type { BlobName } from '../blobs/blob-source.ts';
import type { BlobEntry } from './format/blob-rows.ts';
import { packRoot, type RootEntry } from './format/index-format.ts';
import {
  type ChunkKind,
  type ChunkRef,
  chunkBytes,
  chunkHeadBytes,
  encodeChunkHead,
  encodeHeader,
  encodeTrailer,
  type SnapshotHeader,
} from './format/snapshot-format.ts';

/** Bytes between two syncs: a writer without pauses makes the journal's syncs a hundred times slower. */
export const writeStepBytes = 1024 * 1024;

export interface FileOptions {
  readonly files: Files;
  /** Path of the file; it must not exist. */
  readonly path: string;
  readonly lineage: string;
  /** Salt of the segment that begins with the next record. */
  readonly nextSalt: number;
  /** Creation time, Unix time in milliseconds. */
  readonly now: number;
  /** Latest time of a record in the state, Unix time in milliseconds. */
  readonly newestTime: number;
  /** Called after every step of {@link writeStepBytes}; the caller may pause there. */
  readonly afterStep?: () => void;
  /** Keeps the blobs that the files in it need, each once; a snapshot of a data folder has none. Returns the list of them. */
  readonly keepBlobs?: (needed: readonly BlobName[], out: ChunkWriter) => BlobEntry[];
}

export class ChunkWriter {
  /** LSN of the snapshot: identifies its file. */
  readonly lsn: number;
  readonly #options: FileOptions;
  readonly #fd: number;
  readonly #headerCrc: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #written = 0;
  #indexChunks = 0;
  #dataChunks = 0;

  /** Creates the file; {@link close} it. */
  constructor(lsn: number, options: FileOptions) {
    this.lsn = lsn;
    this.#options = options;
    const { now: madeAt, lineage, nextSalt, newestTime } = options;
    const header: SnapshotHeader = {
      schemaVersion: schemaVersionWritten,
      lsn,
      madeAt,
      lineage,
      nextSalt,
      newestTime,
    };
    const bytes = encodeHeader(header);
    this.#headerCrc = crc32(bytes);
    this.#fd = options.files.open(options.path, 'wx+');
    this.#push(bytes);
  }

  /** Size of the file so far, in bytes. */
  get bytes(): number {
    return this.#written + this.#waitingBytes;
  }

  get chunks(): number {
    return this.#dataChunks + this.#indexChunks;
  }

  chunk(kind: ChunkKind, payload: Uint8Array): ChunkRef {
    const { bytes, place } = encodeChunkHead(kind, payload, this.bytes);
    this.#push(bytes);
    this.#push(payload);
    if (kind === 'index') this.#indexChunks++;
    else this.#dataChunks++;
    return { ...place, file: this.lsn };
  }

  /** Reads the payload of a chunk that was written. */
  payload(ref: ChunkRef): Buffer {
    this.#flush();
    const bytes = Buffer.allocUnsafeSlow(chunkBytes(ref));
    this.#options.files.read(this.#fd, bytes, ref.offset);
    return bytes.subarray(chunkHeadBytes);
  }

  /** Writes root and trailer; afterwards everything is on disk. */
  finish(root: RootEntry): void {
    const { offset } = this.chunk('index', packRoot(root, this.lsn));
    const [indexChunks, dataChunks, headerCrc] = [this.#indexChunks, this.#dataChunks, this.#headerCrc];
    this.#push(encodeTrailer({ indexOffset: offset, indexChunks, dataChunks, headerCrc }));
    this.#flush();
  }

  close(): void {
    this.#options.files.close(this.#fd);
  }

  #push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes >= writeStepBytes) {
      this.#flush();
      this.#options.afterStep?.();
    }
  }

  /** Writes and syncs the pending bytes. */
  #flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    for (let at = 0; at < bytes.byteLength; at += writeStepBytes) {
      const step = bytes.subarray(at, at + writeStepBytes);
      this.#options.files.write(this.#fd, step, this.#written);
      this.#options.files.sync(this.#fd);
      this.#written += step.byteLength;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
