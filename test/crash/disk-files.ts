/**
 * {@link Files} over a model disk. Every change goes through {@link DiskFiles.before}, where a test may throw as a disk does, and is
 * passed to `onOperation` once it has happened. A process that was killed finds every call failing.
 */
import type { FileStats, Files, OpenMode } from '../../src/lib/files/files.ts';
import { systemError } from '../support/system-error.ts';
import { type Disk, folderOf, type Operation } from './disk.ts';

export class DiskFiles implements Files {
  readonly disk: Disk;
  before: (operation: Operation) => void = () => undefined;
  readonly #onOperation: ((operation: Operation) => void) | undefined;
  readonly #open = new Map<number, { readonly inode: number; readonly path: string }>();
  /** Descriptors that hold their file's lock. */
  readonly #locked = new Set<number>();
  #nextFd = 3;
  #dead = false;

  constructor(disk: Disk, onOperation?: (operation: Operation) => void) {
    this.disk = disk;
    this.#onOperation = onOperation;
  }

  open(path: string, mode: OpenMode): number {
    this.#alive();
    if (mode === 'wx+') {
      if (this.disk.find(path) !== undefined) throw systemError('EEXIST', 'open', path);
      if (this.disk.folder(folderOf(path)) === undefined) throw systemError('ENOENT', 'open', path);
      this.#do({ kind: 'create', path });
    }
    const inode = this.disk.find(path);
    if (inode === undefined) throw systemError('ENOENT', 'open', path);
    this.#open.set(this.#nextFd, { inode, path });
    return this.#nextFd++;
  }

  openFolder(path: string): number {
    this.#exists(path);
    this.#open.set(this.#nextFd, { inode: this.disk.find(path) as number, path });
    return this.#nextFd++;
  }

  lock(fd: number): boolean {
    const { inode } = this.#file(fd);
    const holder = [...this.#locked].find((other) => this.#open.get(other)?.inode === inode);
    if (holder === undefined) this.#locked.add(fd);
    return holder === undefined || holder === fd;
  }

  close(fd: number): void {
    this.#locked.delete(fd);
    if (!this.#open.delete(fd) && !this.#dead) throw systemError('EBADF', 'close');
  }

  size(fd: number): number {
    return this.disk.file(this.#file(fd).inode).cached.byteLength;
  }

  allocated(fd: number): number {
    return this.size(fd);
  }

  read(fd: number, into: Uint8Array, position: number): number {
    return this.disk.file(this.#file(fd).inode).cached.copy(into, 0, position, position + into.byteLength);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    this.#do({ kind: 'write', ...this.#file(fd), position, bytes: Buffer.from(bytes) });
  }

  sync(fd: number): void {
    const operation = { kind: 'sync', ...this.#file(fd), failed: false } as const;
    try {
      this.before(operation);
    } catch (error) {
      this.#apply({ ...operation, failed: true });
      throw error;
    }
    this.#apply(operation);
  }

  rename(from: string, to: string): void {
    this.#exists(from);
    this.#exists(folderOf(to));
    const inode = this.disk.find(from) as number;
    this.#do({ kind: 'rename', from, path: to });
    // Operations name a file as it is called now.
    for (const [fd, opened] of this.#open) if (opened.inode === inode) this.#open.set(fd, { inode, path: to });
  }

  unlink(path: string): void {
    this.#exists(path);
    this.#do({ kind: 'unlink', path });
  }

  makeFolder(path: string): void {
    this.#alive();
    if (this.disk.folder(path) !== undefined) return;
    this.makeFolder(folderOf(path));
    this.#do({ kind: 'makeFolder', path });
  }

  list(folder: string): string[] {
    this.#alive();
    return [...(this.disk.folder(folder)?.cached.keys() ?? [])].sort();
  }

  stat(path: string): FileStats | undefined {
    this.#alive();
    const inode = this.disk.find(path);
    const node = inode === undefined ? undefined : this.disk.inodes.get(inode);
    return node?.kind === 'file' ? { bytes: node.cached.byteLength, changedMs: 0 } : undefined;
  }

  isAt(path: string, fd: number): boolean {
    return this.disk.find(path) === this.#file(fd).inode;
  }

  syncFolder(path: string): void {
    this.#exists(path);
    this.#do({ kind: 'syncFolder', path });
  }

  /** The process is gone: whatever it still tries fails. */
  kill(): void {
    this.#dead = true;
  }

  #do(operation: Operation): void {
    this.before(operation);
    this.#apply(operation);
  }

  #apply(operation: Operation): void {
    this.#alive();
    this.disk.apply(operation);
    this.#onOperation?.(operation);
  }

  #exists(path: string): void {
    this.#alive();
    if (this.disk.find(path) === undefined) throw systemError('ENOENT', 'open', path);
  }

  #alive(): void {
    if (this.#dead) throw systemError('EIO');
  }

  #file(fd: number): { inode: number; path: string } {
    this.#alive();
    const file = this.#open.get(fd);
    if (file === undefined) throw systemError('EBADF', 'read');
    return file;
  }
}
