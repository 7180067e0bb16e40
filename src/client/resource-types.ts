/** Types of resources and request bodies by name. They are those of the contract; `Action<'latest'>` is that of the latest API version. */
import type { Apis, ClientApiVersion } from './api.ts';

type Schema<C extends ClientApiVersion, Name extends keyof Apis[C]['schemas']> = Apis[C]['schemas'][Name];

export type Project<C extends ClientApiVersion = 'contract'> = Schema<C, 'Project'>;
export type ProjectCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ProjectCreate'>;
export type ProjectUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ProjectUpdate'>;

/** A project without its collections: the result of `PATCH /` in a batch. */
export type ProjectWithoutCollections<C extends ClientApiVersion = 'contract'> = Schema<C, 'ProjectWithoutCollections'>;

export type Artboard<C extends ClientApiVersion = 'contract'> = Schema<C, 'Artboard'>;
export type ArtboardCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ArtboardCreate'>;
export type ArtboardUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ArtboardUpdate'>;

/** A spot or a polygon: an `Object` of the API, renamed because JavaScript has its own `Object`. */
export type MapObject<C extends ClientApiVersion = 'contract'> = Schema<C, 'Object'>;
export type MapObjectCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ObjectCreate'>;
export type MapObjectUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ObjectUpdate'>;

export type Popup<C extends ClientApiVersion = 'contract'> = Schema<C, 'Popup'>;
export type PopupCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'PopupCreate'>;
export type PopupUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'PopupUpdate'>;

export type DataSource<C extends ClientApiVersion = 'contract'> = Schema<C, 'DataSource'>;
export type DataSourceCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'DataSourceCreate'>;
export type DataSourceUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'DataSourceUpdate'>;

export type Variable<C extends ClientApiVersion = 'contract'> = Schema<C, 'Variable'>;
export type VariableCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'VariableCreate'>;
export type VariableUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'VariableUpdate'>;

export type Action<C extends ClientApiVersion = 'contract'> = Schema<C, 'Action'>;
export type ActionCreate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ActionCreate'>;
export type ActionUpdate<C extends ClientApiVersion = 'contract'> = Schema<C, 'ActionUpdate'>;

/** The public copy of a project. */
export type Publication<C extends ClientApiVersion = 'contract'> = Schema<C, 'Publication'>;
/** A publication in the list of all publications. */
export type ListedPublication<C extends ClientApiVersion = 'contract'> = Schema<C, 'ListedPublication'>;

/** A project as a file: the response of an export, and the body of an import. */
export type ProjectDocument<C extends ClientApiVersion = 'contract'> = Schema<C, 'ProjectDocument'>;
/** One of the operations of a batch. */
export type Operation<C extends ClientApiVersion = 'contract'> = Schema<C, 'Operation'>;
/** A reference whose target does not exist. */
export type DanglingReference<C extends ClientApiVersion = 'contract'> = Schema<C, 'DanglingReference'>;
/** The body of an error response (RFC 9457). */
export type Problem = Schema<'contract', 'Problem'>;
