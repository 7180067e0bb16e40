/**
 * Changes that the user has to decide about, because another user has changed the same member or deleted the resource. A deleted resource is
 * kept for a while: its form may still commit what was typed into it.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { MemberConflict } from './merge.ts';
import type { ProjectStore } from './project-store.ts';
import type { Members, Resource, ResourceRef } from './resource-kinds.ts';

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

/** What another user has done with a resource. */
export const foreignText = (store: ProjectStore, { kind, id }: ResourceRef, text: typeof texts.editor.foreign): string =>
  text(texts.kinds[kind].one, String(store.shown(id)?.['name'] || texts.unnamed));

/** Time for which a form of a deleted resource may commit what was typed, in milliseconds. */
const lostMs = 5000;

interface ConflictsOptions {
  /** The list has changed. */
  onChange(): void;
  say(text: string, isProblem: boolean): void;
}

export class Conflicts {
  readonly #store: ProjectStore;
  readonly #options: ConflictsOptions;
  readonly #list = signal<readonly Conflict[]>([]);
  /** Deleted resources whose forms may still be on the screen. */
  readonly #lost = new Map<string, { readonly ref: ResourceRef; readonly value: Resource }>();
  /** Each ends one of them. */
  readonly #lostTimers = new Map<string, ReturnType<typeof setTimeout>>();
  #isClosed = false;

  constructor(store: ProjectStore, options: ConflictsOptions) {
    this.#store = store;
    this.#options = options;
  }

  get list(): ReadonlySignal<readonly Conflict[]> {
    return this.#list;
  }

  /** Adds a conflict to those of its resource. */
  add(conflict: Conflict): void {
    if (conflict.is === 'changed') this.#options.say(foreignText(this.#store, conflict.ref, texts.editor.foreign), false);
    const others = this.#list.value.filter(({ ref }) => ref.id !== conflict.ref.id);
    const before = this.#list.value.find((each) => each.ref.id === conflict.ref.id);
    const names = new Set(conflict.is === 'changed' ? conflict.members.map(({ member }) => member) : []);
    const kept =
      before?.is === 'changed' && conflict.is === 'changed' ? before.members.filter(({ member }) => !names.has(member)) : [];
    this.#list.value = [
      ...others,
      conflict.is === 'changed' ? { ...conflict, members: [...kept, ...conflict.members] } : conflict,
    ];
    this.#options.onChange();
  }

  /** Adds a conflict of a step, whose values are in no form. */
  ask(conflict: Conflict): void {
    const { ref } = conflict;
    if (conflict.is === 'deleted') this.addDeleted(ref, conflict.mine);
    else {
      for (const { member, base, mine } of conflict.members) this.#store.setDraft(ref.id, member, mine, { value: base });
      this.add(conflict);
    }
  }

  /** Takes the conflict of a resource off the list, or some of its members. */
  decide(id: string, members?: readonly string[]): void {
    this.#list.value = this.#list.value.flatMap((each) => {
      if (each.ref.id !== id) return [each];
      if (each.is === 'deleted' || members === undefined) return [];
      const left = each.members.filter(({ member }) => !members.includes(member));
      return left.length === 0 ? [] : [{ ...each, members: left }];
    });
    this.#options.onChange();
  }

  /** Members of a resource that wait for a decision. */
  undecided(id: string): ReadonlySet<string> {
    const ofResource = this.#list.value.filter((each) => each.is === 'changed' && each.ref.id === id) as ChangedConflict[];
    return new Set(ofResource.flatMap(({ members }) => members.map(({ member }) => member)));
  }

  /** The user wants other values now. */
  revise(id: string, members: Members): void {
    this.#list.value = this.#list.value.map((conflict) =>
      conflict.is === 'changed' && conflict.ref.id === id
        ? {
            ...conflict,
            members: conflict.members.map((each) =>
              Object.hasOwn(members, each.member) ? { ...each, mine: members[each.member] } : each,
            ),
          }
        : conflict,
    );
  }

  // Deleted resources

  /** Another user deletes a resource, which is still in the store with everything in it. */
  beforeRemoval(id: string): void {
    const ref = this.#store.refOf(id);
    if (ref === undefined) return;
    const inside = ref.kind === 'artboard' ? this.#store.ids({ kind: 'object', artboardId: id }) : [];
    for (const each of [...inside, id]) {
      const lost = this.#store.refOf(each);
      const value = this.#store.shown(each);
      if (lost === undefined || value === undefined) continue;
      this.#keep(lost, value);
      if (this.#store.drafts(each) !== undefined) this.remove(lost);
    }
  }

  /** Keeps a deleted resource for a while: its form disappears with the next frame, and commits what was typed into it. */
  #keep(ref: ResourceRef, value: Resource): void {
    const { id } = ref;
    clearTimeout(this.#lostTimers.get(id));
    this.#lost.set(id, { ref, value });
    const forget = (): void => {
      this.#lost.delete(id);
      this.#lostTimers.delete(id);
    };
    if (!this.#isClosed) this.#lostTimers.set(id, setTimeout(forget, lostMs));
  }

  /** The form of a deleted resource commits members. */
  commitLost(id: string, members: Members): void {
    const lost = this.#lost.get(id);
    if (lost !== undefined) this.addDeleted(lost.ref, { ...lost.value, ...members });
  }

  /** A resource with unsaved changes is not in the project any more. */
  addDeleted(ref: ResourceRef, mine: Resource): void {
    this.#store.dropDrafts(ref.id);
    this.add({ is: 'deleted', ref, mine });
  }

  /** Removes a resource that another user has deleted. What the user has changed in it is a conflict. */
  remove(ref: ResourceRef): void {
    const mine = this.#store.shown(ref.id);
    const hadDrafts = this.#store.drafts(ref.id) !== undefined;
    this.#store.dropDrafts(ref.id);
    this.#store.remove(ref.id);
    if (hadDrafts && mine !== undefined) this.add({ is: 'deleted', ref, mine });
    else this.#options.say(texts.saving.deletedElsewhere, true);
  }

  /** Ends the timers. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#lostTimers.values()) clearTimeout(timer);
  }
}
