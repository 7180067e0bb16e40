/**
 * Files in memory that can fail, die and lose power.
 *
 * - `ops` lists every call that changes something, for tests of order.
 * - `before` is called ahead of each such call; throwing there is a disk error. {@link MemoryFiles.kill} makes every later call throw,
 *   as for a process that is gone, until {@link MemoryFiles.revive}.
 * - {@link MemoryFiles.losePower} takes back what was not synced: of each unsynced sector, and of the folder's unsynced changes, a
 *   random choice; and what a sync that failed left in the page cache only. Sectors are whole or absent; changes of the folder survive up to one of them, in order.
 */
import path from 'node:path';
import { isZero } from '../../src/lib/bytes.ts';
import type { FileStats, Files, OpenMode } from '../../src/lib/files/files.ts';
import { systemError } from '../support/system-error.ts';

const SECTOR = 512;
const ZEROS = Buffer.alloc(SECTOR);

interface Inode {
  data: Buffer;
  /** What each unsynced sector held when it was last synced. */
  readonly unsynced: Map<number, Buffer>;
  /** The same for sectors whose sync failed: they read well, and no later sync writes them. */
  readonly lost: Map<number, Buffer>;
  /** A copy of the files has the same bytes: copy them before they change. */
  shared: boolean;
}

export interface FileOp {
  readonly kind: 'open' | 'write' | 'sync' | 'rename' | 'unlink' | 'syncFolder' | 'makeFolder';
  readonly name: string;
  readonly position?: number;
  readonly bytes?: Buffer;
}

export class MemoryFiles implements Files {
  ops: FileOp[] = [];
  before: (op: FileOp, index: number) => void = () => undefined;
  #names = new Map<string, Inode>();
  /** Undoes the folder's unsynced changes, oldest first. */
  #folderUndo: (() => void)[] = [];
  #open = new Map<number, { inode: Inode; name: string }>();
  #nextFd = 3;
  #dead = false;

  open(file: string, mode: OpenMode): number {
    const name = path.basename(file);
    let inode = this.#names.get(name);
    if (mode === 'wx+') {
      this.#op({ kind: 'open', name });
      if (inode !== undefined) throw systemError('EEXIST', 'open', file);
      inode = newInode(Buffer.alloc(0));
      this.#names.set(name, inode);
      this.#folderUndo.push(() => this.#names.delete(name));
    }
    this.#alive();
    if (inode === undefined) throw systemError('ENOENT', 'open', file);
    const fd = this.#nextFd++;
    this.#open.set(fd, { inode, name });
    return fd;
  }

  close(fd: number): void {
    if (!this.#open.delete(fd)) throw systemError('EBADF', 'close');
  }

  /** Nobody else has these files. */
  lock(): boolean {
    return true;
  }

  size(fd: number): number {
    return this.#file(fd).inode.data.byteLength;
  }

  allocated(fd: number): number {
    return this.size(fd);
  }

  read(fd: number, into: Uint8Array, position: number): number {
    this.#alive();
    const { data } = this.#file(fd).inode;
    return data.copy(into, 0, position, position + into.byteLength);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    const { inode, name } = this.#file(fd);
    this.#op({ kind: 'write', name, position, bytes: Buffer.from(bytes.subarray(0, 4 * SECTOR)) });
    this.#put(inode, bytes, position);
  }

  #put(inode: Inode, bytes: Uint8Array, position: number): void {
    const end = position + bytes.byteLength;
    const size = inode.data.byteLength;
    own(inode);
    if (end > size) inode.data = Buffer.concat([inode.data, Buffer.alloc(end - size)], end);
    // Zeros over zeros: taking them back would change nothing.
    if (inode.lost.size === 0 && isZero(bytes) && isZero(inode.data, position, end)) return;
    for (let at = position - (position % SECTOR); at < end; at += SECTOR) {
      if (inode.unsynced.has(at)) continue;
      inode.unsynced.set(at, inode.lost.get(at) ?? (at < size ? Buffer.from(inode.data.subarray(at, at + SECTOR)) : ZEROS));
      inode.lost.delete(at);
    }
    inode.data.set(bytes, position);
  }

  sync(fd: number): void {
    const { inode, name } = this.#file(fd);
    try {
      this.#op({ kind: 'sync', name });
    } catch (error) {
      for (const [at, old] of inode.unsynced) inode.lost.set(at, old);
      throw error;
    } finally {
      inode.unsynced.clear();
    }
  }

  rename(from: string, to: string): void {
    const [a, b] = [path.basename(from), path.basename(to)];
    this.#op({ kind: 'rename', name: b });
    const inode = this.#names.get(a);
    const replaced = this.#names.get(b);
    if (inode === undefined) throw systemError('ENOENT', 'rename', from);
    for (const file of this.#open.values()) if (file.inode === inode) file.name = b;
    this.#names.delete(a);
    this.#names.set(b, inode);
    this.#folderUndo.push(() => {
      this.#names.set(a, inode);
      if (replaced === undefined) this.#names.delete(b);
      else this.#names.set(b, replaced);
    });
  }

  unlink(file: string): void {
    const name = path.basename(file);
    const inode = this.#names.get(name);
    if (inode === undefined) throw systemError('ENOENT', 'unlink', file);
    this.#op({ kind: 'unlink', name });
    this.#names.delete(name);
    this.#folderUndo.push(() => this.#names.set(name, inode));
  }

  makeFolder(folder: string): void {
    this.#op({ kind: 'makeFolder', name: path.basename(folder) });
  }

  list(): string[] {
    this.#alive();
    return [...this.#names.keys()].sort();
  }

  stat(file: string): FileStats | undefined {
    this.#alive();
    const inode = this.#names.get(path.basename(file));
    return inode && { bytes: inode.data.byteLength, changedMs: 0 };
  }

  isAt(file: string, fd: number): boolean {
    return this.#names.get(path.basename(file)) === this.#file(fd).inode;
  }

  openFolder(folder: string): number {
    this.#alive();
    const fd = this.#nextFd++;
    this.#open.set(fd, { inode: newInode(Buffer.alloc(0)), name: path.basename(folder) });
    return fd;
  }

  syncFolder(): void {
    this.#op({ kind: 'syncFolder', name: '.' });
    this.#folderUndo = [];
  }

  /** The bytes of a file, to look at or to damage. */
  bytes(name: string): Buffer {
    const inode = this.#names.get(name);
    if (inode === undefined) throw systemError('ENOENT', 'open', name);
    own(inode);
    return inode.data;
  }

  /** Replaces a file's bytes; `undefined` removes it. As if on disk for ever. */
  put(name: string, bytes: Buffer | undefined): void {
    if (bytes === undefined) this.#names.delete(name);
    else this.#names.set(name, newInode(bytes));
  }

  /** Everything that follows throws: the process is dead. */
  kill(): void {
    this.#dead = true;
  }

  /** A new process: same disk, same page cache. */
  revive(): void {
    this.#dead = false;
    this.#open.clear();
    this.before = () => undefined;
    this.ops = [];
  }

  /** What was not synced is there or not, as `keep` says (a number from 0 to 1, as of `Math.random`). Also revives. */
  losePower(keep: () => number): void {
    const names = Math.floor(keep() * (this.#folderUndo.length + 1));
    for (const undo of this.#folderUndo.slice(names).reverse()) undo();
    this.#folderUndo = [];
    for (const inode of this.#names.values()) {
      if (inode.unsynced.size + inode.lost.size > 0) own(inode);
      for (const [at, old] of inode.unsynced) if (keep() < 0.5) old.copy(inode.data, at);
      for (const [at, old] of inode.lost) old.copy(inode.data, at);
      inode.unsynced.clear();
      inode.lost.clear();
    }
    this.revive();
  }

  /** A deep copy, synced state included. */
  copy(): MemoryFiles {
    const copy = new MemoryFiles();
    for (const [name, inode] of this.#names) {
      inode.shared = true;
      copy.#names.set(name, { ...inode, unsynced: new Map(inode.unsynced), lost: new Map(inode.lost) });
    }
    return copy;
  }

  #op(op: FileOp): void {
    this.#alive();
    this.before(op, this.ops.length);
    this.ops.push(op);
  }

  #alive(): void {
    if (this.#dead) throw systemError('EIO');
  }

  #file(fd: number): { inode: Inode; name: string } {
    const file = this.#open.get(fd);
    if (file === undefined) throw systemError('EBADF', 'read');
    return file;
  }
}

function newInode(data: Buffer): Inode {
  return { data, unsynced: new Map(), lost: new Map(), shared: false };
}

function own(inode: Inode): void {
  if (inode.shared) inode.data = Buffer.from(inode.data);
  inode.shared = false;
}
