/** Items that several operations have in a record. */
import { type CollectionPath, pathFromItems } from '../../../model/collection-path.ts';
import { stored } from '../../../model/stored.ts';

export interface ProjectPlace {
  readonly accountId: string;
  readonly projectId: string;
}

export const projectItems = ({ accountId, projectId }: ProjectPlace): unknown[] => [accountId, projectId];

export const projectFrom = ([accountId, projectId]: readonly unknown[]): ProjectPlace => ({
  accountId: stored.text(accountId, 'an account'),
  projectId: stored.text(projectId, 'a project'),
});

export interface Created {
  /**
   * Whether all resources in the change are new, or all of them existed before. Subscribers need it, and the earlier state is gone when they
   * read the log. A change without it has both. It does not affect the state.
   */
  readonly created?: boolean;
}

export const createdItem = ({ created }: Created): unknown[] => (created === undefined ? [] : [created]);

export const createdFrom = (item: unknown): Created =>
  item === undefined ? {} : { created: stored.flag(item, 'whether members are new') };

export interface MemberIds {
  readonly path: CollectionPath;
  readonly ids: readonly string[];
}

export const idsFrom = (items: readonly unknown[]): MemberIds => ({
  path: pathFromItems(items),
  ids: stored.texts(items[4], 'an identifier'),
});

/** The member that another one comes before; `null` for the last place. */
export const beforeItem = (before: string | null): string => before ?? '';

export function beforeFrom(item: unknown): string | null {
  const before = stored.text(item, 'the member that another one comes before');
  return before === '' ? null : before;
}
