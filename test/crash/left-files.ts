/**
 * {@link Files} over what a power cut left, for one recovery: nothing is kept of what is synced and what is not, since nobody cuts the
 * power here again. A million of these are made in a minute, so they do no more than they must.
 */
import type { FileStats, Files, OpenMode } from '../../src/lib/files/files.ts';
import { systemError } from '../support/system-error.ts';
import { type Contents, folderOf, nameOf, written } from './disk.ts';

interface Opened {
  readonly path: string;
  readonly files: Map<string, Buffer>;
  readonly name: string;
}

export class LeftFiles implements Files {
  /** Called ahead of every read, with the path. */
  beforeRead: (path: string) => void = () => undefined;
  readonly #folders: Map<string, Map<string, Buffer>>;
  readonly #open: Opened[] = [];

  /** @param contents becomes this object's own, which changes it */
  constructor(contents: Contents) {
    this.#folders = contents as Map<string, Map<string, Buffer>>;
  }

  /** Every file, folder by folder. */
  get contents(): Contents {
    return this.#folders;
  }

  open(path: string, mode: OpenMode): number {
    const files = this.#folder(folderOf(path));
    const name = nameOf(path);
    if (mode === 'wx+') {
      if (files.has(name)) throw systemError('EEXIST', 'open', path);
      files.set(name, Buffer.alloc(0));
    } else if (!files.has(name)) throw systemError('ENOENT', 'open', path);
    return this.#open.push({ path, files, name }) - 1;
  }

  openFolder(path: string): number {
    return this.#open.push({ path, files: this.#folder(path), name: '' }) - 1;
  }

  /** Nobody else is there. */
  lock(): boolean {
    return true;
  }

  close(): void {
    /// Files that are left open are forgotten with this object.
  }

  size(fd: number): number {
    return this.#bytes(fd).byteLength;
  }

  allocated(fd: number): number {
    return this.size(fd);
  }

  read(fd: number, into: Uint8Array, position: number): number {
    this.beforeRead(this.#open[fd]?.path ?? '');
    return this.#bytes(fd).copy(into, 0, position, position + into.byteLength);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    const before = this.#bytes(fd);
    const end = position + bytes.byteLength;
    // What writes nothing new leaves the buffer, and with it what is known of it.
    if (end <= before.byteLength && before.compare(bytes, 0, bytes.byteLength, position, end) === 0) return;
    const { files, name } = this.#open[fd] as Opened;
    files.set(name, written(before, [{ position, bytes: bytes as Buffer }]));
  }

  sync(): void {}

  rename(from: string, to: string): void {
    const files = this.#folder(folderOf(from));
    files.set(nameOf(to), this.#file(from));
    files.delete(nameOf(from));
  }

  unlink(path: string): void {
    this.#file(path);
    this.#folder(folderOf(path)).delete(nameOf(path));
  }

  makeFolder(path: string): void {
    if (!this.#folders.has(path)) this.#folders.set(path, new Map());
  }

  list(folder: string): string[] {
    return [...(this.#folders.get(folder)?.keys() ?? [])].sort();
  }

  stat(path: string): FileStats | undefined {
    const bytes = this.#folders.get(folderOf(path))?.get(nameOf(path));
    return bytes && { bytes: bytes.byteLength, changedMs: 0 };
  }

  isAt(path: string, fd: number): boolean {
    return this.#open[fd]?.path === path && this.#folder(folderOf(path)).has(nameOf(path));
  }

  syncFolder(path: string): void {
    this.#folder(path);
  }

  #bytes(fd: number): Buffer {
    const { files, name } = this.#open[fd] as Opened;
    return files.get(name) as Buffer;
  }

  #folder(path: string): Map<string, Buffer> {
    const files = this.#folders.get(path);
    if (files === undefined) throw systemError('ENOENT', 'open', path);
    return files;
  }

  #file(path: string): Buffer {
    const bytes = this.#folder(folderOf(path)).get(nameOf(path));
    if (bytes === undefined) throw systemError('ENOENT', 'open', path);
    return bytes;
  }
}
