/** The steps that can be undone and redone: each is the diff that takes it back. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Diff } from '../../../lib/change/diff.ts';
import type { ResourceRef } from '../kinds/resource-kinds.ts';

export interface HistoryStep {
  readonly diff: Diff;
  /** The resource to show after it. */
  readonly focus?: ResourceRef | undefined;
}

/** Steps that are kept. */
const stepsMax = 100;

/** The steps that `undo` takes back, or that `redo` makes again. */
export type Direction = 'undo' | 'redo';

/** How many steps there are. */
export type Counts = Readonly<Record<Direction, number>>;

export class History {
  readonly #steps: Readonly<Record<Direction, HistoryStep[]>> = { undo: [], redo: [] };
  readonly #counts = signal<Counts>({ undo: 0, redo: 0 });
  readonly counts: ReadonlySignal<Counts> = this.#counts;

  /** A step was made: it can be undone, and what was undone before cannot be redone any more. */
  push(inverse: HistoryStep): void {
    this.#steps.redo.length = 0;
    this.put('undo', inverse);
  }

  /** The project is in another state, about which no step is. */
  clear(): void {
    for (const steps of Object.values(this.#steps)) steps.length = 0;
    this.#count();
  }

  take(direction: Direction): HistoryStep | undefined {
    const step = this.#steps[direction].pop();
    this.#count();
    return step;
  }

  /** Adds a step, or puts one back. */
  put(direction: Direction, step: HistoryStep): void {
    const steps = this.#steps[direction];
    steps.push(step);
    if (steps.length > stepsMax) steps.shift();
    this.#count();
  }

  #count(): void {
    this.#counts.value = { undo: this.#steps.undo.length, redo: this.#steps.redo.length };
  }
}
