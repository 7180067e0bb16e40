/** A step as one batch: its operations in order, the references to what it creates, and the orders of collections. */
import type { BatchOperation } from './project-api.ts';
import type { ProjectStore } from './project-store.ts';
import { type Place, parentOf, type Ready } from './ready-step.ts';
import {
  type CollectionRef,
  collectionKey,
  collectionOf,
  type Members,
  type ResourceRef,
  referencesOf,
} from './resource-kinds.ts';

export interface Plan {
  readonly sent: readonly BatchOperation[];
  /** For each operation: the index of its result; -1 without one. */
  readonly results: readonly number[];
  /** Results of writes to resources that refer to something that came back, and to parents. */
  readonly others: readonly { readonly index: number; readonly ref: ResourceRef }[];
  /** New orders of collections; `{name}` stands for the identifier of a result. */
  readonly orders: readonly { readonly at: CollectionRef; readonly ids: readonly string[] }[];
}

export function planOf(store: ProjectStore, operations: readonly Ready[], renamed: ReadonlyMap<string, string>): Plan {
  const sent: BatchOperation[] = [];
  const results: number[] = [];
  const others: { index: number; ref: ResourceRef }[] = [];
  const places = new Map<string, { at: CollectionRef; place: Place; ids: string[] }>();
  for (const operation of operations) {
    if (operation.op !== 'create' || operation.place === undefined || places.has(collectionKey(operation.at))) continue;
    const { at, place } = operation;
    places.set(collectionKey(at), { at, place, ids: [...place.present] });
    // Changes nothing: the whole batch is refused if the order below is not that of the server any more.
    sent.push({ method: 'PATCH', at: parentOf(store, at), body: {}, version: place.version });
  }
  // An artboard, or the project, changes with what is in it: its version counts before the operations of the batch.
  const guarded = new Set<string>();
  if (operations.length > 1) {
    const holders = operations.flatMap((operation) => (operation.op === 'patch' ? (store.refOf(operation.id) ?? []) : []));
    for (const at of holders) {
      if ((at.kind !== 'artboard' && at.kind !== 'project') || guarded.has(at.id)) continue;
      guarded.add(at.id);
      sent.push({ method: 'PATCH', at, body: {}, version: store.versionOf(at.id) });
    }
  }
  /** Former identifiers and the names of their results. */
  const names = new Map<string, string>([...renamed]);
  for (const [i, operation] of operations.entries()) {
    results.push(sent.length);
    switch (operation.op) {
      case 'patch': {
        const at = store.refOf(operation.id) as ResourceRef;
        const version = guarded.has(at.id) ? undefined : store.versionOf(operation.id);
        sent.push({
          method: 'PATCH',
          at,
          body: withNames(at.kind, operation.to, names),
          version,
          keepsPlaces: operation.keepsPlaces,
        });
        break;
      }
      case 'remove':
        sent.push({ method: 'DELETE', at: store.refOf(operation.id) as ResourceRef, version: store.versionOf(operation.id) });
        break;
      case 'create': {
        const as = `n${i}`;
        const at = {
          ...operation.at,
          ...(operation.at.artboardId === undefined
            ? {}
            : { artboardId: names.get(operation.at.artboardId) ?? operation.at.artboardId }),
        };
        sent.push({ method: 'POST', at, body: withNames(at.kind, operation.value, names), as });
        if (operation.formerId !== undefined) names.set(operation.formerId, `{${as}}`);
        places.get(collectionKey(operation.at))?.ids.splice(operation.index ?? Number.POSITIVE_INFINITY, 0, `{${as}}`);
        break;
      }
      case 'order': {
        const elements = operation.to.map((id) => ({ id }));
        const at = parentOf(store, operation.at);
        sent.push({ method: 'PATCH', at, body: { [collectionOf[operation.at.kind]]: elements }, version: operation.version });
        break;
      }
    }
  }
  for (const operation of operations) {
    if (operation.op !== 'create' || operation.formerId === undefined) continue;
    const name = names.get(operation.formerId) as string;
    for (const { id, member } of operation.references ?? []) {
      const holder = store.refOf(id);
      const value = store.stored(id)?.[member];
      if (holder === undefined) continue;
      const pointed = pointedAt(value, operation.formerId, name);
      if (pointed === undefined) continue;
      others.push({ index: sent.length, ref: holder });
      sent.push({ method: 'PATCH', at: holder, body: { [member]: pointed } });
    }
  }
  const removed = new Set(operations.flatMap((operation) => (operation.op === 'remove' ? [operation.id] : [])));
  const orders = [...places.values()].map(({ at, ids: all }) => {
    const ids = all.filter((id) => !removed.has(id));
    others.push({ index: sent.length, ref: parentOf(store, at) });
    sent.push({ method: 'PATCH', at: parentOf(store, at), body: { [collectionOf[at.kind]]: ids.map((id) => ({ id })) } });
    return { at, ids };
  });
  return { sent, results, others, orders };
}

/** A reference, or a list of them, that names another resource; `undefined` if it did not name the former one. */
function pointedAt(value: unknown, former: string, name: string): unknown {
  if (value === former) return name;
  if (Array.isArray(value) && value.includes(former)) return value.map((id) => (id === former ? name : id));
  return undefined;
}

function withNames(kind: ResourceRef['kind'], body: Members, names: ReadonlyMap<string, string>): Members {
  if (names.size === 0) return body;
  const made: Record<string, unknown> = { ...body };
  for (const { member } of referencesOf(kind)) {
    const value = made[member];
    if (typeof value === 'string') made[member] = names.get(value) ?? value;
    else if (Array.isArray(value)) made[member] = value.map((id) => names.get(id as string) ?? id);
  }
  return made;
}
