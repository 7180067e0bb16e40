/**
 * Writes a snapshot: a complete state into one file ({@link writeSnapshot}), or the changes since another snapshot, with references to the
 * rest ({@link writeNext}). Unchanged leaves are never encoded again.
 */

import { keyRow } from '../../model/account.ts';
import type { CollectionName } from '../../model/resource.ts';
import { isBesideDocument, projects as projectResource, resourceOf } from '../../model/resources.ts';
import { pack } from '../../model/stored.ts';
import { responseRow } from '../../model/stored-response.ts';
import { blobsOf, blobsOfMaps } from '../../store/blobs-of.ts';
import type { Collection } from '../../store/collection.ts';
import { isFresh, type LoggedResponse } from '../../store/idempotency-store.ts';
import type { Leaf } from '../../store/leaf.ts';
import type { Member } from '../../store/member.ts';
import { packMembers, unpackMembers } from '../../store/rows/member-rows.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { type BaseSnapshot, type ListChunk, TouchedProjects } from './base.ts';
import { ChunkWriter, type FileOptions } from './chunk-writer.ts';
import type { Compaction } from './compaction.ts';
import { accountToRow } from './format/account-rows.ts';
import { blobRowsMax, packBlobs } from './format/blob-rows.ts';
import {
  type CollectionEntry,
  compareKeys,
  type GroupEntry,
  groupLeavesMax,
  groupProjectsMax,
  heldBy,
  keyOf,
  type LeafEntry,
  type ProjectEntry,
  type ProjectKey,
  packProjects,
  refsOf,
} from './format/index-format.ts';
import { type ChunkKind, type ChunkRef, chunkBytesMax } from './format/snapshot-format.ts';

/** Maximum number of rows of accounts, keys or stored responses in one chunk. */
const rowsPerChunk = 256;

export interface WriteReport {
  /** Size of the new file. */
  readonly bytes: number;
  readonly chunks: number;
  /** Number of chunks copied from older files, without decoding. */
  readonly copied: number;
}

/** Writes and syncs a file with a complete state. The caller provides the path and syncs its folder. */
export function writeSnapshot(state: State, options: FileOptions): WriteReport {
  const out = new ChunkWriter(state.lsn, options);
  try {
    const writer = new SnapshotWriter(out);
    const accounts = writer.list('accounts', [...state.accounts.values()], rowIn(state), []);
    const keys = writer.list('keys', [...state.keys.values()], keyRow, []);
    const responses = writer.list('responses', responsesIn(state, options.newestTime), responseToRow, []);
    for (const account of [...state.accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      for (const project of account.projects.after('')) writer.add(writer.project(project, undefined));
    }
    writer.endGroup();
    const blobs = writer.blobs(options);
    out.finish({ ...rootOf(state), accounts, keys, storedResponses: responses, groups: writer.groups, blobs });
    return { bytes: out.bytes, chunks: out.chunks, copied: writer.copied };
  } finally {
    out.close();
  }
}

/** Writes and syncs a file with the changes of a base's state, and the chunks to copy; it refers to the other chunks. */
export function writeNext(base: BaseSnapshot, compaction: Compaction, options: FileOptions): WriteReport {
  const { state } = base;
  const out = new ChunkWriter(state.lsn, options);
  try {
    const writer = new SnapshotWriter(out, base, compaction);
    const accounts = writer.list('accounts', [...state.accounts.values()], rowIn(state), base.accounts);
    const keys = writer.list('keys', [...state.keys.values()], keyRow, base.keys);
    const responses = writer.list('responses', responsesIn(state, options.newestTime), responseToRow, base.storedResponses);
    writer.groupsOf(base, compaction);
    const blobs = writer.blobs(options);
    out.finish({ ...rootOf(state), accounts, keys, storedResponses: responses, groups: writer.groups, blobs });
    return { bytes: out.bytes, chunks: out.chunks, copied: writer.copied };
  } finally {
    out.close();
  }
}

/** The part of the root that comes from the state. */
const rootOf = ({ keysVersion, newestId, runs }: State) => ({ keysVersion, newestId, runs: [...runs] });

const rowIn =
  (state: State) =>
  (account: AccountState): unknown[] =>
    accountToRow(account, state);

interface ResponseInAccount {
  readonly accountId: string;
  readonly response: LoggedResponse;
}

const responseToRow = ({ accountId, response }: ResponseInAccount): unknown[] => [accountId, response.lsn, responseRow(response)];

/** The stored responses that have not expired at the time of the newest record. */
function responsesIn({ accounts }: State, newestTime: number): ResponseInAccount[] {
  return [...accounts.values()].flatMap(({ id, storedResponses: responses }) =>
    [...responses.values()].filter((response) => isFresh(response, newestTime)).map((response) => ({ accountId: id, response })),
  );
}

/** A project that records touched; `project` is undefined if it was deleted. */
interface Touched {
  readonly key: ProjectKey;
  readonly project: StoredProject | undefined;
}

class SnapshotWriter {
  readonly groups: GroupEntry[] = [];
  copied = 0;
  readonly #out: ChunkWriter;
  readonly #base: BaseSnapshot | undefined;
  readonly #compaction: Compaction | undefined;
  /** The chunks of files and versions. A file with blobs is complete, so they are all in it. */
  readonly #blobLeaves: { readonly name: CollectionName; readonly leaf: ChunkRef }[] = [];
  /** The blobs of publications, by digest, with their sizes. */
  readonly #blobs = new Map<string, number>();
  #group: ProjectEntry[] = [];
  #groupLeaves = 0;

  constructor(out: ChunkWriter, base?: BaseSnapshot, compaction?: Compaction) {
    this.#out = out;
    this.#base = base;
    this.#compaction = compaction;
  }

  /** Writes rows in chunks; an unchanged chunk stays where it is. */
  list<T>(kind: ChunkKind, items: readonly T[], row: (item: T) => readonly unknown[], before: readonly ListChunk[]): ChunkRef[] {
    const refs: ChunkRef[] = [];
    const add = (rows: readonly T[]): void => {
      const payload = pack(rows.map(row));
      if (payload.byteLength > chunkBytesMax && rows.length > 1) {
        add(rows.slice(0, rows.length >>> 1));
        add(rows.slice(rows.length >>> 1));
        return;
      }
      const same = before[refs.length];
      refs.push(same?.payload.equals(payload) ? this.#kept(kind, same.ref) : this.#out.chunk(kind, payload));
    };
    for (let i = 0; i < items.length; i += rowsPerChunk) add(items.slice(i, i + rowsPerChunk));
    return refs;
  }

  /** Writes or references every group of the base. */
  groupsOf(base: BaseSnapshot, compaction: Compaction): void {
    const touched = touchedIn(base);
    const dropped = droppedIn(base);
    let next = 0;
    let from: string | undefined;
    base.groups.forEach((group, i) => {
      const last = i === base.groups.length - 1;
      const here: Touched[] = [];
      for (; next < touched.length; next++) {
        const item = touched[next] as Touched;
        if (!last && compareKeys(item.key, group.last) > 0) break;
        here.push(item);
      }
      const first = from;
      const emptied = [...dropped].some((id) => (first === undefined || id >= first) && id <= group.last.accountId);
      from = group.last.accountId;
      if (here.length > 0 || emptied || compaction.wants(group, this.#out.bytes) || this.#joins(group)) {
        const entries = base.entries(i).filter(({ accountId }) => !dropped.has(accountId));
        this.#addEvenly(this.#merged(entries, here));
        base.release(i);
        if (this.#group.length > groupProjectsMax / 2) this.endGroup();
      } else {
        this.endGroup();
        this.groups.push(group);
      }
    });
    for (; next < touched.length; next++) {
      const { project } = touched[next] as Touched;
      if (project !== undefined) this.add(this.project(project, undefined));
    }
    this.endGroup();
  }

  add(entry: ProjectEntry): void {
    const leaves = entry.collections.reduce((sum, held) => sum + held.leaves.length, 0);
    if (this.#group.length === groupProjectsMax || (this.#group.length > 0 && this.#groupLeaves + leaves > groupLeavesMax))
      this.endGroup();
    this.#group.push(entry);
    this.#groupLeaves += leaves;
    for (const { name, leaves: held } of entry.collections)
      if (isBesideDocument(name)) for (const leaf of held) this.#blobLeaves.push({ name, leaf });
    for (const { digest, bytes } of blobsOfMaps(entry.publication)) this.#blobs.set(digest, bytes);
  }

  /** Keeps the blobs of all files, versions and publications, and writes the list of them. */
  blobs({ keepBlobs }: FileOptions): ChunkRef[] {
    if (keepBlobs === undefined) return [];
    const needed = new Map(this.#blobs);
    for (const { name, leaf } of this.#blobLeaves) {
      for (const { value } of unpackMembers(resourceOf[name], this.#out.payload(leaf)))
        for (const { digest, bytes } of blobsOf(value)) needed.set(digest, bytes);
    }
    const names = [...needed].map(([digest, bytes]) => ({ digest, bytes })).sort((a, b) => (a.digest < b.digest ? -1 : 1));
    const kept = keepBlobs(names, this.#out);
    const refs: ChunkRef[] = [];
    for (let i = 0; i < kept.length; i += blobRowsMax)
      refs.push(this.#out.chunk('blobs', packBlobs(kept.slice(i, i + blobRowsMax))));
    return refs;
  }

  endGroup(): void {
    const last = this.#group.at(-1);
    if (last === undefined) return;
    const ref = this.#out.chunk('index', packProjects(this.#group, this.#out.lsn));
    this.groups.push({ ...ref, projects: this.#group.length, last: keyOf(last), held: heldBy(this.#group.flatMap(refsOf)) });
    this.#group = [];
    this.#groupLeaves = 0;
  }

  /** @param before the project in the base */
  project(project: StoredProject, before: ProjectEntry | undefined): ProjectEntry {
    const { id, accountId, version, headVersion, objectsVersion, packed } = project;
    const head =
      packed !== undefined && before !== undefined
        ? this.#kept('project', before.head)
        : this.#out.chunk('project', packed ?? pack(projectResource.toRow(project.value)));
    const collections = [...project.collections()].map(({ name, parentId, collection }): CollectionEntry => {
      const leaves = collection.leaves.flatMap((leaf) => this.#leaf(collection, leaf));
      const { version: collectionVersion, epoch, nextRank, sorted } = collection;
      return { name, parentId, version: collectionVersion, epoch, nextRank, sorted, leaves };
    });
    const { publication } = project;
    const visits = this.#visits(project, before);
    return { id, accountId, version, headVersion, objectsVersion, head, collections, publication, visits };
  }

  #visits({ visits }: StoredProject, before: ProjectEntry | undefined): ChunkRef | undefined {
    if (visits === undefined) return undefined;
    const same = before?.visits !== undefined && this.#base?.reader.payload(before.visits).equals(visits) === true;
    return same ? this.#kept('visits', before.visits) : this.#out.chunk('visits', visits);
  }

  #leaf(collection: Collection, leaf: Leaf): LeafEntry[] {
    const { packed } = leaf;
    if (packed === undefined) {
      const bytes = leaf.patchedRows();
      if (bytes === undefined || bytes.byteLength > chunkBytesMax) return this.#members(collection, leaf.members);
      return [this.#newLeaf(bytes, leaf)];
    }
    const present = this.#base?.leafOf(packed);
    if (present !== undefined) return [this.#keptLeaf(present)];
    return [this.#newLeaf(packed.bytes(), packed)];
  }

  #newLeaf(bytes: Uint8Array, { count, lastId, lastRank }: Pick<LeafEntry, 'count' | 'lastId' | 'lastRank'>): LeafEntry {
    return { ...this.#out.chunk('members', bytes), count, lastId, lastRank };
  }

  /** One chunk, or several if the members are large. */
  #members(collection: Collection, members: readonly Member[]): LeafEntry[] {
    const bytes = packMembers(collection.resource, members);
    if (bytes.byteLength > chunkBytesMax && members.length > 1) {
      const half = members.length >>> 1;
      return [...this.#members(collection, members.slice(0, half)), ...this.#members(collection, members.slice(half))];
    }
    const last = members.at(-1) as Member;
    return [this.#newLeaf(bytes, { count: members.length, lastId: last.value.id, lastRank: last.rank })];
  }

  /** Adds projects to the pending ones, in groups of similar size: a full group with one more project becomes two halves. */
  #addEvenly(entries: readonly ProjectEntry[]): void {
    const all = [...this.#group, ...entries];
    this.#group = [];
    this.#groupLeaves = 0;
    const size = Math.ceil(all.length / Math.ceil(all.length / groupProjectsMax));
    for (const entry of all) {
      if (this.#group.length === size) this.endGroup();
      this.add(entry);
    }
  }

  /** Merges the projects of a group with the touched ones, both in ascending order. */
  #merged(entries: readonly ProjectEntry[], touched: readonly Touched[]): ProjectEntry[] {
    const merged: ProjectEntry[] = [];
    const take = ({ project }: Touched, before: ProjectEntry | undefined) => {
      if (project !== undefined) merged.push(this.project(project, before));
    };
    let next = 0;
    for (const entry of entries) {
      const key = keyOf(entry);
      for (; next < touched.length && compareKeys((touched[next] as Touched).key, key) < 0; next++)
        take(touched[next] as Touched, undefined);
      const item = touched[next];
      if (item !== undefined && compareKeys(item.key, key) === 0) {
        take(item, entry);
        next++;
      } else merged.push(this.#untouched(entry));
    }
    for (; next < touched.length; next++) take(touched[next] as Touched, undefined);
    return merged;
  }

  #untouched(entry: ProjectEntry): ProjectEntry {
    if (this.#compaction === undefined) return entry;
    const head = this.#kept('project', entry.head);
    const collections = entry.collections.map((held) => ({ ...held, leaves: held.leaves.map((leaf) => this.#keptLeaf(leaf)) }));
    return { ...entry, head, collections, visits: entry.visits && this.#kept('visits', entry.visits) };
  }

  #keptLeaf(leaf: LeafEntry): LeafEntry {
    const { count, lastId, lastRank } = leaf;
    return { ...this.#kept('members', leaf), count, lastId, lastRank };
  }

  /** An unchanged chunk of the base: at its old position, or copied into this file. A copy is verified. */
  #kept(kind: ChunkKind, ref: ChunkRef): ChunkRef {
    if (this.#base === undefined || this.#compaction?.take(ref, this.#out.bytes) !== true) return ref;
    this.copied++;
    return this.#out.chunk(kind, this.#base.reader.payload(ref));
  }

  /** Whether pending projects should join an untouched group, so that no small groups accumulate. */
  #joins({ projects }: GroupEntry): boolean {
    return this.#group.length > 0 && this.#group.length + projects <= groupProjectsMax;
  }
}

/** The touched projects, in ascending order. */
function touchedIn({ state }: BaseSnapshot): Touched[] {
  const touched: Touched[] = [];
  for (const { id: accountId, projects } of state.accounts.values()) {
    for (const [projectId, project] of projects) touched.push({ key: { accountId, projectId }, project });
    if (!(projects instanceof TouchedProjects)) continue;
    for (const projectId of projects.dropped)
      if (!projects.has(projectId)) touched.push({ key: { accountId, projectId }, project: undefined });
  }
  return touched.sort((a, b) => compareKeys(a.key, b.key));
}

/** Accounts of the base that were deleted since it was made. */
function droppedIn({ state, accountIds }: BaseSnapshot): ReadonlySet<string> {
  return new Set(accountIds.filter((id) => !(state.accounts.get(id)?.projects instanceof TouchedProjects)));
}
