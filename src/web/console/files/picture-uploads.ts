/**
 * The uploads of a project that run. On a server that stores no files, a picture becomes part of the project instead, drawn again small
 * enough.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { pictureDataUrl } from '../map/picture.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { nameOfFile, preparePicture } from './prepare-picture.ts';
import { sendFile, UploadError } from './send-file.ts';

/** Where a picture is. */
export interface PictureAddress {
  /** The path of the file, or `data:image/...`. */
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Upload {
  readonly name: string;
  /** From 0 to 1; `undefined` while the connection is lost. */
  readonly share: ReadonlySignal<number | undefined>;
  cancel(): void;
}

interface UploadsOptions {
  /** Of this moment: it changes when the user has signed in again. */
  session(): Pick<ConsoleSession, 'key' | 'files'>;
  readonly projectId: string;
  say(text: string, isProblem: boolean): void;
  /** The server has refused the key. */
  onSessionEnd(reason: string): void;
}

export class PictureUploads {
  readonly #options: UploadsOptions;
  readonly #list = signal<readonly Upload[]>([]);
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  get list(): ReadonlySignal<readonly Upload[]> {
    return this.#list;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when no upload runs, and what followed from them has begun. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.allSettled(this.#running);
  }

  close(): void {
    for (const upload of this.#list.value) upload.cancel();
  }

  /**
   * Uploads a picture. `undefined` if the user has cancelled it or the server has refused it, which a notice says. Never rejects.
   *
   * @param isLibraryOnly whether only a file will do: no picture in the project instead
   */
  store(file: File, isLibraryOnly = false): Promise<PictureAddress | undefined> {
    const task = this.#store(file, isLibraryOnly);
    this.#running.add(task);
    return task.finally(() => this.#running.delete(task));
  }

  async #store(file: File, isLibraryOnly: boolean): Promise<PictureAddress | undefined> {
    const abort = new AbortController();
    const share = signal<number | undefined>(0);
    const upload: Upload = { name: file.name, share, cancel: () => abort.abort() };
    this.#list.value = [...this.#list.value, upload];
    const { session, projectId, say, onSessionEnd } = this.#options;
    try {
      if (!session().files && !isLibraryOnly) return await pictureDataUrl(file);
      const { bytes, size } = await preparePicture(file);
      const name = nameOfFile(file.name, bytes.type, file.type);
      const onProgress = (done: number | undefined): void => {
        share.value = done;
      };
      const stored = await sendFile({ key: () => session().key, projectId, name, bytes, signal: abort.signal, onProgress });
      return { url: stored.url, ...(size ?? { width: stored.width, height: stored.height }) };
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      if (error instanceof UploadError && error.status === 401) onSessionEnd(error.message);
      say(texts.library.failed(file.name, (error as Error).message), true);
      return undefined;
    } finally {
      this.#list.value = this.#list.value.filter((each) => each !== upload);
    }
  }
}
