/**
 * One import: the choices of the user, the conversion of the file with them, what it would create, change and delete, and its progress.
 *
 * ```
 * reading ⇄ ready ⇄ refused      each choice converts the file again
 *             │
 *          writing ─▶ undoing ─▶ ready
 *             └─▶ done
 * ```
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { conversionDefaults } from '../../convert/conversion-defaults.ts';
import type {
  Conversion,
  ExistingObject,
  ImportOperation,
  ImportPlan,
  LegendEntry,
  Mapping,
  Note,
} from '../../convert/converter.ts';
import { type LegendChoice, missingIn } from '../../convert/plan/legend-choice.ts';
import { knownCategories, type SettingsAfter, savedMapping, settingsAfter } from '../../convert/plan/settings-after.ts';
import { texts } from '../console-texts.ts';
import type { ImportRun } from '../document/project-edits.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { importDiffs } from './import-diffs.ts';
import {
  artboardMembers,
  firstPlacement,
  type ImportChoices,
  type ImportPlacement,
  type ImportTarget,
  optionsFor,
  type PlacePair,
  placementFor,
  placementsFor,
  placePairsFor,
} from './import-placement.ts';
import { ImportError, type OpenFile, openFile } from './open-file.ts';
import { backgroundMembers, withUploads } from './pictures-of-file.ts';
import type { Failure, PlainOptions } from './worker-messages.ts';

export type ImportState =
  | { readonly is: 'reading'; readonly share: number }
  | { readonly is: 'ready' }
  /** `canRetry`: by the server, with the same choices. */
  | { readonly is: 'refused'; readonly reason: string; readonly canRetry: boolean }
  | { readonly is: 'writing'; readonly done: number; readonly of: number }
  | { readonly is: 'undoing' }
  | { readonly is: 'done' };

/** Milliseconds between a choice and the conversion: several choices are often made at once. */
const restMs = 250;

export class ImportModel {
  readonly fileName: string;
  /** The artboard that gets the objects. */
  readonly artboardId: string;
  readonly missing = signal<'keep' | 'delete'>('keep');
  /** What the colours of the file are for the legend of the project. */
  readonly legendChoice = signal<LegendChoice>('add');
  /** Whether the rest of an SVG becomes the background. */
  readonly takesBackground = signal(true);
  readonly #model: EditorModel;
  readonly #file: File;
  readonly state = signal<ImportState>({ is: 'reading', share: 0 });
  readonly choices: Signal<ImportChoices>;
  /** The newest; it stays while the file is converted again. */
  readonly conversion = signal<Conversion | undefined>(undefined);
  /** The last failure with columns or layers of the file, of which others may be chosen. */
  readonly failure = signal<Failure | undefined>(undefined);
  /** The mapping of the last import into this artboard. */
  readonly #saved: Mapping;
  /** True until a conversion has said which category and fields it suggests, unless there is a saved mapping. */
  #isSuggested: boolean;
  /** True until a conversion has read the file in the way that was chosen last. */
  #isReadAgain = false;
  #open: Promise<OpenFile> | undefined;
  #script: OpenFile['script'] | undefined;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(model: EditorModel, file: File) {
    this.#model = model;
    this.#file = file;
    this.fileName = file.name;
    this.artboardId = model.selection.artboardId.peek();
    this.#saved = savedMapping(storedSettings(this.#model.document), this.artboardId) as Mapping;
    this.#isSuggested = Object.keys(this.#saved).length === 0;
    this.choices = signal<ImportChoices>({
      mapping: this.#saved,
      placement: firstPlacement(this.#target, file.name),
      swapAxes: false,
      lineWidth: conversionDefaults.lineWidth,
    });
    void this.#convert();
  }

  /** The artboard as it will be. */
  get artboardAfter(): Members {
    const conversion = this.conversion.value;
    return { ...this.#artboard, ...(conversion && artboardMembers(this.choices.value.placement, conversion)) };
  }

  get #artboard(): Members {
    return this.#model.document.store.shown(this.artboardId) ?? {};
  }

  get #target(): ImportTarget {
    return { type: this.#artboard['type'], isEmpty: this.#existing.length === 0 };
  }

  /** Where the objects can be placed, the usual way first. */
  get placements(): readonly ImportPlacement[] {
    return placementsFor(this.#target, this.conversion.value);
  }

  /** Pairs of columns that can be the places. */
  get placePairs(): readonly PlacePair[] {
    return placePairsFor(this.#target, this.choices.value.placement, this.conversion.value?.mapping);
  }

  get #existing(): ExistingObject[] {
    return this.#model.document.store.members({ kind: 'object', artboardId: this.artboardId }).map(existingObject);
  }

  readonly #isWriting = computed(() => ['writing', 'undoing', 'done'].includes(this.state.value.is));

  /** The plan if missing objects are deleted. It follows the objects of the artboard, which others change, but not while it writes them. */
  readonly #plan: ReadonlySignal<ImportPlan | undefined> = computed(() => {
    const conversion = this.conversion.value;
    if (conversion === undefined || this.#isWriting.value) return undefined;
    void this.#model.document.store.revision({ kind: 'object', artboardId: this.artboardId }).value;
    return this.#script?.planImport(conversion, this.#existing, 'delete');
  });

  /** What would be written; `undefined` before the first conversion and while it writes. */
  readonly plan: ReadonlySignal<ImportPlan | undefined> = computed(() => {
    const plan = this.#plan.value;
    return plan && (this.missing.value === 'keep' ? { ...plan, remove: [] } : plan);
  });

  /** Objects with a key that the file no longer has. */
  readonly missingCount: ReadonlySignal<number> = computed(() =>
    this.conversion.value?.mapping.key === undefined ? 0 : (this.#plan.value?.remove.length ?? 0),
  );

  /** Names of palettes, for values and for categories. */
  get palettes(): { readonly value: readonly string[]; readonly category: readonly string[] } {
    return this.#script?.paletteNames ?? { value: [], category: [] };
  }

  /** Whether the rest of an SVG can become the background: only on an artboard of its size are the objects where they are in the picture. */
  get canTakeBackground(): boolean {
    return this.choices.value.placement === 'picture' && this.conversion.value?.background !== undefined;
  }

  /** True if it becomes the background. */
  get takesPicture(): boolean {
    return this.canTakeBackground && this.takesBackground.value;
  }

  /** Names of categories that the project has. */
  get knownCategories(): ReadonlySet<string> {
    return new Set(knownCategories(storedSettings(this.#model.document)).map(({ name }) => name));
  }

  /** How many entries the legend of the project would lose to that of the file. It follows changes by others. */
  get otherLegendCount(): number {
    this.#model.document.store.revision('project').value;
    return missingIn(legendOf(storedSettings(this.#model.document)), this.conversion.value?.legend ?? []).length;
  }

  // Choices

  choose(choices: Partial<ImportChoices>): void {
    this.choices.value = { ...this.choices.value, ...choices };
    this.#abort.abort();
    // What is shown does not have the choice yet: it cannot be written.
    this.state.value = { is: 'reading', share: 0 };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#convert(), restMs);
  }

  /** Reads the file in another way: its columns may be others. */
  readAs(choices: Pick<ImportChoices, 'layer' | 'encoding'>): void {
    this.#isSuggested = Object.keys(this.#saved).length === 0;
    this.#isReadAgain = true;
    this.choose({ ...choices, mapping: this.#saved });
  }

  /** Changes members of the mapping; `undefined` removes one. */
  map(members: { readonly [Name in keyof Mapping]?: Mapping[Name] | undefined }): void {
    const entries = Object.entries({ ...this.choices.value.mapping, ...members });
    this.choose({ mapping: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) });
  }

  // Conversion

  async #convert(): Promise<void> {
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.state.value = { is: 'reading', share: 0 };
    try {
      this.#open ??= openFile(this.#file);
      const open = await this.#open;
      this.#script = open.script;
      const onProgress = (share: number): void => {
        if (!abort.signal.aborted) this.state.value = { is: 'reading', share };
      };
      const conversion = await open.convert(this.#options, { signal: abort.signal, onProgress });
      if (abort.signal.aborted) return;
      const choices = this.choices.peek();
      const placement = placementFor(choices.placement, conversion);
      if (placement !== choices.placement) {
        this.choices.value = { ...choices, placement };
        return await this.#convert();
      }
      if (this.#isSuggested) this.choices.value = { ...choices, mapping: { ...choices.mapping, ...suggestionOf(conversion) } };
      this.#isSuggested = false;
      this.#isReadAgain = false;
      this.conversion.value = conversion;
      this.state.value = { is: 'ready' };
      this.#preview(conversion);
    } catch (error) {
      if (abort.signal.aborted) return;
      if (this.#fallsBack(error)) await this.#convert();
      else this.#refuse(error);
    }
  }

  get #options(): PlainOptions {
    const settings = storedSettings(this.#model.document);
    return optionsFor(this.choices.peek(), this.#artboard, this.#isSuggested, knownCategories(settings));
  }

  /**
   * Gives up a choice that the user has not made: a saved mapping with columns that this file does not have, or a map for a file without
   * degrees. Whether there was one.
   */
  #fallsBack(error: unknown): boolean {
    const code = error instanceof ImportError ? error.failure.code : undefined;
    const choices = this.choices.peek();
    if (code === 'columns' && choices.mapping === this.#saved && Object.keys(this.#saved).length > 0) {
      this.choices.value = { ...choices, mapping: {} };
      this.#isSuggested = true;
    } else if (code === 'coordinates' && choices.placement === 'map' && this.conversion.peek() === undefined)
      this.choices.value = { ...choices, placement: undefined };
    else return false;
    return true;
  }

  #refuse(error: unknown): void {
    const failure = error instanceof ImportError ? error.failure : undefined;
    if (error instanceof ImportError && failure?.code === undefined) console.error(error);
    const reason = failure !== undefined && failure.code === undefined ? texts.saving.failed : (error as Error).message;
    // Columns and layers of the former reading can no longer be chosen.
    if (this.#isReadAgain) this.conversion.value = undefined;
    if (failure !== undefined && (failure.columns.length > 0 || failure.layers !== undefined)) this.failure.value = failure;
    this.state.value = { is: 'refused', reason, canRetry: false };
    this.#model.workspace.preview.value = undefined;
  }

  #preview(conversion: Conversion): void {
    this.#model.workspace.preview.value = {
      artboardId: this.artboardId,
      artboard: artboardMembers(this.choices.peek().placement, conversion),
      objects: conversion.objects.map(({ body }) => body),
    };
  }

  // Writing

  /** Writes what the plan has. Whether it was written. */
  async write(): Promise<boolean> {
    const read = this.conversion.peek();
    const shown = this.plan.peek();
    if (read === undefined || shown === undefined || this.#script === undefined) return false;
    this.#abort = new AbortController();
    const { edits, store, uploads } = this.#model.document;
    const conversion = await withUploads(this.#script, read, uploads, (done, of) => {
      this.state.value = { is: 'writing', done, of };
    });
    const plan = conversion === read ? shown : this.#script.planImport(conversion, this.#existing, this.missing.peek());
    const popups = store.members({ kind: 'popup' }) as unknown as { id: string; attachedTo: string }[];
    const background = this.takesPicture ? await backgroundMembers(conversion, this.fileName) : {};
    const artboard = { ...artboardMembers(this.choices.peek().placement, conversion), ...background };
    const batches = [...this.#script.importBatches(plan, this.artboardId, popups)];
    const of = batches.reduce((sum, { operations }) => sum + operations.length, Object.keys(artboard).length > 0 ? 2 : 1);
    this.state.value = { is: 'writing', done: 0, of };
    this.#model.workspace.preview.value = undefined;
    const run: ImportRun = {
      signal: this.#abort.signal,
      onProgress: (changes) => {
        this.state.value = { is: 'writing', done: Math.min(of, changes), of };
      },
      onUndo: () => {
        this.state.value = { is: 'undoing' };
      },
    };
    const about = new Map<string, ImportOperation>();
    const { settings } = this.#settingsAfter(conversion);
    const written = { artboardId: this.artboardId, artboard, batches, projectId: store.id, settings };
    const outcome = await edits.runImport(importDiffs(written, edits, about), run);
    if (outcome.is === 'written') {
      this.state.value = { is: 'done' };
      edits.notices.current.value = doneNotice(plan, this.#notesOf(conversion, plan));
      return true;
    }
    if (outcome.is === 'refused') {
      const reason = lateTexts.imports.refused(placeOf(conversion, about.get(outcome.id ?? '')), outcome.reason);
      this.state.value = { is: 'refused', reason, canRetry: true };
    } else {
      this.state.value = { is: 'ready' };
      this.#preview(conversion);
    }
    return false;
  }

  /** Ends the writing; what was written is undone. */
  cancelWriting(): void {
    this.#abort.abort();
  }

  /** The mapping, for the next import into this artboard, the legend, and what visitors can filter and read. */
  #settingsAfter(conversion: Conversion): SettingsAfter {
    return settingsAfter(storedSettings(this.#model.document), conversion, this.artboardId, this.legendChoice.value);
  }

  /** The settings of the project after this import; it follows changes by others. */
  readonly settingsAfter: ReadonlySignal<Members> = computed(() => {
    this.#model.document.store.revision('project').value;
    const conversion = this.conversion.value;
    return conversion === undefined ? {} : this.#settingsAfter(conversion).settings;
  });

  #notesOf(conversion: Conversion, plan: ImportPlan | undefined): readonly Note[] {
    return [...conversion.report.notes, ...(plan?.notes ?? []), ...this.#settingsAfter(conversion).notes];
  }

  /** Everything that is left out or changed. */
  get notes(): readonly Note[] {
    const conversion = this.conversion.value;
    return conversion === undefined ? [] : this.#notesOf(conversion, this.plan.value);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#model.workspace.preview.value = undefined;
    void this.#open?.then((open) => open.close()).catch(() => undefined);
  }
}

/** Where the file has the object of an operation. */
function placeOf(
  { objects }: Conversion,
  operation: ImportOperation | undefined,
): Conversion['objects'][number]['at'] | undefined {
  const { key } = operation?.body ?? {};
  const isMeant = ({ body }: { readonly body: Members }) =>
    body === operation?.body || (key !== undefined && key !== '' && body['key'] === key);
  return objects.find(isMeant)?.at;
}

/** What was written, and what of the file was left out. That is a problem, which stays until the user has read it. */
function doneNotice({ create, update, remove }: ImportPlan, notes: readonly Note[]): { text: string; isProblem: boolean } {
  const text = lateTexts.imports.done(create.length, update.length, remove.length);
  const leftOut = notes.filter((note) => note.leftOut);
  const [first] = leftOut;
  if (first === undefined) return { text, isProblem: false };
  return { text: `${text} ${lateTexts.imports.leftOutOf(leftOut.length, first.at, first.detail)}`, isProblem: true };
}

/** The category and the fields of a conversion that was to find them. */
const suggestionOf = ({ mapping: { category, fields } }: Conversion): Pick<Mapping, 'category' | 'fields'> => ({
  ...(category === undefined ? {} : { category }),
  ...(fields === undefined ? {} : { fields }),
});

const existingObject = ({ id, name, key, category, properties }: Resource): ExistingObject => ({
  ...{ id, name: String(name), category, properties },
  ...(typeof key === 'string' && key !== '' ? { key } : {}),
});

function storedSettings({ store }: EditorModel['document']): Members {
  const stored = store.stored(store.id)?.['settings'];
  return isPlain(stored) ? stored : {};
}

const legendOf = ({ legend }: Members): readonly LegendEntry[] => (Array.isArray(legend) ? legend : []);
