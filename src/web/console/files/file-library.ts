/** The pictures of a project that are files, and what the user does with them. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Client, ProblemError, type ProjectFile } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import type { ProjectEdits } from '../project/project-edits.ts';
import { FileScanner, type FileUse, isPictureUrl, patchesOf, replacing, usesByUrl } from './file-uses.ts';
import type { PictureUploads } from './picture-uploads.ts';
import { pictureInUrl } from './prepare-picture.ts';

export class FileLibrary {
  readonly #edits: ProjectEdits;
  readonly #uploads: PictureUploads;
  readonly #client: () => Client;
  readonly #scanner = new FileScanner();
  readonly #files = signal<readonly ProjectFile[] | undefined>(undefined);
  readonly #problem = signal('');
  #loads = 0;

  /** @param client of the session, which changes when the user has signed in again */
  constructor(edits: ProjectEdits, uploads: PictureUploads, client: () => Client) {
    this.#edits = edits;
    this.#uploads = uploads;
    this.#client = client;
  }

  /** Newest first; `undefined` before they are loaded. */
  get files(): ReadonlySignal<readonly ProjectFile[] | undefined> {
    return this.#files;
  }

  /** Why the last command failed; '' if it did not. */
  get problem(): ReadonlySignal<string> {
    return this.#problem;
  }

  /** Reads the list. */
  load(): Promise<void> {
    const mine = ++this.#loads;
    return this.#attempt(async () => {
      const files: ProjectFile[] = [];
      const list = this.#client().each('/projects/{project_id}/files', { params: { path: this.#path, query: { limit: 1000 } } });
      for await (const file of list) files.push(file);
      // A later request has newer files.
      if (mine === this.#loads) this.#files.value = files.reverse();
    });
  }

  get #path(): { readonly project_id: string } {
    return { project_id: this.#edits.store.id };
  }

  /** The members that use each file, by the path of the file. */
  uses(): ReadonlyMap<string, readonly FileUse[]> {
    return usesByUrl(
      this.#scanner.uses(this.#edits.store),
      (this.#files.value ?? []).map(({ url }) => url),
    );
  }

  /** The addresses in members that are pictures themselves, each with a name for it. */
  embedded(): { readonly address: string; readonly name: string }[] {
    const { store } = this.#edits;
    return [...this.#scanner.uses(store)].flatMap(({ ref, addresses }) =>
      addresses
        .filter(({ value }) => isPictureUrl(value))
        .map(({ value }) => ({ address: value, name: String(store.shown(ref.id)?.['name'] || texts.unnamed) })),
    );
  }

  async add(files: readonly File[]): Promise<void> {
    for (const file of files) await this.#uploads.store(file, true);
    await this.load();
  }

  rename({ id }: ProjectFile, name: string): Promise<void> {
    return this.#attempt(async () => {
      await this.#client().patch('/projects/{project_id}/files/{file_id}', {
        params: { path: { ...this.#path, file_id: id } },
        body: { name },
      });
      await this.load();
    });
  }

  remove({ id, name }: ProjectFile): Promise<void> {
    return this.#attempt(async () => {
      await this.#client().delete('/projects/{project_id}/files/{file_id}', {
        params: { path: { ...this.#path, file_id: id } },
      });
      await this.load();
      this.#edits.say(texts.library.removed(name));
    });
  }

  /** Uploads another picture, and every member that uses the file gets its address: one step. The file stays, so that it can be undone. */
  async replace({ url }: ProjectFile, file: File): Promise<void> {
    const stored = await this.#uploads.store(file, true);
    if (stored === undefined) return;
    const { store } = this.#edits;
    const uses = usesByUrl(this.#scanner.uses(store), [url]).get(url) ?? [];
    await this.#edits.run(patchesOf(uses, replacing(url, stored.url)));
    await this.load();
    this.#edits.say(texts.library.replaced(uses.length));
  }

  /** Uploads the pictures in the project itself, equal ones once, and their members get the addresses: one step. */
  async moveEmbedded(): Promise<void> {
    const moved = new Map<string, string>();
    for (const { address, name } of this.embedded()) {
      if (moved.has(address)) continue;
      const file = pictureInUrl(address, name);
      const stored = file === undefined ? undefined : await this.#uploads.store(file, true);
      // A refusal is shown; what is uploaded is used.
      if (stored === undefined) break;
      moved.set(address, stored.url);
    }
    // What was changed meanwhile is not moved.
    const count = this.embedded().filter(({ address }) => moved.has(address)).length;
    await this.#edits.run(patchesOf(this.#scanner.uses(this.#edits.store), (address) => moved.get(address)));
    await this.load();
    if (moved.size > 0) this.#edits.say(texts.library.moved(count));
  }

  async #attempt(task: () => Promise<void>): Promise<void> {
    this.#problem.value = '';
    try {
      await task();
    } catch (error) {
      this.#problem.value = error instanceof ProblemError ? error.detail : (error as Error).message;
    }
  }
}
