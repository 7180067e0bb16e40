/** The editor says one notice at a time. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { ResourceRef } from '../kinds/resource-kinds.ts';
import type { ProjectStore } from './project-store.ts';

export interface Notice {
  readonly text: string;
  readonly isProblem: boolean;
  /** The steps of undo after what it says, if it offers to take that back. */
  readonly undoes?: unknown;
}

export class Notices {
  readonly current: Signal<Notice | undefined> = signal(undefined);
  readonly #store: ProjectStore;
  readonly #steps: ReadonlySignal<unknown>;

  /** @param steps of the history */
  constructor(store: ProjectStore, steps: ReadonlySignal<unknown>) {
    this.#store = store;
    this.#steps = steps;
  }

  say(text: string, isProblem = false): void {
    this.current.value = { text, isProblem };
  }

  /** Says what the last step did, and offers to take it back, until another step. */
  sayUndoable(text: string): void {
    this.current.value = { text, isProblem: false, undoes: this.#steps.peek() };
  }

  /** Says something of a resource. */
  sayOf({ kind, id }: ResourceRef, text: typeof texts.editor.foreign): void {
    this.say(text(texts.kinds[kind].one, String(this.#store.shown(id)?.['name'] || texts.unnamed)));
  }
}
