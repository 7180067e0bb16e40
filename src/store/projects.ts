/**
 * The projects of an account, by identifier, and in the order in which they were made: identifiers ascend with it, and no one reorders
 * them. So the last identifier on a page says where the next one begins, and it is found by binary search, however many come before.
 */
import { firstIndex } from '../lib/first-index.ts';
import type { Project } from './project.ts';

export class Projects extends Map<string, Project> {
  /** Identifiers in ascending order; those of deleted projects stay until they are half of all. */
  #ids: string[] = [];

  override set(id: string, project: Project): this {
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

  /** Those whose identifiers are greater than `id`, in ascending order; with '' all of them. */
  *after(id: string): Generator<Project, void> {
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
