/**
 * The uploads of a project that run. On a server that stores no files, a picture becomes part of the project instead, drawn again small
 * enough.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { type PictureAddress, pictureDataUrl, type Size } from './picture.ts';
import { nameOfFile, preparePicture } from './prepare-picture.ts';
import { sendFile, UploadError } from './send-file.ts';
import { titleOfFile } from './title-of-file.ts';

export type { PictureAddress };

/** A picture, and the name that what is made of it gets. */
export interface NamedPicture extends PictureAddress {
  readonly name: string;
}

interface StoredPictures {
  readonly stored: readonly NamedPicture[];
  readonly refusals: readonly string[];
}

/** A picture that was scaled down, which the user reads until they close it. */
interface ScaledPicture {
  readonly projectId: string;
  readonly name: string;
  readonly from: Size;
  readonly to: Size;
}

/** One for all projects: a list of projects may upload a picture, and the editor says it. */
export const scaledPictures = signal<readonly ScaledPicture[]>([]);

export interface Upload {
  readonly name: string;
  /** From 0 to 1; `undefined` while the connection is lost. */
  readonly share: ReadonlySignal<number | undefined>;
  cancel(): void;
}

/** Neither of both if the user has cancelled the upload. */
export interface UploadOutcome {
  readonly stored?: PictureAddress;
  /** Why it was refused, for the user. */
  readonly refusal?: string;
}

interface UploadsOptions {
  /** Of this moment: it changes when the user has signed in again. */
  session(): Pick<ConsoleSession, 'proof' | 'files' | 'fileBytesMax'>;
  readonly projectId: string;
  say(text: string, isProblem: boolean): void;
  /** The server has refused the key. */
  onSessionEnd(reason: string): void;
}

export class PictureUploads {
  readonly #options: UploadsOptions;
  readonly list = signal<readonly Upload[]>([]);
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  get projectId(): string {
    return this.#options.projectId;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when no upload runs, and what followed from them has begun. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.allSettled(this.#running);
  }

  close(): void {
    for (const upload of this.list.value) upload.cancel();
  }

  /**
   * Uploads a picture. `undefined` if the user has cancelled it or the server has refused it, which a notice says. Never rejects.
   *
   * @param isLibraryOnly whether only a file will do: no picture in the project instead
   */
  async store(file: File, isLibraryOnly = false): Promise<PictureAddress | undefined> {
    const { stored, refusal } = await this.#track(this.#store(file, isLibraryOnly));
    if (refusal !== undefined) this.#options.say(refusal, true);
    return stored;
  }

  /**
   * Uploads pictures, one after the other, until the user cancels one. The caller says refusals. Never rejects.
   *
   * @param isLibraryOnly whether only files will do: no pictures in the project instead
   */
  storeAll(files: readonly File[], isLibraryOnly: boolean): Promise<StoredPictures> {
    return this.#track(this.#storeAll(files, isLibraryOnly));
  }

  /** Uploads a picture to the library. The caller says a refusal. Never rejects. */
  storeOne(file: File): Promise<UploadOutcome> {
    return this.#track(this.#store(file, true));
  }

  #track<T>(task: Promise<T>): Promise<T> {
    this.#running.add(task);
    return task.finally(() => this.#running.delete(task));
  }

  async #storeAll(files: readonly File[], isLibraryOnly: boolean): Promise<StoredPictures> {
    const refusals: string[] = [];
    const all: NamedPicture[] = [];
    for (const file of files) {
      const { stored, refusal } = await this.#store(file, isLibraryOnly);
      if (refusal !== undefined) refusals.push(refusal);
      else if (stored === undefined) break;
      else all.push({ ...stored, name: titleOfFile(file) });
    }
    return { stored: all, refusals };
  }

  async #store(file: File, isLibraryOnly: boolean): Promise<UploadOutcome> {
    const abort = new AbortController();
    const share = signal<number | undefined>(0);
    const upload: Upload = { name: file.name, share, cancel: () => abort.abort() };
    this.list.value = [...this.list.value, upload];
    const { session, projectId, onSessionEnd } = this.#options;
    try {
      const noteScaled = (from: Size, to: Size): void => {
        scaledPictures.value = [...scaledPictures.value, { projectId, name: file.name, from, to }];
      };
      if (!session().files && !isLibraryOnly) {
        const { scaled, ...stored } = await pictureDataUrl(file);
        if (scaled !== undefined) noteScaled(scaled.from, scaled.to);
        return { stored };
      }
      const { bytes, size, scaledFrom } = await preparePicture(file);
      const { fileBytesMax } = session();
      if (bytes.size > fileBytesMax) return { refusal: texts.library.tooLarge(file.name, bytes.size, fileBytesMax) };
      const name = nameOfFile(file.name, bytes.type, file.type);
      const onProgress = (done: number | undefined): void => {
        share.value = done;
      };
      const stored = await sendFile({
        headers: () => session().proof.headers,
        projectId,
        name,
        bytes,
        signal: abort.signal,
        onProgress,
      });
      if (scaledFrom !== undefined && size !== undefined) noteScaled(scaledFrom, size);
      return { stored: { url: stored.url, ...(size ?? { width: stored.width, height: stored.height }) } };
    } catch (error) {
      if (abort.signal.aborted) return {};
      if (error instanceof UploadError && error.status === 401) onSessionEnd(error.message);
      return { refusal: texts.library.failed(file.name, (error as Error).message) };
    } finally {
      this.list.value = this.list.value.filter((each) => each !== upload);
    }
  }
}
