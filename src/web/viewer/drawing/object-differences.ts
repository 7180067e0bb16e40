/** What a list of objects changes in the features that are drawn. */
import { isUsableId, type MapObject } from './map-document.ts';
import { type ObjectFeature, sameObject } from './object-feature.ts';

export interface Differences {
  readonly created: { readonly object: MapObject; readonly order: number }[];
  readonly changed: { readonly feature: ObjectFeature; readonly object: MapObject }[];
  readonly gone: ObjectFeature[];
  /** Whether objects that stay are in another order. */
  readonly isReordered: boolean;
}

/** Compares, and gives the features the order of the list. Features and objects without a usable identifier stay as they are. */
export function differences(features: readonly ObjectFeature[], objects: readonly MapObject[]): Differences {
  const unseen = new Map(features.map((feature) => [feature.getId(), feature]));
  const seen = new Set<string>();
  const created: Differences['created'] = [];
  const changed: Differences['changed'] = [];
  let last = Number.NEGATIVE_INFINITY;
  let isReordered = false;
  for (const [order, object] of objects.entries()) {
    // Of two objects with one identifier, the first has the feature.
    if (!isUsableId(object.id) || seen.has(object.id)) continue;
    seen.add(object.id);
    const feature = unseen.get(object.id);
    if (feature === undefined) {
      created.push({ object, order });
      continue;
    }
    unseen.delete(object.id);
    isReordered ||= feature.order < last;
    last = feature.order;
    feature.order = order;
    if (!sameObject(feature.object, object)) changed.push({ feature, object });
  }
  unseen.delete(undefined);
  return { created, changed, gone: [...unseen.values()], isReordered };
}
