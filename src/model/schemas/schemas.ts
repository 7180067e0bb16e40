/**
 * Schemas of the resources, in responses and in the bodies of create and PATCH, for programs that validate data before they send or store
 * it: `import { PopupCreate } from 'mapwright/schemas'`. They are JSON Schemas, which TypeBox compiles. Each type has the name of its
 * schema; the types are those of the client, in plain TypeScript.
 */
import type { TSchema } from 'typebox';
import type * as Resources from '../../web/client/resource-types.ts';
import { without } from '../bodies/bodies.ts';
import {
  actionBodies,
  artboardBodies,
  dataSourceBodies,
  objectBodies,
  popupBodies,
  projectBodies,
  variableBodies,
} from '../bodies/resource-bodies.ts';

export const Project: ResourceSchema<Project> = exported(projectBodies.response);
export const ProjectCreate: ResourceSchema<ProjectCreate> = exported(projectBodies.create);
export const ProjectUpdate: ResourceSchema<ProjectUpdate> = exported(projectBodies.update);
export const Artboard: ResourceSchema<Artboard> = exported(artboardBodies.response);
export const ArtboardCreate: ResourceSchema<ArtboardCreate> = exported(artboardBodies.create);
export const ArtboardUpdate: ResourceSchema<ArtboardUpdate> = exported(artboardBodies.update);
export const MapObject: ResourceSchema<MapObject> = exported(objectBodies.response);
export const MapObjectCreate: ResourceSchema<MapObjectCreate> = exported(objectBodies.create);
export const MapObjectUpdate: ResourceSchema<MapObjectUpdate> = exported(objectBodies.update);
export const Action: ResourceSchema<Action> = exported(actionBodies.response);
export const ActionCreate: ResourceSchema<ActionCreate> = exported(actionBodies.create);
export const ActionUpdate: ResourceSchema<ActionUpdate> = exported(actionBodies.update);
export const Popup: ResourceSchema<Popup> = exported(popupBodies.response);
export const PopupCreate: ResourceSchema<PopupCreate> = exported(popupBodies.create);
export const PopupUpdate: ResourceSchema<PopupUpdate> = exported(popupBodies.update);
export const DataSource: ResourceSchema<DataSource> = exported(dataSourceBodies.response);
export const DataSourceCreate: ResourceSchema<DataSourceCreate> = exported(dataSourceBodies.create);
export const DataSourceUpdate: ResourceSchema<DataSourceUpdate> = exported(dataSourceBodies.update);
export const Variable: ResourceSchema<Variable> = exported(variableBodies.response);
export const VariableCreate: ResourceSchema<VariableCreate> = exported(variableBodies.create);
export const VariableUpdate: ResourceSchema<VariableUpdate> = exported(variableBodies.update);

export type Project = Resources.Project;
export type ProjectCreate = Resources.ProjectCreate;
export type ProjectUpdate = Resources.ProjectUpdate;
export type Artboard = Resources.Artboard;
export type ArtboardCreate = Resources.ArtboardCreate;
export type ArtboardUpdate = Resources.ArtboardUpdate;
export type MapObject = Resources.MapObject;
export type MapObjectCreate = Resources.MapObjectCreate;
export type MapObjectUpdate = Resources.MapObjectUpdate;
export type Action = Resources.Action;
export type ActionCreate = Resources.ActionCreate;
export type ActionUpdate = Resources.ActionUpdate;
export type Popup = Resources.Popup;
export type PopupCreate = Resources.PopupCreate;
export type PopupUpdate = Resources.PopupUpdate;
export type DataSource = Resources.DataSource;
export type DataSourceCreate = Resources.DataSourceCreate;
export type DataSourceUpdate = Resources.DataSourceUpdate;
export type Variable = Resources.Variable;
export type VariableCreate = Resources.VariableCreate;
export type VariableUpdate = Resources.VariableUpdate;

/** A JSON Schema of a resource in a response or a body, with the marks from which TypeBox infers `T`: a `TObject` for TypeBox. */
export interface ResourceSchema<T> {
  readonly '~kind': 'Object';
  readonly type: 'object';
  readonly title: string;
  readonly description?: string;
  readonly properties: {
    readonly [Name in keyof T]-?: MemberSchema<NonNullable<T[Name]>> &
      (undefined extends T[Name] ? { '~optional': true } : unknown);
  };
  // biome-ignore lint/suspicious/noExplicitAny: TypeBox expects a tuple of the names of needed members, or undefined.
  readonly required: any;
  readonly additionalProperties: false;
}

/** A JSON Schema of a member. TypeBox infers `T` from it. */
export interface MemberSchema<T> {
  /** Exists only in the type. */
  readonly '~unsafe': T;
  readonly description?: string;
  readonly default?: T;
}

/** With standard keywords only: strict JSON Schema validators reject extensions (`x-…`), and some an enum without a type. */
function exported<T>(schema: TSchema): ResourceSchema<T> {
  return plain(schema) as TSchema & ResourceSchema<T>;
}

function plain<S extends TSchema>(schema: S): S {
  const extensions = Object.keys(schema).filter((keyword) => keyword.startsWith('x-'));
  const copy = without(schema, ...extensions) as TSchema & Record<string, never>;
  const { items, anyOf, properties } = copy;
  if (items !== undefined) Object.assign(copy, { items: plain(items) });
  if (anyOf !== undefined) Object.assign(copy, { anyOf: (anyOf as TSchema[]).map(plain) });
  if (properties !== undefined)
    Object.assign(copy, {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plain(one as TSchema)])),
    });
  return ('enum' in copy ? Object.assign(copy, { type: 'string' }) : copy) as S;
}
