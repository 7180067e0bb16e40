/**
 * A leaf of a state that is made to be changed and written: in a snapshot run, a restore, a repair.
 *
 *     bytes ──a change of one member──▶ bytes and changed rows ──any other change, a read──▶ all members
 *
 * One member that is replaced or appended is a new row; the other rows are copied as bytes and never decoded. What is decoded stays, since
 * nothing waits for its memory: the state is gone after the run.
 */
import type { Resource } from '../model/resource.ts';
import {
  decodedFrom,
  divided,
  indexOf,
  isFull,
  isTooLarge,
  type Leaf,
  type LeafKind,
  leafMembersMax,
  weighAll,
  weighEach,
} from './leaf.ts';
import type { Member, PackedLeaf } from './member.ts';
import { packMembers, unpackLeaf } from './rows/member-rows.ts';
import { listHead } from './rows/packed-rows.ts';
import { PatchedRows } from './rows/patched-rows.ts';

class RunLeaf implements Leaf {
  shared = false;
  readonly #resource: Resource;
  /** One of these three is set; {@link PatchedRows} also while they have no change. */
  #packed: PackedLeaf | undefined;
  #rows: PatchedRows | undefined;
  #members: Member[] | undefined;
  #lastId: string;

  constructor(resource: Resource, content: Member[] | PackedLeaf) {
    this.#resource = resource;
    if (Array.isArray(content)) this.#members = content;
    else this.#packed = content;
    this.#lastId = Array.isArray(content) ? (content.at(-1)?.value.id ?? '') : content.lastId;
  }

  get count(): number {
    return this.#members?.length ?? this.#rows?.count ?? (this.#packed as PackedLeaf).count;
  }

  get lastId(): string {
    return this.#lastId;
  }

  get lastRank(): number {
    return this.#members?.at(-1)?.rank ?? this.#rows?.lastRank ?? (this.#packed as PackedLeaf).lastRank;
  }

  get packed(): PackedLeaf | undefined {
    return this.#packed;
  }

  get decoded(): boolean {
    return this.#members !== undefined;
  }

  get rowBytes(): number {
    const rows = this.#packed?.bytes() ?? this.patchedRows() ?? packMembers(this.#resource, this.members);
    return rows.byteLength - listHead(this.count).byteLength;
  }

  /** Nothing is freed before the run ends. */
  get decodedBytes(): number {
    return 0;
  }

  get full(): boolean {
    return isFull(this.count, () =>
      this.#members === undefined ? decodedFrom(this.#bytes) : weighAll(this.#resource, this.#members),
    );
  }

  get members(): readonly Member[] {
    return this.#decoded();
  }

  decode(): number {
    return this.#decoded().length;
  }

  patchedRows(): Buffer | undefined {
    return this.#packed === undefined ? this.#rows?.pack() : undefined;
  }

  find(id: string): Member | undefined {
    const members = this.#decoded();
    return members[indexOf(members, id)];
  }

  at(place: number): Member {
    return this.#decoded()[place] as Member;
  }

  place(id: string, rank?: number): { readonly at: number; readonly rank: number } | undefined {
    if (this.#members === undefined) return this.#patchable().place(id, rank);
    const at = indexOf(this.#members, id);
    const member = this.#members[at];
    return member && { at, rank: member.rank };
  }

  writable(): Leaf {
    return this.shared ? new RunLeaf(this.#resource, this.members.slice()) : this;
  }

  replacement(members: Member[]): Leaf {
    return new RunLeaf(this.#resource, members);
  }

  cut(): Leaf[] {
    if (this.#members === undefined && !isTooLarge(decodedFrom(this.#bytes))) return [this];
    const { members } = this;
    if (members.length === 1 || !isTooLarge(weighEach(this.#resource, members))) return [this];
    return divided(this.#resource, members).map((part) => this.replacement(part));
  }

  splice(at: number, remove: number, ...add: Member[]): void {
    const [only] = add;
    if (only === undefined || add.length > 1 || !this.#patch(at, remove, only)) {
      this.#decoded().splice(at, remove, ...add);
      this.#lastId = this.#members?.at(-1)?.value.id ?? '';
    }
    this.#packed = undefined;
  }

  pack(): void {
    // What was changed stays as it is.
  }

  wasAccessed(): boolean {
    return true;
  }

  get #bytes(): number {
    return this.#rows?.bytes ?? (this.#packed as PackedLeaf).bytes().byteLength;
  }

  /** Replaces a member in place or appends it, in bytes. Returns false if it cannot. */
  #patch(at: number, remove: number, member: Member): boolean {
    if (this.#members !== undefined) return false;
    const rows = this.#patchable();
    if (remove === 1 && rows.idAt(at) === member.value.id) rows.replace(at, member);
    else if (remove === 0 && at === rows.count && at < leafMembersMax) {
      rows.add(member);
      this.#lastId = member.value.id;
    } else return false;
    return true;
  }

  #patchable(): PatchedRows {
    this.#rows ??= new PatchedRows(this.#resource, this.#packed as PackedLeaf);
    return this.#rows;
  }

  #decoded(): Member[] {
    this.#members ??=
      this.#packed === undefined ? (this.#rows as PatchedRows).members() : unpackLeaf(this.#resource, this.#packed);
    this.#rows = undefined;
    return this.#members;
  }
}

/** The kind of leaf for a state that no request reads. */
export const runLeaves: LeafKind = { make: (resource, content) => new RunLeaf(resource, content) };
