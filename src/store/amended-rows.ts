/**
 * The rows of a packed leaf of which some were replaced, and behind which others were added: a change costs its own row, and the rest is
 * copied as the bytes that it is. For a fold, which never looks at what it does not change.
 */
import type { Resource } from '../model/resource.ts';
import type { Member, PackedLeaf } from './member.ts';
import { checkedRows, described, packMember, unpackMembers } from './member-rows.ts';
import { listHead, type PackedRows } from './packed-rows.ts';

/** The row of a member that was added. */
interface Added {
  readonly id: string;
  readonly rank: number;
  row: Buffer;
}

export class AmendedRows {
  readonly #resource: Resource;
  readonly #packed: PackedLeaf;
  readonly #rows: PackedRows;
  readonly #replaced = new Map<number, Buffer>();
  readonly #added: Added[] = [];
  #bytes: number;

  /** Throws when the rows are damaged. */
  constructor(resource: Resource, packed: PackedLeaf) {
    this.#resource = resource;
    this.#packed = packed;
    this.#rows = described(packed, () => checkedRows(packed));
    this.#bytes = this.#rows.bytes.byteLength;
  }

  get count(): number {
    return this.#rows.count + this.#added.length;
  }

  get lastRank(): number {
    return this.#added.at(-1)?.rank ?? this.#packed.lastRank;
  }

  /** Bytes of the rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param rank where a member stands, in a collection that is not sorted by identifier */
  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined {
    const rows = this.#rows;
    return described(this.#packed, () => {
      const at = rows.indexOf(id, rank);
      if (at !== undefined) return { at, rank: rows.rank(at) };
      const added = this.#added.findIndex((one) => one.id === id);
      return added < 0 ? undefined : { at: rows.count + added, rank: (this.#added[added] as Added).rank };
    });
  }

  /** The identifier at a place. Throws when its row is damaged. */
  idAt(at: number): string | undefined {
    const rows = this.#rows;
    return at < rows.count ? described(this.#packed, () => rows.id(at)) : this.#added[at - rows.count]?.id;
  }

  /** Puts a member in the place that {@link place} told for its identifier. */
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

  /** All members as values. Throws when any of them is damaged. */
  members(): Member[] {
    return described(this.#packed, () => unpackMembers(this.#resource, this.pack()));
  }

  /** All rows as `packMembers` would make them. */
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
