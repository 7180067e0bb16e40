/**
 * A disk and its page cache, as POSIX lets them be: what a process sees, what is durable, and what is still on its way.
 *
 * - A file is an inode; its name is an entry of a folder. A sync of the file makes its bytes and its length durable and says nothing
 *   of its name; a sync of the folder makes the names durable and says nothing of the bytes. A folder's own name is an entry of the
 *   folder above it.
 * - A sync that failed leaves the bytes readable. They may be on the disk or not, and no later sync writes them.
 * - Bytes are never changed in place, so that copies of a disk share them.
 */

/** What a process did to the disk. Inodes are numbers, so that changes of a file differ from changes of its name. */
export type Operation =
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'write'; readonly inode: number; readonly path: string; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'sync'; readonly inode: number; readonly path: string; readonly failed: boolean }
  | { readonly kind: 'rename'; readonly from: string; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'makeFolder'; readonly path: string }
  | { readonly kind: 'syncFolder'; readonly path: string };

export interface Write {
  readonly position: number;
  readonly bytes: Buffer;
}

/** A change of a folder's entries. Each is atomic. */
export type EntryChange =
  | { readonly kind: 'add'; readonly name: string; readonly inode: number }
  | { readonly kind: 'remove'; readonly name: string; readonly inode: number }
  | { readonly kind: 'move'; readonly from: string; readonly name: string; readonly inode: number };

export interface File {
  readonly kind: 'file';
  /** What a process reads. */
  readonly cached: Buffer;
  readonly durable: Buffer;
  /** Writes whose sync failed, then writes that nobody synced, oldest first. */
  readonly lost: readonly Write[];
  readonly unsynced: readonly Write[];
}

export type Entries = ReadonlyMap<string, number>;

export interface Folder {
  readonly kind: 'folder';
  readonly cached: Entries;
  readonly durable: Entries;
  readonly unsynced: readonly EntryChange[];
}

export const rootInode = 0;
/** The folder that exists from the beginning. */
export const rootPath = '/data';

/** Files by name, in folders by path: what is left when the power is gone. */
export type Contents = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

const nothing = Buffer.alloc(0);
const noEntries: Entries = new Map();

export class Disk {
  readonly inodes = new Map<number, File | Folder>();
  #nextInode = 1;

  constructor() {
    this.inodes.set(rootInode, { kind: 'folder', cached: noEntries, durable: noEntries, unsynced: [] });
  }

  /** A disk on which exactly this is durable. */
  static holding(contents: Contents): Disk {
    const disk = new Disk();
    for (const [folder, files] of contents) {
      if (folder !== rootPath) disk.apply({ kind: 'makeFolder', path: folder });
      for (const [name, bytes] of files) {
        const inode = disk.#enter(`${folder}/${name}`, 'add');
        disk.inodes.set(inode, { kind: 'file', cached: bytes, durable: bytes, lost: [], unsynced: [] });
      }
    }
    for (const [inode, node] of disk.inodes) {
      if (node.kind === 'folder') disk.inodes.set(inode, { ...node, durable: node.cached, unsynced: [] });
    }
    return disk;
  }

  copy(): Disk {
    const copy = new Disk();
    for (const [inode, node] of this.inodes) copy.inodes.set(inode, node);
    copy.#nextInode = this.#nextInode;
    return copy;
  }

  /** The inode behind a path as a process sees it. */
  find(path: string): number | undefined {
    if (path === rootPath) return rootInode;
    const parent = this.find(folderOf(path));
    const node = parent === undefined ? undefined : this.inodes.get(parent);
    return node?.kind === 'folder' ? node.cached.get(nameOf(path)) : undefined;
  }

  file(inode: number): File {
    return this.inodes.get(inode) as File;
  }

  folder(path: string): Folder | undefined {
    const inode = this.find(path);
    const node = inode === undefined ? undefined : this.inodes.get(inode);
    return node?.kind === 'folder' ? node : undefined;
  }

  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'create':
        this.inodes.set(this.#enter(operation.path, 'add'), {
          kind: 'file',
          cached: nothing,
          durable: nothing,
          lost: [],
          unsynced: [],
        });
        return;
      case 'makeFolder':
        this.inodes.set(this.#enter(operation.path, 'add'), {
          kind: 'folder',
          cached: noEntries,
          durable: noEntries,
          unsynced: [],
        });
        return;
      case 'write': {
        const { inode, position, bytes } = operation;
        const file = this.file(inode);
        const write = { position, bytes };
        this.inodes.set(inode, { ...file, cached: written(file.cached, [write]), unsynced: [...file.unsynced, write] });
        return;
      }
      case 'sync':
        this.#sync(operation.inode, operation.failed);
        return;
      case 'rename':
        this.#move(operation.from, operation.path);
        return;
      case 'unlink':
        this.#enter(operation.path, 'remove');
        return;
      case 'syncFolder': {
        const inode = this.find(operation.path) as number;
        const folder = this.inodes.get(inode) as Folder;
        this.inodes.set(inode, { ...folder, durable: folder.cached, unsynced: [] });
      }
    }
  }

  #sync(inode: number, failed: boolean): void {
    const file = this.file(inode);
    if (failed) {
      this.inodes.set(inode, { ...file, lost: [...file.lost, ...file.unsynced], unsynced: [] });
      return;
    }
    const lost = file.unsynced.reduce(
      (left: readonly Write[], write) => left.flatMap((other) => without(other, write)),
      file.lost,
    );
    this.inodes.set(inode, { ...file, durable: written(file.durable, file.unsynced), lost, unsynced: [] });
  }

  /** Adds a new inode under a name, or removes the name; returns the inode. */
  #enter(path: string, kind: 'add' | 'remove'): number {
    const [at, folder] = this.#parent(path);
    const name = nameOf(path);
    const inode = kind === 'add' ? this.#nextInode++ : (folder.cached.get(name) as number);
    this.#change(at, folder, { kind, name, inode });
    return inode;
  }

  #move(from: string, to: string): void {
    const [at, folder] = this.#parent(from);
    const inode = folder.cached.get(nameOf(from)) as number;
    if (folderOf(from) === folderOf(to)) {
      this.#change(at, folder, { kind: 'move', from: nameOf(from), name: nameOf(to), inode });
      return;
    }
    // Two folders, each with changes of its own: either may survive without the other.
    this.#change(at, folder, { kind: 'remove', name: nameOf(from), inode });
    const [into, target] = this.#parent(to);
    this.#change(into, target, { kind: 'add', name: nameOf(to), inode });
  }

  #change(at: number, folder: Folder, change: EntryChange): void {
    this.inodes.set(at, { ...folder, cached: entered(folder.cached, [change]), unsynced: [...folder.unsynced, change] });
  }

  #parent(path: string): [number, Folder] {
    const inode = this.find(folderOf(path)) as number;
    return [inode, this.inodes.get(inode) as Folder];
  }
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Bytes after these writes, in their order. */
export function written(bytes: Buffer, writes: readonly Write[]): Buffer {
  if (writes.length === 0) return bytes;
  const end = writes.reduce((most, write) => Math.max(most, write.position + write.bytes.byteLength), bytes.byteLength);
  const result = Buffer.allocUnsafe(end);
  bytes.copy(result);
  result.fill(0, bytes.byteLength);
  for (const write of writes) result.set(write.bytes, write.position);
  return result;
}

/** Entries after these changes, in their order. One whose forerunner did not survive still has its own effect. */
export function entered(entries: Entries, changes: readonly EntryChange[]): Entries {
  const result = new Map(entries);
  for (const change of changes) {
    if (change.kind === 'move' && result.get(change.from) === change.inode) result.delete(change.from);
    if (change.kind !== 'remove') result.set(change.name, change.inode);
    else if (result.get(change.name) === change.inode) result.delete(change.name);
  }
  return result;
}

/** What is left of a write where another one took its place. */
function without(write: Write, other: Write): Write[] {
  const end = write.position + write.bytes.byteLength;
  const otherEnd = other.position + other.bytes.byteLength;
  if (otherEnd <= write.position || other.position >= end) return [write];
  const left: Write[] = [];
  if (write.position < other.position)
    left.push({ position: write.position, bytes: write.bytes.subarray(0, other.position - write.position) });
  if (otherEnd < end) left.push({ position: otherEnd, bytes: write.bytes.subarray(otherEnd - write.position) });
  return left;
}
