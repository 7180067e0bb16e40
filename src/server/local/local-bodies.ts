/** Types of the arguments and results of calls without HTTP. Bodies are those of the API's description. */

import type { Project } from '../../model/resources/project.ts';
import type { Unchanged } from '../../web/client/api.ts';
import type { Schemas } from '../../web/client/generated/api-types.ts';

type Body<Name extends keyof Schemas> = Unchanged<Schemas[Name]>;

export type PopupCreate = Body<'PopupCreate'>;
export type PopupUpdate = Body<'PopupUpdate'>;
export type DataSourceCreate = Body<'DataSourceCreate'>;
export type DataSourceUpdate = Body<'DataSourceUpdate'>;
export type VariableCreate = Body<'VariableCreate'>;
export type VariableUpdate = Body<'VariableUpdate'>;
export type ActionCreate = Body<'ActionCreate'>;
export type ActionUpdate = Body<'ActionUpdate'>;
export type ObjectCreate = Body<'ObjectCreate'>;
export type ObjectUpdate = Body<'ObjectUpdate'>;
export type ArtboardCreate = Body<'ArtboardCreate'>;
/** A given array replaces the collection: members that it omits are deleted. */
export type ArtboardUpdate = Body<'ArtboardUpdate'>;
export type ProjectCreate = Body<'ProjectCreate'>;
/** A given array replaces the collection: members that it omits are deleted. */
export type ProjectUpdate = Body<'ProjectUpdate'>;

/** One operation of a batch; its path is relative to the project: `/popups`, `/artboards/<id>/objects/<id>`, `/`. */
export interface BatchOperation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** A name for the result. Later paths and references contain it in braces. */
  readonly as?: string;
  /** As {@link WriteOptions.ifMatch}, for this operation. */
  readonly if_match?: string;
}

/** The result of an operation of a batch: the resource after it, a project without its collections, or `null` for a deletion. */
export type BatchResult =
  | { readonly status: 200; readonly body: { readonly id: string; readonly [member: string]: unknown } }
  | { readonly status: 204; readonly body: null };

/** The public copy of a project. */
export type Publication = Body<'Publication'>;
/** A publication in the list of all publications. */
export type ListedPublication = Body<'ListedPublication'>;

/** An exported project. */
export interface LocalProjectDocument {
  readonly format: string;
  readonly version: number;
  readonly project: Project;
}

/** An exported project: the document, or its JSON, whole or in pieces. */
export type DocumentSource = LocalProjectDocument | string | Uint8Array | AsyncIterable<Uint8Array>;

export interface WriteOptions {
  /** Required version of the changed resource: an entity tag, or an object that this server returned. */
  readonly ifMatch?: string | object;
  /** Whether to reject the write if it would leave a new dangling reference. */
  readonly strict?: boolean;
}

export interface CreateOptions extends WriteOptions {
  /** Idempotency key, preferably a UUID: calls with the same key are executed once within a day, and get the same result. */
  readonly idempotencyKey?: string;
}

/** Members that are a single string, number or boolean. */
type Scalar<Shown> = {
  [Name in keyof Shown & string]: Shown[Name] extends string | number | boolean ? Name : never;
}[keyof Shown & string];

export interface ListOptions<Shown, Field extends keyof Shown> {
  /** Selects resources whose members equal these values. */
  readonly filter?: { readonly [Name in Scalar<Shown>]?: Shown[Name] };
  /** Members to sort by; a leading `-` sorts in descending order. Default: the order of the list. */
  readonly sort?: readonly (Scalar<Shown> | `-${Scalar<Shown>}`)[];
  /** Members to return; `id` is always included. Default: all of them. */
  readonly fields?: readonly Field[];
}
