/** The editor says one notice at a time. */
import { type Signal, signal } from '@preact/signals';
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

  constructor(store: ProjectStore) {
    this.#store = store;
  }

  say(text: string, isProblem = false): void {
    this.current.value = { text, isProblem };
  }

  /** Says something of a resource. */
  sayOf({ kind, id }: ResourceRef, text: typeof texts.editor.foreign): void {
    this.say(text(texts.kinds[kind].one, String(this.#store.shown(id)?.['name'] || texts.unnamed)));
  }
}
