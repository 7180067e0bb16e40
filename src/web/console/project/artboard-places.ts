/** Whether a change of an artboard moves its objects with it, so that they stay where they are on Earth. */
import type { ProjectStore } from './project-store.ts';
import type { Members, ResourceRef } from './resource-kinds.ts';

/** Members that say where on a map an artboard is. */
const areaMembers = ['width', 'height', 'osm_lat', 'osm_lng', 'osm_zoom'] as const;

export function keepsPlaces(store: ProjectStore, { kind, id }: ResourceRef, members: Members): boolean {
  const stored = store.stored(id);
  if (kind !== 'artboard' || stored?.['type'] !== 'osm' || (members['type'] ?? 'osm') !== 'osm') return false;
  const moves = areaMembers.some((name) => Object.hasOwn(members, name) && members[name] !== stored[name]);
  return moves && store.ids({ kind: 'object', artboardId: id }).length > 0;
}
