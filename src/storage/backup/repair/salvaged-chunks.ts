/**
 * The intact chunks of a damaged snapshot. They are found by their own head and checksum, so neither a damaged trailer nor an earlier
 * damaged chunk hides a chunk. Chunks in other files are lost if that file is damaged or missing.
 */
import { dirname, join } from 'node:path';
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { RecordFormatError } from '../../../model/stored.ts';
import {
  type ChunkHead,
  type ChunkRef,
  chunkCrc,
  chunkHeadBytes,
  decodeChunkHead,
  decodeTrailer,
  headerBytes,
  snapshotName,
  trailerBytes,
} from '../../snapshot/format/snapshot-format.ts';
import { damagedEnding } from '../../snapshot/snapshot-folder.ts';
import { readInto } from './lenient-read.ts';

const magic = Buffer.from('CHNK', 'latin1');
const windowBytes = 1024 * 1024;

/** A chunk in the snapshot's own file. */
export type OwnChunk = ChunkHead & ChunkRef;

export class SalvagedChunks {
  readonly #files: Files;
  readonly #path: string;
  /** Of the snapshot. */
  readonly #lsn: number;
  readonly #size: number;
  /** Open files by the LSN of their snapshots; `undefined` for a missing file. */
  readonly #open = new Map<number, number | undefined>();

  constructor(files: Files, path: string, lsn: number) {
    this.#files = files;
    this.#path = path;
    this.#lsn = lsn;
    const fd = files.open(path, 'r');
    this.#open.set(lsn, fd);
    this.#size = files.size(fd);
  }

  close(): void {
    for (const fd of this.#open.values()) if (fd !== undefined) this.#files.close(fd);
  }

  /** All chunks with a valid checksum, at any position. */
  *all(): Generator<OwnChunk> {
    for (let at = headerBytes; at + chunkHeadBytes <= this.#size; ) {
      const chunk = this.#chunkAt(at);
      if (chunk === undefined) {
        at = this.#nextMagic(at + 1);
        continue;
      }
      yield chunk;
      at += chunkHeadBytes + chunk.length;
    }
  }

  /** The decoded chunk; `undefined` if its checksum does not match, or its contents have the wrong form. */
  decoded<T>(ref: ChunkRef, decode: (payload: Buffer) => T): T | undefined {
    const payload = this.#payload(ref);
    try {
      return payload === undefined ? undefined : decode(payload);
    } catch (error) {
      if (error instanceof RecordFormatError) return undefined;
      throw error;
    }
  }

  /** Whether all chunks of the index were found. Unknown, hence false, without a trailer that gives their number. */
  isWhole(index: readonly ChunkHead[]): boolean {
    const at = this.#size - trailerBytes;
    if (at < headerBytes) return false;
    try {
      return decodeTrailer(this.#readOwn(at, trailerBytes), this.#path, at).indexChunks === index.length;
    } catch (error) {
      if (error instanceof CorruptError) return false;
      throw error;
    }
  }

  #chunkAt(offset: number): OwnChunk | undefined {
    try {
      const file = this.#lsn;
      const head = { ...decodeChunkHead(this.#readOwn(offset, chunkHeadBytes), this.#path, offset, this.#size), file };
      return this.#payload(head) === undefined ? undefined : head;
    } catch (error) {
      if (error instanceof CorruptError) return undefined;
      throw error;
    }
  }

  #nextMagic(from: number): number {
    for (let at = from; at < this.#size; at += windowBytes) {
      // Windows overlap, so that a match across their border is found.
      const found = this.#readOwn(at, Math.min(windowBytes + magic.length, this.#size - at)).indexOf(magic);
      if (found >= 0) return at + found;
    }
    return this.#size;
  }

  /** `undefined` if the checksum does not match, or the file is missing. */
  #payload({ file, offset, length, crc }: ChunkRef): Buffer | undefined {
    const bytes = this.#read(this.#fileOf(file), offset, chunkHeadBytes + length);
    if (bytes.byteLength < chunkHeadBytes + length || bytes.readUInt32LE(8) !== length) return undefined;
    const payload = bytes.subarray(chunkHeadBytes);
    return chunkCrc(bytes, payload) === crc && bytes.readUInt32LE(12) === crc ? payload : undefined;
  }

  #readOwn(position: number, length: number): Buffer {
    return this.#read(this.#fileOf(this.#lsn), position, length);
  }

  #read(fd: number | undefined, position: number, length: number): Buffer {
    if (fd === undefined || position + length > this.#files.size(fd)) return Buffer.alloc(0);
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readInto(this.#files, fd, bytes, position));
  }

  #fileOf(lsn: number): number | undefined {
    if (!this.#open.has(lsn)) {
      const path = join(dirname(this.#path), snapshotName(lsn));
      this.#open.set(lsn, this.#openFile(path) ?? this.#openFile(path + damagedEnding));
    }
    return this.#open.get(lsn);
  }

  #openFile(path: string): number | undefined {
    try {
      return this.#files.open(path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
