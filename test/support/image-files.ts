/** Folders in memory, to damage byte by byte, or to fail at a call of the test's choice. */
import fs from 'node:fs';
import path from 'node:path';
import type { FileStats, Files, OpenMode } from '../../src/lib/files/files.ts';
import { systemError } from './system-error.ts';

export class ImageFiles implements Files {
  readonly contents = new Map<string, Buffer>();
  /** Called ahead of everything that changes or syncs something; throwing there is an error of the disk. */
  before: (call: string, name: string) => void = () => undefined;
  readonly #open = new Map<number, string>();
  #nextFd = 100;

  /** The segments, snapshots and backups in a folder, also of one in use: what is being made there now is left out. */
  static of(folder: string): ImageFiles {
    const image = new ImageFiles();
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (/\.(segment|snapshot|backup)$/.test(entry.name)) image.contents.set(file, fs.readFileSync(file));
    }
    return image;
  }

  /** The same files: a write to one never changes the bytes of the other. */
  copy(): ImageFiles {
    const copy = new ImageFiles();
    for (const [file, bytes] of this.contents) copy.contents.set(file, bytes);
    return copy;
  }

  /** Files still open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Paths of the files whose name ends so, sorted. */
  named(ending: string): string[] {
    return [...this.contents.keys()].filter((file) => file.endsWith(ending)).sort();
  }

  bytes(file: string): Buffer {
    const bytes = this.contents.get(file);
    if (bytes === undefined) throw systemError('ENOENT', 'open', file);
    return bytes;
  }

  open(file: string, mode: OpenMode): number {
    if (mode === 'wx+') {
      this.before('create', path.basename(file));
      if (this.contents.has(file)) throw systemError('EEXIST', 'open', file);
      this.contents.set(file, Buffer.alloc(0));
    }
    this.bytes(file);
    this.#open.set(this.#nextFd, file);
    return this.#nextFd++;
  }

  close(fd: number): void {
    if (!this.#open.delete(fd)) throw systemError('EBADF', 'close');
  }

  /** Nobody else has these files. */
  lock(): boolean {
    return true;
  }

  size(fd: number): number {
    return this.bytes(this.#name(fd)).byteLength;
  }

  allocated(fd: number): number {
    return this.size(fd);
  }

  read(fd: number, into: Uint8Array, position: number): number {
    return this.bytes(this.#name(fd)).copy(into, 0, position, position + into.byteLength);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    const file = this.#name(fd);
    this.before('write', path.basename(file));
    const end = position + bytes.byteLength;
    const before = this.bytes(file);
    const after = Buffer.alloc(Math.max(end, before.byteLength));
    after.set(before);
    after.set(bytes, position);
    this.contents.set(file, after);
  }

  sync(fd: number): void {
    this.before('sync', path.basename(this.#name(fd)));
  }

  rename(from: string, to: string): void {
    this.before('rename', path.basename(to));
    const held = [...this.contents].filter(([file]) => file === from || file.startsWith(from + path.sep));
    if (held.length === 0) throw systemError('ENOENT', 'rename', from);
    for (const [file, bytes] of held) {
      this.contents.set(to + file.slice(from.length), bytes);
      this.contents.delete(file);
    }
    for (const [fd, file] of this.#open) if (file === from) this.#open.set(fd, to);
  }

  unlink(file: string): void {
    this.bytes(file);
    this.before('unlink', path.basename(file));
    this.contents.delete(file);
  }

  makeFolder(): void {}

  list(folder: string): string[] {
    const below = [...this.contents.keys()].filter((file) => file.startsWith(folder + path.sep));
    return [...new Set(below.map((file) => file.slice(folder.length + 1).split(path.sep)[0] as string))].sort();
  }

  stat(file: string): FileStats | undefined {
    const bytes = this.contents.get(file);
    return bytes && { bytes: bytes.byteLength, changedMs: 0 };
  }

  isAt(file: string, fd: number): boolean {
    return this.#name(fd) === file && this.contents.has(file);
  }

  openFolder(folder: string): number {
    this.#open.set(this.#nextFd, folder);
    return this.#nextFd++;
  }

  syncFolder(folder: string): void {
    this.before('syncFolder', path.basename(folder));
  }

  #name(fd: number): string {
    const file = this.#open.get(fd);
    if (file === undefined) throw systemError('EBADF', 'read');
    return file;
  }
}
