/** The resources that differ between API versions: objects and actions, and the resources that contain them. */
import type { TObject, TProperties, TSchema } from 'typebox';
import { ArtboardSchema } from '../model/resources/artboard.ts';
import { ProjectSchema } from '../model/resources/project.ts';
import { createBody, element, resource, updateBody } from './body-schemas.ts';
import {
  DataSource,
  DataSourceCreate,
  DataSourceUpdate,
  Popup,
  PopupCreate,
  PopupUpdate,
  Variable,
  VariableCreate,
  VariableUpdate,
} from './shared-schemas.ts';

/** Schemas for responses, create and PATCH, given the schemas of objects and actions. */
export function resourcesOf<O extends TProperties & { type: TSchema }, A extends TProperties>(
  object: TObject<O>,
  action: TObject<A>,
) {
  const MapObject = resource(object);
  const MapObjectCreate = createBody(object, ['type']);
  const MapObjectUpdate = updateBody(object);

  const Artboard = resource(ArtboardSchema, { objects: MapObject });
  const ArtboardCreate = createBody(ArtboardSchema, [], { objects: MapObjectCreate });
  const ArtboardUpdate = updateBody(ArtboardSchema, { objects: element(MapObjectCreate, MapObjectUpdate) });

  const Action = resource(action);
  const ActionCreate = createBody(action);
  const ActionUpdate = updateBody(action);

  const Project = resource(ProjectSchema, {
    artboards: Artboard,
    popups: Popup,
    data_sources: DataSource,
    variables: Variable,
    actions: Action,
  });
  const ProjectCreate = createBody(ProjectSchema, [], {
    artboards: ArtboardCreate,
    popups: PopupCreate,
    data_sources: DataSourceCreate,
    variables: VariableCreate,
    actions: ActionCreate,
  });
  const ProjectUpdate = updateBody(ProjectSchema, {
    artboards: element(ArtboardCreate, ArtboardUpdate),
    popups: element(PopupCreate, PopupUpdate),
    data_sources: element(DataSourceCreate, DataSourceUpdate),
    variables: element(VariableCreate, VariableUpdate),
    actions: element(ActionCreate, ActionUpdate),
  });

  return {
    MapObject,
    MapObjectCreate,
    MapObjectUpdate,
    Artboard,
    ArtboardCreate,
    ArtboardUpdate,
    Action,
    ActionCreate,
    ActionUpdate,
    Project,
    ProjectCreate,
    ProjectUpdate,
  };
}
