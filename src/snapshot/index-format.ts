/**
 * The index of a snapshot: where every chunk stands and what may be known without decoding it. The first index chunk describes the
 * whole, each further one up to {@link projectsPerChunk} projects, in creation order within their account.
 */
import { pack, unpack } from '../model/record.ts';
import type { CollectionName } from '../model/resource.ts';
import { collectionNames } from '../model/resources.ts';
import type { CollectionHead } from '../store/collection.ts';
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
const refFromRow = ([offset, length, crc]: number[]) => ({ offset, length, crc }) as ChunkRef;

export const packRoot = (root: RootEntry): Buffer =>
  pack([root.keysVersion, root.newestId, root.accounts.map(refRow), root.keys.map(refRow)]);

export function unpackRoot(bytes: Uint8Array): RootEntry {
  const [keysVersion, newestId, accounts, keys] = unpack(bytes) as [number, string, number[][], number[][]];
  return { keysVersion, newestId, accounts: accounts.map(refFromRow), keys: keys.map(refFromRow) };
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

// biome-ignore lint/suspicious/noExplicitAny: positional arrays of mixed types, behind a checksum
type AnyRow = any[];

export function unpackProjects(bytes: Uint8Array): ProjectEntry[] {
  return (unpack(bytes) as AnyRow[]).map(([id, accountId, version, headVersion, objectsVersion, head, collections]) => ({
    id,
    accountId,
    version,
    headVersion,
    objectsVersion,
    head: refFromRow(head),
    collections: collections.map(collectionFromRow),
  }));
}

function collectionFromRow([number, parentId, version, epoch, nextRank, sorted, leaves]: AnyRow): CollectionEntry {
  return {
    name: collectionNames[number] as CollectionName,
    parentId,
    version,
    epoch,
    nextRank,
    sorted,
    leaves: leaves.map(([offset, length, crc, count, lastId, lastRank]: AnyRow) => ({
      offset,
      length,
      crc,
      count,
      lastId,
      lastRank,
    })),
  };
}
