/** The events of changes: what subscribers get. */
import type { CollectionPath } from '../../../model/collection-path.ts';
import { resourceOf } from '../../../model/resources.ts';
import type { Event } from '../operation.ts';

export const publicationKind = 'publication';

/** The members of an event that identify a resource and its version. */
interface EventTarget {
  readonly kind: string;
  readonly id: string;
  readonly project_id: string;
  /** Only for an object. */
  readonly artboard_id?: string;
  readonly version: string;
}

export function memberTarget({ collection, projectId, parentId }: CollectionPath, id: string, version: string): EventTarget {
  const kind = resourceOf[collection].kind;
  return parentId === ''
    ? { kind, id, project_id: projectId, version }
    : { kind, id, project_id: projectId, artboard_id: parentId, version };
}

export function changedEvent(isNew: boolean, target: EventTarget, resource: object): Event {
  return { name: `${target.kind}.${isNew ? 'created' : 'updated'}`, data: JSON.stringify({ ...target, resource }) };
}

export function deletedEvent(target: EventTarget): Event {
  return { name: `${target.kind}.deleted`, data: JSON.stringify({ ...target, resource: null }) };
}
