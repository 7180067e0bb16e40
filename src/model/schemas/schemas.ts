/**
 * Schemas of the resources, in responses and in the bodies of create and PATCH, for programs that validate data before they send or store
 * it: `import { PopupCreate } from 'mapwright/schemas'`. They are TypeBox schemas, and therefore JSON Schema. Each type has the name of its
 * schema.
 */
import type { Static } from 'typebox';
import { ActionSchema } from '../resources/action.ts';
import { ArtboardSchema } from '../resources/artboard.ts';
import { DataSourceSchema } from '../resources/data-source.ts';
import { ObjectSchema } from '../resources/object.ts';
import { PopupSchema } from '../resources/popup.ts';
import { ProjectSchema } from '../resources/project.ts';
import { VariableSchema } from '../resources/variable.ts';
import { createBody, element, resource, updateBody } from './body-schemas.ts';

export const Popup = resource(PopupSchema);
export const PopupCreate = createBody(PopupSchema);
export const PopupUpdate = updateBody(PopupSchema);

export const DataSource = resource(DataSourceSchema);
export const DataSourceCreate = createBody(DataSourceSchema);
export const DataSourceUpdate = updateBody(DataSourceSchema);

export const Variable = resource(VariableSchema);
export const VariableCreate = createBody(VariableSchema);
export const VariableUpdate = updateBody(VariableSchema);

export const MapObject = resource(ObjectSchema);
export const MapObjectCreate = createBody(ObjectSchema, ['type']);
export const MapObjectUpdate = updateBody(ObjectSchema);

export const Artboard = resource(ArtboardSchema, { objects: MapObject });
export const ArtboardCreate = createBody(ArtboardSchema, [], { objects: MapObjectCreate });
export const ArtboardUpdate = updateBody(ArtboardSchema, { objects: element(MapObjectCreate, MapObjectUpdate) });

export const Action = resource(ActionSchema);
export const ActionCreate = createBody(ActionSchema);
export const ActionUpdate = updateBody(ActionSchema);

export const Project = resource(ProjectSchema, {
  artboards: Artboard,
  popups: Popup,
  data_sources: DataSource,
  variables: Variable,
  actions: Action,
});
export const ProjectCreate = createBody(ProjectSchema, [], {
  artboards: ArtboardCreate,
  popups: PopupCreate,
  data_sources: DataSourceCreate,
  variables: VariableCreate,
  actions: ActionCreate,
});
export const ProjectUpdate = updateBody(ProjectSchema, {
  artboards: element(ArtboardCreate, ArtboardUpdate),
  popups: element(PopupCreate, PopupUpdate),
  data_sources: element(DataSourceCreate, DataSourceUpdate),
  variables: element(VariableCreate, VariableUpdate),
  actions: element(ActionCreate, ActionUpdate),
});

export type Project = Static<typeof Project>;
export type ProjectCreate = Static<typeof ProjectCreate>;
export type ProjectUpdate = Static<typeof ProjectUpdate>;
export type Artboard = Static<typeof Artboard>;
export type ArtboardCreate = Static<typeof ArtboardCreate>;
export type ArtboardUpdate = Static<typeof ArtboardUpdate>;
export type MapObject = Static<typeof MapObject>;
export type MapObjectCreate = Static<typeof MapObjectCreate>;
export type MapObjectUpdate = Static<typeof MapObjectUpdate>;
export type Action = Static<typeof Action>;
export type ActionCreate = Static<typeof ActionCreate>;
export type ActionUpdate = Static<typeof ActionUpdate>;
export type Popup = Static<typeof Popup>;
export type PopupCreate = Static<typeof PopupCreate>;
export type PopupUpdate = Static<typeof PopupUpdate>;
export type DataSource = Static<typeof DataSource>;
export type DataSourceCreate = Static<typeof DataSourceCreate>;
export type DataSourceUpdate = Static<typeof DataSourceUpdate>;
export type Variable = Static<typeof Variable>;
export type VariableCreate = Static<typeof VariableCreate>;
export type VariableUpdate = Static<typeof VariableUpdate>;
