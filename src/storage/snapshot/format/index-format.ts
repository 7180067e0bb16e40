/**
 * The index of a snapshot, a tree of two levels: the position of every chunk, and the facts about it that must be known without decoding.
 *
 *     root ─▶ index chunk, a *group* of up to 256 projects ─▶ chunks of projects and of members
 *
 * Groups are in ascending order of their projects' accounts and identifiers. For each group the root contains its last project, and its
 * number of bytes in each file. So a new snapshot loads only the groups that records touch.
 *
 * A position without a file is in the same file as the index chunk that contains the position.
 */

import { collectionAt } from '../../../model/collection-path.ts';
import {
  liveColumns,
  liveFromColumn,
  type PublicationHead,
  type PublishedVersion,
  publishedVersionFromRow,
  publishedVersionRow,
  publishedVersionsMax,
  slugFrom,
} from '../../../model/publication.ts';
import type { CollectionName } from '../../../model/resource.ts';
import { collectionNames } from '../../../model/resources.ts';
import { pack, RecordFormatError, stored, unpack } from '../../../model/stored.ts';
import type { CollectionHead } from '../../../store/collection.ts';
import { leafMembersMax } from '../../../store/leaf.ts';
import type { Run } from '../../../store/runs.ts';
import { runIdBytes, runIdFrom } from '../../../store/runs.ts';
import { formatRevision, noRevision } from '../../wal/format/format-revision.ts';
import { type ChunkRef, chunkBytes } from './snapshot-format.ts';

/** Maximum number of projects in a group. */
export const groupProjectsMax = 256;
/** Maximum number of leaves in a group, unless one project has more: the cost of a touched group must not grow with its projects. */
export const groupLeavesMax = 2048;

/** The sort key of groups and their projects. */
export interface ProjectKey {
  readonly accountId: string;
  readonly projectId: string;
}

export interface GroupEntry extends ChunkRef {
  /** Number of projects. */
  readonly projects: number;
  readonly last: ProjectKey;
  /** Bytes of its projects' chunks in each file, by the file's LSN. */
  readonly held: ReadonlyMap<number, number>;
}

export interface RootEntry {
  readonly keysVersion: number;
  /** The greatest identifier ever assigned. */
  readonly newestId: string;
  readonly accounts: readonly ChunkRef[];
  readonly keys: readonly ChunkRef[];
  readonly storedResponses: readonly ChunkRef[];
  readonly groups: readonly GroupEntry[];
  /** In ascending LSN order. */
  readonly runs: readonly Run[];
  /** Chunks of the list of blobs (blob-rows.ts); only a backup has some. */
  readonly blobs: readonly ChunkRef[];
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

export interface PublicationEntry extends Omit<PublicationHead, 'newest'> {
  /** In the order in which they were published. */
  readonly versions: readonly PublishedVersion[];
  /** LSN of the newest record about it. */
  readonly lsn: number;
}

export interface ProjectEntry {
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly headVersion: number;
  readonly objectsVersion: number;
  /** The chunk of its own members. */
  readonly head: ChunkRef;
  readonly collections: readonly CollectionEntry[];
  /** `undefined` if it is not public. */
  readonly publication: PublicationEntry | undefined;
  /** The chunk of the visits of its publication; `undefined` without any. */
  readonly visits: ChunkRef | undefined;
}

/** Negative, zero or positive if `a` sorts before, equal to or after `b`. */
export function compareKeys(a: ProjectKey, b: ProjectKey): number {
  if (a.accountId !== b.accountId) return a.accountId < b.accountId ? -1 : 1;
  return a.projectId === b.projectId ? 0 : a.projectId < b.projectId ? -1 : 1;
}

export const keyOf = ({ accountId, id }: { accountId: string; id: string }): ProjectKey => ({ accountId, projectId: id });

/** All chunks of a project. */
export const refsOf = ({ head, collections, visits }: ProjectEntry): ChunkRef[] => [
  head,
  ...collections.flatMap(({ leaves }) => leaves),
  ...(visits === undefined ? [] : [visits]),
];

/** Total size of chunks in each file, in bytes. */
export function heldBy(refs: Iterable<ChunkRef>): Map<number, number> {
  const held = new Map<number, number>();
  for (const ref of refs) held.set(ref.file, (held.get(ref.file) ?? 0) + chunkBytes(ref));
  return held;
}

/** The file of a chunk, as the end of a row; omitted if it is `own`. */
const fileRow = ({ file }: ChunkRef, own: number): number[] => (file === own ? [] : [file]);
const refRow = (ref: ChunkRef, own: number) => [ref.offset, ref.length, ref.crc, ...fileRow(ref, own)];

/** @param own LSN of the file that contains the row; the row cannot refer to a later file */
function refFromRow(row: unknown, own: number): ChunkRef {
  const [offset, length, crc, file] = stored.list(row, 'the position of a chunk');
  return { offset: offsetFrom(offset), length: lengthFrom(length), crc: crcFrom(crc), file: fileFrom(file, own) };
}

const offsetFrom = (item: unknown): number => stored.count(item, 'the offset of a chunk');
const lengthFrom = (item: unknown): number => stored.count(item, 'the length of a chunk', 0xffff_ffff);
const crcFrom = (item: unknown): number => stored.count(item, 'the checksum of a chunk', 0xffff_ffff);
const fileFrom = (item: unknown, own: number): number =>
  item === undefined ? own : stored.count(item, 'the file of a chunk', own);

/** @param own LSN of the snapshot whose file contains the root */
export function packRoot(
  { keysVersion, newestId, accounts, keys, storedResponses: responses, groups, runs, blobs }: RootEntry,
  own: number,
): Buffer {
  const rows = (refs: readonly ChunkRef[]) => refs.map((ref) => refRow(ref, own));
  const groupRows = groups.map((group) => groupRow(group, own));
  const runRows = runs.map(({ firstLsn, id }) => [firstLsn, runIdBytes(id)]);
  const head = [keysVersion, newestId, rows(accounts), rows(keys), groupRows, rows(responses), runRows];
  return pack([...head, rows(blobs), formatRevision]);
}

function groupRow(group: GroupEntry, own: number): unknown[] {
  const { offset, length, crc, projects, last, held } = group;
  return [offset, length, crc, projects, last.accountId, last.projectId, [...held], ...fileRow(group, own)];
}

/** The format revision of the program that wrote a root: read before the rest of it. */
export function revisionOfRoot(bytes: Uint8Array): number {
  const revision = unpack(bytes)[8] ?? noRevision;
  return stored.count(revision, 'the format revision', 0xffff);
}

/** @param own as in {@link packRoot}; no version in the root can be above it */
export function unpackRoot(bytes: Uint8Array, own: number): RootEntry {
  const [keysVersion, newestId, accounts, keys, groups, responses, runs, blobs = []] = unpack(bytes);
  return {
    keysVersion: stored.count(keysVersion, 'the version of the keys', own),
    newestId: stored.text(newestId, 'the newest identifier'),
    accounts: stored.list(accounts, 'the list of accounts').map((row) => refFromRow(row, own)),
    keys: stored.list(keys, 'the list of keys').map((row) => refFromRow(row, own)),
    storedResponses: stored.list(responses, 'the list of stored responses').map((row) => refFromRow(row, own)),
    groups: stored.list(groups, 'the list of groups').map((row) => groupFromRow(row, own)),
    runs: runsFrom(runs, own),
    blobs: stored.list(blobs, 'the list of blobs').map((row) => refFromRow(row, own)),
  };
}

function runsFrom(rows: unknown, own: number): Run[] {
  let before = 0;
  return stored.list(rows, 'the list of runs').map((row) => {
    const [lsn, id] = stored.list(row, 'a run');
    const firstLsn = stored.count(lsn, 'the first record of a run', own);
    if (firstLsn <= before)
      throw new RecordFormatError(`a run that begins with record ${firstLsn} follows one that begins with record ${before}`);
    before = firstLsn;
    return { firstLsn, id: runIdFrom(id) };
  });
}

function groupFromRow(row: unknown, own: number): GroupEntry {
  const [offset, length, crc, projects, accountId, projectId, held, file] = stored.list(row, 'a group of projects');
  return {
    ...refFromRow([offset, length, crc, file], own),
    projects: stored.count(projects, 'the projects of a group', groupProjectsMax),
    last: {
      accountId: stored.text(accountId, 'the last account of a group'),
      projectId: stored.text(projectId, 'the last project of a group'),
    },
    held: new Map(
      stored.list(held, 'the files of a group').map((item) => {
        const [lsn, bytes] = stored.list(item, 'a file of a group');
        return [stored.count(lsn, 'a file of a group', own), stored.count(bytes, 'the bytes of a group')];
      }),
    ),
  };
}

/** @param own LSN of the snapshot whose file contains the index chunk */
export const packProjects = (projects: readonly ProjectEntry[], own: number): Buffer =>
  pack(projects.map((entry) => projectRow(entry, own)));

function projectRow(entry: ProjectEntry, own: number): unknown[] {
  const { id, accountId, version, headVersion, objectsVersion, head, collections, publication, visits } = entry;
  return [
    id,
    accountId,
    version,
    headVersion,
    objectsVersion,
    refRow(head, own),
    collections.map((held) => collectionRow(held, own)),
    // Only a publication has visits.
    ...(publication === undefined ? [] : [publicationRow(publication), ...(visits === undefined ? [] : [refRow(visits, own)])]),
  ];
}

function publicationRow({ slug, origins, projectVersion, lsn, versions, live }: PublicationEntry): unknown[] {
  return [slug, origins, projectVersion, lsn, versions.map(publishedVersionRow), ...liveColumns(live)];
}

/** @param own as in {@link packProjects} */
function publicationFromRow(row: unknown, own: number): PublicationEntry {
  const [slug, origins, projectVersion, lsn, rows, live] = stored.list(row, 'a publication');
  const versions = stored.list(rows, 'the versions of a publication').map(publishedVersionFromRow);
  if (versions.length === 0 || versions.length > publishedVersionsMax)
    throw new RecordFormatError(`a publication has ${versions.length} versions, not 1 to ${publishedVersionsMax}`);
  return {
    slug: slugFrom(slug),
    origins: stored.texts(origins, 'the origins of a publication'),
    projectVersion: stored.count(projectVersion, 'the version of a published project', own),
    lsn: stored.count(lsn, 'the version of a publication', own),
    versions,
    live: liveFromColumn(live),
  };
}

function collectionRow(entry: CollectionEntry, own: number): unknown[] {
  const { name, parentId, version, epoch, nextRank, sorted, leaves } = entry;
  const leafRows = leaves.map((leaf) => {
    const { offset, length, crc, count, lastId, lastRank } = leaf;
    return [offset, length, crc, count, lastId, lastRank, ...fileRow(leaf, own)];
  });
  return [collectionNames.indexOf(name), parentId, version, epoch, nextRank, sorted, leafRows];
}

/** @param own as in {@link packProjects}; no version in the chunk can be above it */
export function unpackProjects(bytes: Uint8Array, own: number): ProjectEntry[] {
  return unpack(bytes).map((row) => {
    const items = stored.list(row, 'a project');
    const [id, accountId, version, headVersion, objectsVersion, head, collections, publication, visits] = items;
    return {
      id: stored.text(id, 'the id of a project'),
      accountId: stored.text(accountId, 'the account of a project'),
      version: stored.count(version, 'the version of a project', own),
      headVersion: stored.count(headVersion, 'the version of a project', own),
      objectsVersion: stored.count(objectsVersion, 'the version of a project', own),
      head: refFromRow(head, own),
      collections: stored.list(collections, 'the list of collections').map((held) => collectionFromRow(held, own)),
      publication: publication === undefined ? undefined : publicationFromRow(publication, own),
      visits: visits === undefined ? undefined : refFromRow(visits, own),
    };
  });
}

function collectionFromRow(row: unknown, own: number): CollectionEntry {
  const [number, parentId, version, epoch, nextRank, sorted, leaves] = stored.list(row, 'a collection');
  const { collection: name, parentId: parent } = collectionAt(number, parentId);
  return {
    name,
    parentId: parent,
    version: stored.count(version, 'the version of a collection', own),
    epoch: stored.count(epoch, 'the epoch of a collection'),
    nextRank: stored.count(nextRank, 'the next rank of a collection'),
    sorted: stored.flag(sorted, 'whether a collection is sorted'),
    leaves: stored.list(leaves, 'the list of leaves').map((leaf) => leafFromRow(leaf, own)),
  };
}

/** Of all rows these are the most by far, so the function is written for speed: one object literal, no iterator. */
function leafFromRow(row: unknown, own: number): LeafEntry {
  const items = stored.list(row, 'a leaf');
  return {
    offset: offsetFrom(items[0]),
    length: lengthFrom(items[1]),
    crc: crcFrom(items[2]),
    file: fileFrom(items[6], own),
    count: stored.count(items[3], 'the members of a leaf', leafMembersMax),
    lastId: stored.text(items[4], 'the last identifier of a leaf'),
    lastRank: stored.number(items[5], 'the last rank of a leaf'),
  };
}
