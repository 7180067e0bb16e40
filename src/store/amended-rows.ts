/**
 * The rows of a packed leaf of which some were replaced, and behind which others were added: a change costs its own row, and the rest is
 * copied as the bytes that it is. For a fold, which never looks at what it does not change.
 */
import type { Resource } from '../model/resource.ts';
import type { Member, PackedLeaf } from './member.ts';
import { checkedRows, described, packMember, unpackMembers } from './member-rows.ts';
import { listHead, type PackedRows } from './packed-rows.ts';

export class AmendedRows {
  readonly #resource: Resource;
  readonly #packed: PackedLeaf;
  readonly #rows: PackedRows;
  readonly #replaced = new Map<number, Member>();
  readonly #added: Member[] = [];

  /** Throws when the rows are damaged. */
  constructor(resource: Resource, packed: PackedLeaf) {
    this.#resource = resource;
    this.#packed = packed;
    this.#rows = described(packed, () => checkedRows(packed));
  }

  get count(): number {
    return this.#rows.count + this.#added.length;
  }

  get lastRank(): number {
    return this.#added.at(-1)?.rank ?? this.#packed.lastRank;
  }

  /** Bytes of the rows, about: what was replaced counts as it was. */
  get bytes(): number {
    const { bytes } = this.#rows;
    return bytes.byteLength + this.#added.length * Math.ceil(bytes.byteLength / this.#rows.count);
  }

  /** @param rank where a member stands, in a collection that is not sorted by identifier */
  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined {
    const rows = this.#rows;
    return described(this.#packed, () => {
      const at = rows.indexOf(id, rank);
      if (at !== undefined) return { at, rank: rows.rank(at) };
      const added = this.#added.findIndex(({ value }) => value.id === id);
      return added < 0 ? undefined : { at: rows.count + added, rank: (this.#added[added] as Member).rank };
    });
  }

  /** Puts a member in the place that {@link place} told for its identifier. */
  replace(at: number, member: Member): void {
    if (at < this.#rows.count) this.#replaced.set(at, member);
    else this.#added[at - this.#rows.count] = member;
  }

  add(member: Member): void {
    this.#added.push(member);
  }

  /** All members as values. Throws when any of them is damaged. */
  members(): Member[] {
    const members = described(this.#packed, () => unpackMembers(this.#resource, this.#rows.bytes));
    for (const [at, member] of this.#replaced) members[at] = member;
    return [...members, ...this.#added];
  }

  /** All rows as `packMembers` would make them. */
  pack(): Buffer {
    const rows = this.#rows;
    const pieces: Uint8Array[] = [listHead(this.count)];
    let from = 0;
    for (const [at, member] of [...this.#replaced].sort(([a], [b]) => a - b)) {
      pieces.push(rows.between(from, at), packMember(this.#resource, member));
      from = at + 1;
    }
    pieces.push(rows.between(from, rows.count), ...this.#added.map((member) => packMember(this.#resource, member)));
    return Buffer.concat(pieces);
  }
}
