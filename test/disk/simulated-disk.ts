/**
 * {@link Files} over a {@link Disk}, as one process after the other has them.
 *
 * - Faults: {@link SimulatedDisk.before} and {@link SimulatedDisk.beforeRead} may throw the error of a disk; {@link SimulatedDisk.fail}
 *   plants one; {@link SimulatedDisk.limit} makes the disk small.
 * - Delays: its calls return immediately, since those of {@link Files} do. The workers in the thread of a test wait at their `gate` before
 *   each of their jobs, as threads wait for a slow disk.
 * - Crashes: after {@link SimulatedDisk.kill} each call fails, until {@link SimulatedDisk.revive} starts the next process on the same page
 *   cache, or {@link SimulatedDisk.losePower} on what chance leaves of it.
 * - Damage: {@link SimulatedDisk.put}, {@link SimulatedDisk.delete} and {@link SimulatedDisk.raw} change what is durable.
 */
import fs from 'node:fs';
import path from 'node:path';
import { CorruptError } from '../../src/lib/errors.ts';
import type { FileStats, Files, OpenMode } from '../../src/lib/files/files.ts';
import { systemError } from '../support/system-error.ts';
import { Disk, folderOf, nameOf, type Operation } from './disk.ts';
import { File } from './file.ts';

interface Descriptor {
  readonly inode: number;
  readonly path: string;
  readonly canWrite: boolean;
}

/** A call that changes nothing. */
export type ReadCall =
  | { readonly kind: 'open'; readonly path: string; readonly mode: OpenMode }
  | { readonly kind: 'openFolder'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string; readonly position: number; readonly byteLength: number };

type CallKind = Operation['kind'] | ReadCall['kind'];

/** Which calls fail, and how. */
export interface Fault {
  /** Every call that changes or syncs something by default. */
  readonly kind?: CallKind | readonly CallKind[];
  /** Code of the error, such as `ENOSPC`. */
  readonly code: string;
  /** Name of the file or folder; each by default. */
  readonly name?: string;
  /** Mode of `open`; each by default. */
  readonly mode?: OpenMode;
  /** Which of these calls fails, from 1; each by default. */
  readonly nth?: number;
}

/** An operation in one line: its kind, and the name of what it changes. */
export const described = ({ kind, path }: Operation): string => `${kind} ${nameOf(path)}`;

export class SimulatedDisk implements Files {
  /** What a process sees and what is durable. */
  readonly state: Disk;
  /** Called ahead of each call that changes or syncs something. */
  before: (operation: Operation) => void = () => undefined;
  /** Called after each of them. */
  after: (operation: Operation) => void = () => undefined;
  /** Called ahead of each call that opens or reads something that exists. */
  beforeRead: (call: ReadCall) => void = () => undefined;
  /** Names without a folder are in this one. */
  readonly #folder: string;
  readonly #open = new Map<number, Descriptor>();
  /** Descriptors that hold their file's lock. */
  readonly #locked = new Set<number>();
  #nextFd = 3;
  #isDead = false;

  /**
   * @param state by default an empty disk on which every path may be
   * @param folder in which names without a folder are
   */
  constructor(state = new Disk(''), folder = state.root) {
    this.state = state;
    this.#folder = folder;
  }

  /** A disk with copies of the files of a real folder, as {@link SimulatedDisk.load} makes them. */
  static of(folder: string): SimulatedDisk {
    const disk = new SimulatedDisk();
    disk.load(folder);
    return disk;
  }

  /** Copies the segments, snapshots and backups in a real folder, also of one in use: files that are being made are left out. */
  load(folder: string): void {
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (/\.(segment|snapshot|backup)$/.test(entry.name)) this.put(file, fs.readFileSync(file));
    }
  }

  /** The same disk for another process: neither sees what the other changes from now on. */
  copy(): SimulatedDisk {
    return new SimulatedDisk(this.state.copy(), this.#folder);
  }

  // Faults.

  /** Plants a fault in the place of the ones before. The count is that of the calls it was for. */
  fail({ kind, code, name, mode, nth }: Fault): { count: number } {
    const met = { count: 0 };
    this.heal();
    const strike = (call: Operation | ReadCall): void => {
      if ((kind !== undefined && ![kind].flat().includes(call.kind)) || (name !== undefined && nameOf(call.path) !== name))
        return;
      if (mode !== undefined && !(call.kind === 'open' && call.mode === mode)) return;
      met.count += 1;
      if (nth === undefined || met.count === nth) throw systemError(code, call.kind, call.path);
    };
    this.before = strike;
    if (kind !== undefined) this.beforeRead = strike;
    return met;
  }

  /** Ends all faults. */
  heal(): void {
    this.before = () => undefined;
    this.beforeRead = () => undefined;
  }

  /** A disk of so many bytes. @param code the error of a write beyond them */
  limit(bytesMax: number, code = 'ENOSPC'): void {
    this.before = (operation) => {
      if (operation.kind !== 'write') return;
      const growth = operation.position + operation.bytes.byteLength - this.state.file(operation.inode).size;
      if (growth <= 0) return;
      const used = this.paths().reduce((sum, file) => sum + (this.stat(file)?.bytes ?? 0), 0);
      if (used + growth > bytesMax) throw systemError(code, 'write', operation.path);
    };
  }

  /** The operations from now on, in place of the ones before. */
  record(): Operation[] {
    const operations: Operation[] = [];
    this.after = (operation) => operations.push(operation);
    return operations;
  }

  // Crashes.

  /** The process is gone: each of its calls fails. */
  kill(): void {
    this.#isDead = true;
  }

  /** The next process, on the same page cache. */
  revive(): void {
    this.#isDead = false;
    this.#open.clear();
    this.#locked.clear();
    this.heal();
  }

  /** The next process, after a power cut. @param keep as of {@link Disk.losePower} */
  losePower(keep: () => number): void {
    this.state.losePower(keep);
    this.revive();
  }

  // What a test sees and damages.

  /** Descriptors that are open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Paths of all files, sorted. */
  paths(): string[] {
    const all = [...this.state.contents(() => nothing)];
    return all.flatMap(([folder, files]) => [...files.keys()].map((name) => `${folder}/${name}`)).sort();
  }

  /** Paths of the files whose name ends so, sorted. */
  named(ending: string): string[] {
    return this.paths().filter((file) => file.endsWith(ending));
  }

  has(file: string): boolean {
    return this.stat(this.#resolve(file)) !== undefined;
  }

  /** What a process reads in a file. These bytes never change. */
  bytes(file: string): Buffer {
    return this.state.file(this.#inode(this.#resolve(file))).cached;
  }

  /** The bytes of a file themselves: what is changed in them is durable, until a process writes to the file. */
  raw(file: string): Buffer {
    const inode = this.#inode(this.#resolve(file));
    const [node, bytes] = this.state.file(inode).exposed();
    this.state.inodes.set(inode, node);
    return bytes;
  }

  /** Gives a file these bytes, as if it had always had them. Makes its folders. */
  put(file: string, bytes: Buffer): void {
    const at = this.#resolve(file);
    this.#makeFolders(folderOf(at));
    if (this.state.find(at) === undefined) this.state.apply({ kind: 'create', path: at });
    this.state.inodes.set(this.state.find(at) as number, File.of(bytes));
    this.state.apply({ kind: 'syncFolder', path: folderOf(at) });
  }

  /** Removes a file, as if it had never been there. */
  delete(file: string): void {
    const at = this.#resolve(file);
    if (this.state.find(at) === undefined) return;
    this.state.apply({ kind: 'unlink', path: at });
    this.state.apply({ kind: 'syncFolder', path: folderOf(at) });
  }

  // The calls of a process.

  open(path: string, mode: OpenMode): number {
    this.#alive();
    if (mode === 'wx+') {
      if (this.state.find(path) !== undefined) throw systemError('EEXIST', 'open', path);
      if (this.state.folder(folderOf(path)) === undefined) throw systemError('ENOENT', 'open', path);
      this.#do({ kind: 'create', path });
    } else this.beforeRead({ kind: 'open', path, mode });
    if (this.state.inodes.get(this.#exists(path))?.kind === 'folder')
      throw new CorruptError(path, 0, 'it is a folder, not a file');
    return this.#descriptor(path, mode !== 'r');
  }

  openFolder(path: string): number {
    this.#alive();
    this.beforeRead({ kind: 'openFolder', path });
    return this.#descriptor(path, false);
  }

  lock(fd: number): boolean {
    const { inode } = this.#file(fd);
    const holder = [...this.#locked].find((other) => this.#open.get(other)?.inode === inode);
    if (holder === undefined) this.#locked.add(fd);
    return holder === undefined || holder === fd;
  }

  close(fd: number): void {
    this.#locked.delete(fd);
    if (!this.#open.delete(fd) && !this.#isDead) throw systemError('EBADF', 'close');
  }

  size(fd: number): number {
    return this.state.file(this.#file(fd).inode).size;
  }

  allocated(fd: number): number {
    return this.size(fd);
  }

  read(fd: number, into: Uint8Array, position: number): number {
    const { inode, path } = this.#file(fd);
    this.beforeRead({ kind: 'read', path, position, byteLength: into.byteLength });
    return this.state.file(inode).read(into, position);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    const { inode, path, canWrite } = this.#file(fd);
    if (!canWrite) throw systemError('EBADF', 'write');
    this.#do({ kind: 'write', inode, path, position, bytes: Buffer.from(bytes) });
  }

  sync(fd: number): void {
    const { inode, path } = this.#file(fd);
    const operation = { kind: 'sync', inode, path, failed: false } as const;
    try {
      this.before(operation);
    } catch (error) {
      this.#apply({ ...operation, failed: true });
      throw error;
    }
    this.#apply(operation);
  }

  rename(from: string, to: string): void {
    const inode = this.#exists(from);
    this.#exists(folderOf(to));
    this.#do({ kind: 'rename', from, path: to });
    // Operations name a file as it is called now.
    for (const [fd, opened] of this.#open) if (opened.inode === inode) this.#open.set(fd, { ...opened, path: to });
  }

  unlink(path: string): void {
    this.#exists(path);
    if (this.state.folder(path) !== undefined) throw systemError('EISDIR', 'unlink', path);
    this.#do({ kind: 'unlink', path });
  }

  makeFolder(path: string): void {
    this.#alive();
    if (this.state.folder(path) !== undefined) return;
    if (this.state.find(path) !== undefined) throw systemError('EEXIST', 'mkdir', path);
    this.makeFolder(folderOf(path));
    this.#do({ kind: 'makeFolder', path });
  }

  list(folder = this.#folder): string[] {
    this.#alive();
    const entries = this.state.folder(folder)?.cached;
    if (entries === undefined && this.state.find(folder) !== undefined) throw systemError('ENOTDIR', 'scandir', folder);
    return [...(entries?.keys() ?? [])].sort();
  }

  stat(path: string): FileStats | undefined {
    this.#alive();
    const inode = this.state.find(path);
    const node = inode === undefined ? undefined : this.state.inodes.get(inode);
    return node?.kind === 'file' ? { bytes: node.size, changedMs: 0 } : undefined;
  }

  isAt(path: string, fd: number): boolean {
    return this.state.find(path) === this.#file(fd).inode;
  }

  syncFolder(path: string): void {
    this.#exists(path);
    const isChanged = this.state.folder(path)?.unsynced.some(({ kind }) => kind !== 'add');
    this.#do({ kind: 'syncFolder', path });
    if (isChanged === true) this.#collect();
  }

  /** Forgets the files that no name leads to, whatever survives, and that no process has open. */
  #collect(): void {
    const inUse = new Set([...this.state.reachable(), ...[...this.#open.values()].map(({ inode }) => inode)]);
    for (const inode of this.state.inodes.keys()) if (!inUse.has(inode)) this.state.inodes.delete(inode);
  }

  #descriptor(path: string, canWrite: boolean): number {
    this.#open.set(this.#nextFd, { inode: this.#exists(path), path, canWrite });
    return this.#nextFd++;
  }

  #do(operation: Operation): void {
    this.#alive();
    this.before(operation);
    this.#apply(operation);
  }

  #apply(operation: Operation): void {
    this.#alive();
    this.state.apply(operation);
    this.after(operation);
  }

  #exists(path: string): number {
    this.#alive();
    return this.#inode(path);
  }

  #inode(path: string): number {
    const inode = this.state.find(path);
    if (inode === undefined) throw systemError('ENOENT', 'open', path);
    return inode;
  }

  #resolve(file: string): string {
    return file.startsWith('/') ? file : `${this.#folder}/${file}`;
  }

  #makeFolders(folder: string): void {
    if (this.state.folder(folder) !== undefined) return;
    this.#makeFolders(folderOf(folder));
    this.state.apply({ kind: 'makeFolder', path: folder });
    this.state.apply({ kind: 'syncFolder', path: folderOf(folder) });
  }

  #alive(): void {
    if (this.#isDead) throw systemError('EIO');
  }

  #file(fd: number): Descriptor {
    this.#alive();
    const file = this.#open.get(fd);
    if (file === undefined) throw systemError('EBADF', 'read');
    return file;
  }
}

const nothing = Buffer.alloc(0);
