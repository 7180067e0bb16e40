/**
 * A project in memory: what the server has, as far as this page knows, and on top of it what the user has changed and the server has not
 * acknowledged yet. Readers see both together.
 */

import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Side, type State, withMembers } from '../../../lib/change/diff.ts';
import { sameJson } from '../../../lib/change/same-json.ts';
import type { Project } from '../../client/client.ts';
import {
  type CollectionRef,
  collectionAt,
  collectionKey,
  type Kind,
  kindOf,
  type Members,
  ownCollections,
  type Resource,
  type ResourceRef,
  withDefaults,
} from '../kinds/resource-kinds.ts';
import { numberOf } from '../kinds/resource-version.ts';
import { OwnMoves } from './artboard-places.ts';
import { FeedOrders } from './feed-orders.ts';

interface Entry {
  readonly ref: ResourceRef;
  /** As the server has it. */
  value: Resource;
  /** `"history-number"`; `undefined` if this exact version is unknown. */
  version: string | undefined;
  /** Number of the newest record of which this is known to be the result, or a later one. The feed may bring earlier ones yet. */
  number: number;
}

/** Members of a resource that the server does not have. */
export interface Unsaved {
  /** On their way. */
  readonly waiting: Members;
  /** Refused, or in conflict with a change by another user. */
  readonly held: Members;
}

/** A change of what readers see. */
export type StoreChange =
  | { readonly is: 'put'; readonly ref: ResourceRef; readonly isNew: boolean }
  | { readonly is: 'removed'; readonly ref: ResourceRef }
  | { readonly is: 'ordered'; readonly collection: CollectionRef }
  /** Any number of changes. */
  | { readonly is: 'many' }
  | { readonly is: 'loaded' };

export class ProjectStore {
  readonly id: string;
  readonly #entries = new Map<string, Entry>();
  readonly #orders = new Map<string, string[]>();
  readonly #revisions = new Map<string, Signal<number>>();
  /** Members that the server does not have yet, or refuses. */
  readonly #unsaved = new Map<string, Unsaved>();
  readonly #listeners = new Set<(change: StoreChange) => void>();
  /** Tasks whose changes are announced together at their end. */
  #held = 0;
  #hasHeldChanges = false;
  /** What requests of this page have deleted, with the numbers of their records: the feed may bring earlier versions of it yet. */
  readonly #deleted = new Map<string, number>();
  /** Objects that move with their artboard. */
  readonly moves = new OwnMoves();
  /** Orders that this page has changed before the feed. */
  readonly feedOrders = new FeedOrders();
  /** The version of the project of which everything is here; the feed continues from it. */
  position = '';

  constructor(id: string) {
    this.id = id;
  }

  /** Takes a whole project. What is not saved yet stays. */
  load(project: Project, version: string): void {
    batch(() => {
      this.#entries.clear();
      this.#orders.clear();
      this.#deleted.clear();
      this.feedOrders.clear();
      const { artboards: _, popups: __, data_sources: ___, variables: ____, actions: _____, ...own } = project;
      const number = numberOf(version);
      this.#add({ kind: 'project', id: this.id }, own as unknown as Resource, number);
      for (const name of ownCollections)
        this.#addAll({ kind: kindOf[name] }, project[name] as unknown as readonly Resource[], number);
      this.position = version;
      for (const revision of this.#revisions.values()) revision.value++;
      this.#emit({ is: 'loaded' });
    });
  }

  #addAll(collection: CollectionRef, members: readonly Resource[], number: number): void {
    this.#orders.set(
      collectionKey(collection),
      members.map(({ id }) => id),
    );
    for (const member of members) {
      if (collection.kind === 'artboard') {
        const { objects, ...own } = member as Resource & { objects: readonly Resource[] };
        this.#add({ kind: 'artboard', id: member.id }, own as Resource, number);
        this.#addAll({ kind: 'object', artboardId: member.id }, objects, number);
      } else this.#add({ kind: collection.kind, id: member.id, artboardId: collection.artboardId }, member, number);
    }
  }

  #add(ref: ResourceRef, value: Resource, number: number): void {
    this.#entries.set(ref.id, { ref, value: withDefaults(ref.kind, value), version: undefined, number });
  }

  // Reading

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  refOf(id: string): ResourceRef | undefined {
    return this.#entries.get(id)?.ref;
  }

  /** As the server has it. */
  stored(id: string): Resource | undefined {
    return this.#entries.get(id)?.value;
  }

  versionOf(id: string): string | undefined {
    return this.#entries.get(id)?.version;
  }

  /** True if a resource is here as it was after a version. */
  isLater(id: string, version: string): boolean {
    return (this.#entries.get(id)?.number ?? 0) > numberOf(version);
  }

  /** With what is not saved yet. */
  shown(id: string): Resource | undefined {
    const entry = this.#entries.get(id);
    const unsaved = this.#unsaved.get(id);
    if (entry === undefined || unsaved === undefined) return entry?.value;
    return { ...entry.value, ...unsaved.held, ...unsaved.waiting };
  }

  /** The state that the server has. */
  readonly server: State = {
    get: (id) => this.#sideOf(id, {}),
    ids: (collection) => this.#orders.get(collection) ?? [],
  };

  /** The state that the server is to have when nothing waits any more. */
  readonly expected: State = {
    get: (id) => this.#sideOf(id, this.#unsaved.get(id)?.waiting ?? {}),
    ids: this.server.ids,
  };

  #sideOf(id: string, changed: Members): Side | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { id: _, ...members } = entry.value;
    return { in: collectionKey(entry.ref), members: withMembers(members, changed) };
  }

  /** Identifiers of a collection, in its order. */
  ids(collection: CollectionRef): readonly string[] {
    return this.#orders.get(collectionKey(collection)) ?? [];
  }

  /** The resources of a collection, in its order. */
  members(collection: CollectionRef): Resource[] {
    return this.ids(collection).map((id) => this.shown(id) as Resource);
  }

  /** Every resource, in no particular order. */
  *all(): Generator<Entry> {
    yield* this.#entries.values();
  }

  /** Changes whenever something in a collection changes; for the project, whenever its own members do. */
  revision(collection: CollectionRef | 'project'): ReadonlySignal<number> {
    return this.#revisionAt(collection === 'project' ? 'project' : collectionKey(collection));
  }

  #revisionAt(key: string): Signal<number> {
    let revision = this.#revisions.get(key);
    if (revision === undefined) {
      revision = signal(0);
      this.#revisions.set(key, revision);
    }
    return revision;
  }

  /** Calls `listener` after every change. Returns the function that ends this. */
  onChange(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The feed has brought everything up to a position. */
  reached(position: string): void {
    this.position = position;
    for (const [id, number] of this.#deleted) if (number <= numberOf(position)) this.#deleted.delete(id);
    this.moves.reached(position);
    for (const [key, ids] of this.feedOrders.reached(numberOf(position))) this.reorder(collectionAt(key), ids);
  }

  /** Announces the changes of a task as one change, when it has ended. */
  together<T>(task: () => T): T {
    const release = this.hold();
    try {
      return batch(task);
    } finally {
      release();
    }
  }

  /** Listeners hear of changes as one change when the returned function is called. */
  hold(): () => void {
    this.#held++;
    return () => {
      if (--this.#held > 0 || !this.#hasHeldChanges) return;
      this.#hasHeldChanges = false;
      this.#emit({ is: 'many' });
    };
  }

  // What the server has

  /** Takes a version of a resource, unless a later one is here. Whether anything that is shown has changed. */
  put(ref: ResourceRef, given: Members & { readonly id: string }, version: string | undefined): boolean {
    const entry = this.#entries.get(ref.id);
    const number = numberOf(version);
    if (version !== undefined && number < (entry?.number ?? 0)) return false;
    const value = withDefaults(ref.kind, ownMembers(ref.kind, given));
    if (entry === undefined) {
      const deleted = this.#deleted.get(ref.id) ?? this.#deleted.get(ref.artboardId ?? '') ?? -1;
      if (number <= deleted) return false;
      this.#entries.set(ref.id, { ref, value, version, number });
      if (ref.kind !== 'project') this.#orderOf(ref as CollectionRef).push(ref.id);
      if (ref.kind === 'artboard') {
        const { objects } = given as { readonly objects?: readonly Resource[] };
        this.#addAll({ kind: 'object', artboardId: ref.id }, objects ?? [], number);
      }
      this.#changed({ is: 'put', ref, isNew: true });
      return true;
    }
    const same = sameJson(entry.value, value);
    entry.value = value;
    entry.version = version ?? (same ? entry.version : undefined);
    entry.number = Math.max(number, entry.number);
    if (!same) this.#changed({ is: 'put', ref, isNew: false });
    return !same;
  }

  /**
   * Removes a resource and everything in it.
   *
   * @param version that a request of this page has made
   */
  remove(id: string, version?: string): void {
    if (version !== undefined && numberOf(version) > numberOf(this.position)) this.#deleted.set(id, numberOf(version));
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.ref.kind === 'project') return;
    const { ref } = entry;
    if (ref.kind === 'artboard') {
      const objects = { kind: 'object', artboardId: id } as const;
      for (const inside of this.ids(objects)) this.#entries.delete(inside);
      this.#orders.delete(collectionKey(objects));
    }
    this.#entries.delete(id);
    const order = this.#orderOf(ref as CollectionRef);
    // Undoing removes what was added last first.
    const at = order.lastIndexOf(id);
    if (at !== -1) order.splice(at, 1);
    this.#changed({ is: 'removed', ref });
  }

  /** Takes an object that was moved to another artboard, in its last place there. */
  move(ref: ResourceRef, value: Members & { readonly id: string }, version: string): void {
    if (this.isLater(ref.id, version)) return;
    if (this.refOf(ref.id)?.artboardId === ref.artboardId) {
      this.put(ref, value, version);
      return;
    }
    this.together(() => {
      this.remove(ref.id);
      this.put(ref, value, version);
    });
  }

  /** Takes the order of a collection. What is in another one now, or in none, has no place in it. */
  reorder(collection: CollectionRef, ids: readonly string[]): void {
    const order = this.#orderOf(collection);
    const present = new Set(order);
    const known = ids.filter((id) => present.has(id));
    if (known.length === order.length && known.every((id, at) => id === order[at])) return;
    const listed = new Set(known);
    const others = order.filter((id) => !listed.has(id));
    order.splice(0, order.length, ...known, ...others);
    this.#revisionAt(collectionKey(collection)).value++;
    this.#emit({ is: 'ordered', collection });
  }

  /** The version is not known any more: it is read before the next write. */
  forgetVersion(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.version = undefined;
  }

  #orderOf(collection: CollectionRef): string[] {
    const key = collectionKey(collection);
    let order = this.#orders.get(key);
    if (order === undefined) {
      order = [];
      this.#orders.set(key, order);
    }
    return order;
  }

  // What is not saved yet

  unsaved(id: string): Unsaved | undefined {
    return this.#unsaved.get(id);
  }

  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  /** @param unsaved `undefined`: the server has everything */
  setUnsaved(id: string, unsaved: Unsaved | undefined): void {
    const before = this.#unsaved.get(id);
    if (unsaved === undefined) this.#unsaved.delete(id);
    else this.#unsaved.set(id, unsaved);
    const ref = this.refOf(id);
    if (ref !== undefined && !sameJson(before, unsaved)) this.#changed({ is: 'put', ref, isNew: false });
  }

  #changed(change: Extract<StoreChange, { is: 'put' | 'removed' }>): void {
    const { ref } = change;
    this.#revisionAt(ref.kind === 'project' ? 'project' : collectionKey(ref as CollectionRef)).value++;
    this.#emit(change);
  }

  #emit(change: StoreChange): void {
    if (this.#held > 0) {
      this.#hasHeldChanges = true;
      return;
    }
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** A resource without the collections in it. */
function ownMembers(kind: Kind, given: Members & { readonly id: string }): Resource {
  if (kind === 'artboard') {
    const { objects: _, ...own } = given;
    return own as Resource;
  }
  if (kind !== 'project') return given;
  const own: Record<string, unknown> = { ...given };
  for (const name of ownCollections) delete own[name];
  return own as Resource;
}
