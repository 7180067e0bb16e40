/**
 * A disk and its page cache, as POSIX lets them be: what a process sees, what is durable, and what is still on its way.
 *
 * - A file is an inode; its name is an entry of a folder. A sync of the file makes its bytes and its length durable and says nothing
 *   of its name; a sync of the folder makes the names durable and says nothing of the bytes. A folder's own name is an entry of the
 *   folder above it.
 * - A sync that failed leaves the bytes readable. They may be on the disk or not, and no later sync writes them.
 */

import { File } from './file.ts';

/** What a process did to the disk. Inodes are numbers, so that changes of a file differ from changes of its name. */
export type Operation =
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'write'; readonly inode: number; readonly path: string; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'sync'; readonly inode: number; readonly path: string; readonly failed: boolean }
  | { readonly kind: 'rename'; readonly from: string; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'makeFolder'; readonly path: string }
  | { readonly kind: 'syncFolder'; readonly path: string };

/** A change of a folder's entries. Each is atomic. */
export type EntryChange =
  | { readonly kind: 'add'; readonly name: string; readonly inode: number }
  | { readonly kind: 'remove'; readonly name: string; readonly inode: number }
  | { readonly kind: 'move'; readonly from: string; readonly name: string; readonly inode: number };

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
  /** Path of the folder that exists from the beginning; empty for one above all paths. */
  readonly root: string;
  #nextInode = 1;
  /** Inodes of folders by path, as far as they were looked up. */
  readonly #folders = new Map<string, number>();

  constructor(root = rootPath) {
    this.root = root;
    this.inodes.set(rootInode, { kind: 'folder', cached: noEntries, durable: noEntries, unsynced: [] });
  }

  /** A disk on which exactly this is durable. */
  static holding(contents: Contents, root = rootPath): Disk {
    const disk = new Disk(root);
    const entriesOf = new Map<string, Map<string, number>>();
    for (const [folder, files] of contents) {
      const entries = new Map<string, number>();
      entriesOf.set(folder, entries);
      const at = folder === root ? rootInode : disk.#nextInode++;
      if (at !== rootInode) entriesOf.get(folderOf(folder))?.set(nameOf(folder), at);
      disk.inodes.set(at, { kind: 'folder', cached: entries, durable: entries, unsynced: [] });
      for (const [name, bytes] of files) {
        entries.set(name, disk.#nextInode);
        disk.inodes.set(disk.#nextInode++, File.of(bytes));
      }
    }
    return disk;
  }

  copy(): Disk {
    const copy = new Disk(this.root);
    for (const [inode, node] of this.inodes) {
      if (node.kind === 'file') node.share();
      copy.inodes.set(inode, node);
    }
    copy.#nextInode = this.#nextInode;
    return copy;
  }

  /** Files by name, in folders by path, with all names that a process sees. */
  contents(bytesOf: (file: File) => Buffer = ({ cached }) => cached): Contents {
    const contents = new Map<string, Map<string, Buffer>>();
    const visit = (inode: number, path: string) => {
      const files = new Map<string, Buffer>();
      contents.set(path, files);
      for (const [name, child] of (this.inodes.get(inode) as Folder).cached) {
        const node = this.inodes.get(child);
        if (node?.kind === 'file') files.set(name, bytesOf(node));
        else visit(child, `${path}/${name}`);
      }
    };
    visit(rootInode, this.root);
    return contents;
  }

  /** Every inode that a name may lead to, whatever of the names survives a crash. */
  *reachable(inode = rootInode): Generator<number> {
    const node = this.inodes.get(inode);
    yield inode;
    if (node?.kind !== 'folder') return;
    const children = new Set([...node.durable.values(), ...node.unsynced.map((change) => change.inode)]);
    for (const child of children) yield* this.reachable(child);
  }

  /**
   * Takes back what was not synced, but for what chance keeps: of each file any unsynced sectors, of each folder its first changes.
   *
   * @param keep a number from 0 to 1 for each of these; 0 keeps nothing
   */
  losePower(keep: () => number): void {
    this.#folders.clear();
    for (const [inode, node] of this.inodes) {
      if (node.kind === 'file') this.inodes.set(inode, File.of(node.afterPowerCut(keep)));
      else {
        const kept = Math.floor(keep() * (node.unsynced.length + 1));
        const entries = entered(node.durable, node.unsynced.slice(0, kept));
        this.inodes.set(inode, { kind: 'folder', cached: entries, durable: entries, unsynced: [] });
      }
    }
  }

  /** The inode behind a path as a process sees it. */
  find(path: string): number | undefined {
    if (path === this.root) return rootInode;
    if (path === '') return undefined;
    return this.folder(folderOf(path))?.cached.get(nameOf(path));
  }

  file(inode: number): File {
    return this.inodes.get(inode) as File;
  }

  folder(path: string): Folder | undefined {
    const inode = this.#folders.get(path) ?? this.find(path);
    const node = inode === undefined ? undefined : this.inodes.get(inode);
    if (inode === undefined || node?.kind !== 'folder') return undefined;
    this.#folders.set(path, inode);
    return node;
  }

  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'create':
        this.inodes.set(this.#enter(operation.path, 'add'), File.of(nothing));
        return;
      case 'makeFolder':
        this.inodes.set(this.#enter(operation.path, 'add'), {
          kind: 'folder',
          cached: noEntries,
          durable: noEntries,
          unsynced: [],
        });
        return;
      case 'write':
        this.inodes.set(operation.inode, this.file(operation.inode).write(operation));
        return;
      case 'sync':
        this.inodes.set(operation.inode, this.file(operation.inode).sync(operation.failed));
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
    if (change.kind !== 'add' && this.inodes.get(change.inode)?.kind === 'folder') this.#folders.clear();
    this.inodes.set(at, { ...folder, cached: entered(folder.cached, [change]), unsynced: [...folder.unsynced, change] });
  }

  #parent(path: string): [number, Folder] {
    const inode = this.find(folderOf(path)) as number;
    return [inode, this.inodes.get(inode) as Folder];
  }
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

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
