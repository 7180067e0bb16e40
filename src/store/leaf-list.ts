/** The leaves of a collection: a list that readers share, and that is copied before a change. */
import { firstIndex } from '../lib/first-index.ts';
import { type Leaf, type LeafKind, leafMembersMax } from './leaf.ts';
import type { CachedJson, Member } from './member.ts';

/** Position of a member: the leaf, and the index in that leaf. */
export interface MemberPosition {
  readonly leaf: number;
  readonly at: number;
  readonly rank: number;
}

/** A page of a collection. */
export interface Page {
  readonly members: readonly Member[];
  /** Whether more members follow. */
  readonly more: boolean;
}

/** The members of a collection at one moment. Costs a few words, for any number of members. */
export class Capture implements Iterable<Member> {
  readonly leaves: readonly Leaf[];
  /** Its members as a JSON array, while cached. */
  json: CachedJson<Buffer> | undefined;
  /** Requests for that JSON so far. `too long`: it cannot be made in one step, so it is not cached. */
  requested: 'never' | 'once' | 'too long' = 'never';

  constructor(leaves: readonly Leaf[]) {
    this.leaves = leaves;
  }

  *[Symbol.iterator](): Generator<Member, void> {
    for (const leaf of this.leaves) yield* leaf.members;
  }
}

export class LeafList {
  #leaves: Leaf[];
  /** Set since the list of leaves last changed: readers then share the list and its leaves. */
  #captured: Capture | undefined;

  constructor(leaves: Leaf[] = [], captured?: Capture) {
    this.#leaves = leaves;
    this.#captured = captured;
  }

  get leaves(): readonly Leaf[] {
    return this.#leaves;
  }

  /** All members as of now. Later changes do not show in it. */
  capture(): Capture {
    if (this.#captured !== undefined) return this.#captured;
    for (const leaf of this.#leaves) leaf.shared = true;
    this.#captured = new Capture(this.#leaves);
    return this.#captured;
  }

  /** A list that changes independently of this one, and shares its leaves until then. */
  fork(): LeafList {
    const captured = this.capture();
    return new LeafList(this.#leaves, captured);
  }

  /** The first leaf that fulfils a condition, which all leaves after it fulfil. */
  first(reaches: (leaf: Leaf) => boolean): number {
    return firstIndex(this.#leaves.length, (i) => reaches(this.#leaves[i] as Leaf));
  }

  memberAt(position: MemberPosition | undefined): Member | undefined {
    return position && this.#leaves[position.leaf]?.members[position.at];
  }

  /** The member after a position. */
  after({ leaf, at }: Pick<MemberPosition, 'leaf' | 'at'>): Member | undefined {
    return this.#leaves[leaf]?.members[at + 1] ?? this.#leaves[leaf + 1]?.members[0];
  }

  /** The member before a position. */
  before({ leaf, at }: Pick<MemberPosition, 'leaf' | 'at'>): Member | undefined {
    return at > 0 ? this.#leaves[leaf]?.members[at - 1] : this.#leaves[leaf - 1]?.members.at(-1);
  }

  /** Up to `limit` members with ranks above `after`. */
  page(after: number, limit: number): Page {
    const members: Member[] = [];
    for (let i = this.first((leaf) => leaf.lastRank > after); i < this.#leaves.length; i++) {
      for (const member of (this.#leaves[i] as Leaf).members) {
        if (member.rank <= after) continue;
        if (members.length === limit) return { members, more: true };
        members.push(member);
      }
    }
    return { members, more: false };
  }

  /** A leaf that may be changed. */
  writable(at: number): Leaf {
    const leaf = (this.#leaves[at] as Leaf).writable();
    if (leaf !== this.#leaves[at]) this.#toChange()[at] = leaf;
    return leaf;
  }

  /** Adds a leaf at the end. */
  push(leaf: Leaf): void {
    this.#toChange().push(leaf);
  }

  /** Replaces all leaves. */
  replace(leaves: Leaf[]): void {
    this.#leaves = leaves;
    this.#captured = undefined;
  }

  /** Replaces one leaf. */
  replaceAt(at: number, leaf: Leaf): void {
    this.#toChange()[at] = leaf;
  }

  /** Divides a leaf whose members are too many, or too large. */
  cut(at: number): void {
    const leaf = this.#leaves[at] as Leaf;
    const parts = leaf.count > leafMembersMax ? halves(leaf) : [leaf];
    const cut = parts.flatMap((part) => part.cut());
    if (cut.length > 1) this.#toChange().splice(at, 1, ...cut);
  }

  /** Takes a member out. */
  remove({ leaf: at, at: place }: MemberPosition): void {
    const leaf = this.writable(at);
    leaf.splice(place, 1);
    if (leaf.count === 0) this.#toChange().splice(at, 1);
  }

  /** Puts a member into the leaf of its rank. @returns its neighbours */
  insert(member: Member, make: LeafKind['make'], resource: Parameters<LeafKind['make']>[0]): (Member | undefined)[] {
    const at = Math.min(
      this.first((leaf) => leaf.lastRank > member.rank),
      this.#leaves.length - 1,
    );
    if (at < 0) {
      this.push(make(resource, [member]));
      return [];
    }
    const leaf = this.writable(at);
    const place = firstIndex(leaf.count, (i) => (leaf.members[i] as Member).rank > member.rank);
    leaf.splice(place, 0, member);
    const neighbours = [this.before({ leaf: at, at: place }), this.after({ leaf: at, at: place })];
    this.cut(at);
    return neighbours;
  }

  /** The list of leaves, copied first if a reader shares it. */
  #toChange(): Leaf[] {
    if (this.#captured !== undefined) {
      this.#captured = undefined;
      this.#leaves = this.#leaves.slice();
    }
    return this.#leaves;
  }
}

/** Two leaves with the members of one that has too many. */
function halves(leaf: Leaf): Leaf[] {
  const middle = leaf.count >> 1;
  return [leaf.members.slice(0, middle), leaf.members.slice(middle)].map((members) => leaf.replacement(members));
}
