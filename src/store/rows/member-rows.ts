/** Encodes the members of one leaf as msgpack rows, for memory and snapshots, and decodes them. Invalid rows are rejected. */
import type { Resource } from '../../model/resource.ts';
import { pack, RecordFormatError, stored, unpack } from '../../model/stored.ts';
import type { Member, PackedLeaf } from '../member.ts';
import { PackedRows } from './packed-rows.ts';

/** Encodes members for memory, with the figures that an index stores for a leaf. */
export function repack(resource: Resource, members: readonly Member[], last: Member): PackedLeaf {
  // Copies the bytes: the encoder's buffer is larger and shared.
  const bytes = Uint8Array.prototype.slice.call(packMembers(resource, members));
  return {
    count: members.length,
    lastId: last.value.id,
    lastRank: last.rank,
    version: members.reduce((newest, { version }) => Math.max(newest, version), 0),
    bytes: () => bytes,
    damage: (found) => new Error(`members packed in memory cannot be read: ${found}`),
  };
}

/** `[[rank, version, ...row], ...]` as msgpack. */
export function packMembers(resource: Resource, members: readonly Member[]): Buffer {
  return pack(members.map((member) => rowOf(resource, member)));
}

/** One row of {@link packMembers}. */
export function packMember(resource: Resource, member: Member): Buffer {
  return pack(rowOf(resource, member));
}

const rowOf = (resource: Resource, { value, version, rank }: Member): unknown[] => [rank, version, ...resource.toRow(value)];

/** Throws a {@link RecordFormatError} for anything but the output of {@link packMembers}. */
export function unpackMembers(resource: Resource, bytes: Uint8Array): Member[] {
  return unpack(bytes).map((item) => memberOf(resource, item));
}

export function memberOf(resource: Resource, item: unknown): Member {
  const [rank, version, ...row] = stored.list(item, 'a member');
  return {
    value: resource.fromRow(row),
    version: stored.count(version, 'a version'),
    rank: stored.number(rank, 'a rank'),
    json: undefined,
  };
}

/** Decodes the members of a chunk. They must match the snapshot's index. */
export function unpackLeaf(resource: Resource, packed: PackedLeaf): Member[] {
  return withOrigin(packed, () => {
    const members = unpackMembers(resource, packed.bytes());
    checkIndexed(packed, {
      count: members.length,
      rank: (i) => (members[i] as Member).rank,
      version: (i) => (members[i] as Member).version,
      id: (i) => (members[i] as Member).value.id,
    });
    return members;
  });
}

/** Locates the rows, which must match the index. The other items of a row are checked when that row is decoded. */
export function checkedRows(packed: PackedLeaf): PackedRows {
  const rows = new PackedRows(packed.bytes());
  checkIndexed(packed, rows);
  return rows;
}

function checkIndexed(packed: PackedLeaf, rows: Pick<PackedRows, 'count' | 'rank' | 'version' | 'id'>): void {
  let lastRank = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < rows.count; i++) {
    const rank = rows.rank(i);
    const version = rows.version(i);
    if (rank <= lastRank) throw new RecordFormatError(`rank ${rank} follows rank ${lastRank}; ranks must ascend`);
    if (version > packed.version)
      throw new RecordFormatError(`a member has version ${version}; the index allows at most ${packed.version}`);
    lastRank = rank;
  }
  if (rows.count !== packed.count || lastRank !== packed.lastRank || rows.id(rows.count - 1) !== packed.lastId) {
    throw new RecordFormatError('its members do not match the index');
  }
}

/** Adds the origin of the rows to a {@link RecordFormatError}. */
export function withOrigin<T>(packed: PackedLeaf, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof RecordFormatError ? packed.damage(error.message) : error;
  }
}
