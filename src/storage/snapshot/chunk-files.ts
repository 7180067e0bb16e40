/** Reads chunks from a snapshot's file and from the older files that it refers to. These are opened on first use. */
import { dirname, join } from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import {
  type ChunkRef,
  chunkBytes,
  chunkCrc,
  chunkEnd,
  chunkHeadBytes,
  decodeChunkHead,
  snapshotName,
} from './format/snapshot-format.ts';

/** Adjacent chunks are read together, up to this many bytes. The memory of a read is freed when its last leaf has been decoded. */
const groupBytes = 1024 * 1024;
/** Size limit of an unreferenced gap between chunks that are read together, in bytes: the gap stays in memory with them. */
const gapBytesMax = 4096;

export const byPlace = (a: ChunkRef, b: ChunkRef): number => a.file - b.file || a.offset - b.offset;

/** Groups of adjacent chunks to read in one operation, file by file in ascending order. */
export function* coalesce(refs: readonly ChunkRef[]): Generator<ChunkRef[], void> {
  let near: ChunkRef[] = [];
  for (const ref of refs.toSorted(byPlace)) {
    const first = near[0];
    const last = near.at(-1) ?? ref;
    const apart = last.file !== ref.file || ref.offset - chunkEnd(last) > gapBytesMax;
    if (first !== undefined && (apart || chunkEnd(ref) - first.offset > groupBytes)) {
      yield near;
      near = [];
    }
    near.push(ref);
  }
  if (near.length > 0) yield near;
}

interface OpenFile {
  readonly path: string;
  readonly fd: number;
  /** Size, in bytes. */
  readonly size: number;
}

export class ChunkFiles {
  readonly #files: Files;
  readonly #own: OpenFile;
  readonly #open = new Map<number, OpenFile>();
  #scratch = Buffer.alloc(0);

  /** Opens the file of the snapshot itself; {@link close} it. */
  constructor(files: Files, path: string) {
    this.#files = files;
    this.#own = openedFile(files, path);
  }

  /** Size of the snapshot's own file, in bytes. */
  get size(): number {
    return this.#own.size;
  }

  /** @param lsn of the snapshot: refers to its own file from now on, whatever the file's name is */
  setOwn(lsn: number): void {
    this.#open.set(lsn, this.#own);
  }

  close(): void {
    for (const file of new Set([this.#own, ...this.#open.values()])) this.#files.close(file.fd);
  }

  pathOf(file: number): string {
    return this.#open.get(file)?.path ?? join(dirname(this.#own.path), snapshotName(file));
  }

  /** Size of a file, in bytes; throws {@link CorruptError} if it is missing. */
  sizeOf(file: number): number {
    return this.#file(file).size;
  }

  /** Reads from the snapshot's own file. */
  readOwn(position: number, length: number): Buffer {
    return this.#bytes(this.#own, position, length);
  }

  /** The payload of a chunk; throws {@link CorruptError} if its checksum does not match, or if its file is missing. */
  payload(ref: ChunkRef): Buffer {
    return this.#verified(this.#bytes(this.#file(ref.file), ref.offset, chunkBytes(ref)), ref);
  }

  /** The payloads of a group of adjacent chunks, read in one operation. */
  payloads(near: readonly ChunkRef[]): Buffer[] {
    return this.#readNear(near, Buffer.allocUnsafeSlow);
  }

  /** As {@link payloads}, without keeping them: reuses one buffer, since memory outside the heap triggers garbage collection soon. */
  verify(near: readonly ChunkRef[]): void {
    this.#readNear(near, (bytes) => {
      if (this.#scratch.byteLength < bytes) this.#scratch = Buffer.allocUnsafeSlow(Math.max(bytes, groupBytes));
      return this.#scratch.subarray(0, bytes);
    });
  }

  #readNear(near: readonly ChunkRef[], allocate: (bytes: number) => Buffer): Buffer[] {
    const [first] = near;
    const last = near.at(-1);
    if (first === undefined || last === undefined) return [];
    const bytes = this.#bytes(this.#file(first.file), first.offset, chunkEnd(last) - first.offset, allocate);
    return near.map((ref) => this.#verified(bytes.subarray(ref.offset - first.offset, chunkEnd(ref) - first.offset), ref));
  }

  #file(lsn: number): OpenFile {
    const present = this.#open.get(lsn);
    if (present !== undefined) return present;
    const path = this.pathOf(lsn);
    try {
      const file = openedFile(this.#files, path);
      this.#open.set(lsn, file);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new CorruptError(path, 0, `the file is missing, and ${this.#own.path} refers to it`);
    }
  }

  #bytes(
    { path, fd, size }: OpenFile,
    position: number,
    length: number,
    allocate: (bytes: number) => Buffer = Buffer.allocUnsafeSlow,
  ) {
    if (position + length > size) throw new CorruptError(path, size, 'the file ends too early');
    const bytes = allocate(length);
    const got = this.#files.read(fd, bytes, position);
    if (got !== length) throw new CorruptError(path, position + got, 'the file ends too early');
    return bytes;
  }

  /** The payload of a chunk from the bytes of the whole chunk. */
  #verified(bytes: Buffer, ref: ChunkRef): Buffer {
    const path = this.pathOf(ref.file);
    const head = decodeChunkHead(bytes, path, ref.offset, chunkEnd(ref));
    const payload = bytes.subarray(chunkHeadBytes);
    if (head.length !== ref.length || head.crc !== ref.crc || chunkCrc(bytes, payload) !== ref.crc) {
      throw new CorruptError(path, ref.offset, 'the checksum of the chunk does not match');
    }
    return payload;
  }
}

function openedFile(files: Files, path: string): OpenFile {
  const fd = files.open(path, 'r');
  try {
    return { path, fd, size: files.size(fd) };
  } catch (error) {
    files.close(fd);
    throw error;
  }
}
