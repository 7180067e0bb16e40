/** The pictures of a project that are files, and what the user does with them. */
import { signal } from '@preact/signals';
import { type Client, ProblemError, type ProjectFile } from '../../../client/client.ts';
import { texts } from '../../console-texts.ts';
import { isTemporary } from '../../document/project-api.ts';
import type { ProjectEdits } from '../../document/project-edits.ts';
import { reasonOf } from '../../server/reason-of.ts';
import { pictureInUrl } from '../picture-in-url.ts';
import type { PictureUploads } from '../picture-uploads.ts';
import { changeAddresses, FileScanner, type FileUse, isPictureUrl, replacing, usesByUrl } from './file-uses.ts';

/** Pause before the list is read again, in milliseconds. */
const retryMs = 2000;

export class FileLibrary {
  readonly #edits: ProjectEdits;
  readonly #uploads: PictureUploads;
  readonly #client: () => Client;
  readonly #scanner = new FileScanner();
  /** Newest first; `undefined` before they are loaded. */
  readonly files = signal<readonly ProjectFile[] | undefined>(undefined);
  /** Why the last command failed, one reason a line; '' if it did not. */
  readonly problem = signal('');
  #loads = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** @param client of the session, which changes when the user has signed in again */
  constructor(edits: ProjectEdits, uploads: PictureUploads, client: () => Client) {
    this.#edits = edits;
    this.#uploads = uploads;
    this.#client = client;
  }

  /** Reads the list; again and again while the server does not answer. */
  async load(): Promise<void> {
    const mine = ++this.#loads;
    clearTimeout(this.#retry);
    try {
      const files: ProjectFile[] = [];
      const list = this.#client().each('/projects/{project_id}/files', { params: { path: this.#path, query: { limit: 1000 } } });
      for await (const file of list) files.push(file);
      // A later request has newer files.
      if (mine !== this.#loads) return;
      this.files.value = files.reverse();
      if (this.problem.peek() === texts.saving.noAnswer) this.problem.value = '';
    } catch (error) {
      if (mine !== this.#loads) return;
      this.problem.value = isTemporary(error) ? texts.saving.noAnswer : reasonOf(error);
      if (isTemporary(error)) this.#retry = setTimeout(() => void this.load(), retryMs);
    }
  }

  /** Ends its attempts. */
  close(): void {
    this.#loads++;
    clearTimeout(this.#retry);
  }

  get #path(): { readonly project_id: string } {
    return { project_id: this.#edits.store.id };
  }

  /** The members that use each file, by the path of the file. */
  uses(): ReadonlyMap<string, readonly FileUse[]> {
    return usesByUrl(
      this.#scanner.uses(this.#edits.store),
      (this.files.value ?? []).map(({ url }) => url),
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
    const { refusals } = await this.#uploads.storeAll(files, true);
    this.problem.value = refusals.join('\n');
    await this.load();
  }

  /** @returns why the name was refused; '' if it was not */
  async rename({ id }: ProjectFile, name: string): Promise<string> {
    try {
      await this.#client().patch('/projects/{project_id}/files/{file_id}', {
        params: { path: { ...this.#path, file_id: id } },
        body: { name },
      });
    } catch (error) {
      const [fault] = error instanceof ProblemError ? error.errors : [];
      return texts.library.nameRefused(fault === undefined ? reasonOf(error) : `The name ${fault.detail}.`);
    }
    await this.load();
    return '';
  }

  async remove({ id, name }: ProjectFile): Promise<void> {
    this.problem.value = '';
    try {
      await this.#client().delete('/projects/{project_id}/files/{file_id}', {
        params: { path: { ...this.#path, file_id: id } },
      });
      await this.load();
      this.#edits.notices.say(texts.library.removed(name));
    } catch (error) {
      this.problem.value = reasonOf(error);
    }
  }

  /** Uploads another picture, and every member that uses the file gets its address: one step. The file stays, so that it can be undone. */
  async replace({ url }: ProjectFile, file: File): Promise<void> {
    const stored = await this.#uploads.store(file, true);
    if (stored === undefined) return;
    const { store } = this.#edits;
    const uses = usesByUrl(this.#scanner.uses(store), [url]).get(url) ?? [];
    await this.#edits.run(changeAddresses(this.#edits.begin(), uses, replacing(url, stored.url)));
    await this.load();
    this.#edits.notices.say(texts.library.replaced(uses.length));
  }

  /**
   * Uploads the pictures in the project itself, equal ones once, and their members get the addresses: one step. Those that are refused stay,
   * and the reason is shown; the user may cancel the rest.
   */
  async moveEmbedded(): Promise<void> {
    const moved = new Map<string, string>();
    const refusals = new Map<string, string>();
    for (const { address, name } of this.embedded()) {
      if (moved.has(address) || refusals.has(address)) continue;
      const file = pictureInUrl(address, name);
      const { stored, refusal } =
        file === undefined
          ? { refusal: texts.library.failed(name, texts.library.brokenAddress) }
          : await this.#uploads.storeOne(file);
      if (refusal !== undefined) refusals.set(address, refusal);
      else if (stored === undefined) break;
      else moved.set(address, stored.url);
    }
    // What was changed meanwhile is not moved.
    const count = this.embedded().filter(({ address }) => moved.has(address)).length;
    const uses = this.#scanner.uses(this.#edits.store);
    await this.#edits.run(changeAddresses(this.#edits.begin(), uses, (address) => moved.get(address)));
    await this.load();
    this.problem.value = [...refusals.values()].join('\n');
    if (moved.size > 0) this.#edits.notices.say(texts.library.moved(count));
  }
}
