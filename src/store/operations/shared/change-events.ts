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

/** @param forReaders the resource as a key for reading sees it, if that differs */
export function changedEvent(isNew: boolean, target: EventTarget, resource: object, forReaders?: object): Event {
  const event = { name: `${target.kind}.${isNew ? 'created' : 'updated'}`, data: JSON.stringify({ ...target, resource }) };
  return forReaders === undefined ? event : { ...event, dataForReaders: JSON.stringify({ ...target, resource: forReaders }) };
}

export function deletedEvent(target: EventTarget): Event {
  return { name: `${target.kind}.deleted`, data: JSON.stringify({ ...target, resource: null }) };
}
