/**
 * A version on the screen. Its model is an editor that can change nothing: with the project as it was, or, compared, with the project as it
 * is, in which the map marks what differs and shows what was deleted.
 */
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { type Comparison, ProblemError, type Project, type ProjectVersion } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { ProjectStore } from '../document/project-store.ts';
import { wholeProject, withDeleted } from '../document/whole-project.ts';
import { EditorModel } from '../editor/editor-model.ts';
import type { Change, ChangeMark } from '../editor/workspace.ts';
import type { Resource } from '../kinds/resource-kinds.ts';
import { VersionApi } from './version-api.ts';

export type Difference = Comparison['changes'][number];

/** `missing`: there is no such version. `failed`: see `problem`. */
type ViewState = 'loading' | 'shown' | 'missing' | 'failed';

/** How much of its opacity an object keeps that was deleted. */
const paleness = 0.4;

/** Members of an object that say where it is. */
const placeMembers = ['type', 'x', 'y', 'radius', 'coords', 'holes', 'closed'];

export const allChanges: readonly Change[] = ['created', 'changed', 'deleted'];

export class VersionView {
  readonly model: EditorModel;
  /** Kinds of changes that are listed and marked. */
  readonly filter = signal<ReadonlySet<Change>>(new Set(allChanges));
  /** The difference that is chosen; '' for none. */
  readonly chosen = signal('');
  readonly #present: EditorModel;
  readonly #api: VersionApi;
  readonly #id: string;
  readonly state = signal<ViewState>('loading');
  /** Why it is not shown. */
  readonly problem = signal('');
  readonly version = signal<ProjectVersion | undefined>(undefined);
  /** The differences from the project as it is, while that is compared. */
  readonly comparison = signal<Comparison | undefined>(undefined);
  /** True if the project has changed since it was compared. */
  readonly isOutdated = signal(false);
  readonly #disposers: (() => void)[] = [];
  readonly #former: ProjectStore;
  #document: Project | undefined;
  #shows = 0;

  /** @param present the editor of the project as it is */
  constructor(present: EditorModel, id: string) {
    this.#present = present;
    this.#id = id;
    this.#former = new ProjectStore(present.document.store.id);
    this.#api = new VersionApi(() => present.document.connection.session.client, present.document.store.id);
    this.model = new EditorModel(present.document.connection.session, present.document.store.id, true);
    this.#disposers.push(
      present.document.store.onChange(() => {
        if (this.comparison.value !== undefined) this.isOutdated.value = true;
      }),
      effect(() => {
        const [id = '', ...others] = this.model.selection.ids.value;
        untracked(() => {
          if (id !== '' && others.length === 0) this.chosen.value = id;
          else if (this.model.document.store.has(this.chosen.value)) this.chosen.value = '';
        });
      }),
      effect(() => {
        this.model.workspace.marks.value = this.#marks.value;
      }),
    );
  }

  /** The differences of the chosen kinds. */
  readonly listed: ReadonlySignal<readonly Difference[]> = computed(
    () => this.comparison.value?.changes.filter(({ change }) => this.filter.value.has(change)) ?? [],
  );

  readonly #marks: ReadonlySignal<ReadonlyMap<string, ChangeMark>> = computed(() => {
    const marks = new Map<string, ChangeMark>();
    for (const { kind, id, change, members = {} } of this.listed.value) {
      if (kind !== 'object') continue;
      const hasMoved = placeMembers.some((name) => Object.hasOwn(members, name));
      marks.set(id, hasMoved ? { change, before: this.#former.stored(id) } : { change });
    }
    return marks;
  });

  /** The difference at an identifier, if there is one. */
  differenceAt(id: string): Difference | undefined {
    return this.#differences.value.get(id);
  }

  readonly #differences = computed(() => new Map(this.comparison.value?.changes.map((each) => [each.id, each])));

  /** A resource as it was, or as it is if it was created since. */
  valueAt(id: string): Resource | undefined {
    return this.#former.stored(id) ?? this.#present.document.store.shown(id);
  }

  /** The name of a resource; `undefined` if there is none with this identifier. */
  nameAt(id: string): string | undefined {
    const found = this.#present.document.store.shown(id) ?? this.#former.stored(id);
    return found === undefined ? undefined : String(found['name'] || texts.unnamed);
  }

  /** Shows the project as it was, or what differs from the project as it is. Never rejects. */
  async show(isCompared: boolean): Promise<void> {
    const mine = ++this.#shows;
    try {
      await this.#load();
      // What is not saved yet is no part of the comparison.
      if (isCompared) await this.#present.document.edits.idle();
      const comparison = isCompared ? await this.#api.changes(this.#id) : undefined;
      if (mine === this.#shows) this.#take(comparison);
    } catch (error) {
      if (mine !== this.#shows) return;
      const isMissing = error instanceof ProblemError && error.code === 'not_found';
      this.problem.value = error instanceof ProblemError ? error.detail : texts.saving.noAnswer;
      this.state.value = isMissing ? 'missing' : 'failed';
    }
  }

  async #load(): Promise<void> {
    if (this.#document !== undefined) return;
    const [version, document] = await Promise.all([this.#api.find(this.#id), this.#api.read(this.#id)]);
    this.version.value = version;
    this.#document = document;
    this.#former.load(document, '');
  }

  #take(comparison: Comparison | undefined): void {
    const { model } = this;
    const former = this.#document as Project;
    const isFirst = this.state.peek() !== 'shown';
    batch(() => {
      this.comparison.value = comparison;
      this.isOutdated.value = false;
      model.document.store.load(
        comparison === undefined ? former : withDeleted(wholeProject(this.#present.document.store), former, pale),
        '',
      );
      // The artboard on which the user was.
      const artboard = this.#present.selection.artboardId.peek();
      if (isFirst && model.document.store.has(artboard)) model.selection.artboardId.value = artboard;
      this.state.value = 'shown';
    });
  }

  /** Chooses a difference, and shows it on the map. */
  choose({ id }: Difference): void {
    const { model } = this;
    if (model.document.store.has(id)) model.selection.select([id], { reveal: true });
    else model.selection.select([]);
    this.chosen.value = id;
  }

  chooseNothing(): void {
    this.model.selection.select([]);
    this.chosen.value = '';
  }

  /** Lists and marks a kind of changes, or does not any more. */
  toggle(change: Change): void {
    const next = new Set(this.filter.value);
    if (!next.delete(change)) next.add(change);
    this.filter.value = next;
  }

  close(): void {
    for (const dispose of this.#disposers) dispose();
    this.model.close();
  }
}

function pale(object: Resource): Resource {
  const paler = (opacity: unknown): number => (typeof opacity === 'number' ? opacity : 1) * paleness;
  return { ...object, opacity: paler(object['opacity']), stroke_opacity: paler(object['stroke_opacity']) };
}
