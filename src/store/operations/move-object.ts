/** An object that goes to another artboard, with its identifier. */
import { type CollectionPath, pathFromItems, pathItems } from '../../model/collection-path.ts';
import { memberBytes, weigh, weighKey } from '../../model/memory-estimate.ts';
import { resourceOf } from '../../model/resources.ts';
import { stored } from '../../model/stored.ts';
import type { Value } from '../../model/value.ts';
import { countCollection } from '../usage.ts';
import type { Operation } from './operation.ts';
import { memberTarget } from './shared/change-events.ts';
import { accountOf, noteId, touch } from './shared/changed-parts.ts';
import { holderOf, nameOf, nounOf, quoted } from './shared/names.ts';
import { beforeFrom, beforeItem } from './shared/record-items.ts';

export interface MoveObject {
  /** Where it goes. */
  readonly path: CollectionPath;
  /** The object after the change, whole: an event has it, and a repair needs it if the former artboard is lost. */
  readonly value: Value;
  readonly fromArtboard: string;
  /** The object that it comes before; `null` for the last place. */
  readonly before: string | null;
}

const formerPath = ({ path, fromArtboard }: MoveObject): CollectionPath => ({ ...path, parentId: fromArtboard });

export const moveObject: Operation<'move', MoveObject> = {
  op: 'move',
  needs: 'project',
  encode: ({ path, value, fromArtboard, before }) => [
    ...pathItems(path),
    resourceOf[path.collection].toRow(value),
    fromArtboard,
    beforeItem(before),
  ],
  decode(items) {
    const path = pathFromItems(items);
    return {
      path,
      value: resourceOf[path.collection].fromRow(stored.list(items[4], 'a member')),
      fromArtboard: stored.text(items[5], 'an artboard'),
      before: beforeFrom(items[6]),
    };
  },
  placeOf: ({ path }) => path,
  apply(state, lsn, change) {
    const { path, value, fromArtboard, before } = change;
    const project = touch(state, path, lsn);
    const { usage } = accountOf(state, path.accountId);
    const [former, next] = [fromArtboard, path.parentId].map((each) => project.ensureCollection(path.collection, each));
    for (const collection of [former, next]) countCollection(usage, collection, -1);
    noteId(state, value.id);
    former?.delete(value.id, lsn);
    next?.put(value, lsn);
    if (before !== null) next?.place(value.id, before, lsn);
    for (const collection of [former, next]) countCollection(usage, collection, 1);
  },
  memoryGrowth(members, change) {
    const { path, value } = change;
    const former = formerPath(change);
    const present = members.get(former, value.id);
    const replaced = members.get(path, value.id);
    const weighAt = (at: CollectionPath, one: Value | undefined): number =>
      one === undefined ? 0 : memberBytes + weigh(one) + (members.before(at)?.isIndexed === true ? weighKey(one) : 0);
    members.set(former, value.id, undefined);
    members.set(path, value.id, value);
    return weighAt(path, value) - weighAt(path, replaced) - weighAt(former, present);
  },
  quotaGrowth(growth, change) {
    growth.at(formerPath(change))?.delete(change.value.id);
    growth.at(change.path)?.put(change.value);
  },
  events({ path, value, fromArtboard, before }, version) {
    const target = memberTarget(path, value.id, version);
    const data = { ...target, from_artboard_id: fromArtboard, before, resource: value };
    return [{ name: `${target.kind}.moved`, data: JSON.stringify(data) }];
  },
  describe: (change, _, project) =>
    `moved ${nounOf(change.path)} ${quoted(nameOf(change.value))} from ${holderOf(formerPath(change), project)} to ${holderOf(change.path, project)}`,
};
