/**
 * Changes that the server does not have and that are not on their way: values that it refuses, and what the user has to decide about, because
 * another user has changed the same member or deleted the resource. A deleted resource is kept for a while: its form may still commit what
 * was typed into it.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MemberConflict } from '../../../lib/change/rebase.ts';
import type { Members, Resource, ResourceRef } from '../kinds/resource-kinds.ts';

/** Another user has changed the same members. */
export interface ChangedConflict {
  readonly is: 'changed';
  readonly ref: ResourceRef;
  readonly members: readonly MemberConflict[];
}

/** Another user has deleted the resource. */
export interface DeletedConflict {
  readonly is: 'deleted';
  readonly ref: ResourceRef;
  /** The resource with the changes of the user. */
  readonly mine: Resource;
}

export type Conflict = ChangedConflict | DeletedConflict;

/** Members of each resource whose last value was refused, with the reason. */
export type Errors = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** A value of a member. */
export type HeldMember =
  | { readonly base: unknown; readonly mine: unknown; readonly error: string }
  | { readonly base: unknown; readonly mine: unknown; readonly theirs: unknown };

interface HeldResource {
  readonly ref: ResourceRef;
  readonly members: ReadonlyMap<string, HeldMember>;
}

/** Time for which a form of a deleted resource may commit what was typed, in milliseconds. */
const lostMs = 5000;

export class Conflicts {
  readonly #held = signal<ReadonlyMap<string, HeldResource | DeletedConflict>>(new Map());
  /** Deleted resources whose forms may still be on the screen, and the timers that end this. */
  readonly #lost = new Map<string, DeletedConflict & { readonly timer: ReturnType<typeof setTimeout> | undefined }>();
  /** Members that forms of deleted resources have committed. They are later than everything that waits. */
  readonly #committed = new Map<string, Members>();
  #isClosed = false;

  /** Conflicts that wait for a decision; the newest last. */
  readonly list: ReadonlySignal<readonly Conflict[]> = computed(() =>
    [...this.#held.value.values()].flatMap((each): Conflict[] => {
      if ('is' in each) return [each];
      const members = [...each.members].flatMap(([member, held]) => ('theirs' in held ? [{ member, ...held }] : []));
      return members.length === 0 ? [] : [{ is: 'changed', ref: each.ref, members }];
    }),
  );

  readonly errors: ReadonlySignal<Errors> = computed(
    () =>
      new Map(
        [...this.#held.value].flatMap(([id, each]) => {
          if ('is' in each) return [];
          const errors = [...each.members].flatMap(([member, held]) => ('error' in held ? [[member, held.error] as const] : []));
          return errors.length === 0 ? [] : [[id, Object.fromEntries(errors)] as const];
        }),
      ),
  );

  /** The values of a resource that are held. */
  heldOf(id: string): ReadonlyMap<string, HeldMember> {
    const held = this.#held.value.get(id);
    return held === undefined || 'is' in held ? new Map() : held.members;
  }

  /** True if a value of a member, or of a deleted resource, waits for a decision. */
  isHeld(id: string, member?: string): boolean {
    const held = this.#held.value.get(id);
    if (held === undefined || 'is' in held) return held !== undefined;
    return member !== undefined && held.members.has(member);
  }

  hold(ref: ResourceRef, member: string, held: HeldMember): void {
    this.#set(ref.id, { ref, members: new Map(this.heldOf(ref.id)).set(member, held) });
  }

  /** Ends holding some members of a resource, or everything about it. */
  release(id: string, names?: readonly string[]): void {
    if (!this.#held.value.has(id)) return;
    const held = this.#held.value.get(id);
    const members = [...this.heldOf(id)].filter(([member]) => names?.includes(member) === false);
    this.#set(
      id,
      held === undefined || 'is' in held || members.length === 0 ? undefined : { ...held, members: new Map(members) },
    );
  }

  /** The user wants other values now. The members that wait for no decision, so that they can be sent. */
  revise(id: string, members: Members): Members {
    const held = this.heldOf(id);
    const free = Object.entries(members).filter(([member, mine]) => {
      const before = held.get(member);
      const ref = this.#held.value.get(id)?.ref;
      if (ref === undefined || before === undefined || !('theirs' in before)) return true;
      this.hold(ref, member, { ...before, mine });
      return false;
    });
    return Object.fromEntries(free);
  }

  #set(id: string, held: HeldResource | DeletedConflict | undefined): void {
    const next = new Map(this.#held.value);
    next.delete(id);
    if (held !== undefined) next.set(id, held);
    else this.#committed.delete(id);
    this.#held.value = next;
  }

  // Deleted resources

  /** A resource with changes of the user is not in the project any more. */
  addDeleted(ref: ResourceRef, value: Resource, changed: Members = {}): void {
    const held = this.#held.value.get(ref.id);
    const before = held !== undefined && 'is' in held ? held.mine : value;
    this.#set(ref.id, { is: 'deleted', ref, mine: { ...before, ...changed, ...this.#committed.get(ref.id) } });
  }

  /** Another user has deleted a resource: its form disappears with the next frame, and commits what was typed into it. */
  lose(ref: ResourceRef, mine: Resource): void {
    const { id } = ref;
    if (this.heldOf(id).size > 0) this.addDeleted(ref, mine);
    clearTimeout(this.#lost.get(id)?.timer);
    const timer = this.#isClosed ? undefined : setTimeout(() => this.#lost.delete(id), lostMs);
    this.#lost.set(id, { is: 'deleted', ref, mine, timer });
  }

  /** The form of a deleted resource commits members. */
  commitLost(id: string, members: Members): void {
    const lost = this.#lost.get(id);
    if (lost === undefined) return;
    this.#committed.set(id, { ...this.#committed.get(id), ...members });
    this.addDeleted(lost.ref, lost.mine);
  }

  /** Ends the timers. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#lost.values()) clearTimeout(timer);
  }
}
