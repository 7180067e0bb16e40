/** The path of a collection, and its items in records. */
import type { CollectionName } from './resource.ts';
import { collectionNames } from './resources.ts';
import { RecordFormatError, stored } from './stored.ts';

/** The path of a collection: directly in a project (`parentId` is ''), or `objects` in the artboard `parentId`. */
export interface CollectionPath {
  readonly accountId: string;
  readonly projectId: string;
  readonly collection: CollectionName;
  readonly parentId: string;
}

export const pathItems = ({ accountId, projectId, collection, parentId }: CollectionPath) => [
  ...[accountId, projectId],
  ...[collectionNames.indexOf(collection), parentId],
];

export function pathFromItems([accountId, projectId, number, parentId]: readonly unknown[]): CollectionPath {
  return {
    accountId: stored.text(accountId, 'an account'),
    projectId: stored.text(projectId, 'a project'),
    ...collectionAt(number, parentId),
  };
}

/** A collection by its number and parent: objects are in an artboard, all others in the project itself. */
export function collectionAt(number: unknown, parentId: unknown): { collection: CollectionName; parentId: string } {
  const collection = stored.word(collectionNames, number, 'a collection');
  const parent = stored.text(parentId, 'the parent of a collection');
  if ((collection === 'objects') !== (parent !== '')) throw new RecordFormatError(`${collection} in "${parent}"`);
  return { collection, parentId: parent };
}

/** Names a collection among those of its account. */
export const collectionKey = ({ projectId, collection, parentId }: Omit<CollectionPath, 'accountId'>): string =>
  `${projectId}/${collection}/${parentId}`;
