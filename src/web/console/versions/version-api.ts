/** The requests about the versions of one project. */
import type { Client, Comparison, Project, ProjectVersion } from '../../client/client.ts';

export class VersionApi {
  readonly #client: () => Client;
  readonly #projectId: string;

  /** @param client of the session, which changes when the user has signed in again */
  constructor(client: () => Client, projectId: string) {
    this.#client = client;
    this.#projectId = projectId;
  }

  get #project(): { readonly project_id: string } {
    return { project_id: this.#projectId };
  }

  #params(versionId: string) {
    return { params: { path: { ...this.#project, version_id: versionId } } };
  }

  /** Newest first. @param limit versions on a page */
  pages(limit: number): AsyncGenerator<ProjectVersion[], void> {
    const params = { path: this.#project, query: { limit } };
    return this.#client().pages('/projects/{project_id}/versions', { params });
  }

  /** A version in the list; `undefined` if there is none. */
  async find(id: string): Promise<ProjectVersion | undefined> {
    const params = { path: this.#project, query: { id } };
    const [version] = await this.#client().get('/projects/{project_id}/versions', { params });
    return version;
  }

  keep(name: string): Promise<ProjectVersion> {
    return this.#client().post('/projects/{project_id}/versions', { params: { path: this.#project }, body: { name } });
  }

  rename(id: string, name: string): Promise<ProjectVersion> {
    return this.#client().patch('/projects/{project_id}/versions/{version_id}', { ...this.#params(id), body: { name } });
  }

  async remove(id: string): Promise<void> {
    await this.#client().delete('/projects/{project_id}/versions/{version_id}', this.#params(id));
  }

  /** The project as it was. */
  read(id: string): Promise<Project> {
    return this.#client().get('/projects/{project_id}/versions/{version_id}', this.#params(id));
  }

  /** What differs from a version to another one, or to the project as it is. */
  changes(id: string, against = 'now', signal?: AbortSignal): Promise<Comparison> {
    const { params } = this.#params(id);
    return this.#client().get('/projects/{project_id}/versions/{version_id}/changes', {
      params: { ...params, query: { against } },
      signal,
    });
  }

  /** A new project from a version. */
  copy(version: string, name: string): Promise<Project> {
    return this.#client().post('/projects/{project_id}/duplicate', { params: { path: this.#project }, body: { name, version } });
  }
}
