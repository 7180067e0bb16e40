/** Task and answer of the thread of imports: plain data. */
import type { ConvertOptions, ExistingObject, ExistingPopup, ImportBatch, TargetArtboard } from '../../web/convert/converter.ts';

/** The artboard that gets the objects. */
export interface ImportTarget {
  readonly id: string;
  readonly artboard: TargetArtboard;
  readonly settings: unknown;
  readonly objects: readonly ExistingObject[];
  readonly popups: readonly ExistingPopup[];
}

export interface ImportTask {
  readonly text: string;
  readonly options: Omit<ConvertOptions, 'onProgress' | 'signal' | 'artboard' | 'categories'>;
  readonly missing: 'keep' | 'delete';
  /** `undefined` for a new artboard, which gets this identifier. */
  readonly target: ImportTarget | undefined;
  readonly newId: string;
}

/** An import that is ready to be written. */
export interface PlannedImport {
  /** For the agent: what was recognized, counts and notes. */
  readonly report: Readonly<Record<string, unknown>>;
  /** The text has neither objects nor, for a new artboard, a background. */
  readonly isEmpty: boolean;
  /** Members of a new artboard. */
  readonly artboard: Readonly<Record<string, unknown>>;
  readonly batches: readonly ImportBatch[];
}

/** `refused`: why the text cannot be imported, in a sentence that says what to do. */
export type ImportAnswer = { readonly planned: PlannedImport } | { readonly refused: string };
