/** The API as types (latest). Generated from its description by `npm run client`: do not edit. */
import type * as contract from './contract.ts';
import type { DataSource, Popup, ProjectWithoutCollections, Variable, WithRequired } from './contract.ts';

/** Objects on a background: a colour, an image or a map. */
export type Artboard = Omit<contract.Artboard, 'objects'> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects: Object[];
};

/** A new artboard. Omitted members take their defaults. */
export type ArtboardCreate = Omit<contract.ArtboardCreate, 'objects'> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectCreate[];
};

/** Changes of an artboard. Omitted members are unchanged. */
export type ArtboardUpdate = Omit<contract.ArtboardUpdate, 'objects'> & {
  /** Spots and polygons on the artboard: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  objects?: Array<WithRequired<ObjectUpdate, 'id'> | ObjectCreate>;
};

/** An artboard from an export. Omitted members take their defaults. */
export type ArtboardImport = Omit<contract.ArtboardImport, 'objects'> & {
  /** Spots and polygons on the artboard. Default: `[]` */
  objects?: ObjectImport[];
};

/** A spot or a polygon on an artboard. */
export type Object = contract.Object & {
  /** React to the pointer. Default: `true` */
  interactive: boolean;
};

/** A new object. Omitted members take their defaults. */
export type ObjectCreate = contract.ObjectCreate & {
  /** React to the pointer. Default: `true` */
  interactive?: boolean;
};

/** Changes of an object. Omitted members are unchanged. */
export type ObjectUpdate = contract.ObjectUpdate & {
  /** React to the pointer */
  interactive?: boolean;
};

/** An object from an export. Omitted members take their defaults. */
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

/** A new action. Omitted members take their defaults. */
export type ActionCreate = Omit<contract.ActionCreate, 'type'> & {
  /** Effect of the action. Default: `"modify-object"` */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Targets of "modify-objects". Default: `[]` */
  object_ids?: string[];
  /** Target of "modify-popup". Default: `""` */
  popup_id?: string;
};

/** Changes of an action. Omitted members are unchanged. */
export type ActionUpdate = Omit<contract.ActionUpdate, 'type'> & {
  /** Effect of the action */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Targets of "modify-objects" */
  object_ids?: string[];
  /** Target of "modify-popup" */
  popup_id?: string;
};

/** An action from an export. Omitted members take their defaults. */
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

/** A new project. Omitted members take their defaults. */
export type ProjectCreate = Omit<contract.ProjectCreate, 'artboards' | 'actions'> & {
  /** Artboards with their objects. Default: `[]` */
  artboards?: ArtboardCreate[];
  /** Actions. Default: `[]` */
  actions?: ActionCreate[];
};

/** Changes of a project. Omitted members are unchanged. */
export type ProjectUpdate = Omit<contract.ProjectUpdate, 'artboards' | 'actions'> & {
  /** Artboards with their objects: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  artboards?: Array<WithRequired<ArtboardUpdate, 'id'> | ArtboardCreate>;
  /** Actions: the complete collection. Members with an id are kept, members without one are created, omitted ones are deleted */
  actions?: Array<WithRequired<ActionUpdate, 'id'> | ActionCreate>;
};

/** A project from an export. Omitted members take their defaults. */
export type ProjectImport = Omit<contract.ProjectImport, 'artboards' | 'actions'> & {
  /** Artboards with their objects. Default: `[]` */
  artboards?: ArtboardImport[];
  /** Actions. Default: `[]` */
  actions?: ActionImport[];
};

/** Results of the operations. */
export type BatchResults = Omit<contract.BatchResults, 'results'> & {
  /** Result of each operation, in order */
  results: Array<{
    /** Status of the same request outside a batch: 200, or 204 for DELETE */
    status: number;
    /** The resource after the operation, a project without its collections; null for DELETE */
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
  /** Return only those whose "interactive" has exactly this value */
  interactive?: boolean;
};

/** The parameters of listActions. */
export type ListActionsQuery = Omit<contract.ListActionsQuery, 'type'> & {
  /** Return only those whose "type" has exactly this value */
  type?: 'modify-object' | 'create-spot' | 'create-poly' | 'create-spots' | 'create-polys' | 'modify-objects' | 'modify-popup';
  /** Return only those whose "popup_id" has exactly this value */
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
