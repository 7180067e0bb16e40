/** What calls without HTTP take and give, as types: derived from the resources, so that a member that is declared is there. */
import type { Action } from '../../model/resources/action.ts';
import type { Artboard } from '../../model/resources/artboard.ts';
import type { DataSource } from '../../model/resources/data-source.ts';
import type { MapObject } from '../../model/resources/object.ts';
import type { Popup } from '../../model/resources/popup.ts';
import type { Project } from '../../model/resources/project.ts';
import type { Variable } from '../../model/resources/variable.ts';

/** Members that the server sets. */
type ReadOnly = 'id' | 'user_id' | 'created';

/** Members that hold collections. */
type Held = 'artboards' | 'objects' | 'popups' | 'data_sources' | 'variables' | 'actions';

/** Members that are objects with more in them than is declared. */
type Open = `style_${string}` | 'data_path';

type Written<Shown> = Partial<Omit<Shown, Open>> & {
  readonly [Name in keyof Shown & Open]?: Shown[Name] & Readonly<Record<string, unknown>>;
};

/** What may be written of a resource by itself. */
type Own<Shown> = Written<Omit<Shown, ReadOnly | Held>>;

/** An element of a collection that is sent whole: a present member with its `id`, or a new one without. */
type Element<Create, Update> = Create | (Update & { readonly id: string });

export type PopupCreate = Own<Popup>;
export type PopupUpdate = Partial<Popup>;
export type DataSourceCreate = Own<DataSource>;
export type DataSourceUpdate = Partial<DataSource>;
export type VariableCreate = Own<Variable>;
export type VariableUpdate = Written<Variable>;
export type ActionCreate = Own<Action>;
export type ActionUpdate = Written<Action>;
/** `type` is what an object cannot be without. */
export type ObjectCreate = Own<MapObject> & Pick<MapObject, 'type'>;
export type ObjectUpdate = Partial<MapObject>;

export type ArtboardCreate = Own<Artboard> & { readonly objects?: readonly ObjectCreate[] };
/** An array that is sent becomes the collection: what it leaves out is deleted. */
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
/** An array that is sent becomes the collection: what it leaves out is deleted. */
export type ProjectUpdate = Own<Project> &
  Partial<Pick<Project, ReadOnly>> & {
    readonly artboards?: readonly Element<ArtboardCreate, ArtboardUpdate>[];
    readonly popups?: readonly Element<PopupCreate, PopupUpdate>[];
    readonly data_sources?: readonly Element<DataSourceCreate, DataSourceUpdate>[];
    readonly variables?: readonly Element<VariableCreate, VariableUpdate>[];
    readonly actions?: readonly Element<ActionCreate, ActionUpdate>[];
  };

/** One operation of a batch; its path is below the project: `/popups`, `/artboards/<id>/objects/<id>`, `/`. */
export interface BatchOperation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** A name for the result: later paths and references may have it in braces. */
  readonly as?: string;
  /** As {@link WriteOptions.ifMatch}, of this operation. */
  readonly if_match?: string;
}

/** What became of an operation of a batch: the resource as it left it, a project without its collections, or `null` for a deletion. */
export type BatchResult =
  | { readonly status: 200; readonly body: { readonly id: string; readonly [member: string]: unknown } }
  | { readonly status: 204; readonly body: null };

/** A project as a file. */
export interface ProjectDocument {
  readonly format: string;
  readonly version: number;
  readonly project: Project;
}

/** A project as a file: as it was exported, or its JSON, whole or in pieces. */
export type DocumentSource = ProjectDocument | string | Uint8Array | AsyncIterable<Uint8Array>;

export interface WriteOptions {
  /** To be done only when what is changed is in this version: an entity tag, or what this server gave out in it. */
  readonly ifMatch?: string | object;
  /** To be refused when it would leave a reference dangling that was not before. */
  readonly strict?: boolean;
}

export interface CreateOptions extends WriteOptions {
  /** The same call with the same key is done once, for a day, and given the same again; best a UUID. */
  readonly idempotencyKey?: string;
}

/** Members that are one string, number or boolean each. */
type Scalar<Shown> = {
  [Name in keyof Shown & string]: Shown[Name] extends string | number | boolean ? Name : never;
}[keyof Shown & string];

export interface ListOptions<Shown, Field extends keyof Shown> {
  /** Only those whose members are exactly these. */
  readonly filter?: { readonly [Name in Scalar<Shown>]?: Shown[Name] };
  /** Members to sort by; `-` before one sorts it in descending order. Without it, in the order of the list. */
  readonly sort?: readonly (Scalar<Shown> | `-${Scalar<Shown>}`)[];
  /** Members to give; `id` always comes along. Without it, all of them. */
  readonly fields?: readonly Field[];
}
