/** A project in memory: its own members and its collections, each decoded on first access. */

import type { CollectionName } from '../model/resource.ts';
import { collectionNames, projects, resourceOf } from '../model/resources.ts';
import { RecordFormatError, unpack } from '../model/stored.ts';
import type { Value } from '../model/value.ts';
import { Collection } from './collection.ts';
import type { LeafKind } from './leaf.ts';
import type { Publication } from './stored-publication.ts';

/** A project's own members, as a snapshot stores them. */
interface PackedProject {
  /** Its row as msgpack. */
  readonly bytes: Uint8Array;
  /** The error for an invalid row; it names the file and the position. */
  damage(found: string): Error;
}

export class StoredProject {
  readonly id: string;
  readonly accountId: string;
  /** LSN of the newest record that changed anything in the project. */
  version: number;
  /** LSN of the newest record that changed the project's own members. */
  headVersion: number;
  /** LSN of the newest record that changed an object: what a list of artboards, which shows their objects, depends on. */
  objectsVersion: number;
  /** LSN of the record that created it; 0 when that was before the newest snapshot. */
  createdVersion = 0;
  /** Its public copy, which is not part of the project; `undefined` if it is not public. */
  publication: Publication | undefined;
  /** The visits of the publication, see visits.ts; `undefined` without any. They change no version. */
  visits: Uint8Array | undefined;
  #value: Value | undefined;
  #packed: PackedProject | undefined;
  /** All collections except objects. */
  readonly #own: Partial<Record<CollectionName, Collection>> = {};
  /** The collections of objects, by artboard. */
  readonly #objects = new Map<string, Collection>();
  readonly #leafKind: LeafKind;
  /** Collections shared with the project that this one was forked from: copied before a change. */
  #borrowed: ReadonlySet<Collection> | undefined;

  /**
   * @param leafKind of its collections
   * @param content its own members, decoded or as a snapshot stores them
   */
  constructor(
    id: string,
    accountId: string,
    leafKind: LeafKind,
    content: Value | PackedProject,
    versions = { version: 0, headVersion: 0, objectsVersion: 0 },
  ) {
    this.id = id;
    this.#leafKind = leafKind;
    this.accountId = accountId;
    if (isPacked(content)) this.#packed = content;
    else this.#value = content;
    this.version = versions.version;
    this.headVersion = versions.headVersion;
    this.objectsVersion = versions.objectsVersion;
  }

  get value(): Value {
    if (this.#value === undefined) {
      this.#value = unpackProject(this.id, this.#packed as PackedProject);
      this.#packed = undefined;
    }
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    this.#packed = undefined;
  }

  /** The encoded row of its own members; `undefined` once decoded. */
  get packed(): Uint8Array | undefined {
    return this.#packed?.bytes;
  }

  /** A collection that has, or had, members. `parentId` is the artboard of `objects`, '' for all others. */
  collection(name: CollectionName, parentId: string): Collection | undefined {
    return name === 'objects' ? this.#objects.get(parentId) : this.#own[name];
  }

  /** As {@link collection}; creates the collection if it is missing. */
  ensureCollection(name: CollectionName, parentId: string): Collection {
    const present = this.collection(name, parentId);
    const borrowed = present !== undefined && this.#borrowed?.has(present) === true;
    if (present !== undefined && !borrowed) return present;
    const made = present?.fork() ?? new Collection(resourceOf[name], this.#leafKind);
    this.setCollection(name, parentId, made);
    return made;
  }

  setCollection(name: CollectionName, parentId: string, collection: Collection): void {
    if (name === 'objects') this.#objects.set(parentId, collection);
    else this.#own[name] = collection;
  }

  dropCollection(name: CollectionName, parentId: string): void {
    if (name === 'objects') this.#objects.delete(parentId);
    else delete this.#own[name];
  }

  /** A copy that changes independently of this project; a collection is copied on its first change. */
  fork(): StoredProject {
    const fork = new StoredProject(this.id, this.accountId, this.#leafKind, this.value, this);
    fork.createdVersion = this.createdVersion;
    fork.publication = this.publication;
    fork.visits = this.visits;
    const borrowed = new Set<Collection>();
    for (const { name, parentId, collection } of this.collections()) {
      fork.setCollection(name, parentId, collection);
      borrowed.add(collection);
    }
    fork.#borrowed = borrowed;
    return fork;
  }

  /** Sets the version of the project and of everything in it; only before the project is visible to requests. */
  setVersion(version: number): void {
    this.version = version;
    this.headVersion = version;
    this.createdVersion = version;
    if (this.#objects.size > 0) this.objectsVersion = version;
    for (const { collection } of this.collections()) collection.setVersion(version);
  }

  /** All its collections, in a stable order. */
  *collections(): Iterable<{ name: CollectionName; parentId: string; collection: Collection }> {
    for (const name of collectionNames) {
      const collection = this.#own[name];
      if (collection !== undefined) yield { name, parentId: '', collection };
    }
    for (const [parentId, collection] of this.#objects) yield { name: 'objects', parentId, collection };
  }
}

function isPacked(content: Value | PackedProject): content is PackedProject {
  return content['bytes'] instanceof Uint8Array;
}

function unpackProject(id: string, packed: PackedProject): Value {
  try {
    const value = projects.fromRow(unpack(packed.bytes));
    if (value.id !== id) throw new RecordFormatError(`the index says project ${id}, the row is of project ${value.id}`);
    return value;
  } catch (error) {
    throw error instanceof RecordFormatError ? packed.damage(error.message) : error;
  }
}
