/** The table of resources, for tests that go through all of it. */
import type { AnySchema } from '../../src/model/members.ts';
import type { CollectionName, Resource } from '../../src/model/resource.ts';
import { isBesideDocument, projects, resourceOf } from '../../src/model/resources.ts';

export type { AnySchema, Resource };

const names = Object.keys(resourceOf) as CollectionName[];

/** All resources by title, also files and versions. */
export const resources: ReadonlyMap<string, Resource> = new Map(
  [projects, ...Object.values(resourceOf)].map((resource) => [resource.title, resource]),
);

export const resourceNamed = (title: string): Resource => resources.get(title) as Resource;

/** The resources of a project's document: everything that a JSON body can create. */
export const resourcesOfDocument: readonly Resource[] = [
  projects,
  ...names.filter((name) => !isBesideDocument(name)).map((name) => resourceOf[name]),
];

/** The title of the resource whose identifiers a member has; `undefined` if it is no reference. */
export const referredTo = ({ 'x-references': collection }: AnySchema): string | undefined =>
  collection && resourceOf[collection].title;
