/** New content of members: existing members are replaced in place, others are appended. */

import { type CollectionPath, pathFromItems, pathItems } from '../../model/collection-path.ts';
import { memberBytes, weigh, weighKey } from '../../model/memory-estimate.ts';
import { withoutSecrets } from '../../model/resource.ts';
import { isBesideDocument, resourceOf } from '../../model/resources.ts';
import { stored } from '../../model/stored.ts';
import type { Value } from '../../model/value.ts';
import { countCollection } from '../usage.ts';
import type { Event, Operation } from './operation.ts';
import { changedEvent, memberTarget } from './shared/change-events.ts';
import { accountOf, noteId, touch } from './shared/changed-parts.ts';
import { holderOf, membersWords, nameOf, quoted, renamed } from './shared/names.ts';
import { type Created, createdFrom, createdItem } from './shared/record-items.ts';

export interface PutMembers extends Created {
  readonly path: CollectionPath;
  readonly values: readonly Value[];
}

export const putMembers: Operation<'put', PutMembers> = {
  op: 'put',
  needs: 'project',
  encode: (change) => [
    ...pathItems(change.path),
    change.values.map(resourceOf[change.path.collection].toRow),
    ...createdItem(change),
  ],
  decode(items) {
    const path = pathFromItems(items);
    const { fromRow } = resourceOf[path.collection];
    const rows = stored.list(items[4], 'the list of members');
    return { path, values: rows.map((row) => fromRow(stored.list(row, 'a member'))), ...createdFrom(items[5]) };
  },
  placeOf: ({ path }) => path,
  apply(state, lsn, { path, values }) {
    const project = touch(state, path, lsn);
    const collection = project.ensureCollection(path.collection, path.parentId);
    const { usage } = accountOf(state, path.accountId);
    countCollection(usage, collection, -1);
    for (const value of values) {
      noteId(state, value.id);
      if (isBesideDocument(path.collection)) state.files?.replace(project, collection.get(value.id)?.value, value, lsn);
      collection.put(value, lsn);
    }
    countCollection(usage, collection, 1);
  },
  memoryGrowth(members, { path, values }) {
    const isIndexed = members.before(path)?.isIndexed === true;
    let bytes = 0;
    for (const value of values) {
      const present = members.get(path, value.id);
      bytes += weigh(value) + (present === undefined ? memberBytes : -weigh(present));
      if (isIndexed) bytes += weighKey(value) - (present === undefined ? 0 : weighKey(present));
      members.set(path, value.id, value);
    }
    return bytes;
  },
  quotaGrowth(growth, { path, values }) {
    const collection = growth.at(path);
    for (const value of values) collection?.put(value);
  },
  events: ({ path, values, created }, version) => (created === undefined ? undefined : putEvents(path, values, created, version)),
  describe({ path, values }, _, project) {
    const present = project?.collection(path.collection, path.parentId);
    const added: string[] = [];
    const changed: string[] = [];
    for (const value of values) {
      const before = present?.get(value.id)?.value;
      if (before === undefined) added.push(quoted(nameOf(value)));
      else changed.push(renamed(before, value));
    }
    const parts = [
      ...(added.length === 0 ? [] : [`created ${membersWords(path, added)}`]),
      ...(changed.length === 0 ? [] : [`changed ${membersWords(path, changed)}`]),
    ];
    return `${parts.join(' and ')} in ${holderOf(path, project)}`;
  },
};

function* putEvents(path: CollectionPath, values: readonly Value[], isNew: boolean, version: string): Generator<Event> {
  for (const value of values) {
    const forReaders = withoutSecrets(resourceOf[path.collection], value);
    const target = memberTarget(path, value.id, version);
    yield changedEvent(isNew, target, shown(path, value), forReaders === value ? undefined : shown(path, forReaders));
  }
}

/** A member as responses show it. */
function shown({ collection }: CollectionPath, value: Value): object {
  const { hidden } = resourceOf[collection];
  return hidden.length === 0 ? value : Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.includes(name)));
}
