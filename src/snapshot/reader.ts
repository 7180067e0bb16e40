/**
 * Reads a snapshot. Header, trailer and index are verified when it is opened; chunks when they are read. {@link SnapshotReader.state}
 * builds the state without decoding a single member: leaves hold their chunks as bytes.
 */
import { crc32 } from 'node:zlib';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import {
  accountFromRow,
  isSchemaVersionRead,
  keyFromRow,
  RecordFormatError,
  schemaVersionsRead,
  unpack,
} from '../model/record.ts';
import { resourceOf } from '../model/resources.ts';
import type { Row } from '../model/value.ts';
import { Collection } from '../store/collection.ts';
import { Leaf, type PackedLeaf } from '../store/leaf.ts';
import { Project } from '../store/project.ts';
import { newAccount, State } from '../store/state.ts';
import {
  type ChunkHead,
  type ChunkRef,
  chunkCrc,
  chunkHeadBytes,
  decodeChunkHead,
  decodeHeader,
  decodeTrailer,
  headerBytes,
  type SnapshotHeader,
  type SnapshotTrailer,
  trailerBytes,
} from './format.ts';
import { type CollectionEntry, type ProjectEntry, type RootEntry, unpackProjects, unpackRoot } from './index-format.ts';

/** Chunks are read together up to this many bytes; a group's memory is freed when its last leaf was decoded. */
const groupBytes = 1024 * 1024;

export interface ChunkSeen extends ChunkHead {
  /** `undefined` when the checksum matches. */
  readonly problem: string | undefined;
  readonly payload: Buffer;
}

export class SnapshotReader {
  readonly header: SnapshotHeader;
  readonly trailer: SnapshotTrailer;
  readonly root: RootEntry;
  readonly projects: readonly ProjectEntry[];
  /** Bytes in the file. */
  readonly size: number;
  readonly #files: Files;
  readonly #path: string;
  readonly #fd: number;

  /** Opens and verifies all but the data chunks; throws {@link CorruptError}. {@link close} it. */
  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
    this.#fd = files.open(path, 'r');
    try {
      this.size = files.size(this.#fd);
      const headerRaw = this.#read(0, headerBytes);
      this.header = decodeHeader(headerRaw, path);
      if (!isSchemaVersionRead(this.header.schemaVersion)) {
        throw new FolderError(
          `${path} has schema version ${this.header.schemaVersion}; this mapwright reads ${schemaVersionsRead}.`,
        );
      }
      const end = this.size - trailerBytes;
      this.trailer = decodeTrailer(end < headerBytes ? Buffer.alloc(trailerBytes) : this.#read(end, trailerBytes), path, end);
      if (this.trailer.headerCrc !== crc32(headerRaw))
        throw new CorruptError(path, end + 24, 'header and trailer are of different snapshots');
      const index = [...this.chunks(this.trailer.indexOffset)];
      const bad = index.find(({ kind, problem }) => problem !== undefined || kind !== 'index');
      if (bad !== undefined) throw new CorruptError(path, bad.offset, bad.problem ?? 'expected an index chunk');
      if (index.length !== this.trailer.indexChunks)
        throw new CorruptError(path, this.trailer.indexOffset, 'the index is not whole');
      const [root, ...projects] = index;
      this.root = this.#decoding(this.trailer.indexOffset, () => unpackRoot((root as ChunkSeen).payload));
      this.projects = projects.flatMap(({ offset, payload }) => this.#decoding(offset, () => unpackProjects(payload)));
    } catch (error) {
      files.close(this.#fd);
      throw error;
    }
  }

  close(): void {
    this.#files.close(this.#fd);
  }

  /** Every chunk from `from` to the trailer, as it stands; a wrong checksum is told, a head that makes no sense is thrown. */
  *chunks(from = headerBytes): Generator<ChunkSeen> {
    const end = this.size - trailerBytes;
    for (let at = from; at < end; ) {
      const bytes = this.#read(at, Math.min(chunkHeadBytes, end - at));
      const head = decodeChunkHead(bytes, this.#path, at, end);
      const payload = this.#read(at + chunkHeadBytes, head.length);
      yield {
        ...head,
        payload,
        problem: chunkCrc(bytes, payload) === head.crc ? undefined : 'the checksum of the chunk does not match',
      };
      at += chunkHeadBytes + head.length;
    }
  }

  /** Payload of a chunk; throws {@link CorruptError} when its checksum does not match. */
  payload(ref: ChunkRef): Buffer {
    this.#inside(ref);
    return this.#verified(this.#read(ref.offset, chunkHeadBytes + ref.length), ref);
  }

  /**
   * The state as of the snapshot.
   *
   * @param load `memory`: every chunk is read and verified now and kept as bytes; `file`: when it is needed, while the reader is open
   */
  state(load: 'memory' | 'file'): State {
    const chunkOf = load === 'memory' ? this.#readAll() : (ref: ChunkRef) => () => this.payload(ref);
    const state = new State();
    state.lsn = this.header.lsn;
    state.keysVersion = this.root.keysVersion;
    state.newestId = this.root.newestId;
    for (const ref of this.root.accounts) {
      for (const row of this.#rows(ref)) {
        const [id, name, created, version, projectsVersion] = row as [string, string, string, number, number];
        state.accounts.set(id, newAccount(accountFromRow([id, name, created]), { version, projectsVersion }));
      }
    }
    for (const ref of this.root.keys) {
      for (const key of this.#decoding(ref.offset, () => (unpack(this.payload(ref)) as Row[]).map(keyFromRow))) {
        state.keys.set(key.id, key);
      }
    }
    for (const entry of this.projects) {
      const account = state.accounts.get(entry.accountId);
      if (account === undefined)
        throw new CorruptError(this.#path, entry.head.offset, 'a project of an account that is not there');
      const project = new Project(entry.id, entry.accountId, chunkOf(entry.head)(), entry);
      for (const held of entry.collections) project.setCollection(held.name, held.parentId, collectionFrom(held, chunkOf));
      account.projects.set(entry.id, project);
    }
    return state;
  }

  /** Verifies every data chunk; returns their number. Throws {@link CorruptError} at the first that is damaged. */
  verify(): number {
    let count = 0;
    for (const chunk of this.chunks()) {
      if (chunk.problem !== undefined) throw new CorruptError(this.#path, chunk.offset, chunk.problem);
      count++;
    }
    if (count !== this.trailer.dataChunks + this.trailer.indexChunks)
      throw new CorruptError(this.#path, this.size, 'chunks are missing');
    return count;
  }

  /** Reads the file once from front to back, in groups of neighbouring chunks. */
  #readAll(): (ref: ChunkRef) => () => Uint8Array {
    const payloads = new Map<number, Uint8Array>();
    let group: ChunkRef[] = [];
    const readGroup = () => {
      const [first] = group;
      const last = group.at(-1);
      if (first === undefined || last === undefined) return;
      const bytes = this.#read(first.offset, endOf(last) - first.offset);
      for (const ref of group) {
        payloads.set(ref.offset, this.#verified(bytes.subarray(ref.offset - first.offset, endOf(ref) - first.offset), ref));
      }
      group = [];
    };
    const refs = this.projects.flatMap(({ head, collections }) => [head, ...collections.flatMap(({ leaves }) => leaves)]);
    refs.sort((a, b) => a.offset - b.offset);
    for (const ref of refs) {
      this.#inside(ref);
      const [first] = group;
      if (first !== undefined && endOf(ref) - first.offset > groupBytes) readGroup();
      group.push(ref);
    }
    readGroup();
    return (ref) => {
      const payload = payloads.get(ref.offset) as Uint8Array;
      return () => payload;
    };
  }

  #rows(ref: ChunkRef): unknown[][] {
    return this.#decoding(ref.offset, () => unpack(this.payload(ref)) as unknown[][]);
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length);
    const got = this.#files.read(this.#fd, bytes, position);
    if (got !== length) throw new CorruptError(this.#path, position + got, 'the file ends too early');
    return bytes;
  }

  #inside(ref: ChunkRef): void {
    if (endOf(ref) > this.trailer.indexOffset)
      throw new CorruptError(this.#path, ref.offset, 'a chunk lies outside of the chunks');
  }

  /** The payload of a chunk read with its head. */
  #verified(bytes: Buffer, ref: ChunkRef): Buffer {
    const head = decodeChunkHead(bytes, this.#path, ref.offset, endOf(ref));
    const payload = bytes.subarray(chunkHeadBytes);
    if (head.length !== ref.length || head.crc !== ref.crc || chunkCrc(bytes, payload) !== ref.crc) {
      throw new CorruptError(this.#path, ref.offset, 'the checksum of the chunk does not match');
    }
    return payload;
  }

  #decoding<T>(offset: number, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (error instanceof RecordFormatError || error instanceof TypeError) {
        throw new CorruptError(this.#path, offset, `the chunk cannot be decoded (${error.message})`);
      }
      throw error;
    }
  }
}

const endOf = ({ offset, length }: ChunkRef): number => offset + chunkHeadBytes + length;

function collectionFrom(entry: CollectionEntry, chunkOf: (ref: ChunkRef) => () => Uint8Array): Collection {
  const resource = resourceOf[entry.name];
  const leaves = entry.leaves.map((leaf) => {
    const { count, lastId, lastRank } = leaf;
    const packed: PackedLeaf = { count, lastId, lastRank, bytes: chunkOf(leaf) };
    return new Leaf(resource, packed);
  });
  return new Collection(resource, entry, leaves);
}
