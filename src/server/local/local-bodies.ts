/** Types of the arguments and results of calls without HTTP, derived from the resources' schemas. */
import type { Action } from '../../model/resources/action.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { DataSource } from '../../model/resources/data-source.ts';
import type { MapObject } from '../../model/resources/object.ts';
import type { Popup } from '../../model/resources/popup.ts';
import type { Project } from '../../model/resources/project.ts';
import type { Variable } from '../../model/resources/variable.ts';

/** Members that the server sets. */
type ReadOnly = 'id' | 'user_id' | 'created';

/** Members that are collections. */
type Held = 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions';

/** Members that are objects with additional members beyond the schema. */
type Open = `style_${string}` | 'data_path';

type Written<Shown> = Partial<Omit<Shown, Open>> & {
  readonly [Name in keyof Shown & Open]?: Shown[Name] & Readonly<Record<string, unknown>>;
};

/** The writable members of a resource, without collections. */
type Own<Shown> = Written<Omit<Shown, ReadOnly | Held>>;

/** An element of a collection that is sent as a whole: an existing member with its `id`, or a new one without. */
type Element<Create, Update> = Create | (Update & { readonly id: string });

export type PopupCreate = Own<Popup>;
export type PopupUpdate = Partial<Popup>;
export type DataSourceCreate = Own<DataSource>;
export type DataSourceUpdate = Partial<DataSource>;
export type VariableCreate = Own<Variable>;
export type VariableUpdate = Written<Variable>;
export type ActionCreate = Own<Action>;
export type ActionUpdate = Written<Action>;
/** An object requires `type`. */
export type ObjectCreate = Own<MapObject> & Pick<MapObject, 'type'>;
export type ObjectUpdate = Partial<MapObject>;

export type ArtboardCreate = Own<Artboard> & { readonly objects?: readonly ObjectCreate[] };
/** A given array replaces the collection: members that it omits are deleted. */
export type ArtboardUpdate = Own<Artboard> & {
  readonly id?: string;
  readonly objects?: readonly Element<ObjectCreate, ObjectUpdate>[];
};

export type ProjectCreate = Own<Project> & {
  readonly artboards?: readonly ArtboardCreate[];
  readonly popups?: readonly PopupCreate[];
  readonly data_sources?: readonly DataSourceCreate[];
  readonly variables?: readonly VariableCreate[];
  readonly actions?: readonly ActionCreate[];
};
/** A given array replaces the collection: members that it omits are deleted. */
export type ProjectUpdate = Own<Project> &
  Partial<Pick<Project, ReadOnly>> & {
    readonly artboards?: readonly Element<ArtboardCreate, ArtboardUpdate>[];
    readonly popups?: readonly Element<PopupCreate, PopupUpdate>[];
    readonly data_sources?: readonly Element<DataSourceCreate, DataSourceUpdate>[];
    readonly variables?: readonly Element<VariableCreate, VariableUpdate>[];
    readonly actions?: readonly Element<ActionCreate, ActionUpdate>[];
  };

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
