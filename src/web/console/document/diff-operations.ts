/** A diff as operations of one batch, and in the parts that the server takes. */
import { type Diff, isPlacing, placedIn, type ResourceChange } from '../../../lib/change/diff.ts';
import { isPlain, patchBetween } from '../../../lib/change/value-parts.ts';
import type { Operation } from '../../client/client.ts';
import {
  collectionAt,
  collectionKey,
  collectionPath,
  kinds,
  type Members,
  type Resource,
  refAt,
  resourcePath,
} from '../kinds/resource-kinds.ts';
import { keepsPlaces } from './artboard-places.ts';
import type { ProjectStore } from './project-store.ts';

/** Limits of a part, below the 1,000 operations and the 5 MiB of a request, and the 16 MiB of its results. */
const partMax = { operations: 500, characters: 2_000_000 };

/** A diff in parts. What goes with a removed resource is removed with it. */
export function partsOf(diff: Diff): Diff[] {
  const { changes, orders } = diff;
  const parts: Map<string, ResourceChange>[] = [];
  let part = new Map<string, ResourceChange>();
  let size = { operations: 0, characters: 0 };
  for (const change of inOrder(diff)) {
    const { id, to } = change;
    const owner = ownerOf(change) ?? '';
    if (to === undefined && isRemoved(changes.get(owner))) continue;
    const characters = to === undefined ? 0 : JSON.stringify(to.members).length;
    const operations = isCreated(change) && isCreated(part.get(owner)) ? 0 : 1;
    if (size.operations + operations > partMax.operations || size.characters + characters > partMax.characters) {
      if (part.size > 0) parts.push(part);
      part = new Map();
      size = { operations: 0, characters: 0 };
    }
    part.set(id, change);
    size = { operations: size.operations + operations, characters: size.characters + characters };
  }
  return [...parts, part].map((each) => ({ changes: each, orders }));
}

/** The artboard of an object that a change is about. */
export const ownerOf = ({ from, to }: ResourceChange): string | undefined => kinds.ownerOf((to ?? from)?.in ?? '');

const isCreated = (change: ResourceChange | undefined): boolean => change !== undefined && change.from === undefined;
const isRemoved = (change: ResourceChange | undefined): boolean => change !== undefined && change.to === undefined;

/** Changes as they can be made: new artboards first, places in the order that results, removals last. */
function inOrder({ changes, orders }: Diff): readonly ResourceChange[] {
  const placed = new Map<string, ResourceChange>();
  for (const [collection, { to }] of orders) {
    const ids = placedIn(changes, collection);
    for (const id of to) if (ids.has(id)) placed.set(id, changes.get(id) as ResourceChange);
  }
  const others = [...changes.values()].filter(({ id }) => !placed.has(id));
  const all = [...placed.values(), ...others];
  const rank = (change: ResourceChange): number =>
    isRemoved(change) ? 2 : isCreated(change) && change.to?.in === 'artboards' ? 0 : 1;
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** An operation, and the resource that it is about. */
export interface Sent {
  readonly id: string;
  readonly operation: Operation;
}

/**
 * The operations of a diff that begins with what the server has.
 *
 * @param isGuarded whether the server refuses them if a resource has another version than the one in the store
 */
export function operationsOf(diff: Diff, store: ProjectStore, isGuarded: boolean): readonly Sent[] {
  const list = inOrder(diff);
  const next = nextMembers(diff);
  const made = list.flatMap((change): Sent[] => {
    const operation = operationOf(change, diff, store, next);
    return operation === undefined ? [] : [{ id: change.id, operation }];
  });
  if (!isGuarded) return made;
  const guards: Sent[] = [];
  const guarded = made.map(({ id, operation }): Sent => {
    const ref = store.refOf(id);
    const version = store.versionOf(id);
    const isPlain = operation.method === 'PATCH' && operation.body === undefined;
    // Nothing is overwritten by a place, so the version does not matter.
    if (operation.method === 'POST' || isPlain || ref === undefined || version === undefined) return { id, operation };
    if (made.length === 1 || operation.method === 'DELETE' || (ref.kind !== 'artboard' && ref.kind !== 'project'))
      return { id, operation: { ...operation, if_match: version } };
    // They change with what is in them: their version counts before the operations of the batch.
    guards.push({ id, operation: { method: 'PATCH', path: resourcePath(ref), body: {}, if_match: version } });
    return { id, operation };
  });
  return [...guards, ...guarded];
}

/** The members before which resources get their places; `null` for a last place. */
function nextMembers({ changes, orders }: Diff): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const [collection, { to }] of orders) {
    const placed = placedIn(changes, collection);
    if (placed.size === 0) continue;
    let next: string | null = null;
    for (const id of to.toReversed())
      if (placed.has(id)) found.set(id, next);
      else next = id;
  }
  return found;
}

function operationOf(
  change: ResourceChange,
  diff: Diff,
  store: ProjectStore,
  next: ReturnType<typeof nextMembers>,
): Operation | undefined {
  const { changes } = diff;
  const { id, from, to } = change;
  const owner = ownerOf(change) ?? '';
  if (to === undefined)
    return isRemoved(changes.get(owner)) ? undefined : { method: 'DELETE', path: resourcePath(refAt(id, from?.in ?? '')) };
  const before = isPlacing(change) ? (next.get(id) ?? null) : undefined;
  if (from === undefined) {
    if (isCreated(changes.get(owner))) return undefined;
    const body = to.in === 'artboards' ? { ...to.members, objects: objectsOf(id, diff) } : { ...to.members };
    return { method: 'POST', path: collectionPath(collectionAt(to.in)), id, body, ...(before ? { before } : {}) };
  }
  const ref = refAt(id, from.in);
  const hasBody = Object.keys(to.members).length > 0;
  return {
    method: 'PATCH',
    path: resourcePath(ref),
    ...(hasBody && bodyOf(from.members, to.members)),
    ...(before !== undefined && { before }),
    ...(to.in !== from.in && { to_artboard: kinds.ownerOf(to.in) as string }),
    ...(keepsPlaces(store, ref, to.members) && { keep_places: true }),
  };
}

/** The new objects of a new artboard, in their order. */
function objectsOf(artboardId: string, { changes, orders }: Diff): readonly Resource[] {
  const { to = [] } = orders.get(collectionKey({ kind: 'object', artboardId })) ?? {};
  return to.map((id) => ({ ...changes.get(id)?.to?.members, id }));
}

/** A body without the settings that stay as they are. */
function bodyOf(before: Members, after: Members): { readonly body: Record<string, unknown>; readonly merge?: true } {
  const { settings } = after;
  const patch = isPlain(settings) && isPlain(before['settings']) ? patchBetween(before['settings'], settings) : undefined;
  return patch === undefined ? { body: { ...after } } : { body: { ...after, settings: patch }, merge: true };
}
