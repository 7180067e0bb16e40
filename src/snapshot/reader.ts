/**
 * Reads a snapshot. Header, trailer and index are verified when it is opened; chunks when they are read. {@link SnapshotReader.state}
 * builds the state without decoding a single member: leaves hold their chunks as bytes.
 */
import { crc32 } from 'node:zlib';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { accountFromRow, isSchemaVersionRead, keyFromRow, schemaVersionsRead } from '../model/record.ts';
import { resourceOf } from '../model/resources.ts';
import { RecordFormatError, stored, unpack } from '../model/stored.ts';
import { Collection } from '../store/collection.ts';
import { type Keeper, Leaf } from '../store/leaf.ts';
import type { PackedLeaf } from '../store/member.ts';
import { Project } from '../store/project.ts';
import { type AccountState, newAccount, State } from '../store/state.ts';
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

/** What a snapshot holds. */
export interface Counts {
  readonly accounts: number;
  readonly projects: number;
  readonly members: number;
}

/** Reads and verifies the header alone; throws as {@link decodeHeader} does, and {@link FolderError} for rows of a later schema. */
export function readSnapshotHeader(files: Files, path: string): SnapshotHeader {
  const fd = files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(headerBytes);
    return readable(decodeHeader(bytes.subarray(0, files.read(fd, bytes, 0)), path), path);
  } finally {
    files.close(fd);
  }
}

function readable(header: SnapshotHeader, path: string): SnapshotHeader {
  if (isSchemaVersionRead(header.schemaVersion)) return header;
  throw new FolderError(`${path} has schema version ${header.schemaVersion}; this mapwright reads ${schemaVersionsRead}.`);
}

export class SnapshotReader {
  readonly header: SnapshotHeader;
  readonly trailer: SnapshotTrailer;
  readonly root: RootEntry;
  readonly projects: readonly ProjectEntry[];
  /** Bytes in the file. */
  readonly size: number;
  readonly path: string;
  readonly #files: Files;
  readonly #fd: number;

  /** Opens and verifies all but the data chunks; throws {@link CorruptError}. {@link close} it. */
  constructor(files: Files, path: string) {
    this.#files = files;
    this.path = path;
    this.#fd = files.open(path, 'r');
    try {
      this.size = files.size(this.#fd);
      const headerRaw = this.#read(0, headerBytes);
      this.header = readable(decodeHeader(headerRaw, path), path);
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
      this.root = this.#decoding(this.trailer.indexOffset, () => {
        if (root === undefined) throw new RecordFormatError('there is no index');
        return unpackRoot(root.payload, this.header.lsn);
      });
      this.projects = projects.flatMap(({ offset, payload }) =>
        this.#decoding(offset, () => unpackProjects(payload, this.header.lsn)),
      );
      this.#refuseShared();
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
      const head = decodeChunkHead(bytes, this.path, at, end);
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
    return this.#verified(this.#read(ref.offset, chunkHeadBytes + ref.length), ref);
  }

  /**
   * The state as of the snapshot.
   *
   * @param load `memory`: every chunk is read and verified now and kept as bytes; `file`: when it is needed, while the reader is open
   * @param keeper whether decoded members may stay so; without one they may
   */
  state(load: 'memory' | 'file', keeper?: Keeper): State {
    const chunkOf = load === 'memory' ? this.#readAll() : (ref: ChunkRef) => () => this.payload(ref);
    const state = new State(keeper);
    state.lsn = this.header.lsn;
    state.keysVersion = this.root.keysVersion;
    state.newestId = this.root.newestId;
    for (const ref of this.root.accounts) {
      for (const account of this.#rows(ref, (row) => accountOf(row, this.header.lsn))) state.accounts.set(account.id, account);
    }
    for (const ref of this.root.keys) for (const key of this.#rows(ref, keyFromRow)) state.keys.set(key.id, key);
    for (const entry of this.projects) {
      const account = state.accounts.get(entry.accountId);
      if (account === undefined)
        throw new CorruptError(this.path, entry.head.offset, 'a project of an account that is not there');
      const project = this.#project(entry, chunkOf, keeper);
      for (const held of entry.collections)
        project.setCollection(held.name, held.parentId, this.#collection(held, chunkOf, keeper));
      account.projects.set(entry.id, project);
    }
    return state;
  }

  /**
   * Verifies every data chunk; returns their number. Throws {@link CorruptError} at the first that is damaged.
   *
   * @param onBytes told how many bytes were read since the last call
   */
  verify(onBytes: (bytes: number) => void = () => undefined): number {
    let count = 0;
    for (const chunk of this.chunks()) {
      if (chunk.problem !== undefined) throw new CorruptError(this.path, chunk.offset, chunk.problem);
      onBytes(chunkHeadBytes + chunk.length);
      count++;
    }
    if (count !== this.trailer.dataChunks + this.trailer.indexChunks)
      throw new CorruptError(this.path, this.size, 'chunks are missing');
    return count;
  }

  /** Verifies every chunk and decodes every member, one leaf at a time and keeping none. Throws {@link CorruptError}. */
  check(onBytes?: (bytes: number) => void): Counts {
    this.verify(onBytes);
    const { accounts } = this.state('file');
    const chunkOf = (ref: ChunkRef) => () => this.payload(ref);
    let members = 0;
    for (const entry of this.projects) {
      void this.#project(entry, chunkOf).value;
      for (const held of entry.collections) {
        for (const leaf of this.#collection(held, chunkOf).leaves) members += leaf.decode();
      }
    }
    return { accounts: accounts.size, projects: this.projects.length, members };
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
    for (const ref of this.#projectRefs().sort((a, b) => a.offset - b.offset)) {
      const [first] = group;
      if (first !== undefined && endOf(ref) - first.offset > groupBytes) readGroup();
      group.push(ref);
    }
    readGroup();
    return (ref) => held(payloads.get(ref.offset) as Uint8Array);
  }

  #rows<T>(ref: ChunkRef, fromRow: (row: unknown) => T): T[] {
    return this.#decoding(ref.offset, () => unpack(this.payload(ref)).map(fromRow));
  }

  #project(entry: ProjectEntry, chunkOf: (ref: ChunkRef) => () => Uint8Array, keeper?: Keeper): Project {
    const damage = (found: string) => this.#undecodable(entry.head.offset, found);
    return new Project(entry.id, entry.accountId, { bytes: chunkOf(entry.head)(), damage }, entry, keeper);
  }

  #collection(entry: CollectionEntry, chunkOf: (ref: ChunkRef) => () => Uint8Array, keeper?: Keeper): Collection {
    const resource = resourceOf[entry.name];
    const { version } = entry;
    const leaves = entry.leaves.map((leaf, i) => {
      const { count, lastId, lastRank, offset } = leaf;
      const before = entry.leaves[i - 1];
      if (before !== undefined && (before.lastRank >= lastRank || (entry.sorted && before.lastId >= lastId))) {
        throw this.#undecodable(offset, 'the leaves of a collection are not in their order');
      }
      const damage = (found: string) => this.#undecodable(offset, found);
      const packed: PackedLeaf = { count, lastId, lastRank, version, bytes: chunkOf(leaf), damage };
      return new Leaf(resource, packed, keeper);
    });
    return new Collection(resource, entry, leaves, keeper);
  }

  /** Each chunk is written for one place of the index; what names it twice would make much of a small file. */
  #refuseShared(): void {
    const { indexOffset } = this.trailer;
    const refs = [...this.root.accounts, ...this.root.keys, ...this.#projectRefs()].sort((a, b) => a.offset - b.offset);
    let end = headerBytes;
    for (const ref of refs) {
      if (ref.offset < end) throw new CorruptError(this.path, ref.offset, 'the index names a chunk twice, or a part of one');
      end = endOf(ref);
      if (end > indexOffset)
        throw new CorruptError(this.path, indexOffset, `the index names a chunk at byte ${ref.offset}, outside of the chunks`);
    }
  }

  #projectRefs(): ChunkRef[] {
    return this.projects.flatMap(({ head, collections }) => [head, ...collections.flatMap(({ leaves }) => leaves)]);
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length);
    const got = this.#files.read(this.#fd, bytes, position);
    if (got !== length) throw new CorruptError(this.path, position + got, 'the file ends too early');
    return bytes;
  }

  /** The payload of a chunk read with its head. */
  #verified(bytes: Buffer, ref: ChunkRef): Buffer {
    const head = decodeChunkHead(bytes, this.path, ref.offset, endOf(ref));
    const payload = bytes.subarray(chunkHeadBytes);
    if (head.length !== ref.length || head.crc !== ref.crc || chunkCrc(bytes, payload) !== ref.crc) {
      throw new CorruptError(this.path, ref.offset, 'the checksum of the chunk does not match');
    }
    return payload;
  }

  #decoding<T>(offset: number, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      throw error instanceof RecordFormatError ? this.#undecodable(offset, error.message) : error;
    }
  }

  #undecodable(offset: number, found: string): CorruptError {
    return new CorruptError(this.path, offset, `the chunk cannot be decoded (${found})`);
  }
}

/** Apart from what reads the file, so that nothing of it is kept by what hands out one chunk. */
const held = (payload: Uint8Array) => () => payload;

const endOf = ({ offset, length }: ChunkRef): number => offset + chunkHeadBytes + length;

/** An account of a snapshot that goes up to `lsn`; throws {@link RecordFormatError}. */
export function accountOf(row: unknown, lsn: number): AccountState {
  const [id, name, created, version, projectsVersion] = stored.list(row, 'an account');
  return newAccount(accountFromRow([id, name, created]), {
    version: stored.count(version, 'the version of an account', lsn),
    projectsVersion: stored.count(projectsVersion, 'the version of an account', lsn),
  });
}

/** Opens a snapshot or a backup for as long as `use` takes. Throws what {@link SnapshotReader} and `use` throw. */
export function readSnapshot<T>(files: Files, path: string, use: (reader: SnapshotReader) => T): T {
  const reader = new SnapshotReader(files, path);
  try {
    return use(reader);
  } finally {
    reader.close();
  }
}
