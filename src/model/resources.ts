/** All resources and their nesting: register a new resource here. */

import {
  actionBodies,
  artboardBodies,
  dataSourceBodies,
  fileBodies,
  objectBodies,
  popupBodies,
  projectBodies,
  variableBodies,
  versionBodies,
} from './bodies/resource-bodies.ts';
import { type CollectionName, defineResource, type Resource } from './resource.ts';

export const objects = defineResource(objectBodies);
export const artboards = defineResource(artboardBodies, [{ name: 'objects', resource: objects }]);
export const popups = defineResource(popupBodies);
export const dataSources = defineResource(dataSourceBodies);
export const variables = defineResource(variableBodies);
export const actions = defineResource(actionBodies);
export const files = defineResource(fileBodies);
export const versions = defineResource(versionBodies);
export const projects = defineResource(projectBodies, [
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
  files,
  versions,
};

/** Whether a collection of a project is no part of its document: a change of it is no new version of the project. */
export const isBesideDocument = (name: CollectionName): boolean => name === 'files' || name === 'versions';

export const collectionNames = Object.keys(resourceOf) as CollectionName[];
