/** What the editor shows, and what is selected. Screens and keys call the same commands, here and in the files `…-commands.ts`. */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ProjectApi } from '../document/project-api.ts';
import { ProjectEdits } from '../document/project-edits.ts';
import { ProjectStore } from '../document/project-store.ts';
import { type PictureAddress, PictureUploads } from '../files/picture-uploads.ts';
import type { CollectionRef, Kind, MemberKind, Members, Resource, ResourceRef } from '../kinds/resource-kinds.ts';
import { collectionKey, fieldsOf } from '../kinds/resource-kinds.ts';
import { LiveState } from '../live/live-state.ts';
import { LiveView } from '../live/live-view.ts';
import { Simulation } from '../live/simulation.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import type { Point } from '../shapes/shape.ts';
import type { ToolEvent } from '../tools/tool.ts';
import type { ToolName } from '../tools/tool-names.ts';
import { Copies } from './copies.ts';
import { Looks } from './looks.ts';
import { ProjectConnection, type ProjectState } from './project-connection.ts';

export type ListName = MemberKind | 'problems';
export type Pane = 'list' | 'map' | 'form';

/** What the map can do for commands; `undefined` while it is not shown. */
interface MapCommands {
  /** The middle of what is visible, in pixels of the artboard. */
  centre(): Point;
  reveal(id: string): void;
  focus(): void;
  /** Delivers an event to the tool in use. `false` if it means nothing to it. */
  send(event: ToolEvent): boolean;
  /** Saves what keys have moved, without waiting for further ones. */
  endNudge(): void;
}

/** A file that is to become objects of an artboard. */
export interface ImportRequest {
  readonly file: File;
  /** Whether the project was created for it, and is deleted if the user cancels. */
  readonly isNewProject: boolean;
  /** Whether it cannot be imported, so that another file takes its place. */
  readonly hasFailed: Signal<boolean>;
}

/** What is shown before an import. */
export interface ImportPreview {
  readonly artboardId: string;
  /** Members that the artboard would get. */
  readonly artboard: Members;
  /** Bodies of objects, in pixels of the artboard with these members. */
  readonly objects: readonly Members[];
}

export type Change = 'created' | 'changed' | 'deleted';

/** How an object differs from the other state. */
export interface ChangeMark {
  readonly change: Change;
  /** Its members in the former state, if it looks different there. */
  readonly before?: Members | undefined;
}

/** What the library does with a picture that the user chooses; without `onUse` it becomes a background. */
export interface LibraryUse {
  readonly onUse?: (picture: PictureAddress) => void;
}

export class EditorModel {
  /** Whether another screen is shown. It still saves what is not saved. */
  isLeft = false;
  /** Whether it shows a version: a former state, of which nothing can be changed or evaluated. */
  readonly isPast: boolean;
  readonly store: ProjectStore;
  readonly edits: ProjectEdits;
  /** The newest evaluation, and responses of data sources. */
  readonly live: LiveState;
  /** The project as its data make it, while Live is on. */
  readonly liveView: LiveView;
  readonly simulation: Simulation;
  readonly artboardId = signal('');
  /** Identifiers: of several objects, or of one resource of any kind. Empty: the project. */
  readonly selection = signal<readonly string[]>([]);
  readonly list = signal<ListName>('object');
  readonly query = signal('');
  readonly tool = signal<ToolName>('select');
  /** What a tool says to users of a screen reader. */
  readonly said = signal('');
  /** Whether the map of the editor has the names of objects; `undefined`: as published. */
  readonly showsNames = signal<boolean | undefined>(undefined);
  /** Whether a click or a tap adds to the selection, as with Ctrl. */
  readonly isAdding = signal(false);
  /** The name of the state of the tool in use. */
  readonly toolState = signal('idle');
  /** Coordinates that are being typed for a drawing tool. */
  readonly typedPlace = signal<string | undefined>(undefined);
  readonly pane = signal<Pane>('map');
  readonly isHelpOpen = signal(false);
  /** The dialog of the project's pictures, and what it does with a picture that is used; `undefined` while it is closed. */
  readonly library = signal<LibraryUse | undefined>(undefined);
  /** The picture that an artboard with objects gets, about which the user decides. */
  readonly replacing = signal<{ readonly artboardId: string; readonly picture: PictureAddress } | undefined>(undefined);
  readonly uploads: PictureUploads;
  readonly looks: Looks;
  /** The file that the user imports. */
  readonly importing = signal<ImportRequest | undefined>(undefined);
  /** Objects that the map marks, because they differ from another state of the project. */
  readonly marks = signal<ReadonlyMap<string, ChangeMark>>(new Map());
  /** What the import would create, for the map. */
  readonly preview = signal<ImportPreview | undefined>(undefined);
  /** Members that the map shows of some objects before the user has chosen them. */
  readonly trial = signal<{ readonly ids: readonly string[]; readonly members: Members } | undefined>(undefined);
  /** The field that gets the focus when its form appears. */
  readonly focusField = signal('');
  map: MapCommands | undefined;
  /** The objects before and after one that was deleted: nothing is selected then, and keys go on there. */
  gap: { readonly previous?: string | undefined; readonly next?: string | undefined } = {};
  readonly copies = new Copies(this);
  readonly #connection: ProjectConnection;
  readonly #disposers: (() => void)[] = [];

  constructor(session: ConsoleSession, projectId: string, { isPast = false }: { readonly isPast?: boolean } = {}) {
    this.isPast = isPast;
    this.store = new ProjectStore(projectId);
    this.looks = new Looks(this.store);
    const api = new ProjectApi(session.client, projectId);
    this.edits = new ProjectEdits(this.store, api, session.access === 'write' && !isPast, (why) => this.#connection.refused(why));
    this.#connection = new ProjectConnection(session, api, this.edits);
    this.uploads = new PictureUploads({
      session: () => this.session,
      projectId,
      say: (text, isProblem) => this.edits.notices.say(text, isProblem),
      onSessionEnd: (why) => this.#connection.refused(why),
    });
    this.live = new LiveState(this.edits, () => this.session.client, !isPast);
    this.liveView = new LiveView(this.store, this.live);
    this.simulation = new Simulation(this.store, this.live, this.liveView);
    this.#disposers.push(
      effect(() => {
        // An artboard is always chosen, as long as there is one.
        this.artboards.value;
        const ids = this.store.ids({ kind: 'artboard' });
        if (!ids.includes(this.artboardId.value)) this.artboardId.value = ids[0] ?? '';
      }),
      effect(() => {
        // A tool is for the artboard on which it was chosen.
        this.artboardId.value;
        this.tool.value = 'select';
      }),
      effect(() => {
        // What was deleted is not selected any more.
        for (const kind of ['object', 'popup', 'artboard', 'data_source', 'variable', 'action'] as const)
          this.store.revision({ kind, artboardId: kind === 'object' ? this.artboardId.value : undefined }).value;
        const left = this.selection.value.filter((id) => this.store.has(id) || this.liveView.createdAt(id) !== undefined);
        if (left.length !== this.selection.value.length) this.selection.value = left;
      }),
    );
  }

  get session(): ConsoleSession {
    return this.#connection.session;
  }

  get state(): ReadonlySignal<ProjectState> {
    return this.#connection.state;
  }

  /** Changes when a user publishes the project, or unpublishes it. */
  get publications(): ReadonlySignal<number> {
    return this.#connection.publications;
  }

  /** Changes when a file of the project is uploaded, renamed or deleted. */
  get fileChanges(): ReadonlySignal<number> {
    return this.#connection.fileChanges;
  }

  /** Changes when a version of the project is kept, renamed or deleted. */
  get versionChanges(): ReadonlySignal<number> {
    return this.#connection.versionChanges;
  }

  get canWrite(): boolean {
    return this.edits.canWrite;
  }

  /** Changes with the artboards. */
  readonly artboards: ReadonlySignal<readonly Resource[]> = computed(() => {
    this.store.revision({ kind: 'artboard' }).value;
    return this.store.members({ kind: 'artboard' });
  });

  /** The one selected resource, if actions have changed or created it. */
  readonly lockedSelection: ReadonlySignal<string | undefined> = computed(() => {
    const [id, ...others] = this.selection.value;
    return id !== undefined && others.length === 0 && this.liveView.isLocked(id) ? id : undefined;
  });

  /** The one selected resource; the project if nothing is selected; `undefined` for several. */
  readonly selected: ReadonlySignal<ResourceRef | undefined> = computed(() => {
    const [id, ...others] = this.selection.value;
    if (id === undefined) return { kind: 'project', id: this.store.id };
    return others.length > 0 ? undefined : this.store.refOf(id);
  });

  /** Loads the project and follows it. Resolves when it is shown, or cannot be. */
  open(): Promise<void> {
    return this.#connection.open();
  }

  /** Brings the project back to a version. The reason if that was refused; '' otherwise. */
  restore(versionId: string): Promise<string> {
    return this.edits.restore(versionId, (project) => this.#connection.take(project));
  }

  /** Goes on with the key of another session of the same account. */
  renew(session: ConsoleSession): void {
    this.#connection.renew(session);
  }

  /** Ends everything that the editor does in the background. */
  close(): void {
    this.#connection.close();
    this.simulation.stop();
    this.uploads.close();
    this.liveView.close();
    this.live.close();
    this.edits.close();
    for (const dispose of this.#disposers) dispose();
  }

  // Selection

  /** Selects resources, and shows the list and the artboard in which they are. */
  select(
    ids: readonly string[],
    { reveal = false, field = '' }: { readonly reveal?: boolean; readonly field?: string } = {},
  ): void {
    const [first] = ids;
    this.gap = {};
    const ref = first === undefined ? undefined : (this.store.refOf(first) ?? this.#createdRef(first));
    batch(() => {
      if (ref?.kind === 'object' && ref.artboardId !== undefined) this.artboardId.value = ref.artboardId;
      if (ref?.kind === 'artboard') this.artboardId.value = ref.id;
      if (ref !== undefined && ref.kind !== 'project' && ref.kind !== 'artboard' && this.list.value !== 'problems')
        this.list.value = ref.kind;
      this.selection.value = ids;
      if (field === '') this.focusField.value = '';
      else this.toField(field);
    });
    if (reveal && first !== undefined && ref?.kind === 'object') this.map?.reveal(first);
  }

  /** Where something is that an action has created. */
  #createdRef(id: string): ResourceRef | undefined {
    const created = this.liveView.createdAt(id);
    return created === undefined
      ? undefined
      : { kind: created.kind, id, ...(created.kind === 'object' ? { artboardId: created.artboardId } : {}) };
  }

  showArtboard(id: string): void {
    batch(() => {
      this.tool.value = 'select';
      this.artboardId.value = id;
      this.selection.value = [id];
    });
  }

  /** The objects of the artboard on the map. */
  get objects(): CollectionRef {
    return { kind: 'object', artboardId: this.artboardId.value };
  }

  /** The selected objects that are stored; also those that actions have changed. */
  get selectedObjects(): readonly ResourceRef[] {
    return this.selection.value.flatMap((id) => {
      const ref = this.store.refOf(id);
      return ref?.kind === 'object' ? [ref] : [];
    });
  }

  selectAll(): void {
    this.select([...this.store.ids(this.objects)]);
  }

  /** Shows the next or the previous artboard. */
  nextArtboard(by: 1 | -1): void {
    const ids = this.store.ids({ kind: 'artboard' });
    const next = ids[ids.indexOf(this.artboardId.value) + by];
    if (next !== undefined) this.showArtboard(next);
  }

  /** The next or the previous object in the order of the list; of a popup, that of its object. */
  selectNext(by: 1 | -1): boolean {
    const ids = [...this.store.ids(this.objects), ...this.liveView.createdIds('object', this.artboardId.value)];
    const [only = ''] = this.selection.value;
    const at = ids.indexOf(String(this.store.shown(only)?.['attachedTo'] ?? only));
    const { previous, next: following } = this.gap;
    const besideGap = only === '' ? (by === 1 ? following : previous) : undefined;
    const next = besideGap ?? ids[at === -1 ? (by === 1 ? 0 : ids.length - 1) : at + by];
    if (next === undefined) return false;
    this.select([next], { reveal: true });
    return true;
  }

  // Commands

  /** Creates a resource and selects it. @param field the field of its form that gets the focus */
  async add(kind: MemberKind, value: Members = {}, field = 'name'): Promise<ResourceRef | undefined> {
    const at: CollectionRef = kind === 'object' ? this.objects : { kind };
    if (kind === 'object' && this.artboardId.value === '') return undefined;
    const edit = this.edits.begin();
    edit.create(collectionKey(at), { ...defaultsOf(kind), ...value });
    const [created] = await this.edits.run(edit);
    if (created !== undefined) this.select([created.id], { field });
    return created;
  }

  /** Selects a resource and goes to its form. */
  edit(id: string): void {
    this.select([id], { field: 'name' });
  }

  /** Goes to a field in the form of the selection. A narrow window shows one pane. */
  toField(field: string): void {
    batch(() => {
      this.pane.value = 'form';
      this.focusField.value = field;
    });
  }

  /** Goes to the map, where single keys work. */
  toMap(): void {
    this.pane.value = 'map';
    this.map?.focus();
  }

  /** Popups that are attached to one of some objects. */
  popupsOf(objectIds: readonly string[]): Resource[] {
    const chosen = new Set(objectIds);
    return this.store.members({ kind: 'popup' }).filter(({ attachedTo }) => chosen.has(String(attachedTo)));
  }

  /** Duplicates the selection, and goes to the name of the copy. */
  async duplicateAndName(): Promise<void> {
    const before = this.selection.value;
    await this.copies.duplicate();
    if (this.selection.value !== before) this.toField(this.selection.value.length > 1 ? 'names' : 'name');
  }

  async undo(): Promise<void> {
    this.map?.endNudge();
    this.#show(await this.edits.undo());
  }

  async redo(): Promise<void> {
    this.map?.endNudge();
    this.#show(await this.edits.redo());
  }

  #show(ref: ResourceRef | undefined): void {
    if (ref !== undefined && ref.kind !== 'project' && this.store.has(ref.id)) this.select([ref.id], { reveal: true });
  }
}

/** Members that a new resource needs. */
function defaultsOf(kind: Kind): Members {
  const required = fieldsOf(kind).find(({ name }) => name === 'type');
  return kind === 'object' && required !== undefined ? { type: 'spot' } : {};
}
