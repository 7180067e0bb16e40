/**
 * The snapshot that a fold goes on from. Its accounts, keys and answers are read; of its projects only those groups that records touch, and of
 * these only the leaves: what a fold costs follows from what was touched, not from what is stored.
 */
import { firstIndex } from '../lib/first-index.ts';
import type { Project } from '../store/project.ts';
import { Projects } from '../store/projects.ts';
import type { State } from '../store/state.ts';
import type { ChunkRef } from './format.ts';
import { compareKeys, type GroupEntry, keyOf, type LeafEntry, type ProjectEntry, type ProjectKey } from './index-format.ts';
import type { SnapshotReader } from './reader.ts';

/** A chunk of accounts, of keys or of answers, as it is in the file. */
export interface ListChunk {
  readonly ref: ChunkRef;
  readonly payload: Buffer;
}

export class Base {
  readonly reader: SnapshotReader;
  /** As of the snapshot. The projects of an account in it are {@link TouchedProjects}. */
  readonly state: State;
  readonly groups: readonly GroupEntry[];
  readonly accounts: readonly ListChunk[];
  readonly keys: readonly ListChunk[];
  readonly answers: readonly ListChunk[];
  /** Accounts that it holds. */
  readonly accountIds: readonly string[];
  readonly #loaded = new Map<number, ProjectEntry[]>();
  /** Where the chunk of a leaf is that nobody changed. */
  readonly #leaves = new WeakMap<object, LeafEntry>();

  /** @param reader of version 2 of the format; stays open as long as the base is used */
  constructor(reader: SnapshotReader) {
    this.reader = reader;
    this.groups = reader.root.groups ?? [];
    const read = (ref: ChunkRef) => ({ ref, payload: reader.payload(ref) });
    this.accounts = reader.root.accounts.map(read);
    this.keys = reader.root.keys.map(read);
    this.answers = reader.root.answers.map(read);
    this.state = reader.stateWithoutProjects();
    this.accountIds = [...this.state.accounts.keys()].sort();
    for (const account of this.state.accounts.values())
      this.state.accounts.set(account.id, { ...account, projects: new TouchedProjects(this, account.id) });
  }

  /** The projects of a group. They are not kept: those of a touched group are asked for twice, those of a compacted one once. */
  entries(group: number): ProjectEntry[] {
    return this.#loaded.get(group) ?? this.reader.groupEntries(this.groups[group] as GroupEntry, this.groups[group - 1]);
  }

  /** Lets go of a group that was written. */
  release(group: number): void {
    this.#loaded.delete(group);
  }

  /** Which group a project is in, or would be; their number when it stands behind all of them. */
  groupOf(key: ProjectKey): number {
    return firstIndex(this.groups.length, (i) => compareKeys((this.groups[i] as GroupEntry).last, key) >= 0);
  }

  entryOf(key: ProjectKey): ProjectEntry | undefined {
    const group = this.groupOf(key);
    if (group === this.groups.length) return undefined;
    const entries = this.entries(group);
    this.#loaded.set(group, entries);
    return entries.find((entry) => compareKeys(keyOf(entry), key) === 0);
  }

  /** A project, each of its leaves to be read when a record touches it. */
  project(entry: ProjectEntry): Project {
    return this.reader.project(entry, undefined, undefined, (packed, leaf) => this.#leaves.set(packed, leaf));
  }

  /** Where the leaf is that is packed so; `undefined` for one that is not in the snapshot. */
  leafOf(packed: object): LeafEntry | undefined {
    return this.#leaves.get(packed);
  }
}

/** The projects of an account as far as records touch them: looked up one by one in the base, and nothing else is gone through. */
export class TouchedProjects extends Projects {
  readonly dropped = new Set<string>();
  readonly #base: Base;
  readonly #accountId: string;

  constructor(base: Base, accountId: string) {
    super();
    this.#base = base;
    this.#accountId = accountId;
  }

  override get(id: string): Project | undefined {
    const present = super.get(id);
    const entry = present === undefined ? this.#entry(id) : undefined;
    if (entry === undefined) return present;
    const project = this.#base.project(entry);
    // Not as a new one: that would ask for it again.
    Map.prototype.set.call(this, id, project);
    return project;
  }

  override has(id: string): boolean {
    return super.has(id) || this.#entry(id) !== undefined;
  }

  override delete(id: string): boolean {
    const there = this.has(id);
    super.delete(id);
    this.dropped.add(id);
    return there;
  }

  /** Of a project in the base that was not deleted. */
  #entry(id: string): ProjectEntry | undefined {
    return this.dropped.has(id) ? undefined : this.#base.entryOf({ accountId: this.#accountId, projectId: id });
  }
}
