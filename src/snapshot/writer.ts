/** Writes a state as a snapshot: leaves that no one changed are copied as bytes, the others are encoded again. */
import { crc32 } from 'node:zlib';
import type { Files } from '../lib/files.ts';
import { accountRow, keyRow, schemaVersion } from '../model/record.ts';
import { projects as projectResource } from '../model/resources.ts';
import { pack } from '../model/stored.ts';
import type { Collection } from '../store/collection.ts';
import type { Member } from '../store/member.ts';
import { packMembers } from '../store/member-rows.ts';
import type { Project } from '../store/project.ts';
import type { State } from '../store/state.ts';
import {
  type ChunkKind,
  type ChunkRef,
  chunkBytesMax,
  encodeChunkHead,
  encodeHeader,
  encodeTrailer,
  formatVersion,
} from './format.ts';
import {
  type CollectionEntry,
  type LeafEntry,
  type ProjectEntry,
  packProjects,
  packRoot,
  projectsPerChunk,
} from './index-format.ts';

/** Bytes between two syncs: a writer that goes flat out makes the journal's own syncs a hundred times slower. */
export const stepBytes = 1024 * 1024;
/** Rows of accounts and keys in one chunk. */
const rowsPerChunk = 256;

export interface WriteOptions {
  readonly files: Files;
  /** The file, created by this call. */
  readonly path: string;
  readonly lineage: string;
  /** Salt of the segment that begins with the next record. */
  readonly nextSalt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Greatest time of a record in the state, in milliseconds since 1970. */
  readonly newestTime: number;
  /** Called after every step of {@link stepBytes}: where the caller pauses. */
  readonly afterStep?: () => void;
}

export interface WriteReport {
  readonly bytes: number;
  readonly chunks: number;
  /** Chunks copied from the previous snapshot without being decoded. */
  readonly copied: number;
}

/** Writes and syncs the file; its name and its folder are the caller's. */
export function writeSnapshot(state: State, options: WriteOptions): WriteReport {
  const fd = options.files.open(options.path, 'wx+');
  try {
    const out = new ChunkWriter(options, fd);
    const { now: madeAt, lineage, nextSalt, newestTime } = options;
    const header = encodeHeader({ formatVersion, schemaVersion, lsn: state.lsn, madeAt, lineage, nextSalt, newestTime });
    out.raw(header);
    const accounts = out.rows('accounts', [...state.accounts.values()], (account) => [
      ...accountRow(account),
      account.version,
      account.projectsVersion,
    ]);
    const keys = out.rows('keys', [...state.keys.values()], keyRow);
    const index: ProjectEntry[] = [];
    for (const account of state.accounts.values()) {
      for (const project of account.projects.values()) index.push(writeProject(project, out));
    }
    const dataChunks = out.chunks;
    const indexOffset = out.offset;
    out.chunk('index', packRoot({ keysVersion: state.keysVersion, newestId: state.newestId, accounts, keys }));
    for (let i = 0; i < index.length; i += projectsPerChunk)
      out.chunk('index', packProjects(index.slice(i, i + projectsPerChunk)));
    out.raw(encodeTrailer({ indexOffset, indexChunks: out.chunks - dataChunks, dataChunks, headerCrc: crc32(header) }));
    out.flush();
    return { bytes: out.offset, chunks: out.chunks, copied: out.copied };
  } finally {
    options.files.close(fd);
  }
}

function writeProject(project: Project, out: ChunkWriter): ProjectEntry {
  const { id, accountId, version, headVersion, objectsVersion, packed } = project;
  if (packed !== undefined) out.copied++;
  const head = out.chunk('project', packed ?? pack(projectResource.toRow(project.value)));
  const collections = [...project.collections()].map(({ name, parentId, collection }): CollectionEntry => {
    const leaves = collection.leaves.flatMap((leaf) => {
      const { packed: chunk } = leaf;
      if (chunk === undefined) return writeMembers(collection, leaf.members, out);
      out.copied++;
      return [{ ...out.chunk('members', chunk.bytes()), count: chunk.count, lastId: chunk.lastId, lastRank: chunk.lastRank }];
    });
    const { version: collectionVersion, epoch, nextRank, sorted } = collection;
    return { name, parentId, version: collectionVersion, epoch, nextRank, sorted, leaves };
  });
  return { id, accountId, version, headVersion, objectsVersion, head, collections };
}

/** One chunk, or several where the members are large. */
function writeMembers(collection: Collection, members: readonly Member[], out: ChunkWriter): LeafEntry[] {
  const bytes = packMembers(collection.resource, members);
  if (bytes.byteLength > chunkBytesMax && members.length > 1) {
    const half = members.length >>> 1;
    return [...writeMembers(collection, members.slice(0, half), out), ...writeMembers(collection, members.slice(half), out)];
  }
  const last = members.at(-1) as Member;
  return [{ ...out.chunk('members', bytes), count: members.length, lastId: last.value.id, lastRank: last.rank }];
}

class ChunkWriter {
  readonly #options: WriteOptions;
  readonly #fd: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #written = 0;
  chunks = 0;
  copied = 0;

  constructor(options: WriteOptions, fd: number) {
    this.#options = options;
    this.#fd = fd;
  }

  /** Where the next byte goes. */
  get offset(): number {
    return this.#written + this.#waitingBytes;
  }

  raw(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes >= stepBytes) {
      this.flush();
      this.#options.afterStep?.();
    }
  }

  chunk(kind: ChunkKind, payload: Uint8Array): ChunkRef {
    const { bytes, ref } = encodeChunkHead(kind, payload, this.offset);
    this.raw(bytes);
    this.raw(payload);
    this.chunks++;
    return ref;
  }

  rows<T>(kind: ChunkKind, items: readonly T[], row: (item: T) => readonly unknown[]): ChunkRef[] {
    const refs: ChunkRef[] = [];
    for (let i = 0; i < items.length; i += rowsPerChunk)
      refs.push(this.chunk(kind, pack(items.slice(i, i + rowsPerChunk).map(row))));
    return refs;
  }

  /** Writes and syncs what is waiting. */
  flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    for (let at = 0; at < bytes.byteLength; at += stepBytes) {
      const step = bytes.subarray(at, at + stepBytes);
      this.#options.files.write(this.#fd, step, this.#written);
      this.#options.files.sync(this.#fd);
      this.#written += step.byteLength;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
