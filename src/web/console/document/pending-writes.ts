/** The diffs that the server does not have yet, in the order in which they were made. One that only changes members is shown at once. */
import { batch } from '@preact/signals';
import { type Diff, type Members, type ResourceChange, type Side, squash } from '../../../lib/change/diff.ts';
import { sameJson } from '../../../lib/change/same-json.ts';
import type { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { Resource, ResourceRef } from '../kinds/resource-kinds.ts';
import type { Conflicts } from './conflicts.ts';
import type { ProjectStore } from './project-store.ts';

/** Resources as the user saw them. */
export type Seen = ReadonlyMap<string, { readonly ref: ResourceRef; readonly value: Resource }>;

export interface Write {
  diff: Diff;
  /** It is of a form: what the server refuses of it stays there with the reason. */
  readonly isTyped: boolean;
  /** Nothing goes along with it any more: it is being sent, or something else was requested after it. */
  isBegun: boolean;
  /** The resources that it changes. */
  readonly seen: Seen;
}

/** Resources whose changes are announced together. */
const manyFrom = 100;

export class PendingWrites {
  readonly #store: ProjectStore;
  readonly #conflicts: Conflicts;
  #waiting: readonly Write[] = [];
  /** Writes that the server has refused for a reason that is not in their values. */
  #stopped: readonly Write[] = [];

  constructor(store: ProjectStore, conflicts: Conflicts) {
    this.#store = store;
    this.#conflicts = conflicts;
  }

  /** The resources that a diff changes, as the user sees them now. */
  seenBy({ changes }: Diff): Seen {
    const refs = [...changes.keys()].flatMap((id) => this.#store.refOf(id) ?? []);
    return new Map(refs.map((ref) => [ref.id, { ref, value: this.#store.shown(ref.id) as Resource }]));
  }

  add(diff: Diff, isTyped: boolean): Write {
    const write = { diff, isTyped, isBegun: false, seen: this.seenBy(diff) };
    this.#waiting = [...this.#waiting, write];
    this.show(diff.changes.keys());
    return write;
  }

  /** Something else is requested now: what is typed from now on comes after it. */
  seal(): void {
    for (const write of this.#waiting) write.isBegun = true;
  }

  /** A step was taken back, or made again: what was requested after it is based on that. */
  underlie({ changes }: Diff): void {
    for (const { id, from, to } of changes.values())
      for (const [member, value] of Object.entries(to?.members ?? {})) {
        const later = this.#laterOf(undefined, id, member);
        if (later !== undefined && sameJson(later.diff.changes.get(id)?.from?.members[member], from?.members[member]))
          this.#baseLater(undefined, id, member, value);
      }
  }

  /** The server has it, or does not take it. */
  end(write: Write): void {
    this.#waiting = this.#waiting.filter((each) => each !== write);
    this.show(write.diff.changes.keys());
  }

  /** Ends what was refused for a reason that is not in its values. */
  takeStopped(): readonly Write[] {
    const stopped = this.#stopped;
    this.#stopped = [];
    return stopped;
  }

  /** Adds what is typed into a form of a resource. `undefined`: it goes along with something that waits already. */
  addTyped(id: string, diff: Diff): Write | undefined {
    const isOf = (write: Write | undefined): write is Write => write?.isTyped === true && write.diff.changes.has(id);
    const last = this.#waiting.at(-1);
    const stopped = this.#stopped.find(isOf);
    this.#stopped = this.#stopped.filter((write) => write !== stopped);
    const joined = stopped === undefined ? diff : squash(stopped.diff, diff);
    if (isOf(last) && !last.isBegun) last.diff = squash(last.diff, joined);
    else if (joined.changes.size > 0) return this.add(joined, true);
    this.show([id]);
    return undefined;
  }

  /** The values that an edit of members replaces: of what is not saved yet, those that it is based on. @param began those at its beginning */
  basesOf(id: string, names: readonly string[], began: Members): Members {
    const waiting = this.#store.unsaved(id)?.waiting ?? {};
    const held = this.#conflicts.heldOf(id);
    const bases: Record<string, unknown> = {};
    for (const name of names) {
      const refused = held.get(name);
      if (Object.hasOwn(waiting, name)) continue;
      if (refused !== undefined && (!Object.hasOwn(began, name) || sameJson(refused.mine, began[name])))
        bases[name] = refused.base;
      else if (Object.hasOwn(began, name)) bases[name] = began[name];
    }
    return bases;
  }

  /**
   * Keeps what a form has changed and the server refuses; the other members, which were not saved either, are left in the write. `false`: all
   * wait for a retry.
   */
  keep(write: Write, error: ProblemError): boolean {
    const [change] = write.diff.changes.values();
    const ref = change === undefined ? undefined : this.#store.refOf(change.id);
    if (ref === undefined || change?.from === undefined || change.to === undefined || error.status !== 400) {
      const left = this.giveUp(write, write.diff);
      if (left.changes.size > 0) this.#stopped = [...this.#stopped, { ...write, diff: left }];
      return false;
    }
    const reasons = reasonsOf(Object.keys(change.to.members), error);
    for (const [member, reason] of Object.entries(reasons)) {
      const [base, mine] = [change.from.members[member], change.to.members[member]];
      if (!this.#baseLater(write, ref.id, member, base)) this.#conflicts.hold(ref, member, { base, mine, error: reason });
    }
    write.diff = { changes: changeOf(change, (member) => !Object.hasOwn(reasons, member)), orders: new Map() };
    this.show([ref.id]);
    return true;
  }

  /** The server does not take a part of a write: later ones get its base. The part without what they replace. */
  giveUp(write: Write, part: Diff): Diff {
    const left = [...part.changes.values()].flatMap((change) => {
      const { id, from, to } = change;
      if (from === undefined || to === undefined) return [[id, change] as const];
      const replaced = new Set(Object.keys(to.members).filter((name) => this.#baseLater(write, id, name, from.members[name])));
      return replaced.size === 0 ? [[id, change] as const] : [...changeOf(change, (member) => !replaced.has(member))];
    });
    return { ...part, changes: new Map(left) };
  }

  /** Bases a later write of a member on another value. `false`: there is none. @param write the one before it */
  #baseLater(write: Write | undefined, id: string, member: string, base: unknown): boolean {
    const later = this.#laterOf(write, id, member);
    const change = later?.diff.changes.get(id);
    if (later === undefined || change?.from === undefined) return false;
    const from = { ...change.from, members: { ...change.from.members, [member]: base } };
    later.diff = { ...later.diff, changes: new Map(later.diff.changes).set(id, { ...change, from }) };
    return true;
  }

  #laterOf(write: Write | undefined, id: string, member: string): Write | undefined {
    return this.#waiting.find((each) => each !== write && Object.hasOwn(each.diff.changes.get(id)?.to?.members ?? {}, member));
  }

  /** Shows what is not saved of resources. */
  show(ids: Iterable<string>): void {
    const writes = [...this.#stopped, ...this.#waiting].filter(({ diff }) => diff.orders.size === 0);
    const all = [...ids];
    const showAll = () => {
      for (const id of all) this.#showOne(id, writes);
    };
    // The map compares all objects at once, which is faster than one after the other.
    if (all.length >= manyFrom) this.#store.together(showAll);
    else batch(showAll);
  }

  #showOne(id: string, writes: readonly Write[]): void {
    const waiting = Object.assign({}, ...writes.map(({ diff }) => diff.changes.get(id)?.to?.members ?? {}));
    const held = Object.fromEntries([...this.#conflicts.heldOf(id)].map(([member, { mine }]) => [member, mine]));
    const isSaved = Object.keys(waiting).length + Object.keys(held).length === 0;
    this.#store.setUnsaved(id, isSaved ? undefined : { waiting, held });
  }
}

/** A change of some of its members; empty if it has none of them. */
function changeOf(change: ResourceChange, has: (member: string) => boolean): Map<string, ResourceChange> {
  const some = (side: Side | undefined) =>
    side && { ...side, members: Object.fromEntries(Object.entries(side.members).filter(([member]) => has(member))) };
  const left = { ...change, from: some(change.from), to: some(change.to) };
  return new Map(Object.keys(left.to?.members ?? {}).length === 0 ? [] : [[change.id, left]]);
}

/** Why members were refused. */
function reasonsOf(members: readonly string[], { errors, detail }: ProblemError): Readonly<Record<string, string>> {
  const [first = ''] = members;
  const found: Record<string, string> = {};
  for (const { pointer, detail: reason } of errors) {
    const member = pointer.split('/').find((part) => members.includes(part)) ?? first;
    found[member] ??= texts.saving.refused('', reason);
  }
  return Object.keys(found).length === 0 ? { [first]: detail } : found;
}
