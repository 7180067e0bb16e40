/** Values by account, project and data source, so that everything of one of them can be deleted together. */

export interface SourceName {
  readonly accountId: string;
  readonly projectId: string;
  readonly sourceId: string;
}

export class SourceMap<T> {
  readonly #accounts = new Map<string, Map<string, Map<string, T>>>();

  get({ accountId, projectId, sourceId }: SourceName): T | undefined {
    return this.#accounts.get(accountId)?.get(projectId)?.get(sourceId);
  }

  set({ accountId, projectId, sourceId }: SourceName, value: T): void {
    const projects = this.#accounts.get(accountId) ?? new Map<string, Map<string, T>>();
    const sources = projects.get(projectId) ?? new Map<string, T>();
    sources.set(sourceId, value);
    projects.set(projectId, sources);
    this.#accounts.set(accountId, projects);
  }

  /** Deletes the value of one data source. Each method that deletes returns the deleted values. */
  delete({ accountId, projectId, sourceId }: SourceName): T[] {
    const projects = this.#accounts.get(accountId);
    const sources = projects?.get(projectId);
    const value = sources?.get(sourceId);
    if (projects === undefined || sources === undefined || value === undefined) return [];
    sources.delete(sourceId);
    if (sources.size === 0) projects.delete(projectId);
    if (projects.size === 0) this.#accounts.delete(accountId);
    return [value];
  }

  deleteProject({ accountId, projectId }: Pick<SourceName, 'accountId' | 'projectId'>): T[] {
    const projects = this.#accounts.get(accountId);
    const values = [...(projects?.get(projectId)?.values() ?? [])];
    projects?.delete(projectId);
    if (projects?.size === 0) this.#accounts.delete(accountId);
    return values;
  }

  deleteAccount(accountId: string): T[] {
    const values = [...(this.#accounts.get(accountId)?.values() ?? [])].flatMap((sources) => [...sources.values()]);
    this.#accounts.delete(accountId);
    return values;
  }

  *values(): Generator<T> {
    for (const projects of this.#accounts.values()) for (const sources of projects.values()) yield* sources.values();
  }
}
