/**
 * Changes of a project by the user: of members ({@link Drafts}), and steps of several operations with undo and redo. All are sent one after
 * the other ({@link SaveQueue}). About {@link Conflicts}, the user decides ({@link Decisions}).
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Batch, ProblemError, type Project } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { type Conflict, Conflicts, foreignText } from './conflicts.ts';
import { Decisions } from './decisions.ts';
import { Drafts, type Errors } from './drafts.ts';
import { type Direction, type EditOperation, History, type Step } from './history.ts';
import type { Imported, ImportOutcome, SendBatch } from './perform-import.ts';
import { carryOut, type Performed } from './perform-step.ts';
import { newRequestKey, type ProjectApi, type Versioned } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { type StepApi, seenBy } from './ready-step.ts';
import type { Members, Resource, ResourceRef } from './resource-kinds.ts';
import { SaveQueue } from './save-queue.ts';
import { type Notice, type SaveState, saveStateOf } from './save-state.ts';

/** Operations of a step above which its changes are announced as one. */
const manyFrom = 100;

export class ProjectEdits {
  readonly store: ProjectStore;
  readonly #api: ProjectApi;
  /** Whether the key of the session may write. */
  readonly canWrite: boolean;
  readonly #state = signal<SaveState>('saved');
  readonly #notice = signal<Notice | undefined>(undefined);
  /** Changes with the history. */
  readonly #steps = signal({ undo: 0, redo: 0 });
  readonly #history = new History();
  readonly #queue: SaveQueue;
  readonly #conflicts: Conflicts;
  readonly #drafts: Drafts;
  /** What the user decides about conflicts. */
  readonly decisions: Decisions;
  /** Requests of steps, which wait until the server answers. */
  readonly #stepApi: StepApi;
  readonly #send: SendBatch;

  /** @param onSessionEnd called when the server refuses the key */
  constructor(store: ProjectStore, api: ProjectApi, canWrite: boolean, onSessionEnd: (reason: string) => void) {
    this.store = store;
    this.#api = api;
    this.canWrite = canWrite;
    const onChange = (): void => this.#updateState();
    const say = (text: string, isProblem: boolean): void => this.say(text, isProblem);
    this.#conflicts = new Conflicts(store, { onChange, say });
    const queue = new SaveQueue({ notice: this.#notice, onChange, onRetry: () => this.#drafts.saveAll(), onSessionEnd });
    this.#queue = queue;
    this.#drafts = new Drafts({ ...{ store, api, queue, say }, conflicts: this.#conflicts, onSaved: (step) => this.#made(step) });
    this.decisions = new Decisions({
      ...{ store, say, conflicts: this.#conflicts, drafts: this.#drafts },
      discard: (id, members) => this.discard(id, members),
      run: (operations) => this.run(operations),
    });
    this.#stepApi = {
      read: (ref) => queue.patiently(() => api.read(ref)),
      batch: (operations) => {
        // The server may have executed a request to which it has not answered.
        const key = newRequestKey();
        return queue.patiently(() => api.batch(operations, key));
      },
      deleted: (id) => {
        this.onDeleted(id);
        store.remove(id);
      },
    };
    this.#send = (batch) => {
      const key = newRequestKey();
      return queue.patiently(() => api.send(batch as Batch, key));
    };
  }

  get state(): ReadonlySignal<SaveState> {
    return this.#state;
  }

  get errors(): ReadonlySignal<Errors> {
    return this.#drafts.errors;
  }

  get conflicts(): ReadonlySignal<readonly Conflict[]> {
    return this.#conflicts.list;
  }

  get notice(): ReadonlySignal<Notice | undefined> {
    return this.#notice;
  }

  get steps(): ReadonlySignal<{ readonly undo: number; readonly redo: number }> {
    return this.#steps;
  }

  /** Whether something would be lost with this page. */
  get hasUnsaved(): boolean {
    return this.store.draftIds.length > 0 || this.conflicts.value.length > 0 || this.#queue.isRunning;
  }

  say(text: string, isProblem = false): void {
    this.#notice.value = { text, isProblem };
  }

  /** Says what another user has done; not while a request runs, whose own changes the feed may bring before its answer. */
  sayForeign(ref: ResourceRef, text: typeof texts.editor.foreign): void {
    if (!this.#queue.isRunning) this.say(foreignText(this.store, ref, text));
  }

  /** Says what the last step did, and offers to take it back, until another step. */
  sayUndoable(text: string): void {
    this.#notice.value = { text, isProblem: false, undoes: this.#steps.peek() };
  }

  #updateState(): void {
    this.#state.value = saveStateOf({
      hasConflicts: this.conflicts.value.length > 0,
      hasErrors: [...this.errors.value.keys()].some((id) => this.store.has(id)),
      hasDrafts: this.store.draftIds.length > 0,
      queue: this.#queue.state,
    });
  }

  /** Resolves when everything that was requested so far is done. */
  idle(): Promise<void> {
    return this.#queue.idle();
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

  /** Sends what waits. */
  retry(): void {
    this.#queue.retry();
  }

  /** Ends retries; called when the editor closes. */
  close(): void {
    this.#queue.close();
    this.#conflicts.close();
  }

  // Changes of members

  /**
   * Changes members of a resource: one step of the history.
   *
   * @param bases the values at which the edit began, where that was earlier than now
   */
  change(id: string, members: Members, bases: Members = {}): void {
    if (this.canWrite) this.#drafts.change(id, members, bases);
  }

  /** Gives up the refused value of a member. */
  discard(id: string, members: readonly string[]): void {
    this.#drafts.discard(id, members);
    this.#updateState();
  }

  // Steps of several operations

  /** An identifier for what a step creates. */
  newId(): string {
    return this.#api.ids.next();
  }

  /** Carries operations out in one transaction: one step of the history. The resources that were created or moved to an artboard, in order. */
  run(operations: readonly EditOperation[], focus?: ResourceRef): Promise<readonly ResourceRef[]> {
    if (!this.canWrite || operations.length === 0) return Promise.resolve([]);
    const seen = seenBy(this.store, operations);
    const named = operations.map((each) => (each.op === 'create' ? { ...each, id: each.id ?? this.newId() } : each));
    return this.#queue.result(async () => {
      const release = this.#holdFor(operations);
      try {
        const done = await carryOut(this.store, this.#stepApi, { operations: named, focus }, seen);
        this.#performed(done, done.inverse, (inverse) => this.#history.push(inverse));
        return done.created;
      } finally {
        release();
      }
    }, []);
  }

  /** A step was carried out, as far as no other user has changed or deleted what it is about: about that, the user decides. */
  #performed({ conflicts, stopped }: Performed, inverse: Step, keep: (inverse: Step) => void): void {
    if (inverse.operations.length > 0) keep(inverse);
    this.#countSteps();
    for (const conflict of conflicts) this.#conflicts.ask(conflict);
    if (stopped !== undefined) this.#queue.failed(stopped.error);
  }

  /** Readers of a large step see it as one change. Returns the function that announces it. */
  #holdFor(operations: readonly EditOperation[]): () => void {
    return operations.length > manyFrom ? this.store.hold() : () => undefined;
  }

  /** Carries an import out: one step of the history. If it is cancelled or refused, what was written is taken back. */
  runImport(perform: (send: SendBatch) => Promise<Imported>): Promise<ImportOutcome> {
    const failed: ImportOutcome = { is: 'refused', reason: texts.saving.failed };
    if (!this.canWrite) return Promise.resolve(failed);
    return this.#queue.result(async () => {
      const release = this.store.hold();
      try {
        const { inverse, outcome } = await perform(this.#send);
        if (outcome.is === 'written') this.#made(inverse);
        else for (const conflict of (await carryOut(this.store, this.#stepApi, inverse)).conflicts) this.#conflicts.ask(conflict);
        return outcome;
      } finally {
        release();
      }
    }, failed);
  }

  /**
   * Brings the project back to a version, when everything that waits is saved. The steps before cannot be undone any more: the version before
   * the restore is the way back. The reason if it was refused; '' otherwise.
   *
   * @param take called with the project as it is then
   */
  restore(versionId: string, take: (project: Versioned<Project>) => void): Promise<string> {
    return this.#queue.result(async () => {
      if (this.store.draftIds.length > 0 || this.conflicts.value.length > 0) return texts.versions.unsaved;
      const key = newRequestKey();
      try {
        take(await this.#queue.patiently(() => this.#api.restore(versionId, key)));
      } catch (error) {
        if (error instanceof ProblemError) return error.detail;
        throw error;
      }
      this.#history.clear();
      this.#countSteps();
      return '';
    }, texts.saving.failed);
  }

  /** A step was made, which `inverse` takes back. */
  #made(inverse: Step): void {
    this.#history.push(inverse);
    this.#countSteps();
  }

  #countSteps(): void {
    this.#steps.value = this.#history.counts;
  }

  /** Takes the last step back. The resource that it was about. */
  undo(): Promise<ResourceRef | undefined> {
    return this.#travel('undo', 'redo');
  }

  redo(): Promise<ResourceRef | undefined> {
    return this.#travel('redo', 'undo');
  }

  #travel(direction: Direction, back: Direction): Promise<ResourceRef | undefined> {
    const history = this.#history;
    return this.#queue.result(async () => {
      const step = history.take(direction);
      if (step === undefined) return undefined;
      const release = this.#holdFor(step.operations);
      try {
        const performed = await carryOut(this.store, this.#stepApi, step);
        const { inverse, created, conflicts, stopped } = performed;
        if (stopped !== undefined) history.put(direction, stopped.rest);
        // A notice says what was done before; a problem stays.
        if (this.#notice.value?.isProblem === false) this.say('');
        this.#performed(performed, { ...inverse, focus: created[0] ?? inverse.focus }, (made) => history.put(back, made));
        return conflicts[0]?.ref ?? created[0] ?? step.focus;
      } catch (error) {
        // A step that can never be taken back would block those before it.
        if (!(error instanceof ProblemError && [400, 404].includes(error.status))) history.put(direction, step);
        throw error;
      } finally {
        release();
        this.#countSteps();
      }
    }, undefined);
  }

  // Conflicts

  /** Another user deleted a resource. Called before it leaves the store. */
  onDeleted(id: string): void {
    this.#conflicts.beforeRemoval(id);
  }

  /** A resource with unsaved changes is not in the project any more, after the project was read again. */
  onLost(ref: ResourceRef, mine: Resource): void {
    this.#conflicts.addDeleted(ref, mine);
  }
}
