/** The API as types (latest). Generated from its description by `npm run client`: do not edit. */
import type * as contract from './contract.ts';
import type { DataSource, Popup, ProjectWithoutCollections, Variable, WithRequired } from './contract.ts';

/** Objects on a background: a colour, an image or a map. */
export type Artboard = Omit<contract.Artboard, 'objects'> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects: Object[];
};

/** A new artboard; what is left out takes its default. */
export type ArtboardCreate = Omit<contract.ArtboardCreate, 'objects'> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectCreate[];
};

/** What is to change of an artboard; what is left out stays as it is. */
export type ArtboardUpdate = Omit<contract.ArtboardUpdate, 'objects'> & {
  /** Spots and polygons on the artboard, all of them: those with an id stay, without one they are new, those left out are deleted */
  objects?: Array<WithRequired<ObjectUpdate, 'id'> | ObjectCreate>;
};

/** An artboard as it was exported; what is left out takes its default. */
export type ArtboardImport = Omit<contract.ArtboardImport, 'objects'> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectImport[];
};

/** A spot or a polygon on an artboard. */
export type Object = contract.Object & {
  /** React to the pointer. Default: `true` */
  interactive: boolean;
};

/** A new object; what is left out takes its default. */
export type ObjectCreate = contract.ObjectCreate & {
  /** React to the pointer. Default: `true` */
  interactive?: boolean;
};

/** What is to change of an object; what is left out stays as it is. */
export type ObjectUpdate = contract.ObjectUpdate & {
  /** React to the pointer */
  interactive?: boolean;
};

/** An object as it was exported; what is left out takes its default. */
export type ObjectImport = contract.ObjectImport & {
  /** React to the pointer. Default: `true` */
  interactive?: boolean;
};

/** Changes or creates something when its conditions hold. */
export type Action = Omit<contract.Action, 'type'> & {
  /** Effect of the action. Default: `"modify-object"` */
  type: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Targets of "modify-objects". Default: `[]` */
  object_ids: string[];
  /** Target of "modify-popup". Default: `""` */
  popup_id: string;
};

/** A new action; what is left out takes its default. */
export type ActionCreate = Omit<contract.ActionCreate, 'type'> & {
  /** Effect of the action. Default: `"modify-object"` */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Targets of "modify-objects". Default: `[]` */
  object_ids?: string[];
  /** Target of "modify-popup". Default: `""` */
  popup_id?: string;
};

/** What is to change of an action; what is left out stays as it is. */
export type ActionUpdate = Omit<contract.ActionUpdate, 'type'> & {
  /** Effect of the action */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Targets of "modify-objects" */
  object_ids?: string[];
  /** Target of "modify-popup" */
  popup_id?: string;
};

/** An action as it was exported; what is left out takes its default. */
export type ActionImport = Omit<contract.ActionImport, 'type'> & {
  /** Effect of the action. Default: `"modify-object"` */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Targets of "modify-objects". Default: `[]` */
  object_ids?: string[];
  /** Target of "modify-popup". Default: `""` */
  popup_id?: string;
};

/** A project of an account, with everything in it. */
export type Project = Omit<contract.Project, 'artboards' | 'actions'> & {
  /** Artboards with their objects. Default: `[]` */
  artboards: Artboard[];
  /** Actions. Default: `[]` */
  actions: Action[];
};

/** A new project; what is left out takes its default. */
export type ProjectCreate = Omit<contract.ProjectCreate, 'artboards' | 'actions'> & {
  /** Artboards with their objects. Default: `[]` */
  artboards?: ArtboardCreate[];
  /** Actions. Default: `[]` */
  actions?: ActionCreate[];
};

/** What is to change of a project; what is left out stays as it is. */
export type ProjectUpdate = Omit<contract.ProjectUpdate, 'artboards' | 'actions'> & {
  /** Artboards with their objects, all of them: those with an id stay, without one they are new, those left out are deleted */
  artboards?: Array<WithRequired<ArtboardUpdate, 'id'> | ArtboardCreate>;
  /** Actions, all of them: those with an id stay, without one they are new, those left out are deleted */
  actions?: Array<WithRequired<ActionUpdate, 'id'> | ActionCreate>;
};

/** A project as it was exported; what is left out takes its default. */
export type ProjectImport = Omit<contract.ProjectImport, 'artboards' | 'actions'> & {
  /** Artboards with their objects. Default: `[]` */
  artboards?: ArtboardImport[];
  /** Actions. Default: `[]` */
  actions?: ActionImport[];
};

/** What the operations came to. */
export type BatchResults = Omit<contract.BatchResults, 'results'> & {
  /** One for each operation */
  results: Array<{
    /** As of the operation by itself: 200, or 204 for a deletion */
    status: number;
    /** The resource as the operation left it, a project without its collections; null for a deletion */
    body: ProjectWithoutCollections | Artboard | Object | Popup | DataSource | Variable | Action | null;
  }>;
};

/** A project as a file. */
export type ProjectDocument = Omit<contract.ProjectDocument, 'project'> & {
  project: Project;
};

/** A project as a file. */
export type ProjectDocumentImport = Omit<contract.ProjectDocumentImport, 'project'> & {
  project: ProjectImport;
};

/** The parameters of listObjects. */
export type ListObjectsQuery = contract.ListObjectsQuery & {
  /** Only where "interactive" of the object is exactly this */
  interactive?: boolean;
};

/** The parameters of listActions. */
export type ListActionsQuery = Omit<contract.ListActionsQuery, 'type'> & {
  /** Only where "type" of the action is exactly this */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Only where "popup_id" of the action is exactly this */
  popup_id?: string;
};

export type Schemas = Omit<contract.Schemas, 'Artboard' | 'ArtboardCreate' | 'ArtboardUpdate' | 'ArtboardImport' | 'Object' | 'ObjectCreate' | 'ObjectUpdate' | 'ObjectImport' | 'Action' | 'ActionCreate' | 'ActionUpdate' | 'ActionImport' | 'Project' | 'ProjectCreate' | 'ProjectUpdate' | 'ProjectImport' | 'BatchResults' | 'ProjectDocument' | 'ProjectDocumentImport' | 'ListObjectsQuery' | 'ListActionsQuery'> & {
  Artboard: Artboard;
  ArtboardCreate: ArtboardCreate;
  ArtboardUpdate: ArtboardUpdate;
  ArtboardImport: ArtboardImport;
  Object: Object;
  ObjectCreate: ObjectCreate;
  ObjectUpdate: ObjectUpdate;
  ObjectImport: ObjectImport;
  Action: Action;
  ActionCreate: ActionCreate;
  ActionUpdate: ActionUpdate;
  ActionImport: ActionImport;
  Project: Project;
  ProjectCreate: ProjectCreate;
  ProjectUpdate: ProjectUpdate;
  ProjectImport: ProjectImport;
  BatchResults: BatchResults;
  ProjectDocument: ProjectDocument;
  ProjectDocumentImport: ProjectDocumentImport;
  ListObjectsQuery: ListObjectsQuery;
  ListActionsQuery: ListActionsQuery;
};

export type Operations<S extends Record<keyof Schemas, unknown> = Schemas> = contract.Operations<S>;

export type Paths<O extends Record<keyof Operations, unknown> = Operations> = contract.Paths<O>;
