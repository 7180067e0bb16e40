/** The order of a whole collection. */
import { plural } from '../../lib/text/plural.ts';
import { pathItems } from '../../model/collection-path.ts';
import { countCollection } from '../usage.ts';
import type { Operation } from './operation.ts';
import { memberTarget } from './shared/change-events.ts';
import { accountOf, touch } from './shared/changed-parts.ts';
import { holderOf, nounOf } from './shared/names.ts';
import { idsFrom, type MemberIds } from './shared/record-items.ts';

export const orderMembers: Operation<'order', MemberIds> = {
  op: 'order',
  needs: 'project',
  encode: ({ path, ids }) => [...pathItems(path), ids],
  decode: idsFrom,
  placeOf: ({ path }) => path,
  apply(state, lsn, { path, ids }) {
    const ordered = touch(state, path, lsn).ensureCollection(path.collection, path.parentId);
    const { usage } = accountOf(state, path.accountId);
    countCollection(usage, ordered, -1);
    ordered.reorder(ids, lsn);
    countCollection(usage, ordered, 1);
  },
  events({ path, ids }, version) {
    const { kind, project_id, artboard_id } = memberTarget(path, '', version);
    return [{ name: `${kind}.reordered`, data: JSON.stringify({ kind, project_id, artboard_id, version, ids }) }];
  },
  describe: ({ path, ids }, _, project) => `reordered the ${plural(ids.length, nounOf(path))} of ${holderOf(path, project)}`,
};
