/**
 * Everything that a power cut may leave of a disk.
 *
 * Each file with bytes on their way, and each folder with names on their way, is a *part* with a list of *remains*, the first being
 * what is durable and the second what a process sees. Parts are independent of each other: a state of the disk is one choice for each.
 *
 * A file's remains:
 * - every subset of its unsynced writes, in their order (up to {@link Depth.writesMax} of them; beyond that every prefix, every one
 *   missing, every one alone, and a seeded sample);
 * - each of these writes torn at every byte (within restarts at every few), what follows missing, with the writes before it present;
 *   the same with every other write present, and with none;
 * - of a write over several sectors, every subset of the sectors when there are few, else each missing, each alone, and each tail;
 * - the length it has now with bytes missing (zeros), wherever writes made it longer.
 *
 * A write over {@link Depth.tornBytesMax} is torn at every byte of its beginning and end, and around every sector boundary. What lies
 * between is payload, which a reader sees through one checksum only: a cut there is the same to it as one at the boundary after.
 *
 * A folder's remains: every subset of its unsynced changes, each on its own, since POSIX orders them only by syncs (a sample when
 * there are more than {@link Depth.changesMax}).
 */

import { type Contents, type Disk, type Entries, entered, type Folder, rootInode } from '../disk/disk.ts';
import { type File, type Write, written } from '../disk/file.ts';
import { Chance } from '../support/random.ts';
import type { Content, Library } from './library.ts';

export interface Depth {
  readonly writesMax: number;
  readonly changesMax: number;
  readonly tornBytesMax: number;
  /** Bytes from one cut to the next; 1 for every byte. */
  readonly tornStepBytes: number;
  /** States of one moment that are all taken; beyond it each part's remains with the others durable and cached, and a sample. */
  readonly statesMax: number;
}

const sectorBytes = 512;
const sectorSubsetsMax = 5;

/** What may be left of one file or one folder. */
interface Part<T> {
  readonly inode: number;
  readonly remains: readonly { readonly left: T; readonly what: () => string }[];
  /** The one of them that a process sees. */
  readonly cached: number;
}

/** A state of the disk after a power cut. */
export interface Remains {
  /** The same exactly for the same names with the same bytes. */
  readonly key: string;
  readonly contents: () => Contents;
  /** Whether everything unsynced survived, as it does when only the process dies. */
  readonly cached: boolean;
  /** What became of what was unsynced, for people. */
  readonly what: () => string;
}

/** Remembers the remains of files, which change more seldom than the disk. */
export class Enumerator {
  readonly #depth: Depth;
  readonly #library: Library;
  readonly #files = new WeakMap<File, Pick<Part<Content>, 'remains' | 'cached'>>();
  /** States that a sample stands for, because there were too many: how many moments had to be sampled. */
  sampled = 0;

  constructor(depth: Depth, library: Library) {
    this.#depth = depth;
    this.#library = library;
  }

  /** The states that a power cut at this moment may leave; the same ones in the same order every time. Some may be equal. */
  *remains(disk: Disk): Generator<Remains> {
    const files: Part<Content>[] = [];
    const folders: Part<Entries>[] = [];
    const seen = new Set<number>();
    for (const inode of disk.reachable()) {
      const node = disk.inodes.get(inode) as File | Folder;
      if (seen.has(inode)) continue;
      seen.add(inode);
      if (node.kind === 'file') files.push({ inode, ...this.#fileRemains(node) });
      else if (node.unsynced.length > 0) folders.push({ inode, remains: this.#folderRemains(node), cached: 1 });
    }
    const parts = [...folders, ...files.filter(({ remains }) => remains.length > 1)];
    const total = parts.reduce((product, { remains }) => product * remains.length, 1);
    const layouts = new Map<string, Layout>();
    for (const choice of total <= this.#depth.statesMax ? odometer(parts) : this.#sample(parts)) {
      const names = choice.slice(0, folders.length);
      let layout = layouts.get(names.join());
      if (layout === undefined) {
        layout = layoutOf(
          disk,
          new Map(folders.map(({ inode, remains }, i) => [inode, remains[names[i] as number]?.left as Entries])),
        );
        layouts.set(names.join(), layout);
      }
      const chosen = new Map(parts.map(({ inode }, i) => [inode, choice[i] as number]));
      yield this.#state(layout, files, chosen, parts, choice);
    }
  }

  #state(
    layout: Layout,
    files: Part<Content>[],
    chosen: Map<number, number>,
    parts: readonly Part<unknown>[],
    choice: number[],
  ): Remains {
    const content = new Map(files.map(({ inode, remains }) => [inode, remains[chosen.get(inode) ?? 0]?.left as Content]));
    let { key } = layout;
    for (const { inode } of layout.files) key += `${content.get(inode)?.number},`;
    return {
      key,
      cached: choice.every((at, part) => at === parts[part]?.cached),
      contents: () => {
        const folders = new Map<string, Map<string, Buffer>>(layout.folders.map((path) => [path, new Map()]));
        for (const { folder, name, inode } of layout.files) folders.get(folder)?.set(name, (content.get(inode) as Content).bytes);
        return folders;
      },
      what: () =>
        parts
          .map(
            ({ inode, remains }, i) => `${layout.names.get(inode) ?? `inode ${inode}`}: ${remains[choice[i] as number]?.what()}`,
          )
          .join('; ') || 'nothing was unsynced',
    };
  }

  /** Each part's remains, the other parts being durable, or as a process sees them; then what chance says, the same every time. */
  *#sample(parts: readonly Part<unknown>[]): Generator<number[]> {
    this.sampled++;
    for (const others of [parts.map(() => 0), parts.map(({ cached }) => cached)]) {
      for (const [part, { remains }] of parts.entries()) {
        for (let at = 0; at < remains.length; at++) yield others.map((other, i) => (i === part ? at : other));
      }
    }
    const chance = new Chance(parts.length);
    for (let i = 0; i < this.#depth.statesMax; i++) yield parts.map(({ remains }) => chance.below(remains.length));
  }

  #fileRemains(file: File): Pick<Part<Content>, 'remains' | 'cached'> {
    let known = this.#files.get(file);
    if (known === undefined) {
      const kept = new Map<number, Part<Content>['remains'][number]>();
      for (const { bytes, what } of fileRemains(file, this.#depth)) {
        const left = this.#library.content(bytes);
        if (!kept.has(left.number)) kept.set(left.number, { left, what });
      }
      const cached = this.#library.content(file.cached).number;
      known = { remains: [...kept.values()], cached: [...kept.keys()].indexOf(cached) };
      this.#files.set(file, known);
    }
    return known;
  }

  #folderRemains(folder: Folder): Part<Entries>['remains'] {
    const { unsynced, durable } = folder;
    return subsets(unsynced.length, this.#depth.changesMax).map((present) => ({
      left: entered(
        durable,
        unsynced.filter((_, i) => present[i]),
      ),
      what: () => unsynced.map((change, i) => `${change.kind} ${change.name} ${present[i] ? 'present' : 'missing'}`).join(', '),
    }));
  }
}

/** Where names lead, once it is settled which entries there are. */
interface Layout {
  readonly key: string;
  readonly folders: readonly string[];
  readonly files: readonly { readonly folder: string; readonly name: string; readonly inode: number }[];
  readonly names: ReadonlyMap<number, string>;
}

function layoutOf(disk: Disk, entries: ReadonlyMap<number, Entries>): Layout {
  const folders: string[] = [];
  const files: Layout['files'][number][] = [];
  const names = new Map<number, string>();
  const visit = (inode: number, path: string) => {
    folders.push(path);
    names.set(inode, path);
    const own = entries.get(inode) ?? (disk.inodes.get(inode) as Folder).durable;
    for (const name of [...own.keys()].sort()) {
      const child = own.get(name) as number;
      names.set(child, `${path}/${name}`);
      if (disk.inodes.get(child)?.kind === 'folder') visit(child, `${path}/${name}`);
      else files.push({ folder: path, name, inode: child });
    }
  };
  visit(rootInode, disk.root);
  return { folders, files, names, key: `${folders.join()}|${files.map(({ folder, name }) => `${folder}/${name}`).join()}|` };
}

function* odometer(parts: readonly Part<unknown>[]): Generator<number[]> {
  const choice = parts.map(() => 0);
  for (;;) {
    yield [...choice];
    let at = 0;
    for (; at < parts.length; at++) {
      choice[at] = (choice[at] as number) + 1;
      if ((choice[at] as number) < (parts[at] as Part<unknown>).remains.length) break;
      choice[at] = 0;
    }
    if (at === parts.length) return;
  }
}

/** Which of `count` things survive: none and all first, then every subset, or a sample of them. */
function subsets(count: number, whole: number): boolean[][] {
  const from = (bits: number) => Array.from({ length: count }, (_, i) => Math.floor(bits / 2 ** i) % 2 === 1);
  const all = 2 ** count - 1;
  if (count <= whole) return [...new Set([0, all, ...Array.from({ length: all + 1 }, (_, bits) => bits)])].map(from);
  const chance = new Chance(count);
  const numbers = [0, all];
  for (let i = 0; i < count; i++) numbers.push(2 ** i, all - 2 ** i, 2 ** i - 1);
  for (let i = 0; i < 2 ** whole; i++) numbers.push(chance.below(all + 1));
  return [...new Set(numbers)].map(from);
}

function* fileRemains(file: File, depth: Depth): Generator<{ bytes: Buffer; what: () => string }> {
  const writes = [...file.lost, ...file.unsynced];
  const { durable } = file;
  yield { bytes: durable, what: () => (writes.length === 0 ? 'as synced' : 'nothing unsynced present') };
  if (writes.length === 0) return;
  yield { bytes: written(durable, writes), what: () => `${writes.length} writes present` };
  const size = written(durable, writes).byteLength;
  const grown = (bytes: Buffer) =>
    bytes.byteLength < size ? written(bytes, [{ position: size - 1, bytes: Buffer.alloc(1) }]) : undefined;
  for (const present of subsets(writes.length, depth.writesMax)) {
    const bytes = written(
      durable,
      writes.filter((_, i) => present[i]),
    );
    const what = () =>
      `of ${writes.length} writes present: ${present.flatMap((is, i) => (is ? [i + 1] : [])).join(', ') || 'none'}`;
    yield { bytes, what };
    const long = grown(bytes);
    if (long !== undefined) yield { bytes: long, what: () => `${what()}, with its new length` };
  }
  for (const [at, write] of writes.entries()) {
    const others = { earlier: writes.slice(0, at), all: writes.filter((_, i) => i !== at), none: [] };
    for (const [which, present] of Object.entries(others)) {
      if (which !== 'earlier' && writes.length === 1) continue;
      const base = written(durable, present);
      for (const { part, what } of torn(write, base, depth)) {
        const bytes = written(base, part);
        yield {
          bytes,
          what: () =>
            `write ${at + 1} of ${writes.length} (${write.bytes.byteLength} bytes at ${write.position}) ${what}, ${which} others present`,
        };
        const long = which === 'earlier' ? grown(bytes) : undefined;
        if (long !== undefined) yield { bytes: long, what: () => `write ${at + 1} ${what}, with the new length` };
      }
    }
  }
}

/** Parts of a write over what was there, where they differ. */
function* torn(write: Write, base: Buffer, depth: Depth): Generator<{ part: Write[]; what: string }> {
  const { position, bytes } = write;
  const { byteLength } = bytes;
  for (let cut = 1; cut < byteLength; cut += depth.tornStepBytes) {
    // The same as one cut earlier.
    let from = Math.max(0, cut - depth.tornStepBytes);
    while (from < cut && base[position + from] === bytes[from]) from++;
    if (from === cut) continue;
    const nearBoundary = (cut + 1) % sectorBytes <= 2;
    if (byteLength > depth.tornBytesMax && cut > 256 && cut < byteLength - 64 && !nearBoundary) continue;
    yield { part: [{ position, bytes: bytes.subarray(0, cut) }], what: `torn at byte ${cut}` };
  }
  const sectors = Math.ceil(byteLength / sectorBytes);
  if (sectors < 2) return;
  const sector = (i: number): Write => ({
    position: position + i * sectorBytes,
    bytes: bytes.subarray(i * sectorBytes, (i + 1) * sectorBytes),
  });
  const masks = sectors <= sectorSubsetsMax ? subsets(sectors, sectorSubsetsMax) : someSectors(sectors);
  for (const mask of masks) {
    const present = mask.flatMap((is, i) => (is ? [i] : []));
    yield { part: present.map(sector), what: `with sectors ${present.join(' ') || 'none'} only` };
  }
}

/** Each missing, each alone, and each tail. */
function someSectors(count: number): boolean[][] {
  const masks: boolean[][] = [];
  for (let at = 0; at < count; at++) {
    for (const holds of [(i: number) => i !== at, (i: number) => i === at, (i: number) => i >= at]) {
      masks.push(Array.from({ length: count }, (_, i) => holds(i)));
    }
  }
  return masks;
}
