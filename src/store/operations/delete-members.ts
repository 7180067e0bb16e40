/** Deleted members, with their nested collections. */
import { plural } from '../../lib/text/plural.ts';
import { pathItems } from '../../model/collection-path.ts';
import { memberBytes, weigh, weighKey } from '../../model/memory-estimate.ts';
import { isBesideDocument, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import { countCollection } from '../usage.ts';
import type { Event, Operation } from './operation.ts';
import { deletedEvent, memberTarget } from './shared/change-events.ts';
import { accountOf, touch } from './shared/changed-parts.ts';
import { holderOf, membersWords, memberWords } from './shared/names.ts';
import { idsFrom, type MemberIds } from './shared/record-items.ts';

export const deleteMembers: Operation<'delete', MemberIds> = {
  op: 'delete',
  needs: 'project',
  encode: ({ path, ids }) => [...pathItems(path), ids],
  decode: idsFrom,
  placeOf: ({ path }) => path,
  apply(state, lsn, { path, ids }) {
    const project = touch(state, path, lsn);
    const { usage } = accountOf(state, path.accountId);
    const members = project.ensureCollection(path.collection, path.parentId);
    countCollection(usage, members, -1);
    for (const id of ids) {
      if (isBesideDocument(path.collection)) state.files?.replace(project, members.get(id)?.value, undefined, lsn);
      members.delete(id, lsn);
      for (const held of members.resource.collections) {
        countCollection(usage, project.collection(held.name, id), -1);
        project.dropCollection(held.name, id);
      }
    }
    countCollection(usage, members, 1);
  },
  memoryGrowth(members, { path, ids }) {
    const isIndexed = members.before(path)?.isIndexed === true;
    let bytes = 0;
    for (const id of ids) {
      const present = members.get(path, id);
      if (present === undefined) continue;
      bytes -= weighMember(present) + (isIndexed ? weighKey(present) : 0);
      members.set(path, id, undefined);
      for (const { name } of resourceOf[path.collection].collections)
        for (const value of members.drop({ ...path, collection: name, parentId: id })) bytes -= weighMember(value);
    }
    return bytes;
  },
  quotaGrowth(growth, { path, ids }) {
    for (const id of ids) {
      growth.at(path)?.delete(id);
      for (const { name } of resourceOf[path.collection].collections)
        growth.at({ ...path, collection: name, parentId: id })?.drop();
    }
  },
  events: deleteEvents,
  describe({ path, ids }, _, project) {
    const present = project?.collection(path.collection, path.parentId);
    const names = ids.map((id) => memberWords(present, id));
    const held =
      path.collection !== 'artboards' ? 0 : ids.reduce((sum, id) => sum + (project?.collection('objects', id)?.size ?? 0), 0);
    const with_ = held === 0 ? '' : ` (with ${plural(held, 'object')})`;
    return `deleted ${membersWords(path, names)}${with_} from ${holderOf(path, project)}`;
  },
};

const weighMember = (value: Value): number => memberBytes + weigh(value);

function* deleteEvents({ path, ids }: MemberIds, version: string): Generator<Event> {
  for (const id of ids) yield deletedEvent(memberTarget(path, id, version));
}
