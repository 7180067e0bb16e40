/** The resources of a project's document: everything that a JSON body can create. */
import type { CollectionName, Resource } from '../../src/model/resource.ts';
import { isBesideDocument, projects, resourceOf } from '../../src/model/resources.ts';

const names = Object.keys(resourceOf) as CollectionName[];

export const resourcesOfDocument: readonly Resource[] = [
  projects,
  ...names.filter((name) => !isBesideDocument(name)).map((name) => resourceOf[name]),
];
