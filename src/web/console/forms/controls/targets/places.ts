/** What a link may lead to within a project: its floors, and then the objects of each. */

import type { ProjectStore } from '../../../document/project-store.ts';
import type { Resource } from '../../../kinds/resource-kinds.ts';
import type { Place } from './link-target.ts';
import { type TargetName, targetNames } from './target-names.ts';

const hasName = ({ name }: Resource): boolean => typeof name === 'string' && name !== '';

/** The identifiers and names of artboards and objects: what a link may name. */
export function placeNames(store: ProjectStore): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { ref, value } of store.all())
    if (ref.kind === 'artboard' || ref.kind === 'object') names.add(ref.id).add(String(value['name']).trim());
  names.delete('');
  return names;
}

export function placesOf(store: ProjectStore): readonly (Place & TargetName)[] {
  const floors = store.members({ kind: 'artboard' });
  const objects = floors.flatMap(({ id }) => store.members({ kind: 'object', artboardId: id })).filter(hasName);
  const floorOf = (id: string): string => String(store.shown(store.refOf(id)?.artboardId ?? '')?.['name'] ?? '');
  return [
    ...targetNames(floors, () => '').map((name) => ({ ...name, kind: 'floor' as const })),
    ...targetNames(objects, floorOf).map((name) => ({ ...name, kind: 'object' as const })),
  ];
}
