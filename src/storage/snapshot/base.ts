/**
 * The snapshot that a new one is based on. Its accounts, keys and stored responses are read completely; of its projects only the groups
 * that records touch, and of these only the touched leaves. So the cost depends on the changes, not on the stored data.
 */
import { firstIndex } from '../../lib/first-index.ts';
import { Projects } from '../../store/projects.ts';
import { runLeaves } from '../../store/run-leaf.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import {
  compareKeys,
  type GroupEntry,
  keyOf,
  type LeafEntry,
  type ProjectEntry,
  type ProjectKey,
} from './format/index-format.ts';
import type { ChunkRef } from './format/snapshot-format.ts';
import type { SnapshotReader } from './reader.ts';

/** A chunk of accounts, keys or stored responses, as in the file. */
export interface ListChunk {
  readonly ref: ChunkRef;
  readonly payload: Buffer;
}

export class BaseSnapshot {
  readonly reader: SnapshotReader;
  /** The state of the snapshot. Each account has {@link TouchedProjects}. */
  readonly state: State;
  readonly groups: readonly GroupEntry[];
  readonly accounts: readonly ListChunk[];
  readonly keys: readonly ListChunk[];
  readonly storedResponses: readonly ListChunk[];
  /** Ids of its accounts, ascending. */
  readonly accountIds: readonly string[];
  readonly #loaded = new Map<number, ProjectEntry[]>();
  /** The chunk of each unchanged leaf. */
  readonly #leaves = new WeakMap<object, LeafEntry>();

  /** @param reader must stay open while the base is used */
  constructor(reader: SnapshotReader) {
    this.reader = reader;
    this.groups = reader.root.groups;
    const read = (ref: ChunkRef) => ({ ref, payload: reader.payload(ref) });
    this.accounts = reader.root.accounts.map(read);
    this.keys = reader.root.keys.map(read);
    this.storedResponses = reader.root.storedResponses.map(read);
    this.state = reader.stateWithoutProjects(runLeaves);
    this.accountIds = [...this.state.accounts.keys()].sort();
    for (const account of this.state.accounts.values())
      this.state.accounts.set(account.id, { ...account, projects: new TouchedProjects(this, account.id) });
  }

  /** The projects of a group. Not cached: a touched group is requested twice, a compacted one once. */
  entries(group: number): ProjectEntry[] {
    return this.#loaded.get(group) ?? this.reader.groupEntries(this.groups[group] as GroupEntry, this.groups[group - 1]);
  }

  /** Releases a group after it was written. */
  release(group: number): void {
    this.#loaded.delete(group);
  }

  /** The index of the group that contains a project, or would contain it; the number of groups if it comes after all of them. */
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

  /** A project whose leaves are read when a record touches them. */
  project(entry: ProjectEntry): StoredProject {
    const onLeaf = (packed: object, leaf: LeafEntry): void => void this.#leaves.set(packed, leaf);
    return this.reader.project(entry, runLeaves, undefined, onLeaf);
  }

  /** The chunk of a packed leaf; `undefined` if the leaf is not in the snapshot. */
  leafOf(packed: object): LeafEntry | undefined {
    return this.#leaves.get(packed);
  }
}

/** The projects of an account that records touch. Each is looked up in the base on access; there is no iteration over the others. */
export class TouchedProjects extends Projects {
  readonly dropped = new Set<string>();
  readonly #base: BaseSnapshot;
  readonly #accountId: string;

  constructor(base: BaseSnapshot, accountId: string) {
    super();
    this.#base = base;
    this.#accountId = accountId;
  }

  override get(id: string): StoredProject | undefined {
    const present = super.get(id);
    const entry = present === undefined ? this.#entry(id) : undefined;
    if (entry === undefined) return present;
    const project = this.#base.project(entry);
    // Map's own `set`: the override would look the project up again.
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

  /** The entry of a project in the base, unless it was deleted. */
  #entry(id: string): ProjectEntry | undefined {
    return this.dropped.has(id) ? undefined : this.#base.entryOf({ accountId: this.#accountId, projectId: id });
  }
}
