/** The place of one member in its collection. */
import { type CollectionPath, pathFromItems, pathItems } from '../../model/collection-path.ts';
import { stored } from '../../model/stored.ts';
import { countCollection } from '../usage.ts';
import type { Operation } from './operation.ts';
import { memberTarget } from './shared/change-events.ts';
import { accountOf, touch } from './shared/changed-parts.ts';
import { holderOf, memberWords, nounOf } from './shared/names.ts';
import { beforeFrom, beforeItem } from './shared/record-items.ts';

export interface PlaceMember {
  readonly path: CollectionPath;
  readonly id: string;
  /** The member that it comes before; `null` for the last place. */
  readonly before: string | null;
}

export const placeMember: Operation<'place', PlaceMember> = {
  op: 'place',
  needs: 'project',
  encode: ({ path, id, before }) => [...pathItems(path), id, beforeItem(before)],
  decode: (items) => ({
    path: pathFromItems(items),
    id: stored.text(items[4], 'an identifier'),
    before: beforeFrom(items[5]),
  }),
  placeOf: ({ path }) => path,
  apply(state, lsn, { path, id, before }) {
    const collection = touch(state, path, lsn).ensureCollection(path.collection, path.parentId);
    const { usage } = accountOf(state, path.accountId);
    countCollection(usage, collection, -1);
    collection.place(id, before, lsn);
    countCollection(usage, collection, 1);
  },
  events({ path, id, before }, version) {
    const target = memberTarget(path, id, version);
    return [{ name: `${target.kind}.placed`, data: JSON.stringify({ ...target, before }) }];
  },
  describe({ path, id, before }, _, project) {
    const present = project?.collection(path.collection, path.parentId);
    const place = before === null ? 'at the end' : `before ${memberWords(present, before)}`;
    return `placed ${nounOf(path)} ${memberWords(present, id)} ${place} in ${holderOf(path, project)}`;
  },
};
