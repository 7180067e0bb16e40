/** Types of resources and request bodies by name. */
import type { Schemas } from './generated/api-types.ts';

export type Project = Schemas['Project'];
export type ProjectCreate = Schemas['ProjectCreate'];
export type ProjectUpdate = Schemas['ProjectUpdate'];

/** A project without its collections: the result of `PATCH /` in a batch. */
export type ProjectWithoutCollections = Schemas['ProjectWithoutCollections'];

export type Artboard = Schemas['Artboard'];
export type ArtboardCreate = Schemas['ArtboardCreate'];
export type ArtboardUpdate = Schemas['ArtboardUpdate'];

/** A spot or a polygon: an `Object` of the API, renamed because JavaScript has its own `Object`. */
export type MapObject = Schemas['Object'];
export type MapObjectCreate = Schemas['ObjectCreate'];
export type MapObjectUpdate = Schemas['ObjectUpdate'];

export type Popup = Schemas['Popup'];
export type PopupCreate = Schemas['PopupCreate'];
export type PopupUpdate = Schemas['PopupUpdate'];

export type DataSource = Schemas['DataSource'];
export type DataSourceCreate = Schemas['DataSourceCreate'];
export type DataSourceUpdate = Schemas['DataSourceUpdate'];

export type Variable = Schemas['Variable'];
export type VariableCreate = Schemas['VariableCreate'];
export type VariableUpdate = Schemas['VariableUpdate'];

export type Action = Schemas['Action'];
export type ActionCreate = Schemas['ActionCreate'];
export type ActionUpdate = Schemas['ActionUpdate'];

/** A picture that was uploaded to a project: a `File` of the API, renamed because JavaScript has its own `File`. */
export type ProjectFile = Schemas['File'];
export type ProjectFileUpdate = Schemas['FileUpdate'];

/** A state of a project that is kept: a `Version` of the API. */
export type ProjectVersion = Schemas['Version'];
/** What differs between two states of a project. */
export type Comparison = Schemas['Comparison'];

/** The public copy of a project. */
export type Publication = Schemas['Publication'];
/** A data source of a live map, as published. */
export type PublishedSource = Schemas['PublishedSource'];
/** How often a published map was opened. */
export type Visits = Schemas['Visits'];
/** A data source whose newest fetch failed. */
export type FailingSource = Schemas['FailingSource'];
/** The newest response of a data source. */
export type DataSourceResponse = Schemas['DataSourceResponse'];
/** What data sources, variables and actions make of a project. */
export type Evaluation = Schemas['Evaluation'];
/** A publication in the list of all publications. */
export type ListedPublication = Schemas['ListedPublication'];

/** A project as a file: the response of an export, and the body of an import. */
export type ProjectDocument = Schemas['ProjectDocument'];
/** One of the operations of a batch. */
export type Operation = Schemas['Operation'];
export type Batch = Schemas['Batch'];
/** A reference whose target does not exist. */
export type DanglingReference = Schemas['DanglingReference'];
/** The body of an error response (RFC 9457). */
export type Problem = Schemas['Problem'];
