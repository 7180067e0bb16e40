/** The values of a version: what its project and its members are as rows, with the identifiers that they had. */
import type { CollectionName, Resource } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { VersionContent } from './version-content.ts';

/** The project itself, as it was; the account and the time of creation are those of the project now. */
export function projectValueOf({ project: document }: VersionContent, { id, value: { user_id, created } }: StoredProject): Value {
  return projects.create(id, { user_id, created }, document);
}

/** A collection of a version, with its members as they are in its document. */
interface VersionCollection {
  readonly collection: CollectionName;
  readonly parentId: string;
  readonly bodies: readonly Body[];
}

/** All collections of the document of a version: an artboard's objects after all artboards. */
export function* collectionsOf({ project: document }: VersionContent): Generator<VersionCollection, void> {
  for (const { name, resource } of projects.collections) {
    const bodies = document[name] as readonly Body[];
    yield { collection: name, parentId: '', bodies };
    for (const held of resource.collections) {
      for (const body of bodies)
        yield { collection: held.name, parentId: body['id'] as string, bodies: body[held.name] as readonly Body[] };
    }
  }
}

/** All members of the document of a version, in order. */
export function* membersOf(content: VersionContent) {
  for (const { collection, parentId, bodies } of collectionsOf(content))
    for (const body of bodies) yield { collection, parentId, value: memberValueOf(resourceOf[collection], body) };
}

export const memberValueOf = (resource: Resource, body: Body): Value => resource.create(body['id'] as string, body, body);
