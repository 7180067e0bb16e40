/**
 * Changes of a project by the user. Each is a diff: what is typed into a form, a command, an import, undo. They are sent in the order in which
 * they were made ({@link SaveQueue}, {@link Sync}); one that only changes members is shown at once. About {@link Conflicts}, the user
 * decides ({@link Decisions}).
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Diff, invert, type Members } from '../../../lib/change/diff.ts';
import { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { ProblemError, type Project } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { kinds, type Resource, type ResourceRef, refAt } from '../kinds/resource-kinds.ts';
import { isBefore } from '../kinds/resource-version.ts';
import { refusalText } from '../server/refusal-text.ts';
import { keepsPlaces } from './artboard-places.ts';
import { type Conflict, Conflicts, type Errors } from './conflicts.ts';
import { Decisions } from './decisions.ts';
import { type Counts, type Direction, History, type HistoryStep } from './history.ts';
import { Notices } from './notices.ts';
import { Outcomes } from './outcomes.ts';
import { PendingWrites, type Write } from './pending-writes.ts';
import { newRequestKey, type ProjectApi, type Versioned } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { SaveQueue } from './save-queue.ts';
import { type SaveState, saveStateOf } from './save-state.ts';
import { type SendOptions, Sync } from './sync.ts';

export interface ImportRun extends Required<Pick<SendOptions, 'signal' | 'onProgress'>> {
  /** Called when the import begins to take back what it has written. */
  onUndo(): void;
}

export type ImportOutcome =
  | { readonly is: 'written' }
  | { readonly is: 'cancelled' }
  /** `id`: the resource that the server refused, if it was one. */
  | { readonly is: 'refused'; readonly reason: string; readonly id?: string | undefined };

export class ProjectEdits {
  readonly store: ProjectStore;
  readonly #api: ProjectApi;
  /** True if the key of the session may write. */
  readonly canWrite: boolean;
  readonly #state = signal<SaveState>('saved');
  readonly state: ReadonlySignal<SaveState> = this.#state;
  readonly notices: Notices;
  readonly #history = new History();
  readonly steps: ReadonlySignal<Counts> = this.#history.counts;
  readonly #queue: SaveQueue;
  readonly #sync: Sync;
  readonly #conflicts = new Conflicts();
  readonly errors: ReadonlySignal<Errors> = this.#conflicts.errors;
  readonly conflicts: ReadonlySignal<readonly Conflict[]> = this.#conflicts.list;
  /** Carries out what the user decides about conflicts. */
  readonly decisions = new Decisions(this, this.#conflicts);
  readonly #pending: PendingWrites;
  readonly #outcomes: Outcomes;
  readonly #stopWatching: () => void;

  /** @param onSessionEnd called when the server refuses the key */
  constructor(store: ProjectStore, api: ProjectApi, canWrite: boolean, onSessionEnd: (reason: string) => void) {
    this.store = store;
    this.#api = api;
    this.canWrite = canWrite;
    this.notices = new Notices(store, this.steps);
    this.#pending = new PendingWrites(store, this.#conflicts);
    this.#queue = new SaveQueue({
      notice: this.notices.current,
      onChange: () => this.#updateState(),
      onRetry: () => {
        for (const { diff, isTyped } of this.#pending.takeStopped()) void this.#send(this.#pending.add(diff, isTyped));
      },
      onSessionEnd,
    });
    this.#outcomes = new Outcomes({
      ...{ store, conflicts: this.#conflicts, pending: this.#pending, notices: this.notices },
      onPartRefused: (error) => this.#queue.failed(error),
    });
    this.#sync = new Sync({
      ...{ store, api },
      patiently: (request) => this.#queue.patiently(request),
      reload: async () => void this.take(await this.#queue.patiently(() => api.load())),
    });
    this.#stopWatching = effect(() => {
      this.#conflicts.list.value;
      this.#conflicts.errors.value;
      this.#updateState();
    });
  }

  /** True if something would be lost with this page. */
  get hasUnsaved(): boolean {
    return this.store.hasUnsaved || this.conflicts.value.length > 0 || this.#queue.isRunning;
  }

  /** Says what another user has done; not while a request runs, whose own changes the feed may bring before its answer. */
  sayForeign(ref: ResourceRef, text: typeof texts.editor.foreign): void {
    if (!this.#queue.isRunning) this.notices.sayOf(ref, text);
  }

  #updateState(): void {
    this.#state.value = saveStateOf({
      hasConflicts: this.conflicts.value.length > 0,
      hasErrors: [...this.errors.value.keys()].some((id) => this.store.has(id)),
      hasUnsaved: this.store.hasUnsaved,
      queue: this.#queue.state,
    });
  }

  /** Resolves when everything that was requested so far is done. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Sends what waits. */
  retry(): void {
    this.#queue.retry();
  }

  /** Ends retries; called when the editor closes. */
  close(): void {
    this.#queue.close();
    this.#conflicts.close();
    this.#stopWatching();
  }

  // Changes

  /** An identifier for what is to be created. */
  newId(): string {
    return this.#api.ids.next();
  }

  /** Begins a diff of what the project is to be when everything that waits is saved. */
  begin(): DiffBuilder {
    return new DiffBuilder(this.store.expected, kinds, () => this.newId());
  }

  /**
   * Changes members of a resource by its form: one step of the history, together with others that wait.
   *
   * @param bases the values at which the edit began, where that was earlier than now
   * @param follow adds what changes with it in other resources
   */
  change(id: string, members: Members, bases: Members = {}, follow?: (edit: DiffBuilder) => void): void {
    if (!this.canWrite) return;
    if (!this.store.has(id)) {
      // A field commits what was typed when its form disappears.
      this.#conflicts.commitLost(id, members);
      return;
    }
    const free = this.#conflicts.revise(id, members);
    const names = Object.keys(free);
    const edit = this.begin().put(id, free, this.#pending.basesOf(id, names, bases));
    if (!edit.isEmpty) follow?.(edit);
    const { diff } = edit;
    this.#conflicts.release(id, names);
    const write = this.#pending.addTyped(id, diff);
    if (write !== undefined) void this.#send(write);
    this.#updateState();
  }

  /** Gives up the refused value of a member. */
  discard(id: string, members: readonly string[]): void {
    this.#conflicts.release(id, members);
    this.refresh(id);
  }

  /** Shows what is held of a resource now. */
  refresh(id: string): void {
    this.#pending.show([id]);
    this.#updateState();
  }

  /** Carries a diff out: one step of the history. The resources that were created, or moved to another artboard, in its order. */
  async run(edit: DiffBuilder): Promise<readonly ResourceRef[]> {
    if (!this.canWrite || edit.isEmpty) return [];
    return this.#send(this.#pending.add(edit.diff, false));
  }

  #send(write: Write): Promise<readonly ResourceRef[]> {
    return this.#queue.result(async () => {
      write.isBegun = true;
      const keeps = placesKept(write.diff, this.store);
      try {
        for (;;) {
          const outcome = await this.#sync.send([write.diff]);
          const refused = this.#outcomes.settle(outcome, write, (inverse) => this.#history.push(inverse));
          if (outcome.stopped !== undefined && !write.isTyped) this.#pending.giveUp(write, outcome.stopped.rest);
          if (refused !== undefined) {
            if (!write.isTyped || !this.#pending.keep(write, refused)) throw refused;
            // Later writes are based on the other members.
            if (write.diff.changes.size > 0) continue;
          }
          if (keeps > 0) this.notices.say(texts.saving.moved(keeps));
          return placedBy(outcome.done);
        }
      } finally {
        this.#pending.end(write);
      }
    }, []);
  }

  /** Carries the diffs of an import out: one step of the history. If it is cancelled or refused, what was written is taken back. */
  runImport(diffs: Iterable<Diff>, { onUndo, ...run }: ImportRun): Promise<ImportOutcome> {
    const failed: ImportOutcome = { is: 'refused', reason: texts.saving.failed };
    if (!this.canWrite) return Promise.resolve(failed);
    this.#pending.seal();
    return this.#queue.result<ImportOutcome>(async () => {
      const release = this.store.hold();
      try {
        const written = await this.#sync.send(diffs, { ...run, isGuarded: false, keepsVersion: true });
        const { done, stopped } = written;
        const isWritten = stopped === undefined && !run.signal.aborted;
        if (!isWritten) onUndo();
        const { conflicts } = isWritten ? written : await this.#sync.send([invert(done)], { isUndo: true });
        // Nothing is to be taken back of what others have deleted.
        for (const conflict of conflicts) if (isWritten || conflict.is !== 'deleted') this.#outcomes.ask(conflict, new Map());
        if (isWritten) {
          this.#history.push({ diff: invert(done) });
          return { is: 'written' };
        }
        if (stopped === undefined) return { is: 'cancelled' };
        const { error, id } = stopped.refusal;
        return { is: 'refused', reason: refusalText(error), id };
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
      if (this.store.hasUnsaved || this.conflicts.value.length > 0) return texts.saving.unsaved;
      const key = newRequestKey();
      try {
        take(await this.#queue.patiently(() => this.#api.restore(versionId, key)));
      } catch (error) {
        if (error instanceof ProblemError) return error.detail;
        throw error;
      }
      this.#history.clear();
      return '';
    }, texts.saving.failed);
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
    this.#pending.seal();
    return this.#queue.result(async () => {
      const step = history.take(direction);
      if (step === undefined) return undefined;
      const seen = this.#pending.seenBy(step.diff);
      try {
        const outcome = await this.#sync.send([step.diff], { isUndo: true });
        const { done, conflicts, stopped } = outcome;
        const placed = mainOf(placedBy(done));
        // A step that can never be taken back would block those before it.
        const isImpossible = stopped !== undefined && done.changes.size === 0 && stopped.refusal.error.status === 400;
        if (stopped !== undefined && !isImpossible) history.put(direction, { ...step, diff: stopped.rest });
        // A notice says what was done before; a problem stays.
        if (this.notices.current.value?.isProblem === false) this.notices.say('');
        const keep = (made: HistoryStep): void => history.put(back, { ...made, focus: placed ?? step.focus });
        const refused = this.#outcomes.settle(outcome, { isTyped: false, seen, isTravel: true }, keep);
        this.#pending.underlie(done);
        if (refused !== undefined) throw refused;
        const [conflict] = conflicts;
        return (conflict && (this.store.refOf(conflict.id) ?? seen.get(conflict.id)?.ref)) ?? placed ?? step.focus;
      } catch (error) {
        if (!(error instanceof ProblemError)) history.put(direction, step);
        throw error;
      }
    }, undefined);
  }

  // Changes by others

  /** Another user deleted a resource. Called before it leaves the store, with everything in it. */
  onDeleted(id: string): void {
    const { store } = this;
    for (const each of [...store.ids({ kind: 'object', artboardId: id }), id]) {
      const [ref, value] = [store.refOf(each), store.shown(each)];
      if (ref !== undefined && value !== undefined) this.#outcomes.lose(ref, value);
    }
  }

  /**
   * Takes the project as the server has it now, unless the feed has brought something newer meanwhile. `false`: it was read before this page
   * has written something, and has to be read again.
   */
  take({ value, version }: Versioned<Project>): boolean {
    const { store } = this;
    if (isBefore(version, store.position)) return true;
    if (isBefore(version, this.#sync.written)) return false;
    const before = [...store.all()].map(({ ref }) => ({ ref, value: store.shown(ref.id) as Resource }));
    store.load(value, version);
    for (const each of before) if (!store.has(each.ref.id)) this.#outcomes.lose(each.ref, each.value);
    return true;
  }
}

/** The resource to show of those that came back: an artboard before its objects, an object before its popups. */
const mainOf = (refs: readonly ResourceRef[]): ResourceRef | undefined =>
  refs.find(({ kind }) => kind === 'artboard') ?? refs.find(({ kind }) => kind === 'object') ?? refs[0];

/** The resources that a diff creates, or moves to another collection. */
const placedBy = ({ changes }: Diff): readonly ResourceRef[] =>
  [...changes.values()].flatMap(({ id, from, to }) => (to !== undefined && from?.in !== to.in ? [refAt(id, to.in)] : []));

/** How many objects keep their places on Earth when the diff is carried out. */
function placesKept({ changes }: Diff, store: ProjectStore): number {
  const [first, ...others] = [...changes.values()];
  if (first?.to === undefined || others.length > 0 || !keepsPlaces(store, refAt(first.id, first.to.in), first.to.members))
    return 0;
  return store.ids({ kind: 'object', artboardId: first.id }).length;
}
