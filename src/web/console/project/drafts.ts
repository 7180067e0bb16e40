/**
 * Changes of members by the user: they appear immediately and count as saved when the server has acknowledged them. Each write names the
 * version that it is based on. What the server refuses stays visible as a draft with the reason.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import { sameJson } from '../../../lib/change/same-json.ts';
import { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { keepsPlaces } from './artboard-places.ts';
import type { Conflicts } from './conflicts.ts';
import type { Step } from './history.ts';
import { type Draft, merge, patchBetween } from './merge.ts';
import { type BatchOperation, isRefusal, type ProjectApi } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { isPlain, type Members, membersOf, type Resource, type ResourceRef } from './resource-kinds.ts';
import type { SaveQueue } from './save-queue.ts';

/** Members of each resource whose last value was refused, with the reason. */
export type Errors = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Times that a change is merged with changes by others, before the user is asked to try again. */
const roundsMax = 8;

interface DraftsOptions {
  readonly store: ProjectStore;
  readonly api: ProjectApi;
  readonly queue: SaveQueue;
  readonly conflicts: Conflicts;
  /** Called with the step that takes back what was saved. */
  onSaved(inverse: Step): void;
  say(text: string, isProblem: boolean): void;
}

/** A body without the settings that stay as they are. */
function patchOf(send: Members, before: Members): { readonly body: Members; readonly merges?: true } {
  const { settings } = send;
  const patch = isPlain(settings) && isPlain(before['settings']) ? patchBetween(before['settings'], settings) : undefined;
  return patch === undefined ? { body: send } : { body: { ...send, settings: patch }, merges: true };
}

export class Drafts {
  readonly #options: DraftsOptions;
  readonly #errors = signal<Errors>(new Map());
  /** Resources whose drafts wait for their turn. */
  readonly #queued = new Set<string>();

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  get errors(): ReadonlySignal<Errors> {
    return this.#errors;
  }

  /** @param bases the values at which the edit began, where that was earlier than now */
  change(id: string, members: Members, bases: Members): void {
    const { store, conflicts } = this.#options;
    if (!store.has(id)) {
      // A field commits what was typed when its form disappears.
      conflicts.commitLost(id, members);
      return;
    }
    for (const [member, value] of Object.entries(members)) {
      const before = store.drafts(id)?.get(member);
      // An edit of a value that is not saved yet is based on what that one is based on.
      const continues = before !== undefined && sameJson(before.mine, bases[member]);
      const hasBase = Object.hasOwn(bases, member) && !continues;
      store.setDraft(id, member, value, hasBase ? { value: bases[member] } : undefined);
    }
    conflicts.revise(id, members);
    this.#clearErrors(id, Object.keys(members));
    this.save(id);
  }

  /** Saves the drafts of a resource when it is their turn. */
  save(id: string): void {
    if (this.#queued.has(id)) return;
    this.#queued.add(id);
    this.#options.queue.add(async () => {
      this.#queued.delete(id);
      await this.#send(id);
    });
  }

  saveAll(): void {
    for (const id of this.#options.store.draftIds) this.save(id);
  }

  /** Gives up the values of members. */
  discard(id: string, members: readonly string[]): void {
    this.#options.store.dropDrafts(id, members);
    this.#clearErrors(id, members);
  }

  /** The drafts that may be sent: not those that were refused, or that wait for a decision. */
  #sendable(id: string): Map<string, Draft> {
    const refused = this.#errors.value.get(id) ?? {};
    const undecided = this.#options.conflicts.undecided(id);
    return new Map(
      [...(this.#options.store.drafts(id) ?? [])].filter(([member]) => !Object.hasOwn(refused, member) && !undecided.has(member)),
    );
  }

  async #send(id: string): Promise<void> {
    const { store, conflicts, say } = this.#options;
    let wasStale = false;
    const first: Members = store.stored(id) ?? {};
    for (let round = 0; round < roundsMax; round++) {
      const ref = store.refOf(id);
      const drafts = this.#sendable(id);
      if (ref === undefined || drafts.size === 0) return;
      try {
        if (!(await this.#sendOnce(ref, drafts))) return;
        // The version of an artboard also changes with its objects.
        const now = Object.entries(store.stored(id) ?? {});
        const isMerged = now.some(([name, value]) => !drafts.has(name) && !sameJson(value, first[name]));
        if (wasStale && isMerged) say(texts.saving.merged, false);
      } catch (error) {
        if (isRefusal(error, 'precondition_failed')) {
          wasStale = true;
          store.forgetVersion(id);
        } else if (isRefusal(error, 'not_found')) {
          conflicts.remove(ref);
          return;
        } else if (error instanceof ProblemError && error.status === 400) {
          this.#refused(id, [...drafts.keys()], error);
          return;
        } else throw error;
      }
    }
    say(texts.saving.busy, true);
  }

  /** Sends the drafts that no other user has changed meanwhile. Whether there were any. */
  async #sendOnce(ref: ResourceRef, drafts: ReadonlyMap<string, Draft>): Promise<boolean> {
    const { store, api, queue, conflicts, onSaved, say } = this.#options;
    const { id } = ref;
    const version = store.versionOf(id) ?? (await this.#readAgain(ref));
    const { send, conflicts: members, done } = merge(drafts, store.stored(id) as Resource);
    if (done.length > 0) store.dropDrafts(id, done);
    if (members.length > 0) conflicts.add({ is: 'changed', ref, members });
    const names = Object.keys(send);
    if (names.length === 0) return false;
    const before = membersOf(store.stored(id) as Resource, names);
    const keeps = keepsPlaces(store, ref, send);
    const saved =
      ref.kind === 'project' || keeps
        ? await this.#patchInBatch({ method: 'PATCH', at: ref, ...patchOf(send, before), version, keepsPlaces: keeps })
        : await api.patch(ref, send, version);
    if (keeps) say(texts.saving.moved(store.ids({ kind: 'object', artboardId: id }).length), false);
    store.put(ref, saved.value, saved.version);
    this.#settle(id, Object.fromEntries(names.map((name) => [name, drafts.get(name)?.mine])));
    const inverse = { op: 'patch', id, from: send, to: before, keepsPlaces: keeps } as const;
    onSaved({ operations: [inverse], focus: ref });
    queue.accepted();
    return true;
  }

  /** A PATCH outside of a batch would answer with everything in the project, or in the artboard. */
  async #patchInBatch(operation: BatchOperation): Promise<{ value: Resource; version: string }> {
    const { api, store } = this.#options;
    const moved = operation.method === 'PATCH' && operation.keepsPlaces === true ? [operation.at.id] : [];
    const { value, version } = await store.moves.during(moved, () => api.batch([operation]));
    return { value: value[0] as Resource, version };
  }

  /** Reads a resource and returns its version. */
  async #readAgain(ref: ResourceRef): Promise<string> {
    const { value, version } = await this.#options.api.read(ref);
    this.#options.store.put(ref, value, version);
    return version;
  }

  /** Drops what was saved, unless it was changed again meanwhile: then that edit is based on what was saved. */
  #settle(id: string, sent: Members): void {
    const { store } = this.#options;
    for (const [member, value] of Object.entries(sent)) {
      const draft = store.drafts(id)?.get(member);
      if (draft === undefined) continue;
      if (draft.mine === value) store.dropDrafts(id, [member]);
      else store.setDraft(id, member, draft.mine, { value });
    }
    if (store.drafts(id) !== undefined) this.save(id);
  }

  #refused(id: string, members: readonly string[], { errors, detail }: ProblemError): void {
    const [first = ''] = members;
    const found: Record<string, string> = {};
    for (const { pointer, detail: reason } of errors) {
      const [, , ...rest] = pointer.startsWith('/operations/') ? pointer.split('/').slice(1) : ['', '', ...pointer.split('/')];
      const member = rest.find((part) => members.includes(part)) ?? first;
      found[member] ??= texts.saving.refused('', reason);
    }
    if (Object.keys(found).length === 0) found[first] = detail;
    this.#errors.value = new Map(this.#errors.value).set(id, { ...this.#errors.value.get(id), ...found });
    // The other members of the same request were not saved either.
    const others = members.filter((member) => !Object.hasOwn(found, member));
    if (others.length > 0) this.save(id);
  }

  #clearErrors(id: string, members: readonly string[]): void {
    const present = this.#errors.value.get(id);
    if (present === undefined) return;
    const left = Object.fromEntries(Object.entries(present).filter(([member]) => !members.includes(member)));
    const errors = new Map(this.#errors.value);
    if (Object.keys(left).length === 0) errors.delete(id);
    else errors.set(id, left);
    this.#errors.value = errors;
  }
}
