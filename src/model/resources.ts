/** All resources and their nesting: register a new resource here. */
import { type CollectionName, defineResource, type Resource } from './resource.ts';
import { ActionSchema } from './resources/action.ts';
import { ArtboardSchema } from './resources/artboard.ts';
import { DataSourceSchema } from './resources/data-source.ts';
import { ObjectSchema } from './resources/object.ts';
import { PopupSchema } from './resources/popup.ts';
import { ProjectSchema } from './resources/project.ts';
import { VariableSchema } from './resources/variable.ts';

export const objects = defineResource(ObjectSchema);
export const artboards = defineResource(ArtboardSchema, [{ name: 'objects', resource: objects }]);
export const popups = defineResource(PopupSchema);
export const dataSources = defineResource(DataSourceSchema);
export const variables = defineResource(VariableSchema);
export const actions = defineResource(ActionSchema);
export const projects = defineResource(ProjectSchema, [
  { name: 'artboards', resource: artboards },
  { name: 'popups', resource: popups },
  { name: 'data_sources', resource: dataSources },
  { name: 'variables', resource: variables },
  { name: 'actions', resource: actions },
]);

/** The resource of each collection. The position here is the collection's number in records and snapshots: append, never reorder. */
export const resourceOf: Readonly<Record<CollectionName, Resource>> = {
  artboards,
  objects,
  popups,
  data_sources: dataSources,
  variables,
  actions,
};

export const collectionNames = Object.keys(resourceOf) as CollectionName[];
