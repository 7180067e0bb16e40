/**
 * The projects of an account, by identifier and in creation order: identifiers ascend, and projects cannot be reordered. So a binary
 * search for the last identifier of a page finds the start of the next page.
 */
import { firstIndex } from '../lib/first-index.ts';
import type { StoredProject } from './stored-project.ts';

export class Projects extends Map<string, StoredProject> {
  /** Identifiers in ascending order; identifiers of deleted projects are removed when they exceed half. */
  #ids: string[] = [];

  override set(id: string, project: StoredProject): this {
    if (!this.has(id)) {
      const at = this.#firstAbove(id);
      if (this.#ids[at - 1] !== id) this.#ids.splice(at, 0, id);
    }
    return super.set(id, project);
  }

  override delete(id: string): boolean {
    const deleted = super.delete(id);
    if (this.#ids.length > 2 * this.size) this.#ids = this.#ids.filter((present) => this.has(present));
    return deleted;
  }

  override clear(): void {
    super.clear();
    this.#ids = [];
  }

  /** Projects with identifiers above `id`, in ascending order; all of them for ''. */
  *after(id: string): Generator<StoredProject, void> {
    for (let i = this.#firstAbove(id); i < this.#ids.length; i++) {
      const project = this.get(this.#ids[i] as string);
      if (project !== undefined) yield project;
    }
  }

  #firstAbove(id: string): number {
    const last = this.#ids.at(-1);
    if (last === undefined || last <= id) return this.#ids.length;
    return firstIndex(this.#ids.length, (i) => (this.#ids[i] as string) > id);
  }
}
