/**
 * Reads a snapshot. Header, trailer and root are verified on opening; index and chunks when they are read.
 * {@link SnapshotReader.state} restores the state without decoding a member: leaves keep their chunks as bytes.
 */
import { crc32 } from 'node:zlib';
import { runToEnd } from '../../lib/async/run-to-end.ts';
import { CorruptError, type FolderError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import type { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { keyFromRow } from '../../model/account.ts';
import { resourceOf } from '../../model/resources.ts';
import { RecordFormatError, unpack } from '../../model/stored.ts';
import { Collection } from '../../store/collection.ts';
import type { LeafKind } from '../../store/leaf.ts';
import type { PackedLeaf } from '../../store/member.ts';
import { notePublication } from '../../store/operations/shared/public-projects.ts';
import { runLeaves } from '../../store/run-leaf.ts';
import { Runs } from '../../store/runs.ts';
import { State } from '../../store/state.ts';
import { StoredProject } from '../../store/stored-project.ts';
import { checkedVisits } from '../../store/visits.ts';
import { noRevision, olderFormat, readableRevision } from '../wal/format/format-revision.ts';
import { byPlace, ChunkFiles, coalesce } from './chunk-files.ts';
import { accountOf, addAccount, storedResponseOf } from './format/account-rows.ts';
import {
  type CollectionEntry,
  compareKeys,
  type GroupEntry,
  heldBy,
  keyOf,
  type LeafEntry,
  type ProjectEntry,
  type RootEntry,
  refsOf,
  revisionOfRoot,
  unpackProjects,
  unpackRoot,
} from './format/index-format.ts';
import { readable } from './format/read-header.ts';
import {
  type ChunkHead,
  type ChunkRef,
  chunkBytes,
  chunkCrc,
  chunkEnd,
  chunkHeadBytes,
  decodeChunkHead,
  decodeHeader,
  decodeTrailer,
  headerBytes,
  type SnapshotHeader,
  type SnapshotTrailer,
  trailerBytes,
} from './format/snapshot-format.ts';

interface ChunkSeen extends ChunkHead {
  /** `undefined` if the checksum matches. */
  readonly problem: string | undefined;
  readonly payload: Buffer;
}

/** Contents of a snapshot. */
export interface Counts {
  readonly accounts: number;
  readonly projects: number;
  readonly members: number;
}

export class SnapshotReader {
  readonly header: SnapshotHeader;
  readonly trailer: SnapshotTrailer;
  readonly root: RootEntry;
  readonly path: string;
  /** Its own file, and those that it refers to. */
  readonly chunkFiles: ChunkFiles;
  #projects: readonly ProjectEntry[] | undefined;
  #revision: number = noRevision;

  /** Opens and verifies header, trailer and root; throws {@link CorruptError}. {@link close} it. */
  constructor(files: Files, path: string) {
    this.path = path;
    this.chunkFiles = new ChunkFiles(files, path);
    try {
      const headerRaw = this.chunkFiles.readOwn(0, Math.min(headerBytes, this.size));
      this.header = readable(decodeHeader(headerRaw, path), path);
      this.chunkFiles.setOwn(this.header.lsn);
      const end = this.size - trailerBytes;
      const trailerRaw = end < headerBytes ? Buffer.alloc(trailerBytes) : this.chunkFiles.readOwn(end, trailerBytes);
      this.trailer = decodeTrailer(trailerRaw, path, end);
      if (this.trailer.headerCrc !== crc32(headerRaw))
        throw new CorruptError(path, end + 24, 'header and trailer belong to different snapshots');
      this.root = this.#readRoot();
    } catch (error) {
      this.chunkFiles.close();
      throw error;
    }
  }

  close(): void {
    this.chunkFiles.close();
  }

  /** Size of its own file, in bytes. */
  get size(): number {
    return this.chunkFiles.size;
  }

  /** Its LSN, which also identifies its own file. */
  get lsn(): number {
    return this.header.lsn;
  }

  /** LSNs of the files that contain chunks of it, ascending, including its own. */
  get dependencies(): number[] {
    return [...new Set([this.lsn, ...this.liveBytes.keys()])].sort((a, b) => a - b);
  }

  /** Bytes of its chunks in each file, by the file's LSN; from the root alone. */
  get liveBytes(): Map<number, number> {
    const { accounts, keys, storedResponses: responses, groups, blobs } = this.root;
    const living = heldBy([...accounts, ...keys, ...responses, ...groups, ...blobs]);
    for (const { held } of groups) {
      for (const [file, bytes] of held) living.set(file, (living.get(file) ?? 0) + bytes);
    }
    return living;
  }

  /** Every project; the first access reads, verifies and cross-checks the index. */
  get projects(): readonly ProjectEntry[] {
    if (this.#projects === undefined) {
      const { groups } = this.root;
      this.#projects = groups.flatMap((group, i) => this.groupEntries(group, groups[i - 1]));
      this.#refuseShared(this.#projects);
    }
    return this.#projects;
  }

  /**
   * The projects of a group; throws {@link CorruptError} if they do not match the root.
   *
   * @param before the previous group
   */
  groupEntries(group: GroupEntry, before: GroupEntry | undefined): ProjectEntry[] {
    const entries = this.decoding(group, (payload) => unpackProjects(payload, group.file));
    const wrong = (found: string) => new CorruptError(this.chunkFiles.pathOf(group.file), group.offset, found);
    let last = before?.last;
    for (const entry of entries) {
      const key = keyOf(entry);
      if (last !== undefined && compareKeys(last, key) >= 0) throw wrong('the projects of the index are not in ascending order');
      last = key;
    }
    if (entries.length !== group.projects || last === undefined || compareKeys(last, group.last) !== 0)
      throw wrong('the projects of the index do not match its root');
    const held = heldBy(entries.flatMap(refsOf));
    if (held.size !== group.held.size || [...held.keys()].some((file) => !group.held.has(file)))
      throw wrong('the files of the projects of the index do not match its root');
    return entries;
  }

  /** Every chunk of its own file, from `from` to the trailer. Reports wrong checksums; throws for an invalid head. */
  *chunks(from = headerBytes, blobs: 'read' | 'skip' = 'read'): Generator<ChunkSeen> {
    const end = this.size - trailerBytes;
    for (let at = from; at < end; ) {
      const bytes = this.chunkFiles.readOwn(at, Math.min(chunkHeadBytes, end - at));
      const head = decodeChunkHead(bytes, this.path, at, end);
      const skipped = head.kind === 'blob' && blobs === 'skip';
      const payload = this.chunkFiles.readOwn(at + chunkHeadBytes, skipped ? 0 : head.length);
      const sound = skipped || chunkCrc(bytes, payload) === head.crc;
      yield { ...head, payload, problem: sound ? undefined : 'the checksum of the chunk does not match' };
      at += chunkHeadBytes + head.length;
    }
  }

  /** The payload of a chunk; throws {@link CorruptError} if its checksum does not match. */
  payload(ref: ChunkRef): Buffer {
    return this.chunkFiles.payload(ref);
  }

  /**
   * The state as of the snapshot, with leaves that are made for changes.
   *
   * @param load `memory`: read, verify and keep every chunk now, as bytes; `file`: read on demand, while the reader is open
   */
  state(load: 'memory' | 'file'): State {
    return runToEnd(this.building(load, runLeaves));
  }

  /** As {@link state}, as a generator that yields between steps. */
  *building(load: 'memory' | 'file', leafKind: LeafKind, progress?: ProgressCounter): Generator<void, State> {
    const chunkOf = load === 'memory' ? yield* this.#readAll(progress) : (ref: ChunkRef) => () => this.payload(ref);
    const state = this.stateWithoutProjects(leafKind);
    for (const entry of this.projects) {
      const account = state.accounts.get(entry.accountId);
      if (account === undefined)
        throw this.#at(entry.head, `a project belongs to account ${entry.accountId}, which does not exist`);
      const project = this.project(entry, leafKind, chunkOf);
      account.projects.set(entry.id, project);
      notePublication(state, account, project);
      yield;
    }
    return state;
  }

  /** Accounts with their stored responses, and keys, but no projects. */
  stateWithoutProjects(leafKind: LeafKind): State {
    const state = new State(leafKind, new Runs(this.root.runs));
    [state.lsn, state.personsVersion] = [this.lsn, this.lsn];
    state.keysVersion = this.root.keysVersion;
    state.newestId = this.root.newestId;
    for (const ref of this.root.accounts) {
      for (const account of this.#rows(ref, (row) => accountOf(row, this.lsn))) addAccount(state, account);
    }
    for (const ref of this.root.keys) for (const key of this.#rows(ref, keyFromRow)) state.keys.set(key.id, key);
    for (const ref of this.root.storedResponses) {
      for (const { accountId, lsn, response } of this.#rows(ref, (row) => storedResponseOf(row, this.lsn))) {
        const account = state.accounts.get(accountId);
        if (account === undefined) throw this.#at(ref, `a stored response belongs to account ${accountId}, which does not exist`);
        account.storedResponses.put(response, lsn);
      }
    }
    return state;
  }

  /**
   * A project with its collections, undecoded.
   *
   * @param onLeaf called with each leaf and its chunk
   */
  project(
    entry: ProjectEntry,
    leafKind: LeafKind,
    chunkOf: (ref: ChunkRef) => () => Uint8Array = (ref) => () => this.payload(ref),
    onLeaf?: (packed: PackedLeaf, entry: LeafEntry) => void,
  ): StoredProject {
    const packed = { bytes: chunkOf(entry.head)(), damage: (found: string) => this.#undecodable(entry.head, found) };
    const project = new StoredProject(entry.id, entry.accountId, leafKind, packed, entry);
    for (const held of entry.collections)
      project.setCollection(held.name, held.parentId, this.#collection(held, leafKind, chunkOf, onLeaf));
    const visits = entry.visits && this.decoding(entry.visits, checkedVisits, chunkOf(entry.visits));
    return Object.assign(project, { publication: entry.publication, visits });
  }

  /**
   * Verifies every byte of its own file; returns the number of chunks. Throws {@link CorruptError} for the first damage.
   *
   * @param onBytes called with the number of bytes read since the last call
   * @param blobs `skip`: without the bytes of blobs
   */
  verify(onBytes: (bytes: number) => void = () => undefined, blobs: 'read' | 'skip' = 'read'): number {
    let count = 0;
    for (const chunk of this.chunks(headerBytes, blobs)) {
      if (chunk.problem !== undefined) throw new CorruptError(this.path, chunk.offset, chunk.problem);
      onBytes(chunkBytes(chunk));
      count++;
    }
    if (count !== this.trailer.dataChunks + this.trailer.indexChunks)
      throw new CorruptError(this.path, this.size, 'chunks are missing');
    return count;
  }

  /**
   * Verifies every chunk and decodes every member, one leaf at a time, without keeping it. Throws {@link CorruptError}. The bytes of blobs are
   * left to the requests that need them: a damaged picture must not make the rest of a backup useless.
   */
  check(onBytes?: (bytes: number) => void): Counts {
    // An older program had other kinds of chunks, which would look like damage.
    if (this.#revision === noRevision) void this.projects;
    this.verify(onBytes, 'skip');
    const { accounts } = this.state('file');
    let members = 0;
    for (const entry of this.projects) {
      const project = this.project(entry, runLeaves);
      void project.value;
      for (const { collection } of project.collections()) for (const leaf of collection.leaves) members += leaf.decode();
    }
    return { accounts: accounts.size, projects: this.projects.length, members };
  }

  /** Reads all chunks once, file by file in ascending order, in groups of adjacent chunks. */
  *#readAll(progress?: ProgressCounter): Generator<void, (ref: ChunkRef) => () => Uint8Array> {
    const payloads = new Map<number, Map<number, Uint8Array>>();
    const refs = this.projects.flatMap(refsOf);
    progress?.expect(progress.expected + bytesOf(refs));
    for (const near of coalesce(refs)) {
      this.chunkFiles.payloads(near).forEach((payload, i) => {
        const { file, offset } = near[i] as ChunkRef;
        const inFile = payloads.get(file) ?? new Map<number, Uint8Array>();
        payloads.set(file, inFile.set(offset, payload));
      });
      progress?.add(bytesOf(near));
      yield;
    }
    return ({ file, offset }) => at(payloads.get(file)?.get(offset) as Uint8Array);
  }

  #readRoot(): RootEntry {
    const { indexOffset } = this.trailer;
    const [root, another] = [...this.chunks(indexOffset)];
    if (root === undefined || another !== undefined || root.kind !== 'index')
      throw new CorruptError(this.path, indexOffset, 'expected the root of the index');
    if (root.problem !== undefined) throw new CorruptError(this.path, indexOffset, root.problem);
    return this.decoding({ ...root, file: this.lsn }, (payload) => {
      this.#revision = readableRevision(this.path, revisionOfRoot(payload));
      return unpackRoot(payload, this.lsn);
    });
  }

  #rows<T>(ref: ChunkRef, fromRow: (row: unknown) => T): T[] {
    return this.decoding(ref, (payload) => unpack(payload).map(fromRow));
  }

  #collection(
    entry: CollectionEntry,
    leafKind: LeafKind,
    chunkOf: (ref: ChunkRef) => () => Uint8Array,
    onLeaf: ((packed: PackedLeaf, entry: LeafEntry) => void) | undefined,
  ): Collection {
    const resource = resourceOf[entry.name];
    const { version } = entry;
    const leaves = entry.leaves.map((leaf, i) => {
      const { count, lastId, lastRank } = leaf;
      const before = entry.leaves[i - 1];
      if (before !== undefined && (before.lastRank >= lastRank || (entry.sorted && before.lastId >= lastId))) {
        throw this.#undecodable(leaf, 'the leaves of a collection are not in ascending order');
      }
      const damage = (found: string) => this.#undecodable(leaf, found);
      const packed: PackedLeaf = { count, lastId, lastRank, version, bytes: chunkOf(leaf), damage };
      onLeaf?.(packed, leaf);
      return leafKind.make(resource, packed);
    });
    return new Collection(resource, leafKind, entry, leaves);
  }

  /** Each chunk belongs to one position in the index: repeated chunks would turn a small file into a huge state. */
  #refuseShared(projects: readonly ProjectEntry[]): void {
    const { accounts, keys, storedResponses: responses, groups, blobs } = this.root;
    let before: ChunkRef | undefined;
    for (const ref of [...accounts, ...keys, ...responses, ...groups, ...blobs, ...projects.flatMap(refsOf)].sort(byPlace)) {
      if (ref.offset < (before?.file === ref.file ? chunkEnd(before) : headerBytes)) {
        const found = `the index refers to the chunk at byte ${ref.offset} of ${this.chunkFiles.pathOf(ref.file)} twice, or to part of it`;
        throw new CorruptError(this.path, this.trailer.indexOffset, found);
      }
      if (ref.file === this.lsn && chunkEnd(ref) > this.trailer.indexOffset) {
        const found = `the index refers to a chunk at byte ${ref.offset}, outside of the chunks`;
        throw new CorruptError(this.path, this.trailer.indexOffset, found);
      }
      before = ref;
    }
  }

  /** Decodes a chunk. Throws {@link CorruptError} if it is damaged or has invalid content. */
  decoding<T>(ref: ChunkRef, decode: (payload: Buffer) => T, read: () => Uint8Array = () => this.payload(ref)): T {
    try {
      return decode(read() as Buffer);
    } catch (error) {
      throw error instanceof RecordFormatError ? this.#undecodable(ref, error.message) : error;
    }
  }

  #undecodable(ref: ChunkRef, found: string): CorruptError | FolderError {
    const damage = this.#at(ref, `the chunk cannot be decoded (${found})`);
    return this.#revision === noRevision ? olderFormat(damage.file, damage.found) : damage;
  }

  #at(ref: ChunkRef, found: string): CorruptError {
    return new CorruptError(this.chunkFiles.pathOf(ref.file), ref.offset, found);
  }
}

const bytesOf = (refs: readonly ChunkRef[]): number => refs.reduce((sum, ref) => sum + chunkBytes(ref), 0);

/** A separate function, so that its closure holds only the payload and not the reader's data. */
const at = (payload: Uint8Array) => () => payload;

/** Opens a snapshot or a backup, and closes it after `use`. Throws what {@link SnapshotReader} and `use` throw. */
export function readSnapshot<T>(files: Files, path: string, use: (reader: SnapshotReader) => T): T {
  const reader = new SnapshotReader(files, path);
  try {
    return use(reader);
  } finally {
    reader.close();
  }
}
