/**
 * Builds a project from existing members: each gets a new identifier, and references to it are changed to the new one. The project becomes
 * one record, which is encoded as it grows, so that the work can be done in slices.
 */
import { RecordTooLargeError } from '../../lib/errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import { memberBytes, weigh } from '../../model/memory-estimate.ts';
import type { CollectionName } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import { isFullChange, RecordBuilder } from '../../store/operations/record.ts';
import type { Author, Context } from '../command.ts';
import type { IdMap } from './id-remap.ts';

/** The result of building a project. The project is not visible until its record is committed. */
export type Building =
  | { readonly outcome: 'missing' | 'stale'; readonly version: number }
  | { readonly outcome: 'invalid'; readonly version: number; readonly fieldErrors: readonly FieldError[] }
  | { readonly outcome: 'built'; readonly projectId: string; readonly record: RecordBuilder };

/** Limits of a project that is built. */
export interface BuildingBounds {
  readonly recordBytesMax: number;
  /** Called with the bytes of memory of each part; throws if memory is full. */
  grows(bytes: number): void;
}

const noChange: Body = {};

export class ProjectBuilder {
  readonly accountId: string;
  readonly projectId: string;
  readonly #record: RecordBuilder;
  readonly #context: Context;
  readonly #bounds: BuildingBounds;
  readonly #newIds: IdMap;
  #path: CollectionPath | undefined;
  #values: Value[] = [];
  #weight = 0;

  /**
   * @param newIds the new identifiers of all members
   */
  constructor({ accountId, by }: Author, newIds: IdMap, context: Context, bounds: BuildingBounds) {
    this.accountId = accountId;
    this.#record = new RecordBuilder(by);
    this.projectId = context.newId();
    this.#newIds = newIds;
    this.#context = context;
    this.#bounds = bounds;
  }

  /** Adds the project's own members; call it before {@link put}. @param body replaces some of them */
  putProject(value: Value, body: Body): void {
    const { accountId, projectId } = this;
    this.#newIds.add('projects', value.id, projectId);
    const fixed = { id: projectId, user_id: accountId, created: new Date(this.#context.now).toISOString() };
    this.#record.add({
      op: 'put-project',
      accountId,
      created: true,
      value: projects.merge({ ...this.#newIds.inPlace(projects, value), ...fixed }, body),
    });
    this.#refuseTooLarge();
  }

  /** Adds a member at the end of its collection, with this identifier and with new identifiers in its references. */
  put(collection: CollectionName, parentId: string, id: string, value: Value): void {
    if (this.#path?.collection !== collection || this.#path.parentId !== parentId) {
      this.#encode();
      this.#path = { accountId: this.accountId, projectId: this.projectId, collection, parentId };
    }
    const resource = resourceOf[collection];
    const named = this.#newIds.inPlace(resource, value);
    // A merge gives the value the hidden class that all values of its resource share.
    const made = named === value && value.id === id ? value : resource.merge({ ...named, id }, noChange);
    this.#values.push(made);
    this.#weight += weigh(made);
    if (isFullChange(this.#values.length, this.#weight)) this.#encode();
  }

  /** Returns the record of the whole project. */
  finish(): RecordBuilder {
    this.#encode();
    return this.#record;
  }

  #encode(): void {
    if (this.#path === undefined || this.#values.length === 0) return;
    this.#bounds.grows(this.#weight + memberBytes * this.#values.length);
    this.#record.add({ op: 'put', path: this.#path, values: this.#values, created: true });
    this.#values = [];
    this.#weight = 0;
    this.#refuseTooLarge();
  }

  #refuseTooLarge(): void {
    const { recordBytesMax } = this.#bounds;
    if (this.#record.bytes > recordBytesMax) {
      throw new RecordTooLargeError(`a project of more than ${this.#record.bytes} bytes; a record holds ${recordBytesMax}`);
    }
  }
}
