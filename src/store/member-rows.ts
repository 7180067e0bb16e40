/** Members of one leaf as rows of msgpack, as memory and snapshots hold them, and back. What makes no sense is refused, not guessed at. */
import type { Resource } from '../model/resource.ts';
import { pack, RecordFormatError, stored, unpack } from '../model/stored.ts';
import type { Member, PackedLeaf } from './member.ts';
import { PackedRows } from './packed-rows.ts';

/** Members as bytes in memory, with what an index would say of them. */
export function packedAgain(resource: Resource, members: readonly Member[], last: Member): PackedLeaf {
  // A copy of their own size: the encoder's buffer is larger and shared.
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

/** One of these rows. */
export function packMember(resource: Resource, member: Member): Buffer {
  return pack(rowOf(resource, member));
}

const rowOf = (resource: Resource, { value, version, rank }: Member): unknown[] => [rank, version, ...resource.toRow(value)];

/** Throws a {@link RecordFormatError} for anything else than {@link packMembers} makes. */
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

/** The members of a chunk, which must be those that the snapshot's index says. */
export function unpackLeaf(resource: Resource, packed: PackedLeaf): Member[] {
  return described(packed, () => {
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

/** Where its rows are, which must be those that the index says; what else is in them is looked at when one is decoded. */
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
    if (rank <= lastRank) throw new RecordFormatError('its members are not in their order');
    if (version > packed.version) throw new RecordFormatError(`a member of version ${version}, above ${packed.version}`);
    lastRank = rank;
  }
  if (rows.count !== packed.count || lastRank !== packed.lastRank || rows.id(rows.count - 1) !== packed.lastId) {
    throw new RecordFormatError('its members are not those that the index says');
  }
}

/** Says of rows that make no sense where they came from. */
export function described<T>(packed: PackedLeaf, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof RecordFormatError ? packed.damage(error.message) : error;
  }
}
