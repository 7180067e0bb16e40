/**
 * The index of a snapshot: where every chunk stands and what may be known without decoding it. The first index chunk describes the
 * whole, each further one up to {@link projectsPerChunk} projects, in creation order within their account.
 */
import { collectionAt } from '../model/record.ts';
import type { CollectionName } from '../model/resource.ts';
import { collectionNames } from '../model/resources.ts';
import { pack, stored, unpack } from '../model/stored.ts';
import type { CollectionHead } from '../store/collection.ts';
import { leafMembersMax } from '../store/leaf.ts';
import type { ChunkRef } from './format.ts';

export const projectsPerChunk = 256;

export interface RootEntry {
  readonly keysVersion: number;
  /** Greatest identifier ever given to anything. */
  readonly newestId: string;
  readonly accounts: readonly ChunkRef[];
  readonly keys: readonly ChunkRef[];
}

export interface LeafEntry extends ChunkRef {
  readonly count: number;
  readonly lastId: string;
  readonly lastRank: number;
}

export interface CollectionEntry extends CollectionHead {
  readonly name: CollectionName;
  readonly parentId: string;
  readonly leaves: readonly LeafEntry[];
}

export interface ProjectEntry {
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly headVersion: number;
  readonly objectsVersion: number;
  /** Its own members. */
  readonly head: ChunkRef;
  readonly collections: readonly CollectionEntry[];
}

const refRow = ({ offset, length, crc }: ChunkRef) => [offset, length, crc];

function refFromRow(row: unknown): ChunkRef {
  const [offset, length, crc] = stored.list(row, 'the place of a chunk');
  return {
    offset: stored.count(offset, 'the offset of a chunk'),
    length: stored.count(length, 'the length of a chunk', 0xffff_ffff),
    crc: stored.count(crc, 'the checksum of a chunk', 0xffff_ffff),
  };
}

export const packRoot = (root: RootEntry): Buffer =>
  pack([root.keysVersion, root.newestId, root.accounts.map(refRow), root.keys.map(refRow)]);

/** @param lsn the newest record in the snapshot: no version in it is above that */
export function unpackRoot(bytes: Uint8Array, lsn: number): RootEntry {
  const [keysVersion, newestId, accounts, keys] = unpack(bytes);
  return {
    keysVersion: stored.count(keysVersion, 'the version of the keys', lsn),
    newestId: stored.text(newestId, 'the newest identifier'),
    accounts: stored.list(accounts, 'the list of accounts').map(refFromRow),
    keys: stored.list(keys, 'the list of keys').map(refFromRow),
  };
}

export const packProjects = (projects: readonly ProjectEntry[]): Buffer => pack(projects.map(projectRow));

function projectRow(entry: ProjectEntry): unknown[] {
  const { id, accountId, version, headVersion, objectsVersion, head, collections } = entry;
  return [id, accountId, version, headVersion, objectsVersion, refRow(head), collections.map(collectionRow)];
}

function collectionRow(entry: CollectionEntry): unknown[] {
  const { name, parentId, version, epoch, nextRank, sorted, leaves } = entry;
  const leafRows = leaves.map((leaf) => [...refRow(leaf), leaf.count, leaf.lastId, leaf.lastRank]);
  return [collectionNames.indexOf(name), parentId, version, epoch, nextRank, sorted, leafRows];
}

/** @param lsn as in {@link unpackRoot} */
export function unpackProjects(bytes: Uint8Array, lsn: number): ProjectEntry[] {
  return unpack(bytes).map((row) => {
    const [id, accountId, version, headVersion, objectsVersion, head, collections] = stored.list(row, 'a project');
    return {
      id: stored.text(id, 'the id of a project'),
      accountId: stored.text(accountId, 'the account of a project'),
      version: stored.count(version, 'the version of a project', lsn),
      headVersion: stored.count(headVersion, 'the version of a project', lsn),
      objectsVersion: stored.count(objectsVersion, 'the version of a project', lsn),
      head: refFromRow(head),
      collections: stored.list(collections, 'the list of collections').map((held) => collectionFromRow(held, lsn)),
    };
  });
}

function collectionFromRow(row: unknown, lsn: number): CollectionEntry {
  const [number, parentId, version, epoch, nextRank, sorted, leaves] = stored.list(row, 'a collection');
  const { collection: name, parentId: parent } = collectionAt(number, parentId);
  return {
    name,
    parentId: parent,
    version: stored.count(version, 'the version of a collection', lsn),
    epoch: stored.count(epoch, 'the epoch of a collection'),
    nextRank: stored.count(nextRank, 'the next rank of a collection'),
    sorted: stored.flag(sorted, 'whether a collection is sorted'),
    leaves: stored.list(leaves, 'the list of leaves').map(leafFromRow),
  };
}

function leafFromRow(row: unknown): LeafEntry {
  const [offset, length, crc, count, lastId, lastRank] = stored.list(row, 'a leaf');
  return {
    ...refFromRow([offset, length, crc]),
    count: stored.count(count, 'the members of a leaf', leafMembersMax),
    lastId: stored.text(lastId, 'the last identifier of a leaf'),
    lastRank: stored.number(lastRank, 'the last rank of a leaf'),
  };
}
