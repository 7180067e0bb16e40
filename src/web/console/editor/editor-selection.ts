/** The artboard on the map, and what is selected. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ProjectStore } from '../document/project-store.ts';
import type { CollectionRef, MemberKind, Resource, ResourceRef } from '../kinds/resource-kinds.ts';
import type { LiveView } from '../live/live-view.ts';
import type { ProjectDocument } from './project-document.ts';
import type { Workspace } from './workspace.ts';

export type ListName = MemberKind | 'problems';

export class EditorSelection {
  readonly artboardId = signal('');
  /** Identifiers: of several objects, or of one resource of any kind. Empty: the project. */
  readonly ids = signal<readonly string[]>([]);
  readonly list = signal<ListName>('object');
  readonly query = signal('');
  /** True if a click or a tap adds to the selection, as with Ctrl. */
  readonly isAdding = signal(false);
  /** The objects whose form was left for that of something else: the way back. */
  readonly left = signal<readonly string[]>([]);
  /** The objects before and after one that was deleted: nothing is selected then, and keys go on there. */
  gap: { readonly previous?: string | undefined; readonly next?: string | undefined } = {};
  readonly #store: ProjectStore;
  readonly #liveView: LiveView;
  readonly #workspace: Workspace;
  readonly #disposers: readonly (() => void)[];

  constructor(document: ProjectDocument, workspace: Workspace) {
    const { store, liveView, artboards } = document;
    this.#store = store;
    this.#liveView = liveView;
    this.#workspace = workspace;
    this.#disposers = [
      effect(() => {
        // An artboard is always chosen, as long as there is one.
        artboards.value;
        const ids = store.ids({ kind: 'artboard' });
        if (!ids.includes(this.artboardId.value)) this.artboardId.value = ids[0] ?? '';
      }),
      effect(() => {
        // A tool is for the artboard on which it was chosen.
        this.artboardId.value;
        workspace.tool.value = 'select';
      }),
      effect(() => {
        // A deleted resource is not selected any more.
        for (const kind of ['object', 'popup', 'artboard', 'data_source', 'variable', 'action'] as const)
          store.revision({ kind, artboardId: kind === 'object' ? this.artboardId.value : undefined }).value;
        const left = this.ids.value.filter((id) => store.has(id) || liveView.createdAt(id) !== undefined);
        if (left.length !== this.ids.value.length) this.ids.value = left;
      }),
    ];
  }

  close(): void {
    for (const dispose of this.#disposers) dispose();
  }

  /** The one selected resource, if actions have changed or created it. */
  readonly locked: ReadonlySignal<string | undefined> = computed(() => {
    const [id, ...others] = this.ids.value;
    return id !== undefined && others.length === 0 && this.#liveView.isLocked(id) ? id : undefined;
  });

  /** The one selected resource; the project if nothing is selected; `undefined` for several. */
  readonly resource: ReadonlySignal<ResourceRef | undefined> = computed(() => {
    const [id, ...others] = this.ids.value;
    if (id === undefined) return { kind: 'project', id: this.#store.id };
    return others.length > 0 ? undefined : this.#store.refOf(id);
  });

  /** Selects resources, and shows the list and the artboard in which they are. */
  select(
    ids: readonly string[],
    { reveal = false, field = '' }: { readonly reveal?: boolean; readonly field?: string } = {},
  ): void {
    const [first] = ids;
    this.gap = {};
    const ref = first === undefined ? undefined : (this.#store.refOf(first) ?? this.#createdRef(first));
    batch(() => {
      if (ref === undefined || ref.kind === 'object') this.left.value = [];
      else if (this.selectedObjects.length > 0) this.left.value = this.ids.value;
      if (ref?.kind === 'object' && ref.artboardId !== undefined) this.artboardId.value = ref.artboardId;
      if (ref?.kind === 'artboard') this.artboardId.value = ref.id;
      if (ref !== undefined && ref.kind !== 'project' && ref.kind !== 'artboard' && this.list.value !== 'problems')
        this.list.value = ref.kind;
      this.ids.value = ids;
      if (field === '') this.#workspace.focusField.value = '';
      else this.#workspace.toField(field);
    });
    if (reveal && first !== undefined && ref?.kind === 'object') this.#workspace.map?.reveal(first);
  }

  /** Where something is that an action has created. */
  #createdRef(id: string): ResourceRef | undefined {
    const created = this.#liveView.createdAt(id);
    return created === undefined
      ? undefined
      : { kind: created.kind, id, ...(created.kind === 'object' ? { artboardId: created.artboardId } : {}) };
  }

  showArtboard(id: string): void {
    batch(() => {
      this.#workspace.tool.value = 'select';
      this.artboardId.value = id;
      this.ids.value = [id];
    });
  }

  /** The objects of the artboard on the map. */
  get objects(): CollectionRef {
    return { kind: 'object', artboardId: this.artboardId.value };
  }

  /** The selected objects that are stored; also those that actions have changed. */
  get selectedObjects(): readonly ResourceRef[] {
    return this.ids.value.flatMap((id) => {
      const ref = this.#store.refOf(id);
      return ref?.kind === 'object' ? [ref] : [];
    });
  }

  /** Selects all objects of the artboard that the map shows. */
  selectAll(): void {
    this.select(this.shownObjects.map(({ id }) => id));
  }

  /** The objects of the artboard, without those of categories that are hidden in this tab. */
  get shownObjects(): readonly Resource[] {
    const hidden = this.#workspace.hiddenCategories.value;
    const objects = this.#store.members(this.objects);
    return hidden.size === 0 ? objects : objects.filter(({ category }) => !hidden.has(String(category ?? '')));
  }

  /** Shows the next or the previous artboard. */
  nextArtboard(by: 1 | -1): void {
    const ids = this.#store.ids({ kind: 'artboard' });
    const next = ids[ids.indexOf(this.artboardId.value) + by];
    if (next !== undefined) this.showArtboard(next);
  }

  /** The next or the previous object in the order of the list; of a popup, that of its object. */
  selectNext(by: 1 | -1): boolean {
    const ids = [...this.#store.ids(this.objects), ...this.#liveView.createdIds('object', this.artboardId.value)];
    const [only = ''] = this.ids.value;
    const at = ids.indexOf(String(this.#store.shown(only)?.['attachedTo'] ?? only));
    const { previous, next: following } = this.gap;
    const besideGap = only === '' ? (by === 1 ? following : previous) : undefined;
    const next = besideGap ?? ids[at === -1 ? (by === 1 ? 0 : ids.length - 1) : at + by];
    if (next === undefined) return false;
    this.select([next], { reveal: true });
    return true;
  }
}
