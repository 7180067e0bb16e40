/** Reads chunks from the file of a snapshot and from those of older ones that it refers to, which are opened when they are needed. */
import { dirname, join } from 'node:path';
import { CorruptError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { type ChunkRef, chunkBytes, chunkCrc, chunkEnd, chunkHeadBytes, decodeChunkHead, snapshotName } from './format.ts';

/** Chunks are read together up to this many bytes; a group's memory is freed when its last leaf was decoded. */
const groupBytes = 1024 * 1024;
/** Bytes that nothing refers to any more which are read along with their neighbours, at most: they would stay in memory with these. */
const gapBytesMax = 4096;

export const byPlace = (a: ChunkRef, b: ChunkRef): number => a.file - b.file || a.offset - b.offset;

/** Chunks in groups that stand near each other and are read at once, file by file from front to back. */
export function* neighbours(refs: readonly ChunkRef[]): Generator<ChunkRef[], void> {
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
  /** Bytes in it. */
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

  /** Bytes in the snapshot's own file. */
  get size(): number {
    return this.#own.size;
  }

  /** @param lsn of the snapshot: under that number chunks in its own file are known from now on, whatever the file is called */
  setOwn(lsn: number): void {
    this.#open.set(lsn, this.#own);
  }

  close(): void {
    for (const file of new Set([this.#own, ...this.#open.values()])) this.#files.close(file.fd);
  }

  pathOf(file: number): string {
    return this.#open.get(file)?.path ?? join(dirname(this.#own.path), snapshotName(file));
  }

  /** Bytes in a file; throws {@link CorruptError} when it is not there. */
  sizeOf(file: number): number {
    return this.#file(file).size;
  }

  /** Bytes of the snapshot's own file. */
  readOwn(position: number, length: number): Buffer {
    return this.#bytes(this.#own, position, length);
  }

  /** Payload of a chunk; throws {@link CorruptError} when its checksum does not match, or its file is not there. */
  payload(ref: ChunkRef): Buffer {
    return this.#verified(this.#bytes(this.#file(ref.file), ref.offset, chunkBytes(ref)), ref);
  }

  /** Payloads of {@link neighbours}, read at once. */
  payloads(near: readonly ChunkRef[]): Buffer[] {
    return this.#readNear(near, Buffer.allocUnsafeSlow);
  }

  /** The same without keeping them: memory outside of the heap is what a collector is called for soonest. */
  verify(near: readonly ChunkRef[]): void {
    this.#readNear(near, (bytes) => {
      if (this.#scratch.byteLength < bytes) this.#scratch = Buffer.allocUnsafeSlow(Math.max(bytes, groupBytes));
      return this.#scratch.subarray(0, bytes);
    });
  }

  #readNear(near: readonly ChunkRef[], room: (bytes: number) => Buffer): Buffer[] {
    const [first] = near;
    const last = near.at(-1);
    if (first === undefined || last === undefined) return [];
    const bytes = this.#bytes(this.#file(first.file), first.offset, chunkEnd(last) - first.offset, room);
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
      throw new CorruptError(path, 0, `the file is not there, and ${this.#own.path} refers to it`);
    }
  }

  #bytes(
    { path, fd, size }: OpenFile,
    position: number,
    length: number,
    room: (bytes: number) => Buffer = Buffer.allocUnsafeSlow,
  ) {
    if (position + length > size) throw new CorruptError(path, size, 'the file ends too early');
    const bytes = room(length);
    const got = this.#files.read(fd, bytes, position);
    if (got !== length) throw new CorruptError(path, position + got, 'the file ends too early');
    return bytes;
  }

  /** The payload of a chunk read with its head. */
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
