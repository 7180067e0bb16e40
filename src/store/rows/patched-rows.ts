/**
 * The rows of a packed leaf, with some rows replaced and others appended. A change costs its own row; the other rows are copied as bytes.
 * Snapshots use it: they do not decode members that they do not change.
 */
import type { Resource } from '../../model/resource.ts';
import type { Member, PackedLeaf } from '../member.ts';
import { checkedRows, packMember, unpackMembers, withOrigin } from './member-rows.ts';
import { listHead, type PackedRows } from './packed-rows.ts';

/** The row of an appended member. */
interface AppendedRow {
  readonly id: string;
  readonly rank: number;
  row: Buffer;
}

export class PatchedRows {
  readonly #resource: Resource;
  readonly #packed: PackedLeaf;
  readonly #rows: PackedRows;
  readonly #replaced = new Map<number, Buffer>();
  readonly #added: AppendedRow[] = [];
  #bytes: number;

  /** Throws if the rows are damaged. */
  constructor(resource: Resource, packed: PackedLeaf) {
    this.#resource = resource;
    this.#packed = packed;
    this.#rows = withOrigin(packed, () => checkedRows(packed));
    this.#bytes = this.#rows.bytes.byteLength;
  }

  get count(): number {
    return this.#rows.count + this.#added.length;
  }

  get lastRank(): number {
    return this.#added.at(-1)?.rank ?? this.#packed.lastRank;
  }

  /** Size of the rows, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param rank the member's rank, in a collection that is not sorted by identifier */
  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined {
    const rows = this.#rows;
    return withOrigin(this.#packed, () => {
      const at = rows.indexOf(id, rank);
      if (at !== undefined) return { at, rank: rows.rank(at) };
      const added = this.#added.findIndex((one) => one.id === id);
      return added < 0 ? undefined : { at: rows.count + added, rank: (this.#added[added] as AppendedRow).rank };
    });
  }

  /** The identifier at an index. Throws if its row is damaged. */
  idAt(at: number): string | undefined {
    const rows = this.#rows;
    return at < rows.count ? withOrigin(this.#packed, () => rows.id(at)) : this.#added[at - rows.count]?.id;
  }

  /** Replaces the member at an index that {@link place} returned for its identifier. */
  replace(at: number, member: Member): void {
    const row = packMember(this.#resource, member);
    const added = this.#added[at - this.#rows.count];
    this.#bytes += row.byteLength - (added?.row.byteLength ?? this.#replaced.get(at)?.byteLength ?? this.#rows.rowBytes(at));
    if (added === undefined) this.#replaced.set(at, row);
    else added.row = row;
  }

  add(member: Member): void {
    const row = packMember(this.#resource, member);
    this.#bytes += row.byteLength;
    this.#added.push({ id: member.value.id, rank: member.rank, row });
  }

  /** All members, decoded. Throws if any of them is damaged. */
  members(): Member[] {
    return withOrigin(this.#packed, () => unpackMembers(this.#resource, this.pack()));
  }

  /** All rows, encoded as `packMembers` would. */
  pack(): Buffer {
    const rows = this.#rows;
    const pieces: Uint8Array[] = [listHead(this.count)];
    let from = 0;
    for (const [at, row] of [...this.#replaced].sort(([a], [b]) => a - b)) {
      pieces.push(rows.between(from, at), row);
      from = at + 1;
    }
    pieces.push(rows.between(from, rows.count), ...this.#added.map(({ row }) => row));
    return Buffer.concat(pieces);
  }
}
