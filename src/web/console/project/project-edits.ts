/**
 * Changes of a project by the user: they appear immediately, are sent one request after the other, and count as saved when the server has
 * acknowledged them. No user's change is overwritten: each write names the version that it is based on. What the server refuses stays
 * visible as a draft with the reason.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { type EditOperation, History, type Step } from './history.ts';
import { type Draft, type MemberConflict, merge } from './merge.ts';
import { carryOut, type Performed, StaleStepError, type StepApi } from './perform-step.ts';
import { isRefusal, isTemporary, newRequestKey, type ProjectApi } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { type Members, type Resource, type ResourceRef, sameValue } from './resource-kinds.ts';
import type { SaveState } from './save-state.ts';

/** A change that the user has to decide about. */
export type Conflict =
  | { readonly is: 'changed'; readonly ref: ResourceRef; readonly members: readonly MemberConflict[] }
  /** Another user has deleted it. `mine` is the resource with the changes of the user. */
  | { readonly is: 'deleted'; readonly ref: ResourceRef; readonly mine: Resource };

export interface Notice {
  readonly text: string;
  readonly isProblem: boolean;
}

/** Members of each resource whose last value was refused, with the reason. */
type Errors = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Times that a change is merged with changes by others, before the user is asked to try again. */
const roundsMax = 8;
const retryMs = { first: 1000, most: 15_000 };
/** Time for which a form of a deleted resource may commit what was typed, in milliseconds. */
const lostMs = 5000;

export class ProjectEdits {
  readonly store: ProjectStore;
  readonly api: ProjectApi;
  /** Whether the key of the session may write. */
  readonly canWrite: boolean;
  readonly #history = new History();
  readonly #state = signal<SaveState>('saved');
  readonly #errors = signal<Errors>(new Map());
  readonly #conflicts = signal<readonly Conflict[]>([]);
  readonly #notice = signal<Notice | undefined>(undefined);
  /** Changes with the history. */
  readonly #steps = signal({ undo: 0, redo: 0 });
  /** Requests one after the other. */
  #queue: Promise<void> = Promise.resolve();
  #running = 0;
  /** Resources whose drafts wait for their turn. */
  readonly #queued = new Set<string>();
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the pause before a step is sent again; `undefined` while no step waits. */
  #endPause: (() => void) | undefined;
  /** The server has refused to save drafts, for a reason that is not in their values. */
  #isStopped = false;
  /** Deleted resources whose forms may still be on the screen. */
  readonly #lost = new Map<string, { readonly ref: ResourceRef; readonly value: Resource }>();
  /** Each ends one of them. */
  readonly #lostTimers = new Map<string, ReturnType<typeof setTimeout>>();
  #retryMs = retryMs.first;
  #isClosed = false;
  /** Called when the server refuses the key. */
  readonly #onSessionEnd: (reason: string) => void;

  constructor(store: ProjectStore, api: ProjectApi, canWrite: boolean, onSessionEnd: (reason: string) => void) {
    this.store = store;
    this.api = api;
    this.canWrite = canWrite;
    this.#onSessionEnd = onSessionEnd;
  }

  get state(): ReadonlySignal<SaveState> {
    return this.#state;
  }

  get errors(): ReadonlySignal<Errors> {
    return this.#errors;
  }

  get conflicts(): ReadonlySignal<readonly Conflict[]> {
    return this.#conflicts;
  }

  get notice(): ReadonlySignal<Notice | undefined> {
    return this.#notice;
  }

  get steps(): ReadonlySignal<{ readonly undo: number; readonly redo: number }> {
    return this.#steps;
  }

  /** Whether something would be lost with this page. */
  get hasUnsaved(): boolean {
    return this.hasDrafts || this.#running > 0;
  }

  /** Whether there are changes that the server has not taken. */
  get hasDrafts(): boolean {
    return this.store.draftIds.length > 0 || this.#conflicts.value.length > 0;
  }

  say(text: string, isProblem = false): void {
    this.#notice.value = { text, isProblem };
  }

  /** Ends retries; called when the editor closes. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    for (const timer of this.#lostTimers.values()) clearTimeout(timer);
    this.#endPause?.();
  }

  // Changes of members

  /**
   * Changes members of a resource: one step of the history.
   *
   * @param bases the values at which the edit began, where that was earlier than now
   */
  change(id: string, members: Members, bases: Members = {}): void {
    if (!this.canWrite) return;
    if (!this.store.has(id)) {
      // A field commits what was typed when its form disappears.
      const lost = this.#lost.get(id);
      if (lost !== undefined) this.onLost(lost.ref, { ...lost.value, ...members });
      return;
    }
    for (const [member, value] of Object.entries(members)) {
      const before = this.store.drafts(id)?.get(member);
      // An edit of a value that is not saved yet is based on what that one is based on.
      const continues = before !== undefined && sameValue(before.mine, bases[member]);
      const hasBase = Object.hasOwn(bases, member) && !continues;
      this.store.setDraft(id, member, value, hasBase ? { value: bases[member] } : undefined);
    }
    this.#conflicts.value = this.#conflicts.value.map((conflict) =>
      conflict.is === 'changed' && conflict.ref.id === id
        ? { ...conflict, members: withMine(conflict.members, members) }
        : conflict,
    );
    this.#clearErrors(id, Object.keys(members));
    this.#queueDrafts(id);
  }

  #queueDrafts(id: string): void {
    if (this.#queued.has(id)) return;
    this.#queued.add(id);
    this.#enqueue(async () => {
      this.#queued.delete(id);
      await this.#saveDrafts(id);
    });
  }

  /** The drafts that may be sent: not those that were refused, or that wait for a decision. */
  #sendable(id: string): Map<string, Draft> {
    const refused = this.#errors.value.get(id) ?? {};
    const undecided = new Set(
      this.#conflicts.value.flatMap((each) =>
        each.is === 'changed' && each.ref.id === id ? each.members.map(({ member }) => member) : [],
      ),
    );
    return new Map(
      [...(this.store.drafts(id) ?? [])].filter(([member]) => !Object.hasOwn(refused, member) && !undecided.has(member)),
    );
  }

  async #saveDrafts(id: string): Promise<void> {
    const { store, api } = this;
    let wasStale = false;
    for (let round = 0; round < roundsMax; round++) {
      const ref = store.refOf(id);
      const drafts = this.#sendable(id);
      if (ref === undefined || drafts.size === 0) return;
      try {
        const version = store.versionOf(id) ?? (await this.#readAgain(ref));
        const { send, conflicts, done } = merge(drafts, store.stored(id) as Resource);
        if (done.length > 0) store.dropDrafts(id, done);
        if (conflicts.length > 0) this.#addConflict({ is: 'changed', ref, members: conflicts });
        const names = Object.keys(send);
        if (names.length === 0) return;
        const before = membersOf(store.stored(id) as Resource, names);
        const saved = ref.kind === 'project' ? await this.#patchProject(ref, send, version) : await api.patch(ref, send, version);
        store.put(ref, saved.value, saved.version);
        this.#settle(id, send);
        this.#history.push({ operations: [{ op: 'patch', id, from: send, to: before }], focus: ref });
        this.#countSteps();
        this.#goesOn();
        if (wasStale) this.say(texts.saving.merged);
      } catch (error) {
        if (isRefusal(error, 'precondition_failed')) {
          wasStale = true;
          store.forgetVersion(id);
        } else if (isRefusal(error, 'not_found')) {
          this.#deletedElsewhere(ref);
          return;
        } else if (error instanceof ProblemError && error.status === 400) {
          this.#refused(id, [...drafts.keys()], error);
          return;
        } else throw error;
      }
    }
    this.say(texts.saving.busy, true);
  }

  /** A PATCH of the whole project would answer with all of it. */
  async #patchProject(ref: ResourceRef, body: Members, version: string): Promise<{ value: Resource; version: string }> {
    const { value, version: made } = await this.api.batch([{ method: 'PATCH', at: ref, body, version }]);
    return { value: value[0] as Resource, version: made };
  }

  /** Reads a resource and returns its version. */
  async #readAgain(ref: ResourceRef): Promise<string> {
    const { value, version } = await this.api.read(ref);
    this.store.put(ref, value, version);
    return version;
  }

  /** Drops what was saved, unless it was changed again meanwhile: then that edit is based on what was saved. */
  #settle(id: string, sent: Members): void {
    for (const [member, value] of Object.entries(sent)) {
      const draft = this.store.drafts(id)?.get(member);
      if (draft === undefined) continue;
      if (draft.mine === value) this.store.dropDrafts(id, [member]);
      else this.store.setDraft(id, member, draft.mine, { value });
    }
    if (this.store.drafts(id) !== undefined) this.#queueDrafts(id);
  }

  #refused(id: string, members: readonly string[], { errors, detail }: ProblemError): void {
    const [first = ''] = members;
    const found: Record<string, string> = {};
    for (const { pointer, detail: reason } of errors) {
      const [, , ...rest] = pointer.startsWith('/operations/') ? pointer.split('/').slice(1) : ['', '', ...pointer.split('/')];
      const member = rest.find((part) => members.includes(part)) ?? first;
      found[member] ??= `${texts.saving.value} ${reason}.`;
    }
    if (Object.keys(found).length === 0) found[first] = detail;
    this.#errors.value = new Map(this.#errors.value).set(id, { ...this.#errors.value.get(id), ...found });
    // The other members of the same request were not saved either.
    const others = members.filter((member) => !Object.hasOwn(found, member));
    if (others.length > 0) this.#queueDrafts(id);
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

  /** Gives up the refused value of a member. */
  discard(id: string, members: readonly string[]): void {
    this.store.dropDrafts(id, members);
    this.#clearErrors(id, members);
    this.#updateState();
  }

  // Steps of several operations

  /** Carries operations out in one transaction: one step of the history. The resources that were created, in order. */
  run(operations: readonly EditOperation[], focus?: ResourceRef): Promise<readonly ResourceRef[]> {
    if (!this.canWrite || operations.length === 0) return Promise.resolve([]);
    return this.#later(async () => {
      let done: Performed;
      try {
        done = await carryOut(this.store, this.#patientApi, { operations, focus });
      } catch (error) {
        if (!(error instanceof StaleStepError)) throw error;
        // What no other user has changed is saved; about the rest, the user decides.
        for (const operation of operations) if (operation.op === 'patch') this.change(operation.id, operation.to, operation.from);
        return [];
      }
      const { inverse, created, renamed, stopped } = done;
      for (const [former, id] of renamed) this.#history.rename(former, id);
      this.#history.push(inverse);
      this.#countSteps();
      if (stopped !== undefined) this.#failed(stopped.error);
      return created;
    }, []);
  }

  /** Takes the last step back. The resource that it was about. */
  undo(): Promise<ResourceRef | undefined> {
    return this.#travel(
      () => this.#history.takeUndo(),
      (inverse) => this.#history.undone(inverse),
      (step) => this.#history.putBackUndo(step),
    );
  }

  redo(): Promise<ResourceRef | undefined> {
    return this.#travel(
      () => this.#history.takeRedo(),
      (inverse) => this.#history.redone(inverse),
      (step) => this.#history.putBackRedo(step),
    );
  }

  #travel(
    take: () => Step | undefined,
    done: (inverse: Step) => void,
    putBack: (step: Step) => void,
  ): Promise<ResourceRef | undefined> {
    return this.#later(async () => {
      const step = take();
      if (step === undefined) return undefined;
      try {
        const { inverse, created, renamed, stopped } = await carryOut(this.store, this.#patientApi, step);
        if (stopped !== undefined) putBack(stopped.rest);
        for (const [former, id] of renamed) this.#history.rename(former, id);
        done({ ...inverse, ...(created[0] === undefined ? {} : { focus: created[0] }) });
        // A notice says what was done before; a problem stays.
        if (this.#notice.value?.isProblem === false) this.say('');
        if (stopped !== undefined) this.#failed(stopped.error);
        return created[0] ?? step.focus;
      } catch (error) {
        if (!(error instanceof StaleStepError)) {
          // A step that can never be taken back would block those before it.
          if (!(error instanceof ProblemError && [400, 404].includes(error.status))) putBack(step);
          throw error;
        }
        // Another user has changed the same members since: the user decides, member by member.
        for (const { ref, members } of error.conflicts) {
          for (const { member, base, mine } of members) this.store.setDraft(ref.id, member, mine, { value: base });
          this.#addConflict({ is: 'changed', ref, members });
        }
        return error.conflicts[0]?.ref;
      } finally {
        this.#countSteps();
      }
    }, undefined);
  }

  #countSteps(): void {
    this.#steps.value = { undo: this.#history.undoable, redo: this.#history.redoable };
  }

  // The queue

  /** A task with a result, after everything that was requested before it. `otherwise`: the result if it fails. */
  #later<T>(task: () => Promise<T>, otherwise: T): Promise<T> {
    return new Promise((resolve) => {
      this.#enqueue(async () => {
        let result = otherwise;
        try {
          result = await task();
        } finally {
          resolve(result);
        }
      });
    });
  }

  /** Requests that wait until the server answers, or until the user has signed in again. */
  readonly #patientApi: StepApi = {
    read: (ref) => this.#patiently(() => this.api.read(ref)),
    list: (at) => this.#patiently(() => this.api.list(at)),
    batch: (operations) => {
      // The server may have executed a request to which it has not answered.
      const key = newRequestKey();
      return this.#patiently(() => this.api.batch(operations, key));
    },
  };

  async #patiently<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await request();
        this.#goesOn();
        return answer;
      } catch (error) {
        const isRefused = error instanceof ProblemError && error.status === 401;
        if (this.#isClosed || !(isRefused || isTemporary(error))) throw error;
        if (isRefused) this.#onSessionEnd(error.detail);
        else this.#sayWhy(error);
        await new Promise<void>((resolve) => {
          this.#endPause = resolve;
          if (!isRefused) this.#retryLater();
          this.#updateState();
        });
        this.#endPause = undefined;
        this.#updateState();
        if (this.#isClosed) throw error;
      }
    }
  }

  /** The reason why something waits. It disappears when the server takes it. */
  #sayWhy(error: unknown): void {
    const text = error instanceof ProblemError ? error.detail : texts.saving.noAnswer;
    this.say(text, true);
    this.#why = text;
  }

  #why = '';

  /** The server has taken a change. */
  #goesOn(): void {
    this.#isStopped = false;
    if (this.#why !== '' && this.#notice.value?.text === this.#why) this.say('');
    this.#why = '';
  }

  #enqueue(task: () => Promise<void>): void {
    this.#running++;
    this.#updateState();
    this.#queue = this.#queue.then(async () => {
      try {
        if (!this.#isClosed) await task();
        this.#retryMs = retryMs.first;
      } catch (error) {
        this.#failed(error);
      } finally {
        this.#running--;
        this.#updateState();
      }
    });
  }

  /** Resolves when everything that was requested so far is done. */
  async idle(): Promise<void> {
    while (this.#running > 0) await this.#queue;
  }

  /** Resolves when the server has everything, and nothing waits for a decision. */
  allSaved(): Promise<void> {
    return new Promise((resolve) => {
      const dispose = effect(() => {
        if (this.#state.value !== 'saved') return;
        resolve();
        queueMicrotask(() => dispose());
      });
    });
  }

  #failed(error: unknown): void {
    if (error instanceof ProblemError && error.status === 401) this.#onSessionEnd(error.detail);
    else if (isTemporary(error)) {
      this.#isStopped = false;
      this.#sayWhy(error);
      this.#retryLater();
    } else if (error instanceof ProblemError) {
      this.#isStopped = true;
      this.#sayWhy(error);
    } else {
      this.say(texts.saving.failed, true);
      console.error(error);
    }
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    if (this.#isClosed) return;
    this.#retryTimer = setTimeout(() => this.retry(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, retryMs.most);
  }

  /** Sends what waits. */
  retry(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#isStopped = false;
    this.#endPause?.();
    for (const id of this.store.draftIds) this.#queueDrafts(id);
  }

  #updateState(): void {
    const hasDrafts = this.store.draftIds.length > 0;
    if (this.#conflicts.value.length > 0) this.#state.value = 'conflict';
    else if (this.#endPause !== undefined) this.#state.value = 'waiting';
    else if (this.#running > 0) this.#state.value = 'saving';
    else if ([...this.#errors.value.keys()].some((id) => this.store.has(id))) this.#state.value = 'refused';
    else if (hasDrafts) this.#state.value = this.#isStopped ? 'stopped' : 'waiting';
    else this.#state.value = 'saved';
  }

  // Conflicts

  #addConflict(conflict: Conflict): void {
    const others = this.#conflicts.value.filter(({ ref }) => ref.id !== conflict.ref.id);
    const before = this.#conflicts.value.find((each) => each.ref.id === conflict.ref.id);
    const names = new Set(conflict.is === 'changed' ? conflict.members.map(({ member }) => member) : []);
    const kept =
      before?.is === 'changed' && conflict.is === 'changed' ? before.members.filter(({ member }) => !names.has(member)) : [];
    this.#conflicts.value = [
      ...others,
      conflict.is === 'changed' ? { ...conflict, members: [...kept, ...conflict.members] } : conflict,
    ];
    this.#updateState();
  }

  /** Takes the conflict of a resource off the list. */
  #decided(id: string, members?: readonly string[]): void {
    this.#conflicts.value = this.#conflicts.value.flatMap((each) => {
      if (each.ref.id !== id) return [each];
      if (each.is === 'deleted' || members === undefined) return [];
      const left = each.members.filter(({ member }) => !members.includes(member));
      return left.length === 0 ? [] : [{ ...each, members: left }];
    });
    this.#updateState();
  }

  /** Writes the value of the user over that of another user. */
  keepMine({ ref, members }: Extract<Conflict, { is: 'changed' }>): void {
    this.#decided(
      ref.id,
      members.map(({ member }) => member),
    );
    for (const { member, mine } of members)
      this.store.setDraft(ref.id, member, mine, { value: this.store.stored(ref.id)?.[member] });
    this.#queueDrafts(ref.id);
  }

  /** Keeps what another user has written. */
  takeTheirs({ ref, members }: Extract<Conflict, { is: 'changed' }>): void {
    const names = members.map(({ member }) => member);
    this.#decided(ref.id, names);
    this.discard(ref.id, names);
  }

  /** Gives up the changes of a deleted resource. */
  discardDeleted({ ref }: Extract<Conflict, { is: 'deleted' }>): void {
    this.store.dropDrafts(ref.id);
    this.#decided(ref.id);
  }

  /** Creates a deleted resource again, with the changes of the user, under a new identifier. */
  async createAgain({ ref, mine }: Extract<Conflict, { is: 'deleted' }>): Promise<ResourceRef | undefined> {
    if (ref.kind === 'project') return undefined;
    const { id: formerId, ...value } = mine;
    const artboardId = ref.kind === 'object' ? this.#artboardFor(ref) : undefined;
    if (ref.kind === 'object' && artboardId === undefined) {
      this.say(texts.saving.noArtboard, true);
      return undefined;
    }
    const [created] = await this.run([{ op: 'create', at: { kind: ref.kind, artboardId }, value, formerId, references: [] }]);
    if (created !== undefined) this.discardDeleted({ is: 'deleted', ref, mine });
    return created;
  }

  /** The artboard of an object; the first one if it was deleted, too. */
  #artboardFor({ artboardId }: ResourceRef): string | undefined {
    const present = this.store.ids({ kind: 'artboard' });
    return present.find((id) => id === artboardId) ?? present[0];
  }

  /** Another user deleted a resource. Called before it leaves the store. */
  onDeleted(id: string): void {
    const ref = this.store.refOf(id);
    if (ref === undefined) return;
    const inside = ref.kind === 'artboard' ? this.store.ids({ kind: 'object', artboardId: id }) : [];
    for (const each of [...inside, id]) {
      const lost = this.store.refOf(each);
      const value = this.store.shown(each);
      if (lost === undefined || value === undefined) continue;
      this.#keepLost(lost, value);
      if (this.store.drafts(each) !== undefined) this.#deletedElsewhere(lost);
    }
  }

  /** Keeps a deleted resource for a while: its form disappears with the next frame, and commits what was typed into it. */
  #keepLost(ref: ResourceRef, value: Resource): void {
    const { id } = ref;
    clearTimeout(this.#lostTimers.get(id));
    this.#lost.set(id, { ref, value });
    const forget = (): void => {
      this.#lost.delete(id);
      this.#lostTimers.delete(id);
    };
    if (!this.#isClosed) this.#lostTimers.set(id, setTimeout(forget, lostMs));
  }

  /** A resource with unsaved changes is not in the project any more, after the project was read again. */
  onLost(ref: ResourceRef, mine: Resource): void {
    this.store.dropDrafts(ref.id);
    this.#addConflict({ is: 'deleted', ref, mine });
  }

  #deletedElsewhere(ref: ResourceRef): void {
    const mine = this.store.shown(ref.id);
    const hadDrafts = this.store.drafts(ref.id) !== undefined;
    this.store.dropDrafts(ref.id);
    this.store.remove(ref.id);
    if (hadDrafts && mine !== undefined) this.#addConflict({ is: 'deleted', ref, mine });
    else this.say(texts.saving.deletedElsewhere, true);
  }
}

/** Conflicts with what the user wants now. */
const withMine = (conflicts: readonly MemberConflict[], members: Members): MemberConflict[] =>
  conflicts.map((each) => (Object.hasOwn(members, each.member) ? { ...each, mine: members[each.member] } : each));

export const membersOf = (value: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, value[name]]));
